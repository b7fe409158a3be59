from __future__ import annotations

import io
import logging

from zibaldone.api.logs import SafeFormatter, describe_safely


def fail() -> None:
    try:
        int("canary in a value")
    except ValueError as error:
        raise RuntimeError("canary in a message") from error


def test_neither_message_nor_cause_is_told() -> None:
    try:
        fail()
    except RuntimeError as error:
        text = describe_safely(error)
    assert "canary" not in text
    assert text.startswith("RuntimeError at test_logs.py:")
    assert "in fail" in text
    assert "from ValueError at" in text


def test_a_library_that_logs_an_exception_is_held_to_it() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(SafeFormatter("%(message)s"))
    logger = logging.Logger("library")
    logger.addHandler(handler)
    try:
        fail()
    except RuntimeError:
        logger.exception("It failed.")
    assert "It failed." in stream.getvalue()
    assert "canary" not in stream.getvalue()
