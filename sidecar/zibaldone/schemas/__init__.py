"""The wire: one pydantic model per concept, used inside the sidecar as well.

`scripts/export_schemas` writes them to `shared-schemas/` as JSON Schema and TypeScript; a test compares.
Keys are a contract: add freely, never rename or remove.
"""
