"""For every test: folders of its own, so that the person's real ones are never touched."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# A runner that was started in the background ignores interrupts, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """XDG folders under a temporary one; the real models folder stays reachable. Gives the home."""
    from zibaldone.config.places import models_dir

    models = models_dir()
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith("ZIBALDONE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ZIBALDONE_MODELS_DIR", str(models))
    monkeypatch.setenv("HOME", str(home))
    for kind in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    return home
