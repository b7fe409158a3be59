"""When cards are due, and where they go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from zibaldone.hierarchy.cards import Card, Grade, card_id, due_at, follow_cards, grade_card, new_card, order_due

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def a_card(node: str = "node", evidence: tuple[str, ...] = ("x", "y")) -> Card:
    return new_card(node, evidence, "Which flour?", "Rye.", "fallback", NOW)


def test_a_card_is_its_node_and_evidence() -> None:
    assert a_card().id == card_id("node", ["y", "x"]) == a_card(evidence=("y", "x")).id
    assert len({a_card().id, a_card("other").id, a_card(evidence=("x",)).id}) == 3


def test_a_new_card_is_due_at_once_and_the_same_wherever_the_clock_is() -> None:
    assert due_at(a_card()) == NOW
    there = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    assert new_card("node", ("x", "y"), "Which flour?", "Rye.", "fallback", there) == a_card()


def test_the_better_it_is_remembered_the_later_it_comes_again() -> None:
    dues = [due_at(grade_card(a_card(), grade, NOW)) for grade in Grade]
    assert dues == sorted(dues)
    assert dues[0] >= NOW + timedelta(days=1)
    assert grade_card(a_card(), Grade.GOOD, NOW) == grade_card(a_card(), Grade.GOOD, NOW)


def test_what_is_remembered_again_and_again_is_asked_ever_more_rarely() -> None:
    card, pauses, now = a_card(), [], NOW
    for _ in range(4):
        card = grade_card(card, Grade.GOOD, now)
        pauses.append(due_at(card) - now)
        now = due_at(card)
    assert pauses == sorted(set(pauses))
    forgotten = grade_card(card, Grade.AGAIN, now)
    assert due_at(forgotten) - now < pauses[-1]


def test_cards_follow_their_node() -> None:
    merged, split = a_card("merged"), a_card("split", ("p",))
    changed, gone = a_card("changed", ("r", "s")), a_card("gone", ("t",))
    followed = follow_cards(
        [merged, split, changed, gone],
        {"merged": "heir"},
        {"heir": {"x", "y", "z"}, "split": {"q"}, "part": {"p"}, "changed": {"r"}},
    )
    assert [(card.id, card.node_id) for card in followed.kept] == [(merged.id, "heir"), (split.id, "part")]
    assert followed.outdated == (changed,)
    assert followed.orphaned == (gone,)


def test_due_cards_come_by_what_is_forgotten_soonest() -> None:
    cards = [a_card("low"), a_card("high"), grade_card(a_card("known"), Grade.EASY, NOW)]
    assert [card.node_id for card in order_due(cards, NOW, {"low": 0.1, "high": 0.9, "known": 1.0})] == ["high", "low"]
