"""What waits for the person's approval, as the conversation says it. Pure."""

from __future__ import annotations

from zibaldone.agents.relay.phrases import say
from zibaldone.schemas.proposals import Proposals
from zibaldone.vault.inert import make_inert_line

_MOST_CHARS = 200


def describe_waiting(found: Proposals, language: str) -> str:
    lines = [
        f"- {one.id}: {make_inert_line(one.title, _MOST_CHARS)} ({', '.join(one.paths)})" for one in found.proposals
    ]
    return "\n".join([say("waiting", language), *lines]) if lines else say("nothing_waits", language)
