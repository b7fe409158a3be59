"""What leans on the turns before, what does not, and what is searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.agents.relay.followup import PastTurn, last_turns, resolve_question
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.history import Message

FOLLOWUPS = Path(__file__).parents[1] / "questions" / "followups.jsonl"


def cite(path: str, *heading: str) -> Citation:
    return Citation(
        marker=1, path=path, source_uri=f"note:{path}", heading=list(heading), locator="L1", line_start=1, line_end=1,
        quote="", supported=True,
    )  # fmt: skip


KESTREL = PastTurn(
    "Who leads the Kestrel project?",
    "Rosa Lindner leads it [1]. Ask Tom.",
    (cite("Projects/Kestrel.md", "Kestrel", "Team"),),
)
MARLIN = PastTurn("What does Marlin cost?", "It costs five euros [1].", (cite("Projects/Marlin.md", "Marlin"),))
ADDED = "Kestrel Team Rosa Lindner"


@pytest.mark.parametrize(
    "question",
    [
        "And what does it cost?",
        "How many people does it need?",
        "When is her birthday?",
        "What is the budget for its launch?",
        "When does it have to be delivered?",
        "Whom did I meet there?",
        "And when does the workshop start?",
        "And in July?",
        "What about the deposit?",
        "Who pays?",
        "How much?",
        "Why?",
        "Tell me more.",
        "Und wann war das?",
        "Wann beginnt sie?",
        "Wer bezahlt dafür?",
        "Und die Kaution?",
        "那预算是多少？",
        "它什么时候开始？",
        "那是什么时候？",
        "¿Y quién lo paga?",
        "¿Cuándo empieza su contrato?",
        "Et qui envoie le code ?",
        "Combien coûte-t-il ?",
        "それはいくらですか？",
    ],
)
def test_the_words_of_what_was_spoken_of_are_added(question: str) -> None:
    assert resolve_question(question, [KESTREL]) == f"{question} – {ADDED}"


@pytest.mark.parametrize(
    "question",
    [
        "What does Kestrel cost?",
        "And what does Kestrel cost?",
        "What is slack?",
        "Why meditate every single morning?",
        "Is it true that bees sleep?",
        "What time is it?",
        "How long does it take to drain a colony?",
        "How many mites were there?",
        "Who runs IT?",
        "Who am I?",
        "What did my sister say about her allergy?",
        "Which colony lost its queen?",
        "If bees swarm, what do they need?",
        "When Rosa came, did she bring honey?",
        "What filling did Joanna use in the cake she made in May?",
        "What about the idea of making postage stamps?",
        "kestrel budget",
        "Was kostet das Dach?",
        "Und was kostet Kestrel?",
        "Gibt es Honig?",
        "Wie lange dauert es, bis eine neue Gewohnheit von selbst läuft?",
        "Können Sie mir helfen?",
        "Was ist mit Normalkräften verbunden?",
        "其他项目有哪些？",
        "今年的预算是多少？",
        "¿Cuánto cuesta el pan de oro?",
        "Il faut combien de sucre ?",
        "Qui est le mentor de l'apiculture à la Wakenitz ?",
        "?",
    ],
)
def test_what_says_itself_what_it_is_about_stays_as_it_was_typed(question: str) -> None:
    assert resolve_question(question, [KESTREL]) == question


@pytest.mark.parametrize(
    "question", ["What about Marlin?", "And the Marlin?", "¿Y Marlin?", "Et pour Marlin ?", "那Marlin呢？"]
)
def test_another_matter_takes_the_place_of_the_first(question: str) -> None:
    searched = resolve_question(question, [KESTREL])
    assert "Marlin project" in searched
    assert "Kestrel" not in searched


def test_what_a_cited_note_is_called_after_is_what_a_question_was_about() -> None:
    cats = PastTurn("How often should short-haired cats be brushed?", "Once a week [1].", (cite("Cats.md"),))
    assert resolve_question("What about dogs?", [cats]) == "How often should short-haired dogs be brushed?"


def test_a_chain_is_followed_over_two_turns() -> None:
    second = PastTurn("What about Marlin?", "Tom Berg does [1].", (cite("Projects/Marlin.md"),))
    assert resolve_question("And what does it cost?", [second, KESTREL]) == "And what does it cost? – Marlin Tom Berg"
    third = PastTurn("And when does it start?", "In May [1].", (cite("Projects/Kestrel.md"),))
    assert "Kestrel" in resolve_question("Who pays for that?", [third, KESTREL])
    assert "Kestrel" in resolve_question("Who pays for that?", [PastTurn("And when does it start?", "In May"), KESTREL])


def test_a_turn_without_an_answer_is_passed_over() -> None:
    nothing = PastTurn("What did the Zanzibar deed cost?", "I found nothing.")
    assert resolve_question("And who leads it?", [nothing, MARLIN]) == "And who leads it? – Marlin"
    assert resolve_question("And who leads it?", [nothing]) == "And who leads it? – Zanzibar"


def test_words_of_another_language_are_told_by_that_language() -> None:
    cats = PastTurn("How often should cats be brushed?", "Once [1].", (cite("Cats.md"),))
    assert resolve_question("那是为什么？", [cats]) == "那是为什么？ – often cats brushed Once"


def test_without_a_turn_before_nothing_is_added() -> None:
    assert resolve_question("And what does it cost?", []) == "And what does it cost?"


def test_operators_of_the_question_before_are_no_words_of_it() -> None:
    turn = PastTurn("tag:work Who leads Kestrel?", "Rosa [1]", (cite("Kestrel.md"),))
    assert resolve_question("What does it cost?", [turn]) == "What does it cost? – Kestrel Rosa"


def test_the_last_two_turns_of_a_conversation_count() -> None:
    texts = [f"{kind}{number}" for number in range(3) for kind in "qa"]
    messages = [Message(role="user" if text[0] == "q" else "assistant", text=text, at="") for text in texts]
    assert [(turn.question, turn.answer) for turn in last_turns(messages)] == [("q2", "a2"), ("q1", "a1")]
    assert last_turns([]) == []


# f05 asks its second question in full behind "what about dogs": it is searched as it stands.
@pytest.mark.parametrize("row", [json.loads(line) for line in FOLLOWUPS.read_text(encoding="utf-8").splitlines()])
def test_the_dialogues(row: dict[str, str]) -> None:
    searched = resolve_question(row["second"], [PastTurn(row["first"])])
    assert (searched != row["second"]) == (row["leans"] and row["id"] != "f05")


PIECES = ["and ", "what about ", "it ", "his ", "Rosa ", "the ", "那", "呢", "它", "?", " ", "if ", "¿", "le ", "sie "]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_raises_and_none_is_lost(question: str, before: str, answer: str) -> None:
    searched = resolve_question(question, [PastTurn(before, answer + " [1]", (cite("A/B c.md", before),)), KESTREL])
    assert searched.strip() or not question.strip()
