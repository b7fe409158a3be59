"""A real `zib serve` over a vault, and `zib` commands beside it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ZIB = str(Path(sys.executable).parent / "zib")
SETTINGS = {
    "ZIBALDONE_MODELS_CHAT": "fake-chat",
    "ZIBALDONE_MODELS_EMBED": "fake-embed",
    "ZIBALDONE_WATCH_DEBOUNCE_S": "0.1",
}


def zib(vault: Path, *arguments: str, **settings: str) -> Any:
    """The JSON that a command prints; it must succeed."""
    done = subprocess.run(
        [ZIB, "--vault", str(vault), *arguments, "--json"],
        capture_output=True,
        env={**os.environ, **SETTINGS, **settings},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return json.loads(done.stdout)


@dataclass
class Sidecar:
    """A served vault."""

    process: subprocess.Popen[bytes]
    run: dict[str, Any]

    @contextmanager
    def connect(self, method: str, route: str, body: object = None) -> Iterator[http.client.HTTPResponse]:
        """An open response; closing it closes the connection."""
        address = urlsplit(self.run["url"])
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=120)
        token = Path(self.run["token_file"]).read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            connection.request(method, route, None if body is None else json.dumps(body), headers)
            yield connection.getresponse()
        finally:
            connection.close()

    def get(self, route: str) -> Any:
        with self.connect("GET", route) as response:
            assert response.status == 200, response.read()
            return json.loads(response.read())

    def ask(self, question: str) -> list[dict[str, Any]]:
        with self.connect("POST", "/v1/ask", {"question": question}) as response:
            return [json.loads(line) for line in response]

    def workers(self) -> list[int]:
        """Process ids of the model workers, by their parent."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid:
                found.append(int(stat.parent.name))
        return found


@contextmanager
def serve(vault: Path, **settings: str) -> Iterator[Sidecar]:
    """Ends with its stdin, as it does with its parent."""
    process = subprocess.Popen(
        [ZIB, "--vault", str(vault), "serve", "--stdin-watch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **SETTINGS, **settings},
    )
    assert process.stdin
    assert process.stdout
    try:
        yield Sidecar(process, json.loads(process.stdout.readline()))
    finally:
        process.stdin.close()
        process.wait(timeout=30)
        process.stdout.close()
