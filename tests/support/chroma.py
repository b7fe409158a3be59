"""A real Chroma server of a test's own."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

_CHROMA = str(Path(sys.executable).parent / "chroma")
_STARTS_WITHIN_S = 60.0
_POLL_S = 0.05


class ChromaServer:
    """Over a folder, on a port that was free; `stop` kills it, and it can be started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it answers."""
        command = [_CHROMA, "run", "--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self._port)]
        self._process = subprocess.Popen(
            command,
            cwd=self._folder.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + _STARTS_WITHIN_S
        while not self._answers():
            assert self._process.poll() is None, "chroma run ended"
            assert time.monotonic() < end, "chroma run does not answer"
            time.sleep(_POLL_S)

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)) as connection:
            try:
                connection.request("GET", "/api/v2/heartbeat")
                return connection.getresponse().status == http.client.OK
            except OSError:
                return False
