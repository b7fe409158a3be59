"""Statements of a document: what is asked, what is read of the output, which sentences they point to."""

from __future__ import annotations

import json

import pytest

from zibaldone.agents.ingest.choose import MOST_STATEMENTS, choose_statements, pack_portions
from zibaldone.agents.ingest.find import find_sentences
from zibaldone.agents.ingest.prompt import read_statements, statement_messages
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.search import Components, Hit
from zibaldone.wiki.section import Statement

TEXT = """\
# Bees

Varroa mites came in July. The colony by the hedge
had 14 mites a day, so it was treated with formic acid.

- [ ] Treat with **oxalic acid** in [[December]] 2025.

| what | how much |
|---|---|
| oxalic acid in December | 30 ml |

This is to be done soon:
"""


def passage(first: int, last: int) -> Hit:
    return Hit(
        rank=1,
        score=1.0,
        chunk_id="",
        source_uri="note:a.md",
        path="a.md",
        title="Bees",
        heading=["Bees"],
        locator="",
        line_start=first,
        line_end=last,
        date="",
        text="",
        components=Components(),
    )


def statement(text: str, line: int = 1) -> Statement:
    citation = Citation(
        marker=1,
        path="a.md",
        source_uri="note:a.md",
        heading=[],
        locator="",
        line_start=line,
        line_end=line,
        quote=text,
        supported=True,
    )
    return Statement(text, (citation,))


def test_the_prompt_holds_what_is_wanted_and_ends_with_the_text() -> None:
    messages = statement_messages("Bees > Varroa", "Text of it.", "what \n to do", "Write short sentences.")
    assert [one.role for one in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert messages[0].content.endswith("\nWrite short sentences.")
    assert messages[-1].content.startswith('Text from "Bees > Varroa":\nText of it.\n\n')
    assert messages[-1].content.endswith(": what to do")
    assert statement_messages("a", "b", " ")[-1].content.endswith(": the main statements")
    for example in messages[2::2][:2]:
        assert read_statements(example.content) == json.loads(example.content)["statements"]


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ('{"statements": ["One.", "Two\\nlines.", "", "One."]}', ["One.", "Two lines."]),
        ('{"statements": ["Whole.", "Cut off in the mid', ["Whole."]),
        ('{"statements": ["a \\"b\\" c"]}', ['a "b" c']),
        ('{"statements": ["1", "2", "3", "4", "5"]}', ["1", "2", "3", "4"]),
        ('{"statements": []}', []),
        ("no JSON", []),
        ("", []),
    ],
)
def test_of_an_output_the_whole_statements_are_read(output: str, read: list[str]) -> None:
    assert read_statements(output) == read


@pytest.mark.parametrize(
    ("said", "found", "lines"),
    [
        (
            "The colony had 14 mites a day.",
            "The colony by the hedge had 14 mites a day, so it was treated with",
            (3, 4),
        ),
        ("In December oxalic acid is given.", "Treat with oxalic acid in December 2025.", (6, 6)),
        ("Mites came in July, they say.", "Varroa mites came in July.", (3, 3)),
    ],
)
async def test_a_statement_points_to_the_words_of_the_document(said: str, found: str, lines: tuple[int, int]) -> None:
    [one] = await find_sentences([said], [passage(1, 10)], TEXT.splitlines(), None)
    assert one.text.startswith(found)
    [citation] = one.citations
    assert (citation.line_start, citation.line_end) == lines
    assert citation.supported


async def test_what_the_document_does_not_say_points_nowhere() -> None:
    for embedder in (None, FakeEmbedder()):
        said = ["Wasps built a nest under the roof of the barn.", "", "This is to be done soon:"]
        assert await find_sentences(said, [passage(1, 12)], TEXT.splitlines(), embedder) == []
    assert await find_sentences(["Anything."], [], [], None) == []


async def test_a_line_that_two_passages_share_is_read_once() -> None:
    found = await find_sentences(["Mites came in July."], [passage(3, 3), passage(3, 4)], TEXT.splitlines(), None)
    assert len(found) == 1


def test_portions_keep_the_order_and_the_room() -> None:
    assert pack_portions([], 10) == []
    assert pack_portions([4, 4, 4, 30, 1, 1], 10) == [range(2), range(2, 3), range(3, 4), range(4, 6)]


def test_the_first_of_each_portion_comes_before_the_second_of_any() -> None:
    names = "abcdefghij"
    portions = [
        [statement(f"Fact {name}{number} is about {name}x.", ord(name)) for number in range(3)] for name in names
    ]
    chosen = [one.text for one in choose_statements(portions)]
    assert len(chosen) == MOST_STATEMENTS
    assert chosen == sorted(chosen)
    assert {text.split()[1] for text in chosen} == {f"{name}0" for name in names} | {f"{name}1" for name in names[:6]}


def test_nothing_is_said_twice_and_nothing_that_was_cut() -> None:
    portions = [
        [statement("The colony had 14 mites in July."), statement("Here the tool output was withheld.")],
        [statement("In July the colony had 14 mites."), statement("In July the colony had 15 mites.")],
    ]
    assert [one.text for one in choose_statements(portions)] == [
        "The colony had 14 mites in July.",
        "In July the colony had 15 mites.",
    ]
