"""Logs that hold no note text and no secret: of an exception, its type and where it happened."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import TextIO

_Trio = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def describe_safely(error: BaseException) -> str:
    """`KeyError at fuse.py:33 in fuse_rankings < pipeline.py:20 in search`, innermost frame first.

    Messages are left out, as they may quote what was being read; causes follow after `from`.
    """
    frames = reversed(traceback.extract_tb(error.__traceback__))
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}" for frame in frames)
    text = f"{type(error).__name__} at {where or 'an unknown place'}"
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return f"{text} from {describe_safely(cause)}" if cause else text


class SafeFormatter(logging.Formatter):
    """Also for libraries that log an exception with its message."""

    def formatException(self, ei: _Trio) -> str:  # noqa: N802 - the name that logging calls
        return describe_safely(ei[1]) if ei[1] else ""


def log_to(stream: TextIO | None = None) -> None:
    """Send the logs of this process to `stream` (stderr)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(SafeFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
