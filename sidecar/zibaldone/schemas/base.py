"""Base of all wire models."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """Frozen, and strict about unknown keys: a typo in a request is an error, not a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ErrorBody(Wire):
    """What every failure looks like on the wire."""

    code: str
    message: str
    hint: str
    retryable: bool


class ErrorResponse(Wire):
    error: ErrorBody
