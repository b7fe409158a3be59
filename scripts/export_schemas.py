"""Write `shared-schemas/`: JSON Schema per model of the wire, TypeScript types, the OpenAPI document.

    python scripts/export_schemas.py [--check]

What we send (responses, events) is exported in serialization mode with every key required, what we are sent
(requests) in validation mode. `typescript` turns the schemas' subset that pydantic gives for our models into
types: no Node is needed. The files are committed; `tests/test_schemas.py` regenerates and compares.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parent))

from pydantic import BaseModel

from typescript import render_types
from zibaldone import __version__
from zibaldone.api.openapi import WireSchema, build_document
from zibaldone.api.routes import all_routes
from zibaldone.schemas.base import ErrorResponse
from zibaldone.schemas.status import PROTOCOL, RunFile
from zibaldone.schemas.sync import SyncReport

FOLDER = Path(__file__).parent.parent / "shared-schemas"
Mode = Literal["validation", "serialization"]


def wire_models() -> dict[type[BaseModel], Mode]:
    """The models at the top of a request, response, stream or file, by the table of routes."""
    models: dict[type[BaseModel], Mode] = {
        ErrorResponse: "serialization",
        RunFile: "serialization",
        SyncReport: "serialization",
    }
    for route in all_routes():
        if route.response:
            models[route.response] = "serialization"
        if route.request:
            models[route.request] = "validation"
    return dict(sorted(models.items(), key=lambda item: item[0].__name__))


def generate() -> dict[str, str]:
    """File name -> content."""
    schemas = {model.__name__: export(model, mode) for model, mode in wire_models().items()}
    files = {f"{name}.schema.json": to_text(schema) for name, schema in schemas.items()}
    files["zibaldone.ts"] = render_types(schemas, constants={"PROTOCOL": PROTOCOL})
    files["openapi.json"] = to_text(build_document(all_routes(), __version__))
    return files


def export(model: type[BaseModel], mode: Mode) -> dict[str, Any]:
    schema = model.model_json_schema(mode=mode, schema_generator=WireSchema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": model.__name__, **schema}


def to_text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def stale_files(folder: Path = FOLDER) -> list[str]:
    """Names of files that differ from what the models say, are missing, or belong to no model."""
    files = generate()
    stale = [
        name
        for name, text in files.items()
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text
    ]
    known = [*folder.glob("*.schema.json"), *folder.glob("*.ts")]
    return stale + [path.name for path in known if path.name not in files]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail where something is stale")
    if parser.parse_args().check:
        stale = stale_files()
        print("\n".join(f"stale: {name}" for name in stale) or "shared-schemas/ is up to date")
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    for name, text in generate().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    for name in stale_files():
        (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
