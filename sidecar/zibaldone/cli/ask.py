"""`zib ask`: one question, streamed to the terminal."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options, exchange_options, retrieval_options
from zibaldone.cli.output import show_json

if TYPE_CHECKING:
    from zibaldone.schemas.ask import Answer
    from zibaldone.schemas.search import Level, Profile


@click.command()
@click.argument("question")
@retrieval_options
@click.option("--as-of", metavar="DATE", help="From what was committed by the end of that day.")
@click.option("--no-writeback", is_flag=True, help="Record nothing in the vault.")
@click.option("--no-llm", is_flag=True, help="Ask no model: quote the best passages.")
@click.option("--no-stream", is_flag=True, help="Print the answer when it is complete.")
@click.option("--track/--no-track", default=None, help="Count what is used, whatever the settings say (ids and times).")
@click.option("--accept", is_flag=True, help="Count what the answer cites as accepted.")
@exchange_options
@click.option("--note", "note_path", help="The note that the question is about, vault-relative.")
@common_options()
@click.pass_obj
def ask(
    invocation: Invocation,
    question: str,
    k: int | None,
    strategy: str | None,
    profile: Profile | None,
    modality: tuple[str, ...],
    level: Level | None,
    as_of: str | None,
    no_writeback: bool,
    no_llm: bool,
    no_stream: bool,
    track: bool | None,
    accept: bool,
    no_pull: bool,
    no_push: bool,
    note_path: str | None,
) -> None:
    """Ask a question; every claim of the answer cites a note.

    With --debug the raw prompts and outputs of the model are shown too.
    """
    fields: dict[str, object] = {
        "question": question,
        "strategy": strategy,
        "profile": profile,
        "modality": list(modality),
        "level": level,
        "track": track,
        "accept": accept,
        "use_llm": not no_llm,
        "writeback": not no_writeback,
        "pull": not no_pull,
        "push": not no_push,
        "note_path": note_path,
        "as_of": as_of,
        "debug": invocation.debug,
    }
    answer = asyncio.run(_ask(invocation, fields, k, stream=not (no_stream or invocation.json)))
    if invocation.json:
        show_json(answer)
    if answer.writeback_error:
        from zibaldone.schemas.failure import restore_error

        if invocation.json:  # the document says it
            raise click.exceptions.Exit(1)
        raise restore_error(answer.writeback_error)


async def _ask(invocation: Invocation, fields: dict[str, object], k: int | None, *, stream: bool) -> Answer:
    from zibaldone.cli.answering import follow_answer, show_answer
    from zibaldone.cli.engine import open_engine
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.ask import AskRequest

    vault = invocation.vault()
    loaded = invocation.load(vault)
    request = checked(AskRequest, **fields, k=k or loaded.settings.retrieval.k)
    async with open_engine(vault, loaded) as engine:
        answer, streamed = await follow_answer(engine.ask(request), stream=stream)
        if not invocation.json:
            show_answer(answer, streamed=streamed)
        return answer
