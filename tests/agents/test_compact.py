"""Which sentences of an answer are worth a line on a page."""

from __future__ import annotations

import pytest

from zibaldone.agents.relay.compact import read_statements
from zibaldone.schemas.ask import Answer, AskTiming, Citation

MISSING = "The rest is described in a note."


def answer(text: str, unsupported: tuple[str, ...] = ()) -> Answer:
    cited = Citation(
        marker=1,
        path="Bees.md",
        source_uri="note:Bees.md",
        heading=[],
        locator="L1",
        line_start=1,
        line_end=1,
        quote="...",
        supported=True,
    )
    return Answer(
        question="How many mites?",
        answer=text,
        abstained=False,
        abstention_reason=None,
        top_score=1,
        not_covered=None,
        route="convergence",
        citations=[cited],
        unsupported_claims=list(unsupported),
        hits=[],
        memory_used=[],
        writeback=None,
        model="fake",
        truncated=[],
        notes=[],
        conversation_id=None,
        debug=None,
        timing=AskTiming(total_ms=1),
    )


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("There were 14 mites. [1] There were 14 mites. [1]", ["There were 14 mites."]),
        ("75% [1]", ["75%"]),
        ("168 [1] 7,800 [1] Mites fell. [1]", ["Mites fell."]),
        ("168 [1] 7,800 [1]", []),
        ("Varroa-Konzept 2026#Kurzfassung [1]", []),
        (f"Mites fell. [1] {MISSING} [1]", ["Mites fell."]),
        (
            "Zuletzt erhöht zum 1. Oktober 2025, vorher 835 €. [1]",
            ["Zuletzt erhöht zum 1. Oktober 2025, vorher 835 €."],
        ),
        ("No marker at all.", []),
    ],
)
def test_statements(text: str, statements: list[str]) -> None:
    assert [one.text for one in read_statements(answer(text, (MISSING,)), set())] == statements
