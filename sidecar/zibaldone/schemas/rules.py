"""Rules of the agents."""

from __future__ import annotations

from typing import Literal, get_args

from zibaldone.schemas.base import Wire

Agent = Literal["common", "relay", "data", "agenda", "action", "pattern"]
AGENTS: tuple[Agent, ...] = get_args(Agent)


class Rule(Wire):
    """`layer`: `system` says what an agent may do, `user` how this person wants it. `added` is a date; `rests_on` are
    ids of entries of the memory, none where the person wrote the line."""

    agent: Agent
    text: str
    layer: Literal["system", "user"]
    added: str | None = None
    rests_on: list[str] = []


class RulesRequest(Wire):
    """Of one agent and one layer, or of all."""

    agent: Agent | None = None
    layer: Literal["system", "user"] | None = None


class Rules(Wire):
    rules: list[Rule]
