"""Where the figures come from: machine, versions, commit."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import zibaldone
from zibaldone.bench.figures import Machine


def describe_machine() -> Machine:
    return Machine(
        cpu=_cpu_model(),
        cores=os.cpu_count() or 1,
        memory_gib=round(_memory_bytes() / 2**30, 1),
        system=platform.platform(),
        python=platform.python_version(),
        llama_cpp_python=_version("llama-cpp-python"),
        chromadb=_version("chromadb"),
        sqlite=sqlite3.sqlite_version,
        git=_run("git", "--version").removeprefix("git version "),
    )


def source_commit() -> tuple[str | None, bool]:
    """The commit of the tree that this program runs from, and whether its code has changed since; (None, False)
    where it is no checkout."""
    folder = Path(zibaldone.__file__).parent
    if not _run("git", "-C", str(folder), "ls-files", "__init__.py"):
        return None, False  # a repository around an installed copy is not ours
    commit = _run("git", "-C", str(folder), "rev-parse", "HEAD")
    return commit or None, bool(_run("git", "-C", str(folder), "status", "--porcelain", "--", "."))


def load_average() -> float:
    """Over the last minute; 0 where the system does not tell."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or _run("sysctl", "-n", "machdep.cpu.brand_string") or platform.processor() or "unknown"


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _run(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
