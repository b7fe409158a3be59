"""`zib search`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options, retrieval_options
from zibaldone.cli.output import note, show_json
from zibaldone.cli.render import render_search

if TYPE_CHECKING:
    from zibaldone.schemas.search import Level, Profile, SearchResponse


@click.command(context_settings={"ignore_unknown_options": True})  # `-word` is part of a query
@click.argument("query")
@retrieval_options
@click.option("--explain", is_flag=True, help="Show what each leg contributed, and the time it took.")
@common_options()
@click.pass_obj
def search(
    invocation: Invocation,
    query: str,
    k: int | None,
    strategy: str | None,
    profile: Profile | None,
    modality: tuple[str, ...],
    level: Level | None,
    explain: bool,
) -> None:
    """Find passages; no model writes anything."""
    response = asyncio.run(_search(invocation, query, k, strategy, profile, modality, level, explain))
    if invocation.json:
        show_json(response)
        return
    for text in response.notes:
        note(text)
    click.echo("\n".join(render_search(response, explain=explain)).lstrip("\n"))


async def _search(
    invocation: Invocation,
    query: str,
    k: int | None,
    strategy: str | None,
    profile: Profile | None,
    modality: tuple[str, ...],
    level: Level | None,
    explain: bool,
) -> SearchResponse:
    from zibaldone.cli.engine import open_engine
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.search import SearchRequest

    vault = invocation.vault()
    loaded = invocation.load(vault)
    request = checked(
        SearchRequest,
        query=query,
        k=k or loaded.settings.retrieval.k,
        strategy=strategy,
        profile=profile,
        modality=list(modality),
        explain=explain,
        level=level,
    )
    async with open_engine(vault, loaded) as engine:
        return await engine.search(request)
