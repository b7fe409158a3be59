"""The place where it is measured: a copy of a vault, folders of its own, and the programs that run there.

Nothing of the person's is written: the notes are copied, data and config folders are temporary, the models' folder
is only read. `Workbench` is synchronous: what is timed is what another process does.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from zibaldone.config.places import models_dir
from zibaldone.config.settings import Settings
from zibaldone.errors import ModelFailed, ZibaldoneError

ZIB = (sys.executable, "-c", "from zibaldone.cli.main import main; main()")
_ANSWER_S = 900.0


class Workbench:
    """A vault to measure on. `waiting` notes come into the vault by `add_notes`.

    Args:
        root: an empty temporary folder.
        fill: writes the notes into a folder.
        say: where progress is told.
        pages: how large a large wiki is.
        chunks: of a small and of a large vault.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        fill: Callable[[Path], None],
        say: Callable[[str], None],
        pages: int = 5000,
        chunks: tuple[int, int] = (10_000, 100_000),
    ) -> None:
        self.root = root.resolve()
        self.settings = settings
        self.say = say
        self.pages = pages
        self.chunks = chunks
        self.vault = self.root / "vault"
        self._source = self.root / "source"
        self._sidecar: Sidecar | None = None
        self._raw: RawProcess | None = None
        self._indexed = False
        self.vault.mkdir()
        say("preparing the vault")
        fill(self.vault)
        found = sorted(path for path in self.vault.rglob("*") if path.suffix.lower() == ".md" and path.is_file())
        self.waiting = [path.relative_to(self.vault).as_posix() for path in found]
        self.notes = len(self.waiting)
        for rel in self.waiting:
            _move(self.vault / rel, self._source / rel)
        self.zib("init", "--yes", json_document=False)

    def close(self) -> None:
        self.stop_sidecar()
        if self._raw:
            self._raw.close()

    # -- the vault -------------------------------------------------------------------------------------

    def add_notes(self, count: int) -> int:
        """Move the next notes into the vault and commit them; how many there were."""
        moved, self.waiting = self.waiting[:count], self.waiting[count:]
        for rel in moved:
            _move(self._source / rel, self.vault / rel)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "notes")
        return len(moved)

    def add_all(self) -> None:
        """All notes in the vault, and the repository packed, as it is after some weeks of use."""
        if self.waiting:
            self.stop_sidecar()
            self.add_notes(len(self.waiting))
            self.git("gc", "--quiet")
            self._indexed = False

    def forget_index(self) -> None:
        """As if nothing had ever been indexed or embedded."""
        self.stop_sidecar()
        shutil.rmtree(self.root / "data", ignore_errors=True)
        self._indexed = False

    def index_all(self) -> None:
        """All notes in the vault and searchable."""
        self.add_all()
        if not self._indexed:
            self.stop_sidecar()
            self.say(f"indexing {self.notes} notes")
            self.zib("sync")
            self._indexed = True

    @property
    def data(self) -> Path:
        """The vault's data folder."""
        return next((self.root / "data" / "zibaldone" / "vaults").iterdir())

    def read_index(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(f"file:{self.data / 'index.db'}?mode=ro", uri=True)) as database:
            return database.execute(sql, parameters).fetchall()

    # -- programs --------------------------------------------------------------------------------------

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("ZIBALDONE_", "GIT_", "XDG_"))
        }
        models = self.settings.models
        return {
            **kept,
            **{f"XDG_{kind.upper()}_HOME": str(self.root / kind) for kind in ("data", "config", "cache", "state")},
            "HOME": str(self.root / "home"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{who}_{what}": "bench@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
            "ZIBALDONE_MODELS_DIR": str(models_dir()),
            "ZIBALDONE_MODELS_CHAT": models.chat,
            "ZIBALDONE_MODELS_EMBED": models.embed,
            "ZIBALDONE_MODELS_THREADS": str(models.threads),
            "ZIBALDONE_MODELS_CONTEXT_TOKENS": str(models.context_tokens),
            "ZIBALDONE_RETRIEVAL_MIN_RETRIEVAL": str(self.settings.retrieval.min_retrieval),
            "ZIBALDONE_RETRIEVAL_MIN_ANSWERABLE": str(self.settings.retrieval.min_answerable),
            "ZIBALDONE_INDEX_COMMITS": "0",  # the raw libraries have the notes alone
        }

    @property
    def threads(self) -> int:
        """As the product has it: 0 stands for all cores."""
        return self.settings.models.threads or os.cpu_count() or 1

    def zib(self, *arguments: str, json_document: bool = True, **settings: str) -> Any:
        """Run a command, with variables of its own; its JSON document. Raises `ZibaldoneError` where it fails."""
        flags = ["--json"] if json_document else []
        command = [*ZIB, "--vault", str(self.vault), *arguments, *flags]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=self.environment | settings,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            raise ZibaldoneError(f"zib {arguments[0]} failed: {(done.stdout + done.stderr).strip()[-300:]}", "")
        return json.loads(done.stdout) if json_document else None

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.vault, env=self.environment, check=True, capture_output=True)

    def sidecar(self) -> Sidecar:
        """The whole vault, served, its first sync done; started once."""
        self.index_all()
        return self.serve()

    def serve(self) -> Sidecar:
        """What is in the vault, likewise."""
        if self._sidecar is None:
            self.say("starting the sidecar")
            self._sidecar = Sidecar(self.vault, self.environment, self.root / "sidecar.log")
            self._sidecar.stream("/v1/sync", {})
        return self._sidecar

    def stop_sidecar(self) -> None:
        if self._sidecar:
            self._sidecar.close()
            self._sidecar = None

    def raw(self) -> RawProcess:
        """The raw libraries' process, started once."""
        if self._raw is None:
            self._raw = RawProcess()
        return self._raw


class Sidecar:
    """A real `zib serve`, spoken to over one HTTP connection."""

    def __init__(self, vault: Path, environment: Mapping[str, str], log: Path, *options: str) -> None:
        self._log: IO[bytes] = log.open("wb")
        self._process = subprocess.Popen(
            [sys.executable, *options, *ZIB[1:], "--vault", str(vault), "serve", "--stdin-watch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=dict(environment),
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise ZibaldoneError(f"zib serve did not start: {log.read_text(encoding='utf-8')[-300:]}", "")
        run = json.loads(line)
        address = urlsplit(run["url"])
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=_ANSWER_S)
        token = Path(run["token_file"]).read_text(encoding="utf-8").strip()
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def close(self) -> None:
        """It ends with its stdin."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()

    def call(self, method: str, route: str, body: object = None) -> Any:
        return json.loads(self._send(method, route, body).read())

    def stream(self, route: str, body: object) -> list[tuple[float, dict[str, Any]]]:
        """The events of an NDJSON stream, each with the monotonic time of its arrival."""
        return list(self._events(route, body))

    def _events(self, route: str, body: object) -> Iterator[tuple[float, dict[str, Any]]]:
        for line in self._send("POST", route, body):
            event = json.loads(line)
            if event["type"] == "failed":
                raise ModelFailed(f"{route} failed: {event['error']['message']}", event["error"]["hint"])
            yield time.monotonic(), event

    def _send(self, method: str, route: str, body: object) -> http.client.HTTPResponse:
        sent = None if body is None else json.dumps(body).encode()
        self._connection.request(method, route, sent, self._headers)
        response = self._connection.getresponse()
        if response.status != 200:
            raise ZibaldoneError(f"{method} {route}: {response.status} {response.read()[:300]!r}", "")
        return response


class RawProcess:
    """`bench.raw` in a process without any of Zibaldone's settings.

    Alone on a machine llama.cpp is as fast with this spin count as with libgomp's own (300,000 rounds), beside
    anything else several times faster: raw is not to lose by that.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "zibaldone.bench.raw"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "GOMP_SPINCOUNT": "1000"},
        )

    def __call__(self, op: str, **request: Any) -> dict[str, Any]:
        """One operation. Raises `ModelFailed` where the library fails."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"op": op, **request}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "the process ended"}
        if "error" in answer:
            raise ModelFailed(f"The raw {op} failed: {answer['error']}", "")
        return answer

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


def _move(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    file.rename(target)


def copy_notes(vault: Path, target: Path) -> None:
    """Copy what is no link and not hidden: the repository, the app's settings and what we wrote stay behind."""

    def left_out(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name.startswith(".") or (Path(folder) / name).is_symlink()]

    shutil.copytree(vault, target, ignore=left_out, dirs_exist_ok=True)
