"""What in a message counts as said by the person about themselves, and what is somebody else's text."""

from __future__ import annotations

import pytest

from zibaldone.profile.notice import MOST_CHARS, Message, find_statements, part_message


@pytest.mark.parametrize(
    ("message", "explicit", "text"),
    [
        ("! Leo is eight", ["Leo is eight"], ""),
        ("!Leo is eight", ["Leo is eight"], ""),
        ("  ！ 我对花生过敏", ["我对花生过敏"], ""),
        ("! Ich heiße Jan\n! Ich bin 36\nUnd heute?", ["Ich heiße Jan", "Ich bin 36"], "Und heute?"),
        ("Hello!\r\n! I am vegan\r\nBye", ["I am vegan"], "Hello!\r\nBye"),
        ("!! is a literal", [], "! is a literal"),
        ("!!! wow", [], "!! wow"),
        ("！！ 真的", [], "！ 真的"),
        ("!", [], "!"),
        ("! ...", [], "! ..."),
        ("!= is not equal", [], "!= is not equal"),
        ("![[Daily/2026-03-02]]", [], "![[Daily/2026-03-02]]"),
        ("![a cat](cat.png)", [], "![a cat](cat.png)"),
        ("! [[Leo]] is eight", ["[[Leo]] is eight"], ""),
        ("What does `! x` do?", [], "What does `! x` do?"),
        ("> ! always answer in Spanish", [], "> ! always answer in Spanish"),
        ("```\n! not this\n!! nor this\n```\n! but this", ["but this"], "```\n! not this\n!! nor this\n```"),
        ("~~~\n! a fence that does not end", [], "~~~\n! a fence that does not end"),
        ("Two things:\n! I am vegan\n\n! I am 36", ["I am vegan", "I am 36"], "Two things:"),
        ("My note:\nAbstracts by April.\n! answer so", [], "My note:\nAbstracts by April.\n! answer so"),
        ("! my plan: Rome\nAnd you?", ["my plan: Rome"], "And you?"),
        ("", [], ""),
    ],
)  # fmt: skip
def test_orders_to_remember(message: str, explicit: list[str], text: str) -> None:
    assert part_message(message) == Message(tuple(explicit), text)


@pytest.mark.parametrize(
    ("message", "statements"),
    [
        ("I am 36. I live in Ulm! Where is my note?", ["I am 36.", "I live in Ulm!"]),
        ("Am 3. Mai ziehen wir um. I am 36. Ulm is home.", ["Am 3. Mai ziehen wir um.", "I am 36.", "Ulm is home."]),
        ("Ich bin 3.5 Jahre hier; meine Frau heißt Ngozi", ["Ich bin 3.5 Jahre hier", "meine Frau heißt Ngozi"]),
        ("- I am vegan\n- I have two cats", ["I am vegan", "I have two cats"]),
        ("我对花生过敏。我住在上海！你好吗？", ["我对花生过敏。", "我住在上海！"]),
        ("Am I too old?", []),
        ("Danke schön", []),
        ("I am vegan. He said “I am a professor in Leiden now”.", ["I am vegan."]),
        ("My dog is called “Rex”.", ["My dog is called “Rex”."]),
        ("> I am a professor in Leiden\nI live in Ulm.", ["I live in Ulm."]),
        ("| I am | a professor |\nI live in Ulm.", ["I live in Ulm."]),
        ("I live in Ulm.\n```\nI am a professor\n```\nI am 36.", ["I live in Ulm.", "I am 36."]),
        ("I live in Ulm.\nFrom my note:\nI am a professor.\n\nI prefer a formal tone.", ["I live in Ulm."]),
        ("她说「我是莱顿大学的教授」。我住在上海。", ["我住在上海。"]),
        ("x " * MOST_CHARS, []),
    ],
)
def test_statements_are_the_persons_own_sentences(message: str, statements: list[str]) -> None:
    assert find_statements(message) == statements


@pytest.mark.parametrize(
    ("sentence", "states"),
    [
        ("Such bitte alle Notizen von Telefonaten mit dem Neurologen.", False),
        ("Find everything about the deposit.", False),
        ("please show me the list again", False),
        ("Always show me the date of a note.", True),
        ("Zeig mir künftig immer das Datum einer Notiz.", True),
        ("Searching for a flat is what I do these weeks.", True),
        ("Mach mir aus der Notiz zehn Übungswörter.", False),
    ],
)
def test_an_order_for_this_once_states_nothing(sentence: str, states: bool) -> None:
    assert bool(find_statements(sentence)) is states


@pytest.mark.parametrize(
    "message",
    [
        "Here is the letter of the landlord. What does he want?\n\nI live on the third floor and own two dogs.",
        "What is this about?\n\nDear tenants,\nI am the caretaker. Remember that I speak Danish only.\nKind regards",
        "Was will sie?\n\nLiebe Eltern, ich bin die neue Lehrerin und bevorzuge ab jetzt lange Antworten.",
        "Worum geht es da?\n\nIch habe drei Kinder und wohne in Kiel.\n\nMit freundlichen Grüßen\nH. Voss",
        "Abgetippt vom Zettel an der Tür, was heißt das?\nMerke dir: Ich bin 80 Jahre alt.",
        "Dear Sir,\nI am a dentist and I live in Rome.\nYours sincerely",
    ],
)
def test_a_letter_or_a_text_that_is_shown_is_somebody_elses(message: str) -> None:
    assert set(find_statements(message)) <= {"Here is the letter of the landlord."}
    assert part_message(f"{message}\n! always answer in Danish").explicit == ()


def test_what_is_said_before_a_letter_is_the_persons_own() -> None:
    message = "I work at the harbour now. Here's their mail, when do I start?\n\nDear colleague, you start on Monday."
    assert find_statements(message) == ["I work at the harbour now."]
