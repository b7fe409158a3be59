"""Which heavy libraries are loaded by the commands that must be instant, by Python's own account of its imports."""

from __future__ import annotations

import re
import subprocess
import sys

from zibaldone.bench.figures import START, Row
from zibaldone.bench.workbench import ZIB, Sidecar, Workbench
from zibaldone.errors import ZibaldoneError

_HEAVY = re.compile(r"\|\s+(chromadb|llama_cpp)$", re.MULTILINE)
# Imported by both, so an account that does not name it is none.
_SURELY = re.compile(r"\|\s+click$", re.MULTILINE)


def measure_start(bench: Workbench, repeats: int) -> Row:
    """Run `zib --help`, and serve the vault until it has answered `GET /v1/health`, under `python -X importtime`."""
    bench.say("looking at what is loaded")
    command = [sys.executable, "-X", "importtime", *ZIB[1:], "--help"]
    helped = subprocess.run(command, capture_output=True, text=True, env=bench.environment, check=True)
    bench.index_all()
    bench.stop_sidecar()
    log = bench.root / "imports.log"
    sidecar = Sidecar(bench.vault, bench.environment, log, "-X", "importtime")
    try:
        healthy = sidecar.call("GET", "/v1/health")["ok"]
        served = log.read_text(encoding="utf-8")
    finally:
        sidecar.close()
    accounts = {"--help": helped.stderr, "health": served}
    if not healthy or not all(_SURELY.search(account) for account in accounts.values()):
        raise ZibaldoneError("Python gave no account of its imports.", "")
    loaded = [f"{name}: {found}" for name, text in accounts.items() for found in sorted(set(_HEAVY.findall(text)))]
    return START.count(len(loaded), ", ".join(loaded))
