"""What the wiki's commands share: text from stdin, an engine for one call, and telling what was changed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation
from zibaldone.cli.output import clean, note, show_json
from zibaldone.errors import InvalidRequest

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Wiki
    from zibaldone.schemas.wiki import WikiChange

T = TypeVar("T")


def call_wiki(invocation: Invocation, call: Callable[[Wiki], Awaitable[T]]) -> T:
    async def with_engine() -> T:
        from zibaldone.cli.engine import open_engine

        vault = invocation.vault()
        async with open_engine(vault, invocation.load(vault)) as engine:
            return await call(engine.wiki)

    return asyncio.run(with_engine())


def read_stdin() -> str:
    """All of stdin as UTF-8; a person at a terminal is told how to end it.

    Raises:
        InvalidRequest: it is not UTF-8.
    """
    if sys.stdin.isatty():
        note("Type or paste the text; Ctrl-D on a line of its own ends it.")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRequest("The text on stdin is not UTF-8.", "Convert it first.") from None


def tell_change(invocation: Invocation, done: WikiChange) -> None:
    if invocation.json:
        show_json(done)
        return
    if done.change is None:
        what = (
            f"waits as proposal {done.proposal}: `zib proposals show {done.proposal}`" if done.proposal else "unchanged"
        )
        click.echo(f"{done.kind}: {what}")
    else:
        commit = f" commit {done.commit[:7]}" if done.commit else ""
        click.echo(clean(f"{done.kind}: {', '.join(done.paths)}{commit}; `zib undo {done.change}` takes it back"))
        if done.proposal:
            click.echo(
                f"links in your own notes wait as proposal {done.proposal}: `zib proposals show {done.proposal}`"
            )
    for sentence in (done.reason, *done.notes):
        if sentence:
            note(sentence)
