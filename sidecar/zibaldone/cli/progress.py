"""Progress bars on stderr, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zibaldone.schemas.sync import Progress


@contextmanager
def show_progress() -> Iterator[Callable[[Progress], None]]:
    """One bar per stage; off a terminal nothing is drawn."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return

    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def update(progress: Progress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bars.add_task(escape(progress.stage), total=progress.total, unit=progress.unit)
            bars.update(tasks[progress.stage], completed=progress.done, total=progress.total)

        yield update
