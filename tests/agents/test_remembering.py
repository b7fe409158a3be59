"""What a turn says about the memory, and how what is remembered stands before what was found."""

from __future__ import annotations

import pytest

from support.fakes import example
from support.memories import an_entry
from zibaldone.agents.relay.phrases import guess_language, say
from zibaldone.agents.relay.remembering import acknowledge, describe_memory, with_remembered
from zibaldone.schemas.memory import Memory, Remembered
from zibaldone.schemas.search import SearchResponse

NEW = Remembered(entry=an_entry("I'm 36"), path="Zibaldone/memory/user.md", commit=None)


def test_what_was_taken_in_is_one_line_each() -> None:
    known = NEW.model_copy(update={"already": True})
    instead = NEW.model_copy(update={"retired": [an_entry("I'm 35"), an_entry("I am 34")]})
    assert acknowledge([NEW], "en") == "Remembered: “I'm 36”."
    assert acknowledge([known, instead], "en") == (
        "I know that already: “I'm 36”.\nRemembered: “I'm 36” (instead of “I'm 35”, “I am 34”)."
    )
    assert acknowledge([instead], "de") == "Gemerkt: “I'm 36” (statt “I'm 35”, “I am 34”)."


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_doubtful_is_said(language: str) -> None:
    one = NEW.model_copy(update={"conflicts": [an_entry("I'm 35")], "unsure": True})
    assert acknowledge([one], language).splitlines()[1:] == [
        f"{say('conflict', language)} “I'm 35”.", say("unsure_user", language)
    ]  # fmt: skip


def test_the_memory_is_told_by_type() -> None:
    memory = Memory(
        entries=[an_entry("Moving", type="context"), an_entry("Leo is eight"), an_entry("Has two cats")],
        expired=[an_entry("A talk", type="context")],
    )
    assert describe_memory(memory, "en") == (
        "**About you**\n- Leo is eight\n- Has two cats\n\n**What you are at**\n- Moving"
    )
    assert describe_memory(Memory(entries=[]), "de") == say("know_nothing", "de")


def test_what_the_person_said_of_themselves_is_read_first() -> None:
    found = SearchResponse.model_validate(example("SearchResponse.hit"))
    found = found.model_copy(update={"abstain": True, "top_score": 0.2})
    said = found.hits[0].model_copy(update={"chunk_id": "memory:aaaa", "score": 0.8})
    both = with_remembered(found, [said])
    assert [hit.chunk_id for hit in both.hits] == ["memory:aaaa", *(hit.chunk_id for hit in found.hits)]
    assert [hit.rank for hit in both.hits] == list(range(1, len(both.hits) + 1))
    assert (both.top_score, both.abstain) == (0.8, False)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Was weißt du über mich?", "de"),
        ("Merk dir, dass ich zwei Katzen habe", "de"),
        ("für mich", "de"),
        ("was steht diese Woche an?", "de"),
        ("Was steht heute an?", "de"),
        ("What was on an hour ago?", "en"),
        ("What was it about?", "en"),
        ("! Leo is eight", "en"),
        ("42", "en"),
    ],
)
def test_the_language_of_what_is_said(text: str, language: str) -> None:
    assert guess_language(text) == language
