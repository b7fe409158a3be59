"""A `ZibaldoneError` as it goes over the wire, and back."""

from __future__ import annotations

from collections.abc import Iterator

from zibaldone.errors import ZibaldoneError
from zibaldone.schemas.base import ErrorBody


def describe_error(error: ZibaldoneError) -> ErrorBody:
    return ErrorBody(code=error.code, message=error.message, hint=error.hint, retryable=error.retryable)


def restore_error(body: ErrorBody) -> ZibaldoneError:
    """The error that defines the code. A code that this version does not know becomes the base error."""
    known = {leaf.code: leaf for leaf in _leaves(ZibaldoneError) if "code" in vars(leaf)}
    return known.get(body.code, ZibaldoneError)(body.message, body.hint)


def _leaves(error: type[ZibaldoneError]) -> Iterator[type[ZibaldoneError]]:
    for leaf in error.__subclasses__():
        yield leaf
        yield from _leaves(leaf)
