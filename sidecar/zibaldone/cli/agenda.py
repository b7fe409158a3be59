"""`zib agenda`: what is due, and adding to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, line_width, note, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Engine
    from zibaldone.schemas.agenda import Agenda, AgendaItem, AgendaSpan

T = TypeVar("T")

_MOST_OVERDUE = 15
_INDENT = " " * 12
_NOTHING = {
    "ahead": "Nothing is due today or in the seven days after.",
    "today": "Nothing is due today.",
    "week": "Nothing is due until {until}.",
    "overdue": "Nothing is overdue.",
}
_all = click.option("--all", "show_all", is_flag=True, help="Everything that is overdue, however much it is.")


@click.group(invoke_without_command=True)
@_all
@common_options()
@click.pass_context
def agenda(ctx: click.Context, show_all: bool) -> None:
    """What is due, from the tasks and dates in your notes. Bare: overdue, today and the seven days after."""
    if ctx.invoked_subcommand is None:
        _show(ctx.obj, "ahead", show_all)


@agenda.command()
@_all
@common_options()
@click.pass_obj
def today(invocation: Invocation, show_all: bool) -> None:
    """What is overdue and what is due today."""
    _show(invocation, "today", show_all)


@agenda.command()
@_all
@common_options()
@click.pass_obj
def week(invocation: Invocation, show_all: bool) -> None:
    """What is due until Sunday; from Friday on, until the Sunday after."""
    _show(invocation, "week", show_all)


@agenda.command()
@_all
@common_options()
@click.pass_obj
def overdue(invocation: Invocation, show_all: bool) -> None:
    """What should have been done before today."""
    _show(invocation, "overdue", show_all)


@agenda.command()
@click.argument("text")
@click.option("--day", default="today", show_default=True, help="today, tomorrow or a date such as 2026-03-05.")
@common_options()
@click.pass_obj
def add(invocation: Invocation, text: str, day: str) -> None:
    """Propose TEXT as a task for a day's daily note; nothing is written before you approve it."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.agenda import AgendaAddRequest

    request = checked(AgendaAddRequest, text=text, day=day)
    made = _call(invocation, lambda engine: engine.add_to_agenda(request))
    if invocation.json:
        show_json(made)
        return
    for file in made.files:
        new = " (new)" if file.base_sha256 is None else ""
        click.secho(clean(f"{file.path}{new}"), bold=True)
        for hunk in file.hunks:
            click.echo("\n".join(clean(f"+ {line}") for line in hunk.new.splitlines()))
    note(f"Nothing is written yet: `zib proposals apply {made.id}` does it.")


def render_agenda(found: Agenda, *, show_all: bool = False) -> Iterator[str]:
    late = [item for item in found.items if item.state == "overdue"]
    if late:
        yield click.style("Overdue", bold=True)
        shown = late if show_all else late[:_MOST_OVERDUE]
        for item in shown:
            yield _line(item, f"{item.overdue_days} day{'s' if item.overdue_days > 1 else ''}")
        if len(late) > len(shown):
            yield f"  and {len(late) - len(shown)} more: --all shows them"
    to_come = [item for item in found.items if item.state != "overdue"]
    for day, items in groupby(to_come, key=lambda item: item.day):
        yield click.style(name_day(day, found.today), bold=True)
        for item in items:
            yield _line(item, item.time or "")
    if not to_come and (found.span != "overdue" or not late):
        yield _NOTHING[found.span].format(until=name_day(found.until, ""))


def name_day(day: str, today: str) -> str:
    """`Wednesday, 4 March 2026`, with "Today" before it where it is."""
    from datetime import date

    from zibaldone.domain.moment import write_name

    name = write_name(date.fromisoformat(day), "dddd, D MMMM YYYY")
    return f"Today, {name}" if day == today else name


def _line(item: AgendaItem, when: str) -> str:
    due = f"due {item.due}" if item.due and item.due > item.day else ""
    marks = ", ".join(filter(None, (item.priority, "" if item.kind == "task" else item.kind, due)))
    said = f" ({marks})" if marks else ""
    text = wrap(f"{item.text}{said}", indent=_INDENT, first=f"  {when:>8}  ")
    place = f"  {clean(item.path)}:{item.line}"
    fits = len(text.rpartition("\n")[2]) + len(place) <= line_width()
    return text + (place if fits else f"\n{_INDENT}{place.lstrip()}")


def _show(invocation: Invocation, span: AgendaSpan, show_all: bool) -> None:
    from zibaldone.schemas.agenda import AgendaRequest

    found = _call(invocation, lambda engine: engine.agenda(AgendaRequest(span=span)))
    if invocation.json:
        show_json(found)
    else:
        click.echo("\n".join(render_agenda(found, show_all=show_all)))


def _call(invocation: Invocation, call: Callable[[Engine], Awaitable[T]]) -> T:
    async def with_engine() -> T:
        from zibaldone.cli.engine import open_engine

        vault = invocation.vault()
        async with open_engine(vault, invocation.load(vault)) as engine:
            return await call(engine)

    return asyncio.run(with_engine())
