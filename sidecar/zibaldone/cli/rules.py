"""`zib rules`: how the agents work, and how this person wants it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json, wrap

if TYPE_CHECKING:
    from zibaldone.schemas.rules import Rules, RulesRequest

_AGENTS = ("common", "relay", "data", "agenda", "action", "pattern")


@click.command()
@click.argument("agent", required=False, type=click.Choice(_AGENTS), metavar="AGENT")
@click.option("--user", "layer", flag_value="user", help="Only those that grew out of what you said.")
@click.option("--system", "layer", flag_value="system", help="Only those that ship with Zibaldone.")
@common_options()
@click.pass_obj
def rules(invocation: Invocation, agent: str | None, layer: str | None) -> None:
    """How the agents work: all, or those of AGENT (common, relay, data, agenda, action, pattern).

    User rules are in Zibaldone/rules/: read, edit or delete any line there.
    """
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.rules import RulesRequest

    found = asyncio.run(_ask(invocation, checked(RulesRequest, agent=agent, layer=layer)))
    if invocation.json:
        show_json(found)
        return
    if not found.rules:
        click.echo("There are no rules yet: they grow out of what you say about how you like things done.")
    heads = dict.fromkeys((rule.layer, rule.agent) for rule in found.rules)
    for kind, name in heads:
        click.echo(f"[{kind}] {name}")
        for rule in found.rules:
            if (rule.layer, rule.agent) == (kind, name):
                click.echo(wrap(f"- {clean(rule.text)}{f'  {rule.added}' if rule.added else ''}", indent="  "))


async def _ask(invocation: Invocation, request: RulesRequest) -> Rules:
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    async with open_engine(vault, invocation.load(vault)) as engine:
        return await engine.memory.rules(request)
