"""The ledger: what stands where in a set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_ledger(out: Path, seed: int, sources: list[dict[str, Any]]) -> None:
    ledger = {"seed": seed, "sources": sources}
    (out / "ledger.json").write_text(json.dumps(ledger, ensure_ascii=False, indent=1), encoding="utf-8")


def read_ledger(out: Path) -> list[dict[str, Any]]:
    """Its sources, as `evidence.make_evidence` says."""
    sources: list[dict[str, Any]] = json.loads((out / "ledger.json").read_text(encoding="utf-8"))["sources"]
    return sources
