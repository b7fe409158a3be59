"""Our commit against `git commit` of one path in the same repository."""

from __future__ import annotations

import subprocess
import time

from zibaldone.bench.figures import COMMIT, Row
from zibaldone.bench.workbench import Workbench
from zibaldone.errors import ZibaldoneError
from zibaldone.vault.history.commit import CommitEngine, Committed
from zibaldone.vault.history.git import Git

_OURS, _PLAIN = "Zibaldone/log/bench-ours.md", "Zibaldone/log/bench-plain.md"


def measure_commit(bench: Workbench, repeats: int) -> Row:
    """Both change one tracked file of a few lines; writing it is not in the time."""
    bench.add_all()
    bench.stop_sidecar()
    engine = CommitEngine(Git(bench.vault), bench.root / "commits")
    for path in (_OURS, _PLAIN):
        target = bench.vault / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("# Bench\n", encoding="utf-8")
    bench.git("add", "--", _OURS, _PLAIN)
    bench.git("commit", "--quiet", "--message", "two files")
    bench.say(f"committing {2 * repeats} times")
    pairs = []
    for number in range(repeats + 1):
        data = f"# Bench\n\nEntry {number}.\n".encode()
        (bench.vault / _OURS).write_bytes(data)
        started = time.monotonic()
        outcome = engine.commit({_OURS: data}, f"ours {number}")
        ours = time.monotonic() - started
        if not isinstance(outcome, Committed):
            raise ZibaldoneError(f"Nothing was committed: {outcome}", "")
        (bench.vault / _PLAIN).write_bytes(data)
        command = ["git", "commit", "--quiet", "--message", f"plain {number}", "--", _PLAIN]
        started = time.monotonic()
        subprocess.run(command, cwd=bench.vault, env=bench.environment, check=True, capture_output=True)
        pairs.append((ours * 1000, (time.monotonic() - started) * 1000))
    return COMMIT.compare(pairs[1:])
