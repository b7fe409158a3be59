"""What is compared, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.retrieval.query.comparisons import Comparison, find_comparison


@pytest.mark.parametrize(
    ("text", "left", "right", "rest"),
    [
        ("coffee versus tea for sleep", "coffee", "tea", "for sleep"),
        ("A vs B: pros and cons", "A", "B", "pros and cons"),
        ("Vim vs. VS Code", "Vim", "VS Code", ""),
        ("vs code vs Vim", "vs code", "Vim", ""),
        ("R&D vs sales", "R&D", "sales", ""),
        ("A vs B vs C", "A", "B vs C", ""),
        ("what do my notes say about remote work vs. the office?", "remote work", "office", ""),
        ("What's the difference between the wiki and a notebook?", "wiki", "notebook", ""),
        ("main differences between A and B and C", "A", "B and C", ""),
        ("compare my notes on Rust and Go", "Rust", "Go", ""),
        ("compare bread and butter with jam", "bread and butter", "jam", ""),
        ("compare Obsidian to Notion in terms of speed", "Obsidian", "Notion", "in terms of speed"),
        ("coffee or tea: which is better?", "coffee", "tea", ""),
        ("which is better, coffee or tea?", "coffee", "tea", ""),
        ("is Rust better than Go for CLIs?", "Rust", "Go", "for CLIs"),
        ("how does TCP differ from UDP?", "TCP", "UDP", ""),
        ("Vim compared to Emacs", "Vim", "Emacs", ""),
        ("Was ist der Unterschied zwischen dem Hund und der Katze?", "Hund", "Katze", ""),
        ("Kaffee im Vergleich zu Tee", "Kaffee", "Tee", ""),
        ("vergleiche Kaffee mit Tee", "Kaffee", "Tee", ""),
        ("Kaffee gegenüber Tee", "Kaffee", "Tee", ""),
        ("Kaffee oder Tee, was ist besser?", "Kaffee", "Tee", ""),
        ("différence entre l'eau et l'huile", "eau", "huile", ""),
        ("comparer le thé au café", "thé", "café", ""),
        ("diferencia entre el té y el café", "té", "café", ""),
        ("compara Madrid con Lisboa", "Madrid", "Lisboa", ""),
        ("differenza tra l'olio e il burro", "olio", "burro", ""),
        ("diferença entre chá e café", "chá", "café", ""),
        ("verschil tussen thee en koffie", "thee", "koffie", ""),
        ("Python和Java的区别", "Python", "Java", ""),
        ("Python 与 Java 比较", "Python", "Java", ""),
        ("对比Python和Java", "Python", "Java", ""),
        ("东京和大阪有什么区别", "东京", "大阪", ""),
        ("東京と大阪の違いは何ですか", "東京", "大阪", ""),
        (
            "Which did I finish first, 'The Hate U Give' or 'The Nightingale'?",
            "The Hate U Give",
            "The Nightingale",
            "Which did I finish first",
        ),
        (
            "Which event happened first, my attendance at a cultural festival or the start of my Spanish classes?",
            "attendance at a cultural festival",
            "start of my Spanish classes",
            "Which event happened first",
        ),
        ("Which came first, the 'Time' workshop or the talk?", "Time workshop", "talk", "Which came first"),
        ("Who became a parent first, Rachel or Alex?", "Rachel", "Alex", "Who became a parent first"),
        ("Who arrived first the bus or the train?", "bus", "train", "Who arrived first"),
        (
            "Of my bikes, which did I buy first - the red one or the green one?",
            "red one",
            "green one",
            "Of my bikes, which did I buy first",
        ),
        ("Was billiger: die Bahn oder das Auto?", "Bahn", "Auto", "Was billiger"),
        ("Lequel est moins cher : le train ou le bus ?", "train", "bus", "Lequel est moins cher"),
        ("¿Cuál es más barato, el tren o el autobús?", "tren", "autobús", "Cuál es más barato"),
        ("A还是B", "A", "B", ""),
        ("哪个更便宜，火车还是飞机？", "火车", "飞机", "哪个更便宜"),
        ("どちらが安いですか、電車かバス？", "電車", "バス", "どちらが安いですか"),
    ],
)
def test_the_sides_of_a_comparison(text: str, left: str, right: str, rest: str) -> None:
    assert find_comparison(text) == Comparison(left, right, rest)


@pytest.mark.parametrize(
    "text",
    [
        "between Monday and Friday",
        "meetings between 2 and 3 pm",
        "compare notes",
        "compare notes with Anna",
        "python in vs code",
        "vs",
        "X vs",
        "vs Y",
        "compare it with that",
        "is it later than 5",
        "I would rather go than stay",
        "which of the two is better",
        "A vs A",
        "How much more did I spend on hotels in Hawaii compared to Tokyo?",
        "Is it true or false?",
        "Which is it, true or false?",
        "more or less",
        "yes or no",
        "sooner or later",
        "can I edit or delete notes?",
        "Which treaty, law or act established the court?",
        "Who decides, when asked, how land or property is used?",
        "How many bikes did I service or plan to service first?",
        "Ist der Fokus hoch oder gering?",
        "今天还是很冷",
    ],
)
def test_no_comparison(text: str) -> None:
    assert find_comparison(text) is None


PIECES = ["compare ", "between ", "difference ", " vs ", " and ", "is ", " better than ", "和", "的区别", "X", "?", " "]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_no_text_raises_and_sides_are_never_empty(text: str) -> None:
    found = find_comparison(text)
    assert found is None or (found.left.strip() and found.right.strip())
