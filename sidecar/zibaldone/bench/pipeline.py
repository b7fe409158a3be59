"""`zib bench`: the order in which it is measured. A figure that cannot be had never keeps the others back."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zibaldone import __version__
from zibaldone.bench.answering import measure_followup, measure_generation
from zibaldone.bench.committing import measure_commit
from zibaldone.bench.figures import (
    COMMIT,
    EMBED,
    FOLLOWUP,
    GENERATE,
    NOOP,
    PAGE,
    SAVE,
    SCALE,
    SEARCH,
    START,
    BenchReport,
    Measure,
    Row,
)
from zibaldone.bench.machine import describe_machine, load_average, source_commit
from zibaldone.bench.notes import write_notes
from zibaldone.bench.paging import measure_page
from zibaldone.bench.scaling import measure_scale
from zibaldone.bench.searching import measure_search
from zibaldone.bench.starting import measure_start
from zibaldone.bench.syncing import measure_embedding, measure_noop, measure_save
from zibaldone.bench.workbench import Workbench, copy_notes
from zibaldone.config.settings import Settings
from zibaldone.errors import ModelMissing, NotFound, ZibaldoneError


@dataclass(frozen=True, slots=True)
class _Step:
    """`repeats` in full and in a quick run. A step of several measures has a row for each."""

    name: str
    measures: tuple[Measure, ...]
    run: Callable[[Workbench, int], Row | list[Row]]
    repeats: int
    quick_repeats: int


# In this order, as the first sync can be seen only once, and what needs no sidecar comes before what does.
_STEPS = (
    _Step("embed", (EMBED,), measure_embedding, 3, 2),
    _Step("commit", (COMMIT,), measure_commit, 15, 5),
    _Step("page", (PAGE,), measure_page, 30, 10),
    _Step("start", (START,), measure_start, 1, 1),
    _Step("search", (SEARCH,), measure_search, 40, 15),
    _Step("noop", (NOOP,), measure_noop, 15, 7),
    _Step("save", (SAVE,), measure_save, 5, 3),
    _Step("generate", (GENERATE,), measure_generation, 5, 2),
    _Step("followup", (FOLLOWUP,), measure_followup, 7, 3),
    _Step("scale", SCALE, measure_scale, 100, 20),
)
GENERATED_NOTES, QUICK_NOTES = 5000, 300
WIKI_PAGES, QUICK_PAGES = 5000, 500
CHUNKS, QUICK_CHUNKS = (10_000, 100_000), (500, 1000)


def run_bench(
    settings: Settings,
    *,
    name: str | None,
    vault: Path | None,
    quick: bool,
    say: Callable[[str], None],
    show: Callable[[Row], None] = lambda row: None,
    generated_notes: int | None = None,
) -> BenchReport:
    """Measure everything, or what `name` says, on a copy of `vault` or on a generated one; `show` is given each figure
    as soon as there is one."""
    started = time.monotonic()
    count = generated_notes or (QUICK_NOTES if quick else GENERATED_NOTES)

    def fill(folder: Path) -> None:
        if vault:
            copy_notes(vault, folder)
        else:
            write_notes(folder, count)

    commit, changed = source_commit()
    load = load_average()
    with tempfile.TemporaryDirectory(prefix="zibaldone-bench-") as folder:
        pages, chunks = (QUICK_PAGES, QUICK_CHUNKS) if quick else (WIKI_PAGES, CHUNKS)
        bench = Workbench(Path(folder), settings, fill, say, pages, chunks)
        try:
            rows = []
            for step in _STEPS:
                if name in (None, step.name):
                    for row in _measure(step, bench, quick):
                        rows.append(row)
                        show(row)
        finally:
            bench.close()
        return BenchReport(
            date=datetime.now().astimezone().isoformat(timespec="seconds"),
            version=__version__,
            commit=commit,
            changed_since_commit=changed,
            machine=describe_machine(),
            load=load,
            vault=str(vault) if vault else "generated",
            notes=bench.notes,
            quick=quick,
            chat=settings.models.chat,
            embed=settings.models.embed,
            threads=bench.threads,
            rows=rows,
            seconds=round(time.monotonic() - started, 1),
        )


def _measure(step: _Step, bench: Workbench, quick: bool) -> list[Row]:
    try:
        done = step.run(bench, step.quick_repeats if quick else step.repeats)
        return done if isinstance(done, list) else [done]
    except (ModelMissing, NotFound) as error:  # no model, or nothing in this vault to ask about
        why, failed = f"{error.message} {error.hint}".strip(), False
    except ZibaldoneError as error:
        why, failed = f"{error.message} {error.hint}".strip(), True
    except Exception as error:  # noqa: BLE001 - told in its row; the other figures can still be had
        why, failed = f"{type(error).__name__}: {error}", True
    return [measure.leave_out(why, failed=failed) for measure in step.measures]
