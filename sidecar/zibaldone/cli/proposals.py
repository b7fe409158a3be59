"""`zib proposals`: changes of the person's notes that wait for their approval."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Engine
    from zibaldone.schemas.proposals import Decided, Proposal, ProposedFile

T = TypeVar("T")
_STATES = {
    "ready": "",
    "edited": "  (edited since; your edits are kept)",
    "conflict": "  (edited since, in the same lines: this cannot be applied)",
}


@click.group(invoke_without_command=True)
@common_options()
@click.pass_context
def proposals(ctx: click.Context) -> None:
    """Changes of your notes that wait for your approval. Bare: the list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_proposals)


@proposals.command("list")
@click.option("--all", "all_states", is_flag=True, help="Those that were decided too.")
@common_options()
@click.pass_obj
def list_proposals(invocation: Invocation, all_states: bool = False) -> None:
    """What waits, the newest first."""
    found = asyncio.run(_with_engine(invocation, lambda engine: engine.proposals(all_states=all_states)))
    if invocation.json:
        show_json(found)
        return
    if not found.proposals:
        click.echo("Nothing waits for your approval.")
    for one in found.proposals:
        state = "" if one.state == "open" else f"  {one.state}"
        click.echo(f"{click.style(str(one.id), bold=True)}  {one.at[:16].replace('T', ' ')}{state}  {clean(one.title)}")
        click.echo(wrap(", ".join(one.paths), indent="    "))


@proposals.command()
@click.argument("number", type=int)
@common_options()
@click.pass_obj
def show(invocation: Invocation, number: int) -> None:
    """One proposal as a diff; each hunk has its number."""
    found = asyncio.run(_with_engine(invocation, lambda engine: engine.proposal(number)))
    if invocation.json:
        show_json(found)
    else:
        click.echo("\n".join(_lines(found)))


def _deciding(command: Callable[..., None]) -> click.Command:
    """The flags of `apply` and `reject`."""
    for decorate in (
        click.pass_obj,
        common_options(),
        click.option("--hunk", "hunks", type=int, multiple=True, help="Only this hunk of --file; may be repeated."),
        click.option("--file", "path", help="Only this note."),
        click.argument("number", type=int),
    ):
        command = decorate(command)
    return proposals.command()(command)


@_deciding
def apply(invocation: Invocation, number: int, path: str | None, hunks: tuple[int, ...]) -> None:
    """Write the proposal, or a part of it, into your notes."""
    _tell(invocation, "applied", _decide(invocation, number, path, hunks, apply=True))


@_deciding
def reject(invocation: Invocation, number: int, path: str | None, hunks: tuple[int, ...]) -> None:
    """Drop the proposal, or a part of it. Your notes stay as they are."""
    _tell(invocation, "rejected", _decide(invocation, number, path, hunks, apply=False))


def _decide(invocation: Invocation, number: int, path: str | None, hunks: tuple[int, ...], *, apply: bool) -> Decided:
    from zibaldone.schemas.proposals import Decision

    decision = Decision(path=path, hunks=list(hunks))

    async def decide(engine: Engine) -> Decided:
        call = engine.apply_proposal if apply else engine.reject_proposal
        return await call(number, decision)

    return asyncio.run(_with_engine(invocation, decide))


def _tell(invocation: Invocation, done: str, decided: Decided) -> None:
    if invocation.json:
        show_json(decided)
        return
    commit = f" commit {decided.commit[:7]}" if decided.commit else ""
    undo = f"; `zib undo {decided.change}` takes it back" if decided.change else ""
    click.echo(f"{done}{commit}{undo}")
    if decided.reason:
        note(decided.reason)
    if decided.proposal.files:
        click.echo(clean(f"still open: {', '.join(decided.proposal.paths)}"))


def _lines(proposal: Proposal) -> list[str]:
    lines = [clean(proposal.title), wrap(proposal.reason, indent=""), f"{proposal.state}, {proposal.at[:16]}"]
    for file in proposal.files:
        lines += ["", *_file_lines(file)]
    return lines


def _file_lines(file: ProposedFile) -> list[str]:
    what = " (new)" if file.base_sha256 is None else " (to be deleted)" if file.removes else ""
    lines = [click.style(clean(f"{file.path}{what}"), bold=True) + _STATES[file.state]]
    for hunk in file.hunks:
        lines.append(click.style(f"hunk {hunk.number}, line {hunk.old_line}", dim=True))
        lines += [click.style(clean(f"- {line}"), fg="red") for line in hunk.old.splitlines()]
        lines += [click.style(clean(f"+ {line}"), fg="green") for line in hunk.new.splitlines()]
    return lines


async def _with_engine(invocation: Invocation, call: Callable[[Engine], Awaitable[T]]) -> T:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await call(engine)
