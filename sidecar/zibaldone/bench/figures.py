"""What a measurement says: two medians, their ratio, its target. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from zibaldone.schemas.base import Wire


class Machine(Wire):
    cpu: str
    cores: int
    memory_gib: float
    system: str
    python: str
    llama_cpp_python: str
    chromadb: str
    sqlite: str
    git: str


class Row(Wire):
    """One figure. `ratio` is the median of the pairs' ratios (each pair was measured side by side), `low` and `high`
    its smallest and largest; `met` is None where nothing was measured, and then `why` says why not."""

    name: str
    what: str
    unit: str
    ours: float | None = None
    raw: float | None = None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    repeats: int = 0
    target: str
    met: bool | None = None
    detail: str = ""
    why: str | None = None
    failed: bool = False


class BenchReport(Wire):
    """`commit` is that of the program's source tree (None outside of a checkout); `vault` is "generated" or a path."""

    date: str
    version: str
    commit: str | None
    changed_since_commit: bool
    machine: Machine
    load: float
    vault: str
    notes: int
    quick: bool
    chat: str
    embed: str
    threads: int
    rows: list[Row]
    seconds: float


class Measure(Wire):
    """What is measured, and the bound on ours / raw."""

    name: str
    what: str
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def target(self) -> str:
        return f">= {self.at_least:g}" if self.at_least is not None else f"<= {self.at_most:g}"

    def compare(self, pairs: Sequence[tuple[float, float]], detail: str = "") -> Row:
        """From pairs (ours, raw) that were measured one after the other."""
        ratios = sorted(ours / raw for ours, raw in pairs)
        ratio = median(ratios)
        return Row(
            **self._head(),
            ours=median(ours for ours, _ in pairs),
            raw=median(raw for _, raw in pairs),
            ratio=ratio,
            low=ratios[0],
            high=ratios[-1],
            repeats=len(pairs),
            met=ratio >= self.at_least if self.at_least is not None else ratio <= (self.at_most or 0.0),
            detail=detail,
        )

    def count(self, number: int, detail: str) -> Row:
        """A number of things that there should be none of."""
        return Row(**self._head(), ours=number, raw=0, repeats=1, met=number == 0, detail=detail)

    def leave_out(self, why: str, *, failed: bool = False) -> Row:
        return Row(**self._head(), why=why, failed=failed)

    def _head(self) -> dict[str, str]:
        return {"name": self.name, "what": self.what, "unit": self.unit, "target": self.target}


EMBED = Measure(name="embed", what="first sync: embedding throughput", unit="tokens/s", at_least=0.9)
GENERATE = Measure(name="generate", what="an answer's tokens over NDJSON", unit="tokens/s", at_least=0.95)
SEARCH = Measure(name="search", what="search over HTTP", unit="ms", at_most=1.3)
SMALL = Measure(name="scale-small", what="search over HTTP, a small vault", unit="ms", at_most=1.3)
LARGE = Measure(name="scale-large", what="search over HTTP, a large vault", unit="ms", at_most=1.3)
GROWTH = Measure(name="scale-growth", what="search in the large vault (raw: the small one)", unit="ms", at_most=2)
SCAN = Measure(name="scale-scan", what="search by words (raw: without an index)", unit="ms", at_most=0.05)
COMMIT = Measure(name="commit", what="a commit of one path", unit="ms", at_most=1.5)
PAGE = Measure(name="page", what="writing a page in a large wiki (raw: in a small one)", unit="ms", at_most=1.2)
NOOP = Measure(name="noop", what="a sync that finds nothing new", unit="ms", at_most=5)
FOLLOWUP = Measure(name="followup", what="second turn's first token (raw: the first turn's)", unit="s", at_most=0.4)
SAVE = Measure(name="save", what="saved note to searchable, less the debounce", unit="ms", at_most=2)
START = Measure(name="start", what="of chromadb and llama_cpp loaded by --help and health", unit="modules", at_most=0)
SCALE = (SMALL, LARGE, GROWTH, SCAN)
MEASURES = (EMBED, GENERATE, SEARCH, COMMIT, PAGE, NOOP, FOLLOWUP, SAVE, START, *SCALE)
