"""`zib contradictions`, `zib gaps`, `zib drift-walk`, `zib bridges`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Divergence
    from zibaldone.schemas.divergence import Quote, Step

T = TypeVar("T")

_TOP = click.IntRange(1, 200)


@click.command()
@click.option("--top", type=_TOP, default=10, show_default=True, help="How many.")
@click.option("--no-llm", is_flag=True, help="Candidates only: no model judges them.")
@common_options()
@click.pass_obj
def contradictions(invocation: Invocation, top: int, no_llm: bool) -> None:
    """Claims that disagree, with both quotes; a fact that was updated is told as changed."""
    from zibaldone.schemas.divergence import ContradictionsRequest

    request = ContradictionsRequest(top=top, use_llm=not no_llm)
    found = _call(invocation, lambda engine: engine.contradictions(request))
    if invocation.json:
        show_json(found)
        return
    if not found.contradictions:
        click.echo("No claims were found that disagree.")
    for one in found.contradictions:
        sure = "" if one.probability is None else f" {one.probability:.0%}"
        click.echo(f"{click.style(one.verdict, bold=True)}{sure}  {clean(one.reason)}")
        for quote, date in zip(one.quotes, one.dates, strict=True):
            _show_quote(quote, f"{date}: " if one.verdict == "changed" and date else "")
    _remark(found.notes)


@click.command()
@click.argument("topic")
@click.option("--top", type=_TOP, default=10, show_default=True, help="How many.")
@common_options()
@click.pass_obj
def gaps(invocation: Invocation, topic: str, top: int) -> None:
    """What one would expect of TOPIC (a note, folder, #tag or words) and is absent."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.divergence import GapsRequest

    request = checked(GapsRequest, topic=topic, top=top)
    found = _call(invocation, lambda engine: engine.gaps(request))
    if invocation.json:
        show_json(found)
        return
    if not found.gaps:
        click.echo("Nothing is missing that these notes make one expect.")
    for one in found.gaps:
        click.echo(f"{click.style(one.kind.replace('_', ' '), bold=True)}  {clean(one.subject)}")
        click.echo(wrap(one.reason, indent="    "))
        for quote in one.quotes:
            _show_quote(quote)
    _remark(found.notes)


@click.command("drift-walk")
@click.argument("of", metavar="NOTE")
@click.option("--steps", type=click.IntRange(1, 100), default=5, show_default=True, help="How far.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same walk.")
@click.option("--top", type=click.IntRange(1, 50), default=3, show_default=True, help="Choose among so many ties.")
@common_options()
@click.pass_obj
def drift_walk(invocation: Invocation, of: str, steps: int, seed: int, top: int) -> None:
    """Walk from NOTE along associations; each step says why."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.divergence import WalkRequest

    request = checked(WalkRequest, note=of, steps=steps, seed=seed, top=top)
    found = _call(invocation, lambda engine: engine.drift_walk(request))
    if invocation.json:
        show_json(found)
        return
    click.secho(clean(found.start), bold=True)
    _show_steps(found.steps)
    _remark(found.notes)


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--top", type=click.IntRange(1, 20), default=1, show_default=True, help="How many different chains.")
@common_options()
@click.pass_obj
def bridges(invocation: Invocation, a: str, b: str, top: int) -> None:
    """The shortest meaningful chain from A to B: notes, folders, #tags or topics in words."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.divergence import BridgesRequest

    request = checked(BridgesRequest, a=a, b=b, top=top)
    found = _call(invocation, lambda engine: engine.bridges(request))
    if invocation.json:
        show_json(found)
        return
    for chain in found.chains:
        click.secho(clean(chain.steps[0].source), bold=True)
        _show_steps(chain.steps)
    _remark(found.notes)


def _call(invocation: Invocation, call: Callable[[Divergence], Awaitable[T]]) -> T:
    async def with_engine() -> T:
        from zibaldone.cli.engine import open_engine

        vault = invocation.vault()
        async with open_engine(vault, invocation.load(vault)) as engine:
            return await call(engine.divergence)

    return asyncio.run(with_engine())


def _show_steps(steps: Sequence[Step]) -> None:
    for step in steps:
        click.echo(f"{click.style(f'-> {clean(step.target)}', bold=True)}  ({step.kind})")
        click.echo(wrap(step.reason, indent="    "))
        for quote in step.quotes:
            _show_quote(quote)


def _show_quote(quote: Quote, before: str = "") -> None:
    lines = f"{quote.line_start}" if quote.line_start == quote.line_end else f"{quote.line_start}-{quote.line_end}"
    words = " ".join(quote.text.split())
    click.echo(wrap(f"{before}“{words}”  {quote.path}:{lines}", indent="      ", first="    "))


def _remark(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        note(sentence)
