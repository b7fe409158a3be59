"""`zib build-memory`, `memory-stats`, `concepts`, `timeline`, `forgetting`, `drift`, `distill`, `recall`, `usage`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, wrap
from zibaldone.cli.progress import show_progress
from zibaldone.errors import ZibaldoneError

if TYPE_CHECKING:
    from zibaldone.runtime.engine import VaultMemory
    from zibaldone.schemas.hierarchy import BuildReport, BuildRequest, GateReport, NodeEvidence

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

_SHOWN_EVIDENCE = 3
_LEVELS = click.Choice(["event", "episode", "concept"])
_BUILD_LEVELS = click.Choice(["event", "episode", "concept", "graph", "drift", "distill", "all"])


def list_options(*, top: int = 20, level: bool = True) -> Callable[[F], F]:
    """--top, --min-support, and --level where there are several."""

    def decorate(command: F) -> F:
        if level:
            command = click.option("--level", type=_LEVELS, help="Only these.")(command)
        command = click.option(
            "--min-support",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help="Of at least so many events.",
        )(command)
        return click.option("--top", type=click.IntRange(1, 10_000), default=top, show_default=True, help="How many.")(
            command
        )

    return decorate


# -- building ---------------------------------------------------------------------------------------------


@click.command("build-memory")
@click.option("--level", type=_BUILD_LEVELS, default="all", show_default=True, help="Up to which level.")
@click.option("--limit", type=click.IntRange(min=1), help="Read at most so many sources, the most recently changed.")
@click.option("--model", help="The chat model that names concepts; none: no model at all.")
@click.option("--pause/--resume", "paused", default=None, help="Stop building by itself in the sidecar, or go on.")
@common_options()
@click.pass_obj
def build_memory(invocation: Invocation, level: str, limit: int | None, model: str | None, paused: bool | None) -> None:
    """Read what changed for events, and build episodes, concepts and what is above them.

    A running sidecar does so by itself.
    """
    from zibaldone.schemas.hierarchy import BuildRequest
    from zibaldone.schemas.sync import PauseRequest

    if paused is not None:
        stopped = PauseRequest(paused=paused)
        stats = _call(invocation, lambda memory: memory.pause(stopped))
        show_json(stats) if invocation.json else click.echo("paused" if paused else "goes on")
        return
    request = BuildRequest.model_validate({"level": level, "limit": limit, "model": model or None})
    report = asyncio.run(_build(invocation, request))
    if invocation.json:
        show_json(report)
        return
    click.echo("\n".join(_render_build(report)))


async def _build(invocation: Invocation, request: BuildRequest) -> BuildReport:
    from zibaldone.cli.engine import open_engine
    from zibaldone.schemas.ask import Cancelled, Failed, Notice
    from zibaldone.schemas.failure import restore_error
    from zibaldone.schemas.hierarchy import MemoryBuilt
    from zibaldone.schemas.sync import Progress

    vault = invocation.vault()
    async with (
        open_engine(vault, invocation.load(vault)) as engine,
        aclosing(engine.vault_memory.build(request)) as events,
    ):
        with show_progress() as update:
            async for event in events:
                match event:
                    case Progress():
                        update(event)
                    case Notice():
                        note(event.message)
                    case MemoryBuilt():
                        return event.report
                    case Failed():
                        raise restore_error(event.error)
                    case Cancelled():
                        break
                    case _:
                        assert_never(event)
    raise ZibaldoneError("The build was stopped before it was done.", "Run `zib build-memory` again; it goes on.")


def _render_build(report: BuildReport) -> Iterable[str]:
    left = f", {report.left} left" if report.left else ""
    gone = f", {report.retired} gone" if report.retired else ""
    yield f"{report.read} sources read{left}{gone}, {report.unchanged} unchanged in {report.seconds:.1f} s"
    yield f"{report.events} events, {report.episodes} episodes, {report.concepts} concepts"
    for one in report.failed:
        yield wrap(f"not read: {one.path}: {one.reason}", indent="  ", first="")
    if report.gate:
        yield _describe_gate(report.gate)
    yield from (wrap(text) for text in report.notes)


@click.command("memory-stats")
@common_options()
@click.pass_obj
def memory_stats(invocation: Invocation) -> None:
    """How far the memory of the vault is, and what is in it."""
    stats = _call(invocation, lambda memory: memory.stats())
    if invocation.json:
        show_json(stats)
        return
    left = "" if stats.seconds_left is None or not stats.left else f", about {stats.seconds_left:.0f} s"
    click.echo(f"{stats.state}: {stats.read} of {stats.sources} sources read, {stats.left} left{left}")
    click.echo(f"{stats.events} events, {stats.episodes} episodes, {stats.concepts} concepts, {stats.relations} ties")
    tracked = "counted" if stats.tracking else "not counted"
    click.echo(f"{stats.successions} merges and splits, {stats.cards} cards, {stats.touches} uses ({tracked})")
    if stats.gate:
        click.echo(_describe_gate(stats.gate))
    for one in stats.failed:
        click.echo(wrap(f"not read: {one.path}: {one.reason}", indent="  ", first=""))


# -- telling ----------------------------------------------------------------------------------------------


@click.command()
@list_options(level=False)
@click.option("--write", is_flag=True, help="Keep a note for each concept and episode in the vault.")
@common_options()
@click.pass_obj
def concepts(invocation: Invocation, top: int, min_support: int, write: bool) -> None:
    """What the notes are about, the most important first."""
    from zibaldone.schemas.hierarchy import NodesRequest

    if write:
        _write_notes(invocation)
        return
    request = NodesRequest(top=top, min_support=min_support)
    found = _call(invocation, lambda memory: memory.concepts(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.concepts:
        _head(one.title, f"{_count(one.events, 'event')}, {_count(one.episodes, 'episode')}", one.first, one.last)
        related = ", ".join(other.title for other in one.related[:_SHOWN_EVIDENCE])
        if related:
            click.echo(wrap(f"near: {related}", indent="      ", first="    "))
        _show_evidence(one.evidence)
    _end(len(found.concepts), found.total, "concepts", found.notes)


def _write_notes(invocation: Invocation) -> None:
    done = _call(invocation, lambda memory: memory.write_notes())
    if invocation.json:
        show_json(done)
        return
    click.echo(f"{done.written} notes written, {done.removed} removed, {done.unchanged} unchanged")
    if done.commit:
        click.echo(f"commit {done.commit[:7]}")
    elif done.reason:
        note(done.reason)


@click.command()
@list_options(top=50)
@click.option("--since", metavar="DAY", help="From this day on, such as 2026-03-01.")
@click.option("--until", metavar="DAY", help="Up to this day.")
@click.option("--project", help="Of this repository, folder, note or #tag.")
@common_options()
@click.pass_obj
def timeline(
    invocation: Invocation,
    top: int,
    min_support: int,
    level: str | None,
    since: str | None,
    until: str | None,
    project: str | None,
) -> None:
    """Episodes (or with --level event, events) in the order in which they happened; the newest are at the end."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.hierarchy import TimelineRequest

    request = checked(
        TimelineRequest, top=top, min_support=min_support, level=level, since=since, until=until, project=project
    )
    found = _call(invocation, lambda memory: memory.timeline(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.timeline:
        project_named = f"{one.project}: " if one.project else ""
        _head(f"{project_named}{one.title}", _count(one.events, "event"), one.start, one.end)
        _show_evidence(one.evidence)
    _end(len(found.timeline), found.total, "episodes", found.notes)


@click.command()
@list_options()
@common_options()
@click.pass_obj
def forgetting(invocation: Invocation, top: int, min_support: int, level: str | None) -> None:
    """What is important and was not touched for long."""
    request = _nodes(top, min_support, level)
    found = _call(invocation, lambda memory: memory.forgetting(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.forgetting:
        figures = (
            f"risk {one.risk:.2f} (importance {one.importance:.2f}, staleness {one.staleness:.2f}, "
            f"confidence {one.confidence:.2f})"
        )
        _head(one.title, f"{one.level}, last {one.last_touched or 'unknown'}", None, None)
        click.echo(f"    {figures}")
        _show_evidence(one.evidence, most=1)
    _end(len(found.forgetting), found.total, "nodes", found.notes)


@click.command()
@list_options(level=False)
@common_options()
@click.pass_obj
def drift(invocation: Invocation, top: int, min_support: int) -> None:
    """How the thinking on each concept moved, and what was taken up again after a pause."""
    request = _nodes(top, min_support, None)
    found = _call(invocation, lambda memory: memory.drift(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.drift:
        _head(one.title, f"drift {one.overall_drift:.2f}, confidence {one.confidence:.2f}", None, None)
        for window in one.windows:
            click.echo(f"    {window.start} to {window.end}  drift {window.drift:.2f}  {window.support} events")
        for again in one.relearning:
            click.echo(f"    taken up again on {again.day} after {again.pause_days} days ({again.strength:.2f})")
    _end(len(found.drift), found.total, "concepts", found.notes)


@click.command()
@list_options()
@common_options()
@click.pass_obj
def distill(invocation: Invocation, top: int, min_support: int, level: str | None) -> None:
    """The passages that stand for all of a concept or episode, and whether searches may read them alone."""
    request = _nodes(top, min_support, level)
    found = _call(invocation, lambda memory: memory.distill(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.distill:
        _head(one.title, f"{len(one.core)} of {len(one.full)} passages", None, None)
        click.echo(wrap(one.summary, indent="    ", lines=3))
    click.echo(_describe_gate(found.gate) if found.gate else "Not measured yet: `zib build-memory --level distill`.")
    _end(len(found.distill), found.total, "nodes", found.notes)


# -- remembering ------------------------------------------------------------------------------------------


@click.group(invoke_without_command=True)
@list_options(top=10)
@click.option("--regenerate", is_flag=True, help="Make questions and answers anew; what was graded stays.")
@click.option("--all", "show_all", is_flag=True, help="Also cards that are not due.")
@common_options()
@click.pass_context
def recall(ctx: click.Context, top: int, min_support: int, level: str | None, regenerate: bool, show_all: bool) -> None:
    """Cards of what is slipping away: a question, and an answer from your own notes. Grade them as you remember."""
    if ctx.invoked_subcommand is not None:
        return
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.hierarchy import RecallRequest

    invocation: Invocation = ctx.obj
    request = checked(RecallRequest, top=top, min_support=min_support, level=level, regenerate=regenerate, all=show_all)
    found = _call(invocation, lambda memory: memory.recall(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.recall:
        click.secho(wrap(one.question), bold=True)
        click.echo(wrap(one.answer, indent="    "))
        _show_evidence(one.evidence, most=1)
        click.echo(f"    due {one.due[:10]}  `zib recall grade {one.card} again|hard|good|easy`")
    _end(len(found.recall), found.total, "cards", found.notes)


@recall.command()
@click.argument("card")
@click.argument("how", type=click.Choice(["again", "hard", "good", "easy"]))
@common_options()
@click.pass_obj
def grade(invocation: Invocation, card: str, how: str) -> None:
    """Say how well you remembered CARD; that decides when it comes again."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.hierarchy import GradeRequest

    request = checked(GradeRequest, grade=how)
    graded = _call(invocation, lambda memory: memory.grade(card, request))
    if invocation.json:
        show_json(graded)
    else:
        click.echo(f"due again on {graded.due[:10]}")


@click.command()
@list_options()
@click.option("--clear", is_flag=True, help="Forget all that was counted.")
@common_options()
@click.pass_obj
def usage(invocation: Invocation, top: int, min_support: int, level: str | None, clear: bool) -> None:
    """What answers used of late, and what you opened or accepted; counted only where you want it."""
    if clear:
        done = _call(invocation, lambda memory: memory.clear_usage())
        show_json(done) if invocation.json else click.echo(f"{done.cleared} uses forgotten")
        return
    request = _nodes(top, min_support, level)
    found = _call(invocation, lambda memory: memory.usage(request))
    if invocation.json:
        show_json(found)
        return
    for one in found.usage:
        _head(one.title, f"{one.level}, {one.strength:.2f} by {one.touches} uses, last {one.last[:10]}", None, None)
    if not found.tracking:
        note("Nothing is counted: `memory_of_vault.track = true` or `zib ask --track` does so.")
    _end(len(found.usage), found.total, "used", [])


# -- shared -----------------------------------------------------------------------------------------------


def _nodes(top: int, min_support: int, level: str | None) -> Any:
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.hierarchy import NodesRequest

    return checked(NodesRequest, top=top, min_support=min_support, level=level)


def _call(invocation: Invocation, call: Callable[[VaultMemory], Awaitable[T]]) -> T:
    async def with_engine() -> T:
        from zibaldone.cli.engine import open_engine

        vault = invocation.vault()
        async with open_engine(vault, invocation.load(vault)) as engine:
            return await call(engine.vault_memory)

    return asyncio.run(with_engine())


def _head(title: str, figures: str, first: str | None, last: str | None) -> None:
    days = "" if first is None else f"  {first}" if first == last else f"  {first} to {last}"
    click.echo(f"{click.style(clean(title), bold=True)}  ({figures}){days}")


def _show_evidence(evidence: Sequence[NodeEvidence], most: int = _SHOWN_EVIDENCE) -> None:
    for one in evidence[:most]:
        place = f"{one.path}:{one.line_start}" if one.locator.startswith("L") else f"{one.path} {one.locator}"
        words = " ".join(one.quote.split())
        click.echo(wrap(f"“{words}”  {place}", indent="      ", first="    ", lines=3))
    if len(evidence) > most:
        click.echo(f"    and {len(evidence) - most} more")


def _count(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def _end(shown: int, total: int, what: str, notes: Iterable[str]) -> None:
    if total > shown:
        click.echo(f"and {total - shown} more {what}: --top shows them")
    elif not total:
        click.echo(f"There are no {what}.")
    for sentence in notes:
        note(sentence)


def _describe_gate(gate: GateReport) -> str:
    verdict = "read alone" if gate.is_open else "not read alone"
    return wrap(
        f"Stand-ins are {verdict}: they read {gate.read:.0%} of the passages and lose {gate.lost:.0%} of recall "
        f"({gate.probes} questions)."
    )
