"""Answers: how fast the tokens come, and how soon the first one of a second turn."""

from __future__ import annotations

import time
from typing import Any

from zibaldone.bench.figures import FOLLOWUP, GENERATE, Row
from zibaldone.bench.models import find_model
from zibaldone.bench.questions import find_topics
from zibaldone.bench.workbench import Sidecar, Workbench
from zibaldone.errors import NotFound, ZibaldoneError

# An answer of fewer tokens says nothing about speed.
_LEAST_TOKENS = 16
# Topics that are tried for each one that is answered.
_TRIES = 4


def measure_generation(bench: Workbench, repeats: int) -> Row:
    """From the first token's line to the last one's, against as many tokens of the same prompt in bare llama.cpp."""
    _, path = find_model(bench.settings, "chat")
    sidecar, raw = bench.sidecar(), bench.raw()
    raw("load_chat", path=str(path), threads=bench.threads, context_tokens=bench.settings.models.context_tokens)
    pairs: list[tuple[float, float]] = []
    tokens = 0
    for topic in find_topics(bench, repeats * _TRIES):
        bench.say(f"answering, {len(pairs) + 1} of {repeats}")
        turn = _Turn(sidecar, topic.question, None)
        # A line may hold several tokens (a character that takes more than one), never the other way round.
        count = len(turn.arrivals)
        if count < _LEAST_TOKENS:
            continue
        done = raw("generate", messages=_messages(turn.answer["debug"][-1]["prompt"]), tokens=count)
        used = turn.answer["timing"]["prompt_tokens"]
        if done["prompt_tokens"] != used:
            raise ZibaldoneError(f"The raw prompt has {done['prompt_tokens']} tokens, the sidecar's {used}.", "")
        pairs.append(((count - 1) / (turn.arrivals[-1] - turn.arrivals[0]), (count - 1) / done["seconds"]))
        tokens += count
        if len(pairs) == repeats:
            break
    if not pairs:
        raise NotFound("No question about this vault got an answer.", "")
    return GENERATE.compare(pairs, f"{tokens} tokens")


def measure_followup(bench: Workbench, repeats: int) -> Row:
    """A question on a topic that was not asked about before, then a second one on the same topic in other words.

    The model is loaded in both turns and has last answered something else before the first, so what the second one
    saves is reading, not loading. Topics whose questions are not both answered say nothing and are passed over.
    """
    find_model(bench.settings, "chat")
    sidecar = bench.sidecar()
    topics = find_topics(bench, repeats * _TRIES + 1)
    _Turn(sidecar, topics[0].question, None)
    pairs: list[tuple[float, float]] = []
    asked = 0
    for topic in topics[1:]:
        bench.say(f"two turns on a topic, {len(pairs) + 1} of {repeats}")
        asked += 1
        first = _Turn(sidecar, topic.question, None)
        second = _Turn(sidecar, topic.follow_up(asked), first.answer["conversation_id"])
        if first.arrivals and second.arrivals:
            pairs.append((second.arrivals[0] - second.started, first.arrivals[0] - first.started))
        if len(pairs) == repeats:
            break
    if not pairs:
        raise NotFound("No question about this vault got an answer.", "")
    return FOLLOWUP.compare(pairs, f"{asked} topics asked about")


class _Turn:
    """A question and when its tokens came; `answer` is that of the last event."""

    def __init__(self, sidecar: Sidecar, question: str, conversation_id: str | None) -> None:
        body = {"question": question, "conversation_id": conversation_id, "writeback": False, "debug": True}
        self.started = time.monotonic()
        events = sidecar.stream("/v1/ask", body)
        self.arrivals = [at for at, event in events if event["type"] == "token"]
        self.answer: dict[str, Any] = events[-1][1]["answer"]


def _messages(shown: str) -> list[dict[str, str]]:
    """The messages of a prompt as `agents.relay.prompt.show_messages` shows them."""
    system, _, user = shown.partition("\n\nuser: ")
    return [
        {"role": "system", "content": system.removeprefix("system: ")},
        {"role": "user", "content": user},
    ]
