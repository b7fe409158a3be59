"""`zib evolution`: how thinking about a topic moved."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, snippet, wrap

if TYPE_CHECKING:
    from zibaldone.schemas.evolution import Evolution, EvolutionRequest, PastPassage

_KINDS = {"added": "first said", "changed": "changed", "removed": "no longer said"}


@click.command()
@click.argument("topic")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Steps at most.")
@click.option("--no-llm", is_flag=True, help="Ask no model to sum it up.")
@common_options()
@click.pass_obj
def evolution(invocation: Invocation, topic: str, limit: int, no_llm: bool) -> None:
    """How thinking about TOPIC moved, from the git history of the notes, the oldest step first."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.evolution import EvolutionRequest

    request = checked(EvolutionRequest, topic=topic, limit=limit, use_llm=not no_llm)
    found = asyncio.run(_trace(invocation, request))
    if invocation.json:
        show_json(found)
        return
    click.echo("\n".join(render_evolution(found)))
    for sentence in found.notes:
        note(sentence)


async def _trace(invocation: Invocation, request: EvolutionRequest) -> Evolution:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.evolution(request)


def render_evolution(found: Evolution) -> Iterator[str]:
    if not found.steps:
        yield "No step was found."
        return
    if found.summary:
        yield wrap(found.summary)
        for citation in found.citations:
            yield clean(f"[{citation.marker}] {citation.path}:{citation.line_start} at {(citation.commit or '')[:7]}")
        yield ""
    for title, passage in (("Oldest", found.oldest), ("Newest", found.newest)):
        yield from _passage(title, passage)
    yield ""
    for step in found.steps:
        place = f"{step.date}  {step.path}:{step.line_start}  {step.commit[:7]}"
        yield f"{click.style(clean(place), bold=True)}  {_KINDS[step.kind]}"
        for sign, passage in (("-", step.before), ("+", step.after)):
            if passage:
                yield snippet(f"{sign} “{passage.quote}”", indent="    ")


def _passage(title: str, passage: PastPassage | None) -> Iterator[str]:
    if passage is None:
        yield f"{title}: nothing is said about it any more."
        return
    yield clean(f"{title}: {passage.date}, {passage.path}:{passage.line_start} at {passage.commit[:7]}")
    yield snippet(f"“{passage.quote}”", indent="    ")
