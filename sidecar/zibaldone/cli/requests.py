"""A request from what was typed."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from zibaldone.errors import InvalidRequest

M = TypeVar("M", bound=BaseModel)


def checked(model: type[M], **fields: object) -> M:
    """Raises `InvalidRequest` with the field's name in it."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InvalidRequest(f"{name}: {first['msg']}.", "See the command's --help.") from None
