"""A reader that does what a parser under attack might: it obeys the first word of its file. Runs in the child only."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import time
from pathlib import Path

from zibaldone.domain.documents import Document, Part, Unreadable

_spoilt: list[bytes] = []


def read(data: bytes, name: str, ocr: object) -> Document | Unreadable:
    if _spoilt:
        raise OSError("an engine that a file before this one broke")
    match data.partition(b" ")[0]:
        case b"hang":
            while True:
                time.sleep(60)
        case b"open-and-hang":
            with Path(os.fsdecode(data.partition(b" ")[2])).open("rb"):
                time.sleep(60)
        case b"allocate":
            kept = []
            while True:
                kept.append(b"x" * (16 << 20))
        case b"crash":
            ctypes.string_at(0)
        case b"exit":
            os._exit(0)
        case b"flood":
            _answers().write(b"\xff" * (1 << 20))
            _answers().flush()
        case b"print":
            os.write(1, b"\xff" * (1 << 20))
            print("text that is no frame")
        case b"lie":
            header = b'{"event": "done", "spent": false, "document": {"parts": [7]}}'
            _answers().write(len(header).to_bytes(4, "big") + bytes(4) + header)
            _answers().flush()
            time.sleep(60)
        case b"connect":
            socket.create_connection(("127.0.0.1", 9))
        case b"native":
            return _say(str(_connect_without_python()))
        case b"write":
            Path(data.partition(b" ")[2].decode()).write_text("written")
        case b"fail-next":
            _spoilt.append(data)
        case b"raise":
            raise ValueError("what a parser says")
        case b"recurse":
            return read(data, name, ocr)
        case b"long":
            return Document((Part("a\ud800\x00" * 3_000_000),))
        case b"environment":
            return _say("\n".join(os.environ))
        case b"peak":
            status = Path("/proc/self/status").read_text()
            return _say(status.partition("VmHWM:")[2].split()[0])
        case b"pid":
            return _say(str(os.getpid()))
        case b"run":
            return _say(subprocess.run(["cat"], input=b"ran", capture_output=True, check=True).stdout.decode())
    return _say("read")


def _say(text: str) -> Document:
    return Document((Part(text),))


def _answers():  # type: ignore[no-untyped-def]
    """The pipe to the parent, which a reader is not given: the highest descriptor that is one."""
    import stat

    pipes = [fd for fd in range(64) if _is_open(fd) and stat.S_ISFIFO(os.fstat(fd).st_mode)]
    return os.fdopen(os.dup(pipes[-1]), "wb")


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _connect_without_python() -> int:
    """What native code could do: 0 where a connection out of the machine would be possible."""
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.socket(2, 2, 0)
    address = b"\x02\x00\x00\x35\x08\x08\x08\x08" + bytes(8)
    return libc.connect(fd, address, 16)
