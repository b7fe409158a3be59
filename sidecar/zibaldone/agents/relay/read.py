"""Reading: which passages answer which part of the question, round by round, no further than needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp

from zibaldone.agents.relay.judge import judge_evidence
from zibaldone.agents.relay.prompt import VERDICTS, format_evidence, judge_messages, show_messages
from zibaldone.inference.roles import ChatModel
from zibaldone.schemas.ask import DebugTrace
from zibaldone.schemas.search import Hit

# A part of the question is not looked for any further once a round answers it with this probability. It is high: an
# early passage that nearly answers is the commonest mistake, and a later one that does answer scores higher.
SURE = 0.91
# The same for a first round that holds what the conversation's last turn read and the best passage for this one: two
# searches agree on it, and a follow-up should not wait for two more rounds over a few hundredths.
SURE_AGAIN = 0.83


@dataclass(slots=True)
class Reading:
    """`covered` and `missing` are parts of the question; `evidence` are the passages of the rounds that cover any.
    `rounds_read` of the rounds were looked at."""

    covered: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    evidence: list[Hit] = field(default_factory=list)
    rounds_read: int = 0
    traces: list[DebugTrace] = field(default_factory=list)

    def and_then(self, further: Reading) -> Reading:
        """With what was read for the parts that were missing."""
        return Reading(
            covered=[*self.covered, *further.covered],
            missing=further.missing,
            evidence=[*self.evidence, *further.evidence],
            rounds_read=self.rounds_read + further.rounds_read,
            traces=[*self.traces, *further.traces],
        )


async def read_evidence(
    question: str,
    parts: Sequence[str],
    rounds: Sequence[Sequence[Hit]],
    chat: ChatModel,
    *,
    found: float,
    least: float,
    deadline_s: float,
    again: bool = False,
    conventions: str = "",
) -> Reading:
    """Judge the rounds in order until every part is surely answered; each part is answered from its best round.

    Args:
        parts: what the question asks for (`parts.split_question`).
        found: the probability (0..1) by retrieval alone that the passages answer.
        least: probability (0..1) below which a part is missing.
        again: the first round holds what the conversation's last turn read.
        conventions: what the person asks of every answer; here only so that the prompts begin alike.
    """
    reading = Reading()
    best: dict[str, tuple[float, int]] = {}
    sure: set[str] = set()
    for number, hits in enumerate(rounds):
        reading.rounds_read = number + 1
        evidence = [format_evidence(marker, hit) for marker, hit in enumerate(hits, 1)]
        for part in parts:
            if part in sure:
                continue
            messages = judge_messages(question, evidence, None if part == question else part, conventions)
            scores = await chat.score_labels(messages, VERDICTS, deadline_s=deadline_s)
            probability = judge_evidence(scores, found)
            thought = ", ".join(f"{verdict} {exp(score):.2f}" for verdict, score in zip(VERDICTS, scores, strict=True))
            output = f"{thought}: answerable {probability:.2f}"
            reading.traces.append(DebugTrace(prompt=show_messages(messages), output=output))
            if part not in best or probability > best[part][0]:
                best[part] = (probability, number)
            if probability >= (SURE_AGAIN if again and number == 0 else SURE):
                sure.add(part)
        if sure.issuperset(parts):
            break
    reading.covered = [part for part in parts if part in best and best[part][0] >= least]
    reading.missing = [part for part in parts if part not in reading.covered]
    used = sorted({best[part][1] for part in reading.covered})
    reading.evidence = [hit for number in used for hit in rounds[number]]
    return reading
