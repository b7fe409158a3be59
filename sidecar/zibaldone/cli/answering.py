"""Following the events of one answer, and showing it. `zib ask` and `zib chat` share it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, assert_never

import click

from zibaldone.cli.output import clean, note, wrap
from zibaldone.cli.render import render_abstention, render_debug, render_rest
from zibaldone.errors import ModelFailed, ZibaldoneError

if TYPE_CHECKING:
    from zibaldone.schemas.ask import Answer, AskEvent


async def follow_answer(events: AsyncGenerator[AskEvent, None], *, stream: bool) -> tuple[Answer, str]:
    """The answer, and the text that was written to stdout while it came.

    Raises:
        ZibaldoneError: the stream ended with `failed` or `cancelled`.
    """
    from zibaldone.schemas.ask import Answered, Cancelled, Failed, Noted, Notice, Queued, Retrieved, Started, Token
    from zibaldone.schemas.failure import restore_error

    shown: list[str] = []
    failure: ZibaldoneError = ModelFailed("The answer was stopped before it was complete.", "Ask again.")
    # Closing stops the compute, also when the person interrupts.
    async with aclosing(events):
        async for event in events:
            match event:
                case Queued() | Started() | Retrieved():
                    pass
                case Token():
                    if stream:
                        click.echo(clean(event.text), nl=False)
                        shown.append(event.text)
                case Notice():
                    note(event.message)
                case Noted(remembered=kept):
                    told = "known already" if kept.already else "remembered"
                    note(f"{told}: {clean(kept.entry.content)}  [{kept.entry.type} {kept.entry.id}]")
                case Answered():
                    if shown:
                        click.echo()
                    return event.answer, "".join(shown)
                case Failed():
                    failure = restore_error(event.error)
                    break
                case Cancelled():
                    break
                case _:
                    assert_never(event)
    if shown:
        click.echo()
    raise failure


def show_answer(answer: Answer, *, streamed: str = "") -> None:
    """The text where it was not streamed as it now stands, then sources and what was recorded."""
    if answer.abstained:
        if streamed:
            click.echo()
        click.echo("\n".join(render_abstention(answer)))
    elif answer.answer.strip() != streamed.strip():
        if streamed:
            click.echo("\nAfter checking it against the sources:")
        click.echo(wrap(answer.answer))
    lines = list(render_rest(answer))
    if lines:
        click.echo("\n".join(lines))
    if answer.searched_as:
        note(f"Searched as: {answer.searched_as}")
    for text in answer.notes:
        note(text)
    for line in render_debug(answer):
        click.echo(line, err=True)
