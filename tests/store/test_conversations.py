"""Conversations on disk: what is kept of a turn, found again, renamed, asked anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.fakes import the_answer
from zibaldone.errors import NotFound
from zibaldone.store.state_db import StateStore


@pytest.fixture
def state(tmp_path: Path) -> StateStore:
    return StateStore(tmp_path / "state.db")


def ask(state: StateStore, question: str, conversation: str | None = None, *, after: int | None = None) -> str:
    """A turn that ended."""
    id_, message = state.begin_turn(conversation, question, after=after)
    state.end_turn(message, f"About {question}", "complete", the_answer())
    return id_


def asked(state: StateStore, conversation: str) -> list[str]:
    return [one.text for one in state.conversation(conversation).messages if one.role == "user"]


def test_a_complete_answer_is_kept_whole_with_the_beginning_of_its_passages(state: StateStore) -> None:
    id_, message = state.begin_turn(None, "How much?")
    answer = the_answer()
    long = answer.hits[0].model_copy(update={"text": "x" * 5000})
    state.end_turn(message, answer.answer, "complete", answer.model_copy(update={"hits": [long]}))
    kept = state.conversation(id_).messages[1]
    assert kept.citations == answer.citations
    assert kept.answer is not None
    assert kept.answer.writeback == answer.writeback
    assert len(kept.answer.hits[0].text) == 300


def test_what_is_written_so_far_is_there_after_a_kill(tmp_path: Path) -> None:
    state = StateStore(tmp_path / "state.db")
    id_, message = state.begin_turn(None, "How much?")
    state.end_turn(message, "Forty-two", "partial")
    again = StateStore(tmp_path / "state.db")  # the first one never closed
    assert [(one.text, one.state) for one in again.conversation(id_).messages] == [
        ("How much?", "complete"),
        ("Forty-two", "partial"),
    ]


def test_asking_behind_all_but_the_last_turn_replaces_it(state: StateStore) -> None:
    id_ = ask(state, "one")
    ask(state, "two", id_)
    assert ask(state, "two, again", id_, after=1) == id_
    assert asked(state, id_) == ["one", "two, again"]
    assert len(state.conversation(id_).messages) == 4


def test_asking_behind_an_earlier_turn_leaves_the_conversation_and_goes_on_in_a_copy(state: StateStore) -> None:
    id_ = ask(state, "one")
    for question in ("two", "three"):
        ask(state, question, id_)
    copy = ask(state, "two, otherwise", id_, after=1)
    assert copy != id_
    assert asked(state, id_) == ["one", "two", "three"]
    assert asked(state, copy) == ["one", "two, otherwise"]
    assert state.conversation(copy).messages[1].answer == state.conversation(id_).messages[1].answer
    assert [one.id for one in state.conversations()] == [copy, id_]


@pytest.mark.parametrize("more", [False, True])
def test_a_first_question_that_is_asked_otherwise_names_the_conversation(state: StateStore, more: bool) -> None:
    id_ = ask(state, "one")
    if more:
        ask(state, "two", id_)
    assert state.conversation(ask(state, "another", id_, after=0)).title == "another"


def test_a_conversation_is_found_by_its_title_or_by_words_of_a_message(state: StateStore) -> None:
    first = ask(state, "Where is the Café key?")
    second = ask(state, "How many mites?")
    state.rename_conversation(first, "  Keys\n of the house ")
    assert state.conversation(first).title == "Keys of the house"
    assert [(one.id, one.found) for one in state.conversations("keys HOUSE")] == [(first, None)]
    assert [(one.id, one.found) for one in state.conversations("cafe")] == [(first, "Where is the Café key?")]
    assert [one.id for one in state.conversations("about mites")] == [second]
    # One word in the title, the other in a message.
    assert [one.id for one in state.conversations("keys cafe")] == [first]
    assert state.conversations("zebra") == []
    with pytest.raises(NotFound):
        state.rename_conversation("nobody", "x")


def test_words_that_are_erased_are_gone_from_the_kept_answer_too(state: StateStore) -> None:
    id_ = ask(state, "How much for the kestrel?")
    state.erase(lambda gone, text: text.replace("Kestrel", gone), "…")
    assert "Kestrel" not in state.conversation(id_).model_dump_json()
