"""`zib memory`: what is remembered about the person."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, confirm, note, show_json, warn, wrap
from zibaldone.errors import InvalidRequest, NotFound, ZibaldoneError

if TYPE_CHECKING:
    from zibaldone.runtime.engine import PersonalMemory
    from zibaldone.schemas.memory import Memory, MemoryEntry, MemoryImported, Migrated, MigratedSource, Remembered

T = TypeVar("T")
_TYPES = ("user", "feedback", "context")
_TOLD = 20
_as_of = click.option("--as-of", metavar="DATE", help="As it was then: 2026-03-01, or 2026-03-01T18:00.")
_all = click.option("--all", "everything", is_flag=True, help="What faded, was replaced or struck out too.")


@click.group(invoke_without_command=True)
@_as_of
@_all
@common_options()
@click.pass_context
def memory(ctx: click.Context, as_of: str | None, everything: bool) -> None:
    """What is remembered about you, in Zibaldone/memory/: read, edit or delete any line there. Bare: the list.

    [!] you said so, [90%] inferred, [↓12d] fades in so many days, [pinned] does not fade.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_memory, as_of=as_of, everything=everything)


@memory.command("list")
@_as_of
@_all
@common_options()
@click.pass_obj
def list_memory(invocation: Invocation, as_of: str | None = None, everything: bool = False) -> None:
    """What is remembered, by type."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import MemoryRequest

    request = checked(MemoryRequest, as_of=as_of, all=everything)
    found = _run(invocation, lambda known: known.tell(request))
    if invocation.json:
        show_json(found)
    else:
        _show(found)


@memory.command()
@click.argument("statement")
@common_options()
@click.pass_obj
def add(invocation: Invocation, statement: str) -> None:
    """Remember STATEMENT, as a line of Markdown and a commit.

    "user: ..." is a fact about you, "feedback: ..." how you like things done, "context: ..." what you are at now, which
    fades after two weeks. Without a type it is told by its meaning.
    """
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import RememberRequest

    kind, colon, text = statement.partition(":")
    known_kind = kind.strip().casefold()
    given = (
        {"type": known_kind, "text": text.strip()} if colon and known_kind in _TYPES else {"text": statement.strip()}
    )
    request = checked(RememberRequest, **given)
    _tell(invocation, _run(invocation, lambda known: known.remember(request)))


@memory.command()
@click.argument("id_", metavar="ID")
@click.argument("statement", required=False)
@click.option("--type", "kind", type=click.Choice(_TYPES), help="Make it one of these.")
@click.option("--pin/--unpin", "pinned", default=None, help="Whether it fades.")
@common_options()
@click.pass_obj
def edit(invocation: Invocation, id_: str, statement: str | None, kind: str | None, pinned: bool | None) -> None:
    """Change the entry ID: its words, its type, or whether it fades."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import EditMemoryRequest

    if statement is None and kind is None and pinned is None:
        raise click.UsageError("Nothing to change: give STATEMENT, --type, --pin or --unpin.")
    request = checked(EditMemoryRequest, content=statement, type=kind, pinned=pinned)
    _tell(invocation, _run(invocation, lambda known: known.edit(id_, request)))


@memory.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@common_options()
@click.pass_obj
def forget(invocation: Invocation, ids: tuple[str, ...]) -> None:
    """Take entries out of everything that Zibaldone keeps: pages, log, conversations, index, caches, old versions.

    A hash of the words stays, so that no later run brings them back. Git's history is yours: what it still holds is
    listed.
    """
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import ForgetRequest

    request = checked(ForgetRequest, ids=list(ids))
    done = _run(invocation, lambda known: known.forget(request))
    if invocation.json:
        show_json(done)
        return
    click.echo(f"forgotten: {len(done.entries)} {'entry' if len(done.entries) == 1 else 'entries'}")
    for place in done.places:
        click.echo(f"  cleaned: {clean(place)}")
    if done.history:
        note(f"Git still holds the words in: {', '.join(done.history)}.")
    if done.notes:
        note(f"So do notes of yours: {', '.join(clean(path) for path in done.notes)}.")


@memory.command()
@click.argument("kind", type=click.Choice(_TYPES), metavar="TYPE")
@click.option("--yes", is_flag=True, help="Don't ask.")
@common_options()
@click.pass_obj
def clear(invocation: Invocation, kind: str, yes: bool) -> None:
    """Retire all entries of TYPE: they go to memory/archive.md, and `zib undo` brings them back."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import ClearRequest

    if not confirm(f"Retire all entries of the type {kind}?", yes=yes):
        return
    request = checked(ClearRequest, type=kind)
    done = _run(invocation, lambda known: known.clear(request))
    if invocation.json:
        show_json(done)
    else:
        click.echo(f"{done.entries} retired: memory/archive.md has them.")


@memory.command()
@click.argument("id_", metavar="ID", required=False)
@common_options()
@click.pass_obj
def history(invocation: Invocation, id_: str | None) -> None:
    """What happened to the entry ID and to what it replaced; without it, to all."""
    found = _run(invocation, lambda known: known.history(id_))
    if invocation.json:
        show_json(found)
        return
    if not found.events:
        click.echo("Nothing has happened yet.")
    for event in found.events:
        when = event.at[:16].replace("T", " ")
        click.echo(f"{when}  {event.entry.id}  {event.action}: {clean(event.entry.content)}")


@memory.command()
@click.argument("kind", type=click.Choice(_TYPES), metavar="TYPE", required=False)
@common_options()
@click.pass_obj
def export(invocation: Invocation, kind: str | None) -> None:
    """Print the memory as JSON, a document for each type, as other assistants read it."""
    from zibaldone.profile.exchange import export_entries
    from zibaldone.schemas.memory import MemoryRequest

    found = _run(invocation, lambda known: known.tell(MemoryRequest()))
    entries = [*found.entries, *found.expired]
    documents = [export_entries(one, entries) for one in _TYPES if kind in (None, one)]
    click.echo(json.dumps(documents if kind is None else documents[0], ensure_ascii=False, indent=2))


@memory.command()
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@common_options()
@click.pass_obj
def migrate(invocation: Invocation, dry_run: bool) -> None:
    """Take over what another assistant remembers about you: its .json or .md files in the vault's folder Migration/.

    The first run proposes their statements in Migration/Migration.md. Tick Accept or Reject there and run it again.
    """
    from zibaldone.schemas.memory import MigrateRequest

    done = _run(invocation, lambda known: known.migrate(MigrateRequest(dry_run=dry_run)))
    if invocation.json:
        show_json(done)
        return
    proposed = sum(source.proposed for source in done.sources)
    for entry in done.accepted[:_TOLD]:
        click.echo(wrap(f"accepted [{entry.type}] {clean(entry.content)}  {entry.id}", indent="  ", first=""))
    _tell_rest(len(done.accepted))
    if done.rejected:
        click.echo(f"{done.rejected} rejected: not proposed again")
    _tell_sources(done.sources, "proposed")
    for problem in done.problems:
        note(f"{problem.path}:{problem.line}: {problem.message}")
    if done.undecided:
        click.echo(f"{done.undecided} to decide on in {done.path}; then run `zib memory migrate` again")
    elif not done.sources:
        note("Nothing to migrate: put .json or .md files of another assistant into the vault's folder Migration/.")
    elif not done.accepted and not done.rejected and not proposed:
        note("Nothing new.")
    _tell_change(done, dry_run=dry_run)


@memory.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be kept.")
@common_options()
@click.pass_obj
def import_files(invocation: Invocation, files: tuple[Path, ...], dry_run: bool) -> None:
    """Keep what FILEs say about you at once, in one change: an export of this memory or of another assistant.

    Dates, ids and flags are theirs; what is known stays as it is. `zib memory migrate` lets you choose instead.
    """
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.memory import ImportMemoryRequest

    given, unread = _read_files(files)
    request = checked(ImportMemoryRequest, files=given, dry_run=dry_run)
    done = _run(invocation, lambda known: known.import_entries(request))
    for error in unread:
        warn(f"{error.message} {error.hint}")
    if not any(source.state == "done" or source.proposed or source.known for source in done.sources):
        raise InvalidRequest(next(problem for source in done.sources for problem in source.problems))
    if invocation.json:
        show_json(done)
        return
    for entry in done.added[:_TOLD]:
        told = f"{'to add' if dry_run else 'added'} [{entry.type}{'?' if entry.id in done.unsure else ''}]"
        click.echo(wrap(f"{told} {clean(entry.content)}  {entry.id}", indent="  ", first=""))
    _tell_rest(len(done.added))
    _tell_sources(done.sources, "added")
    if done.unsure:
        note("[type?] is a guess: `zib memory edit ID --type user|feedback|context` changes it.")
    _tell_change(done, dry_run=dry_run)


def _read_files(files: Sequence[Path]) -> tuple[list[dict[str, str]], list[ZibaldoneError]]:
    """Those that are text, by name. Raises the first failure where there is none."""
    from zibaldone.profile.migration import MOST_BYTES, decode_source

    given: list[dict[str, str]] = []
    failed: list[ZibaldoneError] = []
    for file in files:
        try:
            with file.open("rb") as opened:
                given.append({"name": file.name, "content": decode_source(file.name, opened.read(MOST_BYTES + 1))})
        except OSError as error:
            failed.append(NotFound(f"{file} cannot be read: {error.strerror or error}.", "Name a file."))
        except ZibaldoneError as error:
            failed.append(error)
    if not given:
        raise failed[0]
    return given, failed


def _tell_sources(sources: Sequence[MigratedSource], verb: str) -> None:
    for source in sources:
        counts = {
            verb: source.proposed,
            "known already": source.known,
            "proposed before": source.earlier,
            "not about you": source.passed,
        }
        told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        if told:
            click.echo(f"{clean(source.name)}: {told}")
        for problem in source.problems:
            warn(problem if source.name in problem else f"{source.name}, {problem}")


def _tell_rest(count: int) -> None:
    if count > _TOLD:
        click.echo(f"... and {count - _TOLD} more (`--json` shows all)")


def _tell_change(done: Migrated | MemoryImported, *, dry_run: bool) -> None:
    if done.change_id is not None:
        commit = f" commit {done.commit[:7]}" if done.commit else ""
        click.echo(f"kept{commit}; `zib undo {done.change_id}` takes it back")
    if dry_run:
        note("Nothing was written.")
    if done.reason:
        note(done.reason)


def _show(found: Memory) -> None:
    now = datetime.now().astimezone()
    click.echo("Memory")
    click.echo("-" * 40)
    for kind in _TYPES:
        entries = [entry for entry in found.entries if entry.type == kind]
        click.echo(f"\n[{kind}] ({len(entries)} {'entry' if len(entries) == 1 else 'entries'})")
        for number, entry in enumerate(entries, 1):
            click.echo(wrap(f"{number}. {clean(entry.content)}{_marks(entry, now)}  {entry.id}", indent="  "))
    if found.expired:
        click.echo("\n[expired]")
        for entry in found.expired:
            click.echo(wrap(f"- {clean(entry.content)}  {entry.id}", indent="  "))
    for problem in found.problems:
        note(f"{problem.path}:{problem.line}: {problem.message}")


def _marks(entry: MemoryEntry, now: datetime) -> str:
    marks = []
    if entry.is_explicit:
        marks.append("!")
    elif entry.confidence < 1:
        marks.append(f"{round(entry.confidence * 100)}%")
    if entry.pinned:
        marks.append("pinned")
    elif entry.expires_at is not None and entry.state == "active":
        left = (datetime.fromisoformat(entry.expires_at) - now).total_seconds() / 86_400
        marks.append(f"↓{max(0, ceil(left))}d")
    if entry.conflicts_with:
        marks.append(f"conflicts with {', '.join(entry.conflicts_with)}")
    if entry.state != "active":
        marks.append(f"{entry.state}: {entry.why}" if entry.why else entry.state)
    return "".join(f" [{mark}]" for mark in marks)


def _tell(invocation: Invocation, done: Remembered) -> None:
    if invocation.json:
        show_json(done)
        return
    told = "known already" if done.already else "remembered"
    commit = f" commit {done.commit[:7]}" if done.commit else ""
    click.echo(f"{told} [{done.entry.type}] {clean(done.entry.content)}  {done.entry.id}{commit}")
    for old in done.retired:
        click.echo(f"  instead of: {clean(old.content)}")
    for other in done.conflicts:
        note(f"{clean(other.content)} ({other.id}) says otherwise: both stay.")
    if done.unsure:
        note(f"Is it {done.entry.type}? `zib memory edit {done.entry.id} --type user|feedback|context` changes it.")
    if done.reason:
        note(done.reason)


def _run(invocation: Invocation, use: Callable[[PersonalMemory], Awaitable[T]]) -> T:
    async def run() -> T:
        from zibaldone.cli.engine import open_engine

        vault = invocation.vault()
        async with open_engine(vault, invocation.load(vault)) as engine:
            return await use(engine.memory)

    return asyncio.run(run())
