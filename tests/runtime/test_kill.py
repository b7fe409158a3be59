"""Killed with SIGKILL at every step of a write: each note is old or new, and all of them are after the next start."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.vaults import Vault

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork and no SIGKILL")
TESTS = Path(__file__).parents[1]


class Victim:
    """See `support.killing`."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._number = 0
        self.killed = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "support.killing", str(vault.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )

    def change(self, at: int = 0, *, everything: bool = False) -> tuple[int, list[str]]:
        """The exit code, and the steps that were taken (none where it was killed)."""
        self._number += 1
        done = self._ask(op="change", number=self._number, at=at, everything=everything)
        return done["status"], done["steps"]

    def recover(self) -> None:
        assert self._ask(op="recover")["status"] == 0

    def notes(self) -> dict[str, str]:
        pages = self.vault.root / "Zibaldone/pages"
        return {path.stem: path.read_text(encoding="utf-8") for path in sorted(pages.glob("[!.]*.md"))}

    def wanted(self) -> dict[str, str]:
        """What the last change wanted."""
        return {"kept": f"kept {self._number}\n" * 50, f"new {self._number}": "new\n"}

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=30)

    def _ask(self, **request: object) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@pytest.fixture
def victim(vault: Vault) -> Iterator[Victim]:
    opened = Victim(vault)
    yield opened
    opened.close()


def kill_and_check(victim: Victim, at: int, *, everything: bool) -> bool:
    """Whether the change was made."""
    old, head = victim.notes(), victim.vault.git("rev-parse", "HEAD")
    status, _ = victim.change(at, everything=everything)
    assert status == -signal.SIGKILL or everything  # how many events there are differs by a few from run to run
    victim.killed += status != 0
    new = victim.wanted()
    for name, text in victim.notes().items():
        assert text in (old.get(name), new.get(name)), name
    victim.recover()
    found = victim.notes()
    assert found in (old, new)
    assert not [path for path in victim.vault.root.rglob("*") if path.name.endswith(".zibtmp")]
    assert not (victim.vault.root / ".git/index.lock").exists()
    assert victim.vault.git("status", "--porcelain", "Zibaldone/pages") == ""
    assert (victim.vault.git("rev-parse", "HEAD") == head) == (found == old)
    return found == new


def test_at_every_named_step(victim: Victim) -> None:
    assert victim.change()[0] == 0  # what is done only once
    status, steps = victim.change()
    assert status == 0
    made = [kill_and_check(victim, at, everything=False) for at in range(1, len(steps) + 1)]
    assert len(steps) > 50
    assert made == sorted(made)  # from some step on it is always made, before it never
    assert not made[0]
    assert made[-1]
    victim.vault.git("fsck", "--strict")


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_at_random_moments(victim: Victim, count: int) -> None:
    assert victim.change()[0] == 0
    status, steps = victim.change(everything=True)
    assert status == 0
    rng = random.Random(count)
    made = [kill_and_check(victim, rng.randint(1, len(steps)), everything=True) for _ in range(count)]
    assert {True, False} == set(made)
    assert victim.killed >= 0.9 * count
    victim.vault.git("fsck", "--strict")
