"""What the model wrote, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.agents.relay.draft import Claim, read_draft, render_answer


@pytest.mark.parametrize(
    ("output", "claims"),
    [
        ("It costs 5 € [1].", [Claim("It costs 5 €.", (1,))]),
        ("[1] It costs 5 €.\n[2] It is blue.", [Claim("It costs 5 €.", (1,)), Claim("It is blue.", (2,))]),
        ("It costs 5 €. [1] It is blue [2].", [Claim("It costs 5 €.", (1,)), Claim("It is blue.", (2,))]),
        ("It is by H. Wulff [1]. It is old.", [Claim("It is by H. Wulff.", (1,)), Claim("It is old.")]),
        ("It is blue [1, 2].", [Claim("It is blue.", (1, 2))]),
        ("It is blue [1][2].", [Claim("It is blue.", (1, 2))]),
        ("It is blue [1; 9].", [Claim("It is blue.", (1,))]),
        ("It is blue.", [Claim("It is blue.")]),
        ("Ja, um 8.12 Uhr [2].", [Claim("Ja, um 8.12 Uhr.", (2,))]),
        ("駅は近い[1]。安い[2]。", [Claim("駅は近い。", (1,)), Claim("安い。", (2,))]),
        ("- one [1]\n- two [2]", [Claim("- one", (1,)), Claim("- two", (2,))]),
        ('From "Slack > Load", it is 60% [1].', [Claim("It is 60%.", (1,))]),
        ("From Slack it is [1].", [Claim("From Slack it is.", (1,))]),
        ("", []),
        ("[1]", []),
    ],
)
def test_claims(output: str, claims: list[Claim]) -> None:
    assert read_draft(output, known=3).claims == claims


def test_unknown_markers_are_dropped_and_counted() -> None:
    draft = read_draft("It is blue [7].", known=3)
    assert draft.claims == [Claim("It is blue.")]
    assert draft.dropped_markers == [7]


def test_render_puts_the_final_markers_back() -> None:
    assert render_answer([("It is blue.", [1, 2]), ("It is old.", [])]) == "It is blue. [1] [2] It is old."


@given(st.text(max_size=300), st.integers(0, 5))
def test_no_output_breaks_it_and_no_unknown_marker_survives(output: str, known: int) -> None:
    draft = read_draft(output, known)
    assert all(1 <= marker <= known for claim in draft.claims for marker in claim.markers)
