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
SURE = 0.97


@dataclass(frozen=True, slots=True)
class Reading:
    """`covered` and `missing` are parts of the question; `evidence` are the passages of `rounds`, which cover any."""

    covered: list[str]
    missing: list[str]
    evidence: list[Hit]
    rounds: set[int]


@dataclass(slots=True)
class Reader:
    """Judges rounds of evidence for a question, each at most once.

    Args:
        parts: what the question asks for (`parts.split_question`).
        least: probability (0..1) below which a part is missing.
    """

    question: str
    parts: Sequence[str]
    rounds: Sequence[Sequence[Hit]]
    chat: ChatModel
    least: float
    deadline_s: float
    traces: list[DebugTrace] = field(default_factory=list)
    _judged: dict[tuple[int, str], float] = field(default_factory=dict)

    async def read(self, passed_over: set[int]) -> Reading:
        """The rounds that answer best, without those of `passed_over`, read in order until every part is sure."""
        best: dict[str, tuple[float, int]] = {}
        for number in range(len(self.rounds)):
            if number in passed_over or all(best.get(part, (0.0, 0))[0] >= SURE for part in self.parts):
                continue
            for part in self.parts:
                if best.get(part, (0.0, 0))[0] < SURE:
                    judged = (await self._judge(number, part), number)
                    best[part] = max(best.get(part, judged), judged, key=lambda known: known[0])
        covered = [part for part in self.parts if part in best and best[part][0] >= self.least]
        used = sorted({best[part][1] for part in covered})
        return Reading(
            covered=covered,
            missing=[part for part in self.parts if part not in covered],
            evidence=[hit for number in used for hit in self.rounds[number]],
            rounds=set(used),
        )

    async def _judge(self, number: int, part: str) -> float:
        if (number, part) not in self._judged:
            evidence = [format_evidence(marker, hit) for marker, hit in enumerate(self.rounds[number], 1)]
            messages = judge_messages(self.question, evidence, None if part == self.question else part)
            scores = await self.chat.score_labels(messages, VERDICTS, deadline_s=self.deadline_s)
            probability = self._judged[number, part] = judge_evidence(scores)
            thought = ", ".join(f"{verdict} {exp(score):.2f}" for verdict, score in zip(VERDICTS, scores, strict=True))
            output = f"{thought}: answerable {probability:.2f}"
            self.traces.append(DebugTrace(prompt=show_messages(messages), output=output))
        return self._judged[number, part]
