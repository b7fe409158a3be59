"""What files of other assistants say, whatever their form, and what becomes of their words."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.memories import NOON
from zibaldone.errors import InvalidRequest
from zibaldone.profile.migration import (
    MOST_BYTES,
    Found,
    decode_source,
    guess_type,
    is_about_person,
    read_moment,
    read_source,
    statement_key,
)

HIDDEN = "\u202e\u2066\u200b\ufeff\x07\x1b\U000e0041"


def texts(name: str, text: str) -> list[str]:
    return [found.text for found in read_source(name, text, NOON).found]


def test_outheis_says_type_dates_and_flags() -> None:
    document = {
        "type": "context",
        "entries": [{
            "content": "Moving", "type": "context", "created_at": "2026-01-02T03:04:05", "confidence": 0.6,
            "updated_at": "2026-02-01T00:00:00+01:00", "source_count": 3, "decay_days": 30, "is_explicit": True,
        }],
    }  # fmt: skip
    [found] = read_source("context.json", json.dumps([document]), NOON).found
    assert (found.type, found.confidence, found.source_count, found.decay_days) == ("context", 0.6, 3, 30)
    assert (found.is_explicit, found.created) == (True, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert found.updated is not None
    assert found.updated.isoformat() == "2026-02-01T00:00:00+01:00"


@pytest.mark.parametrize(
    "document",
    [
        ["Leo is eight", "Lives in Ulm"],
        {"memories": ["Leo is eight", {"text": "Lives in Ulm"}]},
        {"memories": [{"memory": "Leo is eight"}, {"fact": "Lives in Ulm", "score": 1}]},
        {"facts": ["Leo is eight"], "other": 1, "items": [{"value": "Lives in Ulm"}]},
        [{"type": "user", "entries": ["Leo is eight"]}, {"content": "Lives in Ulm", "type": "place"}],
    ],
)
def test_json_of_any_assistant(document: object) -> None:
    source = read_source("x.JSON", json.dumps(document), NOON)
    assert [found.text for found in source.found] == ["Leo is eight", "Lives in Ulm"]
    assert source.is_whole


def test_a_key_or_a_foreign_type_is_a_hint() -> None:
    document = {"preferences": ["Short answers"], "context": ["Moving"], "facts": [{"text": "Ulm", "type": "project"}]}
    found = read_source("x.json", json.dumps(document), NOON).found
    assert [(one.type, one.hint) for one in found] == [
        (None, "feedback"), ("context", "context"), (None, "context")
    ]  # fmt: skip


def test_the_name_of_a_file_says_something_too() -> None:
    page = "- Lives in Ulm <!-- 2026-01-05 source:word -->\n- Wants tables [feedback]\n\nI keep bees.\n"
    found = read_source("old/user.md", page, NOON).found
    assert [(one.type, one.hint) for one in found] == [("user", "user"), ("feedback", "user"), (None, "user")]
    [found] = read_source("preferences.json", '["Short"]', NOON).found
    assert (found.type, found.hint) == (None, "feedback")


def test_what_is_no_statement_is_told_by_entry() -> None:
    document = ["", "x" * 1001, 7, {"name": "Anna"}, [[[[[[[[["deep"]]]]]]]]], "Lives in Ulm", None]
    source = read_source("x.json", json.dumps(document), NOON)
    assert [(found.text, found.where) for found in source.found] == [("Lives in Ulm", "entry 6")]
    assert source.problems == [
        "entry 1: it is empty.",
        "entry 2: it has 1001 characters, and an entry at most 1000: split it.",
        "entry 3: it is no statement.",
        "entry 4: no text is found in it.",
        "entry 5: it is no statement.",
        "entry 7: it is no statement.",
    ]
    assert not source.is_whole
    assert read_source("x.json", '[""]', NOON).is_whole


@pytest.mark.parametrize("text", ["", "[1,", "{]", "[" * 100_000, "9" * 5000, '{"a": NaN}x'])
def test_what_is_no_json_is_one_sentence_that_names_the_file(text: str) -> None:
    with pytest.raises(InvalidRequest, match=r"^torn\.json is "):
        read_source("torn.json", text, NOON)


@pytest.mark.parametrize(
    "data", [b"\xff\xfe[\0]\0", b"caf\xe9", b"a\0b", b"x" * (MOST_BYTES + 1)], ids=["utf-16", "latin", "nul", "huge"]
)
def test_what_is_no_text_is_one_sentence_that_names_the_file(data: bytes) -> None:
    with pytest.raises(InvalidRequest, match=r"^a\.md is "):
        decode_source("a.md", data)


def test_wrong_fields_say_nothing() -> None:
    entry = {
        "text": "Leo", "created_at": "soon", "updated_at": [], "confidence": True, "source_count": -1, "id": "../x",
        "decay_days": 10**400, "is_explicit": "yes", "pinned": 1, "sources": "cli",
    }  # fmt: skip
    for text in (
        json.dumps([entry]),
        json.dumps([{**entry, "confidence": 10**400}]),
        '[{"text": "Leo", "confidence": NaN, "created_at": Infinity}]',
    ):
        assert read_source("x.json", text, NOON).found == [Found("Leo", "entry 1")]


def test_no_time_is_in_the_future_or_before_computers() -> None:
    assert read_moment("2031-01-01", NOON) == NOON
    assert read_moment("0001-01-01T00:00:00+14:00", NOON) is None
    assert read_moment("2026-01-05", NOON) == datetime(2026, 1, 5, 12, tzinfo=UTC)
    assert read_moment(1767614400000, NOON) == read_moment(1767614400.0, NOON) == datetime(2026, 1, 5, 12, tzinfo=UTC)


def test_markdown_lists_prose_and_outheis_lines() -> None:
    page = (
        "---\ntype: x\n---\n# Über mich\n\nI live in Ulm. Dr. Weber is my friend! Am 3. Mai war Regen\nund Wind.\n"
        "- Leo  <!-- 2026-01-05 [source:seed/x.json] -->\n* **Job:** baker\n- ~~gone~~\n- [x] Nele [feedback]\n"
        "  is six %%id 1, added 2026-01-06%%\n## How to answer:\n1. Briefly,\n   in German\n2)\n\n**Now**\n\n+ moving\n"
        "> quoted: x\n| a |\n---\n```\ncode\n```\n<!-- hidden -->\n- [ ] Accept\n# Else\n- some [context]"
    ).replace("\n", "\r\n")
    source = read_source("a.md", page, NOON)
    assert [(one.text, one.where, one.type, one.hint, one.is_prose) for one in source.found] == [
        ("I live in Ulm.", "line 6", None, "user", True),
        ("Dr. Weber is my friend!", "line 6", None, "user", True),
        ("Am 3. Mai war Regen und Wind.", "line 6", None, "user", True),
        ("Leo", "line 8", None, "user", False),
        ("Job: baker", "line 9", None, "user", False),
        ("Nele [feedback] is six", "line 11", None, "user", False),
        ("Briefly, in German", "line 14", None, "feedback", False),
        ("moving", "line 20", None, "context", False),
        ("code", "line 25", None, "context", True),
        ("some", "line 30", "context", None, False),
    ]
    assert source.problems == ["line 16: it is empty."]
    assert [one.created.day for one in source.found if one.created] == [5, 6]


def test_a_block_of_code_with_a_date_on_each_line() -> None:
    page = "Here it is:\n```text\n[2026-01-05] - Lives in Ulm\n[unknown] - Likes tea\n- [2026-01-06]: Has a cat\n```"
    found = read_source("a.md", page, NOON).found
    assert [(one.text, one.created.day if one.created else None, one.is_prose) for one in found] == [
        ("Lives in Ulm", 5, False), ("Likes tea", None, False), ("Has a cat", 6, False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("repeated", "end"),
    [("**x ", ""), (":", "x"), (" ", "x"), ("~", "a~~"), ("- ", "x"), ("<!--", ""), ("%%", "x"), ("[", ""), ("a. ", ""),
     ("_ ", "x"), ("# ", "x"), ("1. ", "x"), ("[unknown] - ", "x")],
)  # fmt: skip
def test_no_repetition_holds_the_reader_up(repeated: str, end: str) -> None:
    source = read_source("a.md", repeated * 99_999 + end, NOON)
    assert all(len(found.text) <= 1000 for found in source.found)


def test_too_long_is_told_by_line() -> None:
    source = read_source("a.md", f"\n- {'x ' * 50_000}\n\n{'y' * 2000}. I am tall.", NOON)
    assert [found.text for found in source.found] == ["I am tall."]
    assert [problem[:7] for problem in source.problems] == ["line 2:", "line 4:"]
    assert not source.is_whole


def test_words_are_one_line_without_what_cannot_be_seen() -> None:
    assert texts("a.json", json.dumps([f"Leo{HIDDEN} is\n\teight \ud800", "👩\u200d⚕️ heißt میخواهم"])) == [
        "Leo is eight", "👩\u200d⚕️ heißt میخواهم"
    ]  # fmt: skip
    assert texts("a.md", f"- Leo{HIDDEN} is  eight") == ["Leo is eight"]


@given(st.text(), st.sampled_from(["a.md", "a.json"]))
def test_no_text_breaks_the_reader(text: str, name: str) -> None:
    for said in (text, json.dumps({"memories": [text]})):
        try:
            source = read_source(name, said, NOON)
        except InvalidRequest:
            continue
        for found in source.found:
            assert found.text == " ".join(found.text.split()) != ""
            found.text.encode()


def test_the_type_is_the_sources_or_the_likeliest() -> None:
    kinds = {"user": 0.3, "feedback": 0.25, "context": 0.05, "none": 0.4}
    even = dict.fromkeys(("user", "feedback", "context", "none"), 0.25)
    assert guess_type(Found("x", "", type="context"), {}, 0.7) == ("context", True)
    assert guess_type(Found("x", ""), kinds, 0.7) == ("user", False)
    assert guess_type(Found("x", "", hint="feedback"), kinds, 0.7) == ("feedback", True)
    assert guess_type(Found("x", "", hint="feedback"), even, 0.7) == ("feedback", False)
    assert guess_type(Found("x", ""), even, 0.7) == (None, False)
    assert [is_about_person(Found("x", "", is_prose=prose), kinds) for prose in (True, False)] == [False, True]


def test_a_statement_is_known_by_its_words() -> None:
    assert statement_key("Lives in Ulm") == statement_key("lives, in ULM!") != statement_key("Lives in Ulm 2")
    assert len(statement_key("")) == 16
