"""What reading one file may cost, and how the child process is held to it.

The parent measures the time and ends a child that takes too long; everything else the child puts on itself before it
sees a file. What a system lacks is left out: macOS does not enforce the limit of memory, Windows none but those of
time, input and output. Only Linux takes the network away from native code as well; elsewhere it is refused to Python.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from zibaldone.domain.documents import Document, Part

TIME_S = 28.0
"""For one file, by the clock; with the start of a fresh child it stays under 30 s."""

MEMORY_MB = 512
"""Resident. What is limited is the private part of it; the code of Python and of all libraries takes up to 70 MB more,
while 40 MB of what is private are never touched (seen with the OCR engine, which needs 460 MB at its peak)."""

_PRIVATE_MB = MEMORY_MB - 32
_RETIRE_MB = 320  # a child that holds so much may not have enough left for the next file
_RETIRE_FILES = 200
_CPU_S = 60  # of all threads together, for one file: ends a child that its parent can no longer end
_OPEN_FILES = 128

_NICENESS = 10  # at 19 an answer that is being generated would leave a child less than a hundredth of a core

MAX_CHARACTERS = 4_000_000

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_REFUSED = frozenset(
    "os.chmod os.link os.mkdir os.remove os.rename os.rmdir os.symlink os.truncate shutil.rmtree".split()
)
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))


def lock_down() -> None:
    """Give up, for good, what no reader needs. To be called while the process has one thread only."""
    _limit_resources()
    _leave_network()
    sys.addaudithook(_refuse)


def allow_cpu_for_next_file() -> None:
    """CPU time is counted from the start of the process, so each file moves the limit."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _CPU_S, hard))


def is_spent(files: int) -> bool:
    """Whether a child that has read so many files should be replaced, so that what leaks is given back."""
    if files >= _RETIRE_FILES:
        return True
    if _resident_mb() >= _RETIRE_MB:
        _give_back()
    return _resident_mb() >= _RETIRE_MB


def bounded(document: Document, max_characters: int = MAX_CHARACTERS) -> Document:
    """The document cut off at the limit, which is then said."""
    if sum(len(part.text) for part in document.parts) <= max_characters:
        return document
    parts: list[Part] = []
    left = max_characters
    for part in document.parts:
        if left > 0:
            parts.append(replace(part, text=part.text[:left]))
            left -= len(part.text)
    problem = f"only the first {max_characters:,} characters are read"
    return replace(document, parts=tuple(parts), problems=(*document.problems, problem))


def storable(text: str) -> str:
    """The text without what a database does not store: control characters and halves of surrogate pairs."""
    return text.encode("utf-8", "ignore").translate(None, _CONTROLS).decode("utf-8")


def _limit_resources() -> None:
    if sys.platform == "win32":
        return
    import resource

    os.nice(_NICENESS)
    # Not RLIMIT_AS: address space that is only reserved, such as the OCR engine's, costs nothing.
    _lower(resource.RLIMIT_DATA, _PRIVATE_MB << 20)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)


def _lower(kind: int, value: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(ValueError, OSError):  # not every system has every limit
        resource.setrlimit(kind, (limit, limit))


def _leave_network() -> None:
    """A network namespace of its own has no way out. Where the system refuses it, the audit hook has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER | _CLONE_NEWNET)


def _refuse(event: str, args: tuple[object, ...]) -> None:
    """The audit hook: no socket, no change of any file."""
    if event.startswith("socket.") or event in _REFUSED:
        raise PermissionError(f"{event} is not allowed while a file is read")
    if event == "open":
        path, _, flags = args
        if isinstance(flags, int) and flags & _WRITING and path != os.devnull and not isinstance(path, int):
            raise PermissionError("nothing may be written while a file is read")


def _give_back() -> None:
    """What was freed goes back to the system, where the C library can be asked for it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _resident_mb() -> int:
    """What the process holds in memory now, 0 where that is not told."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
