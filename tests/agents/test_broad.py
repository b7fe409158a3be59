"""Which questions are broad, and what they are about."""

from __future__ import annotations

import pytest

from zibaldone.agents.relay.broad import Broad, find_broad


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What are the main themes of my notes?", Broad("themes")),
        ("Which topics come up in my notes about baking?", Broad("themes", "baking")),
        ("What are my notes about sourdough about?", Broad("themes", "sourdough")),
        ("Was sind die wichtigsten Themen in meinen Notizen?", Broad("themes")),
        ("Worum geht es in meinen Notizen?", Broad("themes")),
        ("Womit haben wir uns am meisten befasst?", Broad("themes")),
        ("What do we think differently about remote work these days?", Broad("change", "remote work")),
        ("Was denke ich über Homeoffice inzwischen anders?", Broad("change", "Homeoffice")),
        ("Haben wir unsere Ansicht über Kaffee geändert?", Broad("change", "Kaffee")),
        ("Wie hat sich mein Blick auf Kaffee gewandelt?", Broad("change", "Kaffee")),
        ("What changed in my view of remote work?", Broad("change", "remote work")),
        ("How has my thinking about databases changed over time?", Broad("change", "databases")),
        ("Was hat sich an meiner Sicht auf Homeoffice geändert?", Broad("change", "Homeoffice")),
        ("Wie hat sich meine Meinung zu Kaffee verändert?", Broad("change", "Kaffee")),
    ],
)
def test_a_broad_question(question: str, found: Broad) -> None:
    assert find_broad(question, has_time=False) == found


@pytest.mark.parametrize(
    "question",
    [
        "What did I decide about the roof?",
        "What is the theme of the party?",
        "When did the view from the balcony change?",
        "Was kostet das Thema Heizung?",
        "What happened to the cat?",
    ],
)
def test_a_question_about_something_in_particular_is_none(question: str) -> None:
    assert find_broad(question, has_time=False) is None


@pytest.mark.parametrize(
    "question",
    [
        "What did I do ?",
        "what happened ?",
        "What was I busy with ?",
        "Summarize what we did .",
        "Was habe ich  gemacht?",
        "Was war  los?",
        "Womit waren wir  beschäftigt?",
    ],
)
def test_what_happened_is_broad_only_of_a_time(question: str) -> None:
    assert find_broad(question, has_time=True) == Broad("period")
    assert find_broad(question, has_time=False) is None
