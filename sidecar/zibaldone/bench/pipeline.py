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
    SEARCH,
    START,
    BenchReport,
    Measure,
    Row,
)
from zibaldone.bench.machine import describe_machine, load_average, source_commit
from zibaldone.bench.notes import write_notes
from zibaldone.bench.paging import measure_page
from zibaldone.bench.searching import measure_search
from zibaldone.bench.starting import measure_start
from zibaldone.bench.syncing import measure_embedding, measure_noop, measure_save
from zibaldone.bench.workbench import Workbench, copy_notes
from zibaldone.config.settings import Settings
from zibaldone.errors import ModelMissing, NotFound, ZibaldoneError


@dataclass(frozen=True, slots=True)
class _Step:
    """`repeats` in full and in a quick run."""

    measure: Measure
    run: Callable[[Workbench, int], Row]
    repeats: int
    quick_repeats: int


# In this order, as the first sync can be seen only once, and what needs no sidecar comes before what does.
_STEPS = (
    _Step(EMBED, measure_embedding, 3, 2),
    _Step(COMMIT, measure_commit, 15, 5),
    _Step(PAGE, measure_page, 30, 10),
    _Step(START, measure_start, 1, 1),
    _Step(SEARCH, measure_search, 40, 15),
    _Step(NOOP, measure_noop, 15, 7),
    _Step(SAVE, measure_save, 5, 3),
    _Step(GENERATE, measure_generation, 5, 2),
    _Step(FOLLOWUP, measure_followup, 7, 3),
)
GENERATED_NOTES, QUICK_NOTES = 5000, 300
WIKI_PAGES, QUICK_PAGES = 5000, 500


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
        bench = Workbench(Path(folder), settings, fill, say, QUICK_PAGES if quick else WIKI_PAGES)
        try:
            rows = []
            for step in _STEPS:
                if name in (None, step.measure.name):
                    rows.append(_measure(step, bench, quick))
                    show(rows[-1])
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


def _measure(step: _Step, bench: Workbench, quick: bool) -> Row:
    try:
        return step.run(bench, step.quick_repeats if quick else step.repeats)
    except (ModelMissing, NotFound) as error:  # no model, or nothing in this vault to ask about
        return step.measure.leave_out(f"{error.message} {error.hint}".strip())
    except ZibaldoneError as error:
        return step.measure.leave_out(f"{error.message} {error.hint}".strip(), failed=True)
    except Exception as error:  # noqa: BLE001 - told in its row; the other figures can still be had
        return step.measure.leave_out(f"{type(error).__name__}: {error}", failed=True)
