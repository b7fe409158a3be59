"""The settings as a flat table: dotted key, environment name, default, how a value is read. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from zibaldone.config.settings import VAULT_KEYS, Settings

PREFIX = "ZIBALDONE_"


class BadValue(Exception):
    """A value that its key cannot take; the text says why, without the value."""


class Key(NamedTuple):
    """One leaf of `Settings`, such as `retrieval.k`."""

    name: str
    field: FieldInfo
    default: object

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper().replace(".", "_")

    @property
    def vault_may_set(self) -> bool:
        return self.name.split(".", 1)[0] in VAULT_KEYS

    def read(self, value: object) -> object:
        """The value as its type. Raises `BadValue`."""
        try:
            return _adapter(self.name).validate_python(value)
        except ValidationError as error:
            raise BadValue(error.errors(include_input=False)[0]["msg"]) from None

    def read_text(self, text: str) -> object:
        """As `read`, from the environment: a list is written with commas."""
        if isinstance(self.default, tuple):
            return self.read([part.strip() for part in text.split(",") if part.strip()])
        return self.read(text)


@cache
def all_keys() -> Mapping[str, Key]:
    return {key.name: key for key in _leaves(Settings(), "")}


def flatten(tables: Mapping[str, object]) -> dict[str, object]:
    """`{"retrieval": {"k": 5}}` as `{"retrieval.k": 5}`."""
    flat: dict[str, object] = {}
    for name, value in tables.items():
        if isinstance(value, Mapping):
            flat.update({f"{name}.{inner}": leaf for inner, leaf in flatten(value).items()})
        else:
            flat[name] = value
    return flat


def nest(flat: Mapping[str, object]) -> dict[str, Any]:
    """The inverse of `flatten`."""
    tables: dict[str, Any] = {}
    for name, value in flat.items():
        *parents, leaf = name.split(".")
        table = tables
        for parent in parents:
            table = table.setdefault(parent, {})
        table[leaf] = value
    return tables


def _leaves(settings: BaseModel, prefix: str) -> Iterator[Key]:
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield Key(f"{prefix}{name}", field, value)


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    field = all_keys()[name].field
    # mypy cannot see a type that is built at run time.
    return TypeAdapter(Annotated[field.annotation, field])  # type: ignore[arg-type]
