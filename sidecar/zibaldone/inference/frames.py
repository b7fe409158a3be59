"""The pipe protocol between the sidecar and a model's worker. Shared by both ends, knows nothing of models.

A frame is two big-endian uint32 (bytes of the header, bytes of the blob), the header as a JSON object, then
the blob (float32 vectors, little-endian). Requests carry `id` and `op`, answers `id` and `event`; every request
is answered by any number of `piece` events and exactly one of `done`, `error`, `cancelled`.
"""

from __future__ import annotations

import asyncio
import json
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

MAX_HEADER_BYTES = 64 << 20
MAX_BLOB_BYTES = 256 << 20

_PREFIX = struct.Struct(">II")


class BrokenFrame(Exception):
    """The stream does not hold a frame: too long, cut off, or no JSON object."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message. `header` is JSON; `blob` belongs to it."""

    header: dict[str, Any]
    blob: bytes = b""


def encode_frame(frame: Frame) -> bytes:
    """Raises BrokenFrame for a frame that the other end would refuse."""
    header = json.dumps(frame.header, separators=(",", ":")).encode("ascii")
    _check_sizes(len(header), len(frame.blob))
    return _PREFIX.pack(len(header), len(frame.blob)) + header + frame.blob


def read_frame(stream: BinaryIO) -> Frame | None:
    """The next frame of a blocking stream, None at its end. Raises BrokenFrame."""
    prefix = _read_exactly(stream, _PREFIX.size)
    if not prefix:
        return None
    header_size, blob_size = _unpack(prefix)
    body = _read_exactly(stream, header_size + blob_size)
    return _parse(body, header_size, header_size + blob_size)


async def receive_frame(stream: asyncio.StreamReader) -> Frame | None:
    """The next frame of an asyncio stream, None at its end. Raises BrokenFrame."""
    try:
        prefix = await stream.readexactly(_PREFIX.size)
    except asyncio.IncompleteReadError as error:
        if not error.partial:
            return None
        raise BrokenFrame("the stream ends inside a frame") from error
    header_size, blob_size = _unpack(prefix)
    try:
        body = await stream.readexactly(header_size + blob_size)
    except asyncio.IncompleteReadError as error:
        raise BrokenFrame("the stream ends inside a frame") from error
    return _parse(body, header_size, header_size + blob_size)


def _unpack(prefix: bytes) -> tuple[int, int]:
    if len(prefix) != _PREFIX.size:
        raise BrokenFrame("the stream ends inside a frame")
    header_size, blob_size = _PREFIX.unpack(prefix)
    _check_sizes(header_size, blob_size)
    return header_size, blob_size


def _check_sizes(header_size: int, blob_size: int) -> None:
    if header_size > MAX_HEADER_BYTES or blob_size > MAX_BLOB_BYTES:
        raise BrokenFrame(f"a frame of {header_size} + {blob_size} bytes is too long")


def _parse(body: bytes, header_size: int, size: int) -> Frame:
    if len(body) != size:
        raise BrokenFrame("the stream ends inside a frame")
    try:
        header = json.loads(body[:header_size])
    except (ValueError, RecursionError) as error:
        raise BrokenFrame("a frame's header is not JSON") from error
    if not isinstance(header, dict):
        raise BrokenFrame("a frame's header is not an object")
    return Frame(header, body[header_size:])


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
