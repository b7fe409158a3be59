"""The OpenAPI 3.1 document, from the table of routes and the wire's models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from pydantic_core import core_schema

from zibaldone.api.routes import Route, path_parameters
from zibaldone.schemas.base import ErrorResponse

_REF = "#/components/schemas/{model}"


class WireSchema(GenerateJsonSchema):
    """What we send always has all its keys, those with a default too (a discriminator above all)."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,
    ) -> bool:
        if self.mode == "serialization":
            return not field.get("serialization_exclude")
        return super().field_is_required(field, total)


def build_document(routes: Iterable[Route], version: str) -> dict[str, Any]:
    routes = list(routes)
    paths: dict[str, Any] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Zibaldone",
            "version": version,
            "description": "Served on a literal loopback address. Every route wants the bearer token.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(routes),
        },
    }


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.operation_id,
        "summary": route.summary,
        "responses": {
            "200": {"description": "Done", "content": _content(route)},
            "default": {
                "description": "Not done",
                "content": {"application/json": {"schema": _ref(ErrorResponse)}},
            },
        },
    }
    if parameters := path_parameters(route.path):
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in parameters
        ]
    if route.request:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(route.request)}},
        }
    return operation


def _content(route: Route) -> dict[str, Any]:
    schema = _ref(route.response) if route.response else {"type": "object"}
    return {"application/x-ndjson" if route.stream else "application/json": {"schema": schema}}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}


def _schemas(routes: list[Route]) -> dict[str, Any]:
    modes: dict[type[BaseModel], Literal["validation", "serialization"]] = {ErrorResponse: "serialization"}
    for route in routes:
        if route.response:
            modes[route.response] = "serialization"
        if route.request:
            modes[route.request] = "validation"
    _, definitions = models_json_schema(list(modes.items()), ref_template=_REF, schema_generator=WireSchema)
    schemas: dict[str, Any] = definitions["$defs"]
    return dict(sorted(schemas.items()))
