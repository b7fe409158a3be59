"""A process that is killed while it writes: `python -m support.killing VAULT`, JSON lines on stdin and stdout.

Each request forks, so that a hundred kills cost one start of Python. A step is what the writer does next: before and
after each of `POINTS`, or every audit event of the interpreter (open, rename, remove, a process started, ...).
"""

from __future__ import annotations

import functools
import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from zibaldone.config.places import vault_places
from zibaldone.runtime.writer import VaultWriter, open_writer
from zibaldone.store.changes import ChangeJournal
from zibaldone.store.state_db import StateStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.folder import Folder
from zibaldone.vault.history import commit as committing
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.index import HeldIndex
from zibaldone.vault.history.queue import CommitQueue
from zibaldone.vault.undo import UndoStore

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
POINTS: tuple[tuple[Any, str], ...] = (
    (UndoStore, "keep"),
    (ChangeJournal, "begin"),
    (ChangeJournal, "end"),
    (ChangeJournal, "queued"),
    (ChangeJournal, "committed"),
    (Folder, "write_temporary"),
    (Folder, "exchange"),
    (Folder, "rename_new"),
    (Folder, "unlink"),
    (Folder, "sync"),
    (CommitQueue, "enqueue"),
    (CommitQueue, "drain"),
    (Git, "run"),
    (Git, "prepare_refs"),
    (HeldIndex, "prepare"),
    (HeldIndex, "apply"),
    (HeldIndex, "release"),
    (committing, "write_objects"),
)


class Steps:
    """Counts, and kills this process at number `at` (0: never)."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.names: list[str] = []
        self.counting = False

    def take(self, name: str) -> None:
        if not self.counting:
            return
        self.names.append(name)
        if len(self.names) == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_points(self) -> None:
        for owner, name in POINTS:
            setattr(owner, name, self._wrapped(getattr(owner, name), f"{owner.__name__.rpartition('.')[2]}.{name}"))

    def watch_everything(self) -> None:
        sys.addaudithook(lambda event, _: self.take(event))

    def _wrapped(self, real: Callable[..., Any], name: str) -> Callable[..., Any]:
        @functools.wraps(real)
        def step(*arguments: Any, **options: Any) -> Any:
            self.take(f"before {name}")
            result = real(*arguments, **options)
            self.take(f"after {name}")
            return result

        return step


def open_vault(vault: Path) -> tuple[VaultWriter, StateStore]:
    places = vault_places(vault)
    undo = UndoStore(places.undo)
    state = StateStore(places.state_db)
    files = VaultFiles(vault, undo.keep)
    return open_writer(vault, files, undo, state.changes, places, "Zibaldone", lambda sha256: None), state


def page(name: str) -> str:
    return f"Zibaldone/pages/{name}.md"


def change(vault: Path, number: int, steps: Steps) -> None:
    """One page is written over, one made and one removed."""
    writer, _ = open_vault(vault)
    writer.recover()
    wanted: dict[str, bytes | None] = {page("kept"): f"kept {number}\n".encode() * 50, page(f"new {number}"): b"new\n"}
    wanted |= {page(path.stem): None for path in (vault / "Zibaldone/pages").glob("new *.md")}
    steps.counting = True
    writer.change("test", f"change {number}", NOW, lambda read: wanted)
    steps.counting = False


def recover(vault: Path) -> None:
    writer, state = open_vault(vault)
    writer.recover()
    writer.drain()
    state.close()


def serve(vault: Path) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            steps = Steps(request.get("at", 0))
            if request["op"] == "recover":
                recover(vault)
            else:
                steps.watch_everything() if request["everything"] else steps.watch_points()
                change(vault, request["number"], steps)
            os.write(writing, json.dumps(steps.names).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            names = pipe.read()
        _, status = os.waitpid(child, 0)
        answer = {"status": os.waitstatus_to_exitcode(status), "steps": json.loads(names or b"[]")}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
