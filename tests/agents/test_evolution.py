"""From versions of notes to steps: what counts as a change of what is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from zibaldone.agents.evolution.edits import Sentence, Version, find_edits
from zibaldone.agents.evolution.steps import find_steps, says_the_same
from zibaldone.agents.relay.quote import Span
from zibaldone.domain.words import index_terms

BEGIN = datetime(2026, 1, 5, 12, tzinfo=UTC)


def sentence(text: str, line: int = 1) -> Sentence:
    return Sentence(Span(text, line, line), ("Note",), tuple(index_terms(text)))


def version(number: int, path: str, *texts: str) -> Version:
    said = tuple(sentence(text, line) for line, text in enumerate(texts, 1))
    return Version(f"c{number}", BEGIN + timedelta(days=number), path, said)


def edits_of(*notes: list[Version]) -> list[tuple[str, list[str], list[str]]]:
    return [
        (edit.now.commit, [one.span.text for one in edit.before], [one.span.text for one in edit.after])
        for edit in find_edits(notes)
    ]


def test_neighbouring_sentences_that_changed_are_one_edit_and_spelling_is_none() -> None:
    note = [version(0, "a.md", "One.", "Two.", "Three."), version(1, "a.md", "ONE", "2nd.", "Third.", "Four.")]
    assert edits_of(note)[1:] == [("c1", ["Two.", "Three."], ["2nd.", "Third.", "Four."])]


def test_what_moves_to_another_note_is_no_edit() -> None:
    one = [version(0, "a.md", "Stays.", "Moves."), version(1, "a.md", "Stays.")]
    other = [version(1, "b.md", "Moves.", "Is new.")]
    assert edits_of(one, other)[1:] == [("c1", [], ["Is new."])]


def test_a_note_that_comes_back_is_compared_with_what_it_was() -> None:
    note = [version(0, "a.md", "Blue."), version(1, "a.md"), version(2, "a.md", "Red.")]
    assert edits_of(note)[1:] == [("c2", ["Blue."], ["Red."])]
    assert edits_of(note[:2])[1:] == [("c1", ["Blue."], [])]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The dough rests in the fridge for a night.", "For a night the dough rests in the fridge.", True),
        ("The hive has 14 mites a day.", "A day the hive has 16 mites.", False),
        ("The garden door is green.", "The garden door is blue.", False),
        ("I trust the new plan.", "I do not trust the new plan.", False),
    ],
)
def test_other_words_are_no_change_but_figures_swaps_and_negations_are(one: str, other: str, same: bool) -> None:
    assert says_the_same(sentence(one), sentence(other), lambda _, __: 1.0) is same


def test_only_what_is_about_the_topic_becomes_a_step() -> None:
    note = [
        version(0, "a.md", "I choose Postgres.", "Milk is out."),
        version(1, "b.md", "One SQLite file is enough.", "Milk is out."),
        version(2, "b.md", "One SQLite file is enough.", "Milk was bought."),
    ]
    near = {"I choose Postgres.": 0.9, "One SQLite file is enough.": 0.7}
    steps = find_steps(find_edits([note]), lambda one: near.get(one.span.text, 0.1), lambda _, __: 0.0)
    quotes = [(s.before and s.before.quote.text, s.after and s.after.quote.text.split(" Milk")[0]) for s in steps]
    assert quotes == [(None, "I choose Postgres."), ("I choose Postgres.", "One SQLite file is enough.")]
    assert steps[1].before and (steps[1].before.version.path, steps[1].before.version.commit) == ("a.md", "c0")


def test_what_moved_and_changed_in_one_commit_is_one_step() -> None:
    one = [version(0, "a.md", "I choose Postgres.", "Rest."), version(1, "a.md", "Rest.")]
    other = [version(1, "b.md", "SQLite is enough.")]
    steps = find_steps(find_edits([one, other]), lambda s: 0.1 if "Rest" in s.span.text else 0.9, lambda _, __: 0.0)
    last = steps[-1]
    assert last.before and last.after
    assert (last.before.version.path, last.after.version.path) == ("a.md", "b.md")
