"""`zib` in this process, with a scripted engine in the place of the local one."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.fakes import ScriptedEngine
from zibaldone.cli.main import run


@dataclass
class Ran:
    code: int
    out: str
    err: str


Zib = Callable[..., Ran]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "Notes"
    (folder / ".obsidian").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder.resolve()


class Opened:
    """`make` builds the engine when a command opens one; `settings` is what it was opened with."""

    def __init__(self) -> None:
        self.make: Callable[[], ScriptedEngine] = ScriptedEngine
        self.engine: ScriptedEngine | None = None
        self.settings: Any = None

    async def open_local_engine(self, vault: Path, loaded: Any, places: Any, *, watch: bool) -> ScriptedEngine:
        self.engine = self.make()
        self.settings = loaded.settings
        return self.engine

    @property
    def calls(self) -> list[tuple[str, Any]]:
        assert self.engine is not None
        assert self.engine.engine_closed
        return self.engine.calls


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    opened = Opened()
    local = types.ModuleType("zibaldone.runtime.local")
    local.open_local_engine = opened.open_local_engine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "zibaldone.runtime.local", local)
    return opened


@pytest.fixture
def zib(vault: Path, opened: Opened, capsys: pytest.CaptureFixture[str]) -> Zib:
    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        code = run(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
