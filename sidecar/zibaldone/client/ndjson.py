"""Lines out of chunks that are cut anywhere. Pure."""

from __future__ import annotations

MOST_LINE_BYTES = 64 * 1024 * 1024


class LineTooLong(Exception):
    """More than `MOST_LINE_BYTES` without a line break: not one of our streams."""


class LineDecoder:
    """Feed it bytes as they come; it gives whole lines without their break, empty ones left out."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._held = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        *whole, rest = chunk.split(b"\n")
        lines = []
        for part in whole:
            self._parts.append(part)
            line = b"".join(self._parts).removesuffix(b"\r")
            self._parts.clear()
            self._held = 0
            if line:
                lines.append(line)
        if rest:
            self._parts.append(rest)
            self._held += len(rest)
            if self._held > MOST_LINE_BYTES:
                raise LineTooLong
        return lines
