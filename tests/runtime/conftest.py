"""Fixtures for the engine's tests; what they give is in `conftest_runtime`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from conftest_runtime import vault

__all__ = ["vault"]
