"""The committed wire is what the models say, and the golden examples are of it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import export_schemas
from typescript import render_types, to_type

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "shared-schemas" / "examples").glob("*.json"))


def test_shared_schemas_are_up_to_date() -> None:
    assert export_schemas.stale_files() == [], "run `python scripts/export_schemas.py`"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_what_its_model_and_its_schema_say(path: Path) -> None:
    name = path.stem.split(".")[0]
    document = json.loads(path.read_text(encoding="utf-8"))
    [(model, mode)] = [(model, mode) for model, mode in export_schemas.wire_models().items() if model.__name__ == name]
    value = model.model_validate(document)
    jsonschema.Draft202012Validator(export_schemas.export(model, mode)).validate(document)
    if mode == "serialization":
        assert json.loads(value.model_dump_json()) == document


def test_every_model_and_every_event_has_an_example() -> None:
    stems = {path.stem.split(".")[0] for path in EXAMPLES}
    assert {model.__name__ for model in export_schemas.wire_models()} <= stems
    types = {json.loads(path.read_text())["type"] for path in EXAMPLES if path.stem.startswith("AskEventLine.")}
    assert types == {
        "queued", "started", "retrieved", "token", "notice", "remembered", "answered", "failed", "cancelled",
    }  # fmt: skip


def test_a_discriminator_is_required_in_what_we_send() -> None:
    schema = json.loads((ROOT / "shared-schemas" / "AskEventLine.schema.json").read_text())
    for definition in schema["$defs"].values():
        assert set(definition["properties"]) == set(definition["required"])


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "number"),
        ({"const": "token"}, '"token"'),
        ({"enum": ["a", "b", 3]}, '"a" | "b" | 3'),
        ({"$ref": "#/$defs/Hit"}, "Hit"),
        ({"type": "array", "items": {"$ref": "#/$defs/Hit"}}, "Hit[]"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "(string | null)[]"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}, "number | null"),
        ({"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "discriminator": {}}, "A | B"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "Record<string, string>"),
        ({"type": "object"}, "Record<string, unknown>"),
        ({"title": "Value"}, "unknown"),
    ],
)
def test_types(schema: dict[str, object], expected: str) -> None:
    assert to_type(schema) == expected


def test_what_is_not_understood_is_an_error() -> None:
    with pytest.raises(ValueError, match="no TypeScript"):
        to_type({"type": ["string", "null"]})
    one = {"$defs": {"X": {"type": "string"}}, "properties": {}}
    two = {"$defs": {"X": {"type": "integer"}}, "properties": {}}
    with pytest.raises(ValueError, match="two things"):
        render_types({"A": one, "B": two}, {})
