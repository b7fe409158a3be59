"""The parent's side of the reading process: start it, give it files one at a time, survive whatever they do to it.

One child serves many files. A child that takes too long, dies, or answers with something that is no answer costs the
file that it had, and the next file gets a fresh one. Only the process that was started here is ever signalled.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from pydantic import TypeAdapter, ValidationError

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.errors import ReaderUnavailable, StoreClosed
from zibaldone.inference.frames import BrokenFrame, Frame, encode_frame, read_frame
from zibaldone.ingest.extract import limits
from zibaldone.ingest.extract.kinds import Kind, kind_of

if TYPE_CHECKING:
    from zibaldone.ingest.extract.ocr import Choice

_COMMAND = (sys.executable, "-P", "-B", "-m", "zibaldone.ingest.extract.child")
# Of the environment, with its keys and tokens, a child sees what finds Python, its libraries and Tesseract.
_KEPT = "PATH PYTHONPATH PYTHONHOME HOME LANG LC_ALL LC_CTYPE SYSTEMROOT LD_LIBRARY_PATH TESSDATA_PREFIX".split()
# Each thread of a library, and each arena of malloc, reserves memory that counts against the limit; blocks of more
# than 4 MB are given back when a picture is done with (120 MB less after each).
FRUGAL = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(4 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(64 << 20),
}
_START_S = 60.0
_STOP_S = 2.0
_DOCUMENT = TypeAdapter(Document)


class Extractor:
    """Reads files in a child process, which starts with the first of them. `close` ends it; also a context manager.

    Args:
        kind_for: the kind of a file by its name, None where nothing reads it.
        ocr: the engine that reads pictures: `auto`, its name, or `off`.
        time_s: seconds by the clock that one file may take.
    """

    def __init__(
        self,
        kind_for: Callable[[str], Kind | None] = kind_of,
        *,
        ocr: Choice = "auto",
        time_s: float = limits.TIME_S,
    ) -> None:
        self._kind_for = kind_for
        self._ocr = ocr
        self._time_s = time_s
        self._turn = threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    def read(self, data: bytes, name: str) -> Document | Unreadable:
        """What the file `name` with the content `data` holds. Blocks; calls from several threads take turns.

        Raises:
            ReaderUnavailable: the child cannot be started, which says nothing about the file.
            StoreClosed: the extractor was closed meanwhile.
        """
        kind = self._kind_for(name)
        if kind is None:
            return Unreadable("there is no reader for this kind of file")
        if len(data) > kind.max_bytes:
            return Unreadable(f"is larger than {kind.max_bytes >> 20} MB")
        with self._turn:
            request = Frame({"reader": kind.reader, "name": name, "ocr": self._ocr}, data)
            while True:
                self._check_open()
                child = self._ready_child()
                outcome, usable = child.read(request, self._time_s)
                if not usable:
                    self._stop()
                self._check_open()
                # What files before it left behind is not this file's fault: it gets a fresh child to show that.
                if isinstance(outcome, Document) or usable or child.is_late or child.files == 1:
                    return outcome

    @cached_property
    def eyes(self) -> str:
        """The engine that reads pictures, with its version; empty where there is none."""
        from zibaldone.ingest.extract.ocr import find_engine

        engine, _ = find_engine(self._ocr)
        return engine.name if engine else ""

    def close(self) -> None:
        """End the child. A file that is being read is given up, which its reader is told by `StoreClosed`."""
        self._closed = True
        if self._child is not None:
            self._child.kill()
        with self._turn:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed("Zibaldone is stopping.", "What was not done is done at the next start.")

    def _ready_child(self) -> _Child:
        if self._child is not None and not self._child.alive:
            self._stop()
        if self._child is None:
            self._child = _Child()
            if not self._child.is_ready(_START_S):
                self._stop()
                raise ReaderUnavailable(
                    "The process that files are read in does not start.", "Run `zib doctor`, then sync again."
                )
        return self._child

    def _stop(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.stop()


class _Child:
    """A running child and its pipes."""

    def __init__(self) -> None:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | FRUGAL
        try:
            self._process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise ReaderUnavailable(f"The process that files are read in does not start: {error}.") from error
        self.is_late = False
        self.files = 0

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def is_ready(self, deadline_s: float) -> bool:
        """Wait for the child's first word."""
        return self._answer(None, deadline_s) == {"event": "ready"}

    def read(self, request: Frame, deadline_s: float) -> tuple[Document | Unreadable, bool]:
        """What the child makes of the file, and whether it can be given another."""
        self.files += 1
        answer = self._answer(request, deadline_s)
        if self.is_late:
            return Unreadable(f"took longer than {deadline_s:g} s"), False
        if answer is None:
            return Unreadable(self._end()), False
        outcome = _outcome(answer)
        return outcome or Unreadable("crashed its reader"), outcome is not None and answer.get("spent") is False

    def stop(self) -> None:
        """The end of stdin ends the child; where it does not, a signal does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
            self._process.wait(_STOP_S)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()
        self._process.wait()
        self._process.stdout.close()

    def _answer(self, request: Frame | None, deadline_s: float) -> dict[str, Any] | None:
        """The next frame's header; None where the child is gone, late or talks rubbish."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        alarm = threading.Timer(deadline_s, self._stop_late)
        alarm.daemon = True
        alarm.start()
        try:
            if request is not None:
                self._process.stdin.write(encode_frame(request))
                self._process.stdin.flush()
            frame = read_frame(cast(BinaryIO, self._process.stdout))
            return None if frame is None else frame.header
        except (BrokenFrame, OSError):
            return None
        finally:
            alarm.cancel()

    def _stop_late(self) -> None:
        self.is_late = True
        self.kill()

    def kill(self) -> None:
        """The child and what it has started, which is in its session."""
        if not self.alive:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            os.killpg(self._process.pid, signal.SIGKILL)

    def _end(self) -> str:
        """Why a child that gave no answer came to its end."""
        try:
            code = self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            return "crashed its reader"
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return _ENDS.get(name, f"crashed its reader ({name})")


_ENDS = {
    # pdfium gives up by SIGABRT, or a trap, when it is refused memory
    "SIGABRT": f"crashed its reader, most likely for want of more than {limits.MEMORY_MB} MB of memory",
    "SIGKILL": f"needs more than {limits.MEMORY_MB} MB of memory",
    "SIGXCPU": "took too much of the processor's time",
}


def _outcome(answer: dict[str, Any]) -> Document | Unreadable | None:
    """The answer as a value, None where it is none."""
    match answer:
        case {"event": "done", "unreadable": str(reason)}:
            return Unreadable(reason)
        case {"event": "done", "document": dict(document)}:
            try:
                return _DOCUMENT.validate_python(document)
            except ValidationError:
                return None
        case _:
            return None
