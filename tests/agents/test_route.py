"""What kind of question it is, in several languages."""

from __future__ import annotations

import pytest

from zibaldone.agents.relay.route import choose_route, merge_sides, order_by_date, steer
from zibaldone.schemas.search import Components, Hit


def hit(name: str, rank: int = 1, score: float = 0.5, date: str = "2026-01-01") -> Hit:
    return Hit(
        rank=rank, score=score, chunk_id=name, source_uri=f"note:{name}.md", path=f"{name}.md", title=name, heading=[],
        locator="L1", line_start=1, line_end=1, date=date, text=name, components=Components(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("What is the difference between Kubernetes and Nomad?", ("Kubernetes", "Nomad")),
        (
            "Was ist der Unterschied zwischen der Beute im Garten und der Beute am Hang?",
            ("Beute im Garten", "Beute am Hang"),
        ),
        ("Compare the Kestrel budget with the Heron budget.", ("Kestrel budget", "Heron budget")),
        ("¿Cuál es la diferencia entre el barniz y la laca?", ("barniz", "laca")),
        ("Oxalic acid vs formic acid", ("Oxalic acid", "formic acid")),
        ("Who became a parent first, Rachel or Alex?", ("Rachel", "Alex")),
    ],
)
def test_comparisons(question: str, sides: tuple[str, str]) -> None:
    assert (choose_route(question).kind, choose_route(question).sides) == ("comparison", sides)


@pytest.mark.parametrize(
    "question",
    [
        "How did my view of agile change?",
        "Wie hat sich meine Meinung zu Katzen verändert?",
        "What did I think about sleep over the years?",
        "¿Cómo ha cambiado mi dieta?",
    ],
)
def test_expansion(question: str) -> None:
    assert choose_route(question).kind == "expansion"


@pytest.mark.parametrize(
    "question", ["How many mites were there in July?", "Who and what is Kestrel?", "Wann kommt Rosa?", "", "vs"]
)
def test_anything_else_finds_a_fact(question: str) -> None:
    assert choose_route(question).kind == "convergence"


def test_the_sides_take_turns_and_nothing_comes_twice() -> None:
    merged = merge_sides([hit("w"), hit("a1")], [[hit("a1"), hit("a2")], [hit("b1")]], 4)
    assert [(one.chunk_id, one.rank) for one in merged] == [("a1", 1), ("b1", 2), ("w", 3), ("a2", 4)]


def test_what_was_worked_on_rises_a_little() -> None:
    hits = [hit("far", 1, 0.9), hit("near", 2, 0.52), hit("mine", 3, 0.5)]
    assert [one.chunk_id for one in steer(hits, {"mine.md"})] == ["far", "mine", "near"]
    assert [one.chunk_id for one in order_by_date([hit("b", date="2026-02-01"), hit("a")])] == ["a", "b"]
