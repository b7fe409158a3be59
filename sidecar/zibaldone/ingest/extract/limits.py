"""What reading one file may cost, and how the child process is held to it.

The parent measures the time and ends a child that takes too long; everything else the child puts on itself before it
sees a file. What a system lacks is left out: macOS does not enforce the limit of memory, Windows none but those of
time, input and output. Only Linux takes the network away from native code as well; elsewhere it is refused to Python.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

from zibaldone.domain.documents import Document, Part

TIME_S = 28.0
"""For one file, by the clock; with the start of a fresh child it stays under 30 s."""

MEMORY_MB = 512
_CODE_MB = 80  # resident pages of files: the interpreter, pdfium and the OCR engine were seen with 66
_RETIRE_MB = 256  # a child that has grown to this may not have enough left for the next file
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
_UNSTORABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


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
    return files >= _RETIRE_FILES or _resident_mb() >= _RETIRE_MB


def bounded(document: Document, max_characters: int = MAX_CHARACTERS) -> Document:
    """The document without what no database stores, cut off at the limit, which is then said."""
    parts: list[Part] = []
    left = max_characters
    for part in document.parts:
        if left <= 0:
            break
        text = _UNSTORABLE.sub("", part.text[:left])
        left -= len(text)
        parts.append(replace(part, text=text, heading=tuple(_UNSTORABLE.sub("", name) for name in part.heading)))
    title = None if document.title is None else _UNSTORABLE.sub("", document.title)
    problems = document.problems
    if sum(len(part.text) for part in document.parts) > max_characters:
        problems = (*problems, f"only the first {max_characters:,} characters are read")
    return replace(document, parts=tuple(parts), title=title, problems=problems)


def _limit_resources() -> None:
    if sys.platform == "win32":
        return
    import resource

    os.nice(_NICENESS)
    # Not RLIMIT_AS: address space that is only reserved, such as the OCR engine's, costs nothing.
    data = (MEMORY_MB - _CODE_MB) << 20
    _lower(resource.RLIMIT_DATA, data)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)


def _lower(kind: int, value: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (value, value) if hard == resource.RLIM_INFINITY else (min(value, hard),) * 2)


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


def _resident_mb() -> int:
    """What the process holds in memory now, 0 where that is not told."""
    if sys.platform != "linux":
        return 0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
