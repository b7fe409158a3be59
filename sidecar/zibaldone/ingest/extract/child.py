"""The process that files are read in: `python -m zibaldone.ingest.extract.child`, frames on stdin and stdout.

A request is a frame with the file's name and its reader's module, the bytes as its blob; the answer is the document, or
why there is none. The main thread reads one file at a time. Another takes the requests and ends the process with stdin,
so that it never outlives its parent. Readers are loaded when they are first asked for; what they print goes nowhere.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import os
import queue
import threading
from datetime import date
from typing import Any, BinaryIO

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.inference.frames import BrokenFrame, Frame, encode_frame, read_frame
from zibaldone.ingest.extract import limits

OUT_OF_MEMORY = f"needs more than {limits.MEMORY_MB} MB of memory"


def main() -> None:
    """Serve requests until stdin ends."""
    requests, answers = _take_pipes()
    limits.lock_down()
    waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    threading.Thread(target=_take_requests, args=(requests, waiting), name="requests", daemon=True).start()
    _send(answers, {"event": "ready"})
    files = 0
    while True:
        request = waiting.get()
        files += 1
        limits.allow_cpu_for_next_file()
        outcome, is_well = _read(request)
        spent = not is_well or limits.is_spent(files)
        del request
        _send(answers, {"event": "done", "spent": spent, **_as_json(outcome)})


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for this module alone: a reader, or a program that it starts, finds neither."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)
    return requests, answers


def _take_requests(requests: BinaryIO, waiting: queue.SimpleQueue[Frame]) -> None:
    try:
        while (frame := read_frame(requests)) is not None:
            waiting.put(frame)
    except (BrokenFrame, OSError, MemoryError):
        os._exit(1)
    os._exit(0)


def _read(request: Frame) -> tuple[Document | Unreadable, bool]:
    """What the file holds, and whether this process is as good as before: an engine that was refused memory, say, may
    be of no use to the next file."""
    try:
        reader = importlib.import_module(request.header["reader"])
    except ModuleNotFoundError as error:
        if error.name != request.header["reader"]:
            return Unreadable(f"its reader needs {error.name}, which is not installed"), True
        return Unreadable("there is no reader for this kind of file yet"), True
    try:
        outcome = reader.read(request.blob, request.header["name"], _picture_reader(request.header["ocr"]))
        return limits.bounded(outcome) if isinstance(outcome, Document) else outcome, True
    except MemoryError:
        return Unreadable(OUT_OF_MEMORY), False
    except RecursionError:
        return Unreadable("is nested too deeply"), False
    except Exception as error:  # noqa: BLE001 - whatever a file does to its reader, it costs that file only
        return Unreadable(f"failed in its reader ({type(error).__name__})"), False


@functools.cache
def _picture_reader(choice: str) -> object | None:
    """The engine that reads pictures, None where there is none. It loads its models with the first picture."""
    try:
        ocr = importlib.import_module("zibaldone.ingest.extract.ocr")
    except ModuleNotFoundError:
        return None
    engine: object | None = ocr.find_engine(choice)[0]
    return engine


def _as_json(outcome: Document | Unreadable) -> dict[str, Any]:
    if isinstance(outcome, Unreadable):
        return {"unreadable": limits.storable(outcome.reason)}
    return {"document": _plain(dataclasses.asdict(outcome))}


def _plain(value: Any) -> Any:
    match value:
        case str():
            return limits.storable(value)
        case date():
            return value.isoformat()
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def _send(answers: BinaryIO, header: dict[str, Any]) -> None:
    answers.write(encode_frame(Frame(header)))
    answers.flush()


if __name__ == "__main__":
    main()
