"""How far the evidence is read."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import pytest

from zibaldone.agents.relay.read import Reading, read_evidence
from zibaldone.inference.fake import FakeChat
from zibaldone.inference.roles import Message
from zibaldone.schemas.search import Components, Hit


class Judge(FakeChat):
    """Gives one answerable probability after the other."""

    def __init__(self, *probabilities: float) -> None:
        super().__init__()
        self.left = list(probabilities)

    async def score_labels(
        self, messages: Sequence[Message], labels: Sequence[str], *, deadline_s: float = 120.0
    ) -> list[float]:
        probability = self.left.pop(0)
        return [(1.74 + log(probability / (1 - probability))) / 1.83, 0.0]  # the inverse of `judge_evidence`


def passage(name: str) -> Hit:
    return Hit(
        rank=1, score=1, chunk_id=name, source_uri="note:a.md", path="a.md", title="a", heading=[], locator="L1",
        line_start=1, line_end=1, date="2026-01-01", text=name, components=Components(),
    )  # fmt: skip


async def read(*probabilities: float, again: bool) -> Reading:
    rounds = [[passage(name)] for name in "abc"]
    judge = Judge(*probabilities)
    return await read_evidence("q?", ["q?"], rounds, judge, found=0.5, least=0.5, deadline_s=1, again=again)


@pytest.mark.parametrize(
    ("again", "probabilities", "evidence", "rounds_read"),
    [
        (False, (0.92,), "a", 1),
        (False, (0.88, 0.6, 0.7), "a", 3),
        (False, (0.88, 0.92), "b", 2),
        (True, (0.88,), "a", 1),  # the last turn read it: a little less is enough
        (True, (0.8, 0.88, 0.6), "b", 3),  # but only there, and no less than that
        (False, (0.1, 0.2, 0.3), "", 3),
    ],
)
async def test_reading_ends_where_the_answer_is_sure(
    again: bool, probabilities: tuple[float, ...], evidence: str, rounds_read: int
) -> None:
    reading = await read(*probabilities, again=again)
    assert "".join(hit.chunk_id for hit in reading.evidence) == evidence
    assert reading.rounds_read == rounds_read
    assert reading.missing == ([] if evidence else ["q?"])
