"""Rules: which wishes become one, the lines of their pages, and that a person's own stay byte for byte."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.memories import NOON, an_entry
from zibaldone.profile.rules import choose_agent, edit_rules, promote, read_rules, rule_text, system_rules, write_rule
from zibaldone.schemas.memory import MemoryEntry
from zibaldone.schemas.rules import AGENTS, Rule

NOW = datetime(2026, 3, 9, 4, tzinfo=UTC)


def a_wish(content: str, id_: str = "aaaa", **fields: object) -> MemoryEntry:
    return an_entry(content, id_, **{"type": "feedback", **fields})


def a_rule(text: str, *ids: str, added: str = "2026-03-09") -> Rule:
    return Rule(agent="relay", text=text, layer="user", added=added, rests_on=list(ids))


@pytest.mark.parametrize(
    "text",
    [
        "Always answer in German",
        "Antworte künftig auf Deutsch",
        "Never use tables",
        "Bitte immer mit Quelle",
        "From now on short answers",
        "Réponds toujours en français",
        "In general, no lists",
    ],
)
def test_a_strong_wish_becomes_a_rule_at_once(text: str) -> None:
    assert promote([a_wish(text)], NOW) == [a_rule(text, "aaaa")]


@pytest.mark.parametrize(
    "wish",
    [
        a_wish("Short answers are nice"),
        a_wish("Short answers", source_count=2),
        a_wish("Always short", is_explicit=False, confidence=0.95),
        a_wish("Short", is_explicit=False, source_count=2, confidence=0.95),
        a_wish("Short", is_explicit=False, source_count=3, confidence=0.8),
        a_wish("Short", is_explicit=False, source_count=5, confidence=0.95, created_at=NOW.isoformat()),  # of one day
        a_wish("Always short", type="user"),
        a_wish("Always short", state="retired", why="x"),
        a_wish("Always short", conflicts_with=["bbbb"]),
    ],
)
def test_what_was_said_in_passing_does_not(wish: MemoryEntry) -> None:
    assert promote([wish], NOW) == []


def test_what_was_noticed_three_times_on_several_days_does() -> None:
    wish = a_wish("Short answers", is_explicit=False, source_count=3, confidence=0.93)
    assert promote([wish], NOW) == [a_rule("Short answers", "aaaa")]
    assert promote([wish], NOON + timedelta(hours=1)) == []
    assert promote([a_wish("Short answers", source_count=3)], NOON) != []  # said three times expressly


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("Always list my deadlines by date", "agenda"),
        ("Termine immer mit Uhrzeit", "agenda"),
        ("Suche immer auch im Archiv", "data"),
        ("Always answer in German", "relay"),
    ],
)
def test_whom_a_wish_is_for(text: str, agent: str) -> None:
    assert choose_agent(text) == agent


def test_a_page_is_begun_and_added_to() -> None:
    assert edit_rules(None, "relay", [], frozenset()) is None
    page = edit_rules(None, "relay", [a_rule("Always brief", "aaaa")], frozenset())
    assert page == (
        b"---\ntype: rules\nwritten_by: Zibaldone\n---\n\n# Rules for relay\n\n"
        b"- Always brief %%added 2026-03-09, rests on aaaa%%\n"
    )
    assert edit_rules(page, "relay", [a_rule("Always brief", "aaaa")], frozenset()) == page
    more = edit_rules(page, "relay", [a_rule("Always brief", "bbbb"), a_rule("Name sources", "cccc")], frozenset())
    assert more == page + b"- Name sources %%added 2026-03-09, rests on cccc%%\n"


def test_a_rule_goes_with_the_last_entry_that_carries_it() -> None:
    page = (
        b"- one %%added 2026-03-01, rests on aaaa bbbb%%\n- two %%added 2026-03-01, rests on bbbb%%\n"
        b"- mine\n- mine too %%added 2026-03-01%%\n"
    )
    assert edit_rules(page, "relay", [], frozenset({"bbbb"})) == page.replace(
        b"- two %%added 2026-03-01, rests on bbbb%%\n", b""
    )
    assert edit_rules(page, "relay", [], frozenset({"aaaa", "bbbb"})) == (b"- mine\n- mine too %%added 2026-03-01%%\n")


def test_a_rule_follows_the_words_of_its_entry_unless_the_person_reworded_it() -> None:
    page = write_rule(a_rule("Always brief", "aaaa")).encode() + b"\n"
    new = [a_rule("Always long", "aaaa")]
    assert edit_rules(page, "relay", new, frozenset(), {"aaaa": "Always brief"}) == (
        write_rule(new[0]).encode() + b"\n"
    )
    own = page.replace(b"brief", b"brief, but on Sundays")
    assert edit_rules(own, "relay", new, frozenset(), {"aaaa": "Always brief"}) == own


OWN = st.lists(
    st.sampled_from(
        [b"", b"# Mine", b"Some text", b"* a line of mine  ", b"\t- deep", b"> quoted", b"- mine %%todo%%", b"---",
         b"- \xff\xfe not utf-8", b"1. one", b"- [ ] task", b"%%note%%", "- Größe nennen".encode()]
    ),
    max_size=12,
)  # fmt: skip


@given(OWN, st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_all_that_a_person_wrote_stays_byte_for_byte(own: list[bytes], ending: bytes, ends: bool) -> None:
    page = ending.join(own) + (ending if ends else b"")
    added = edit_rules(page, "relay", [a_rule("Always brief", "aaaa")], frozenset())
    assert added is not None
    if page:
        assert added.startswith(page)
    taken = edit_rules(added, "relay", [], frozenset({"aaaa"}))
    assert taken is not None
    if page:
        assert taken in (page, page + ending, page + b"\n")
        assert edit_rules(page, "relay", [], frozenset({"aaaa"})) == page


@given(st.text(min_size=1, max_size=80).filter(rule_text))
def test_whatever_a_wish_says_it_is_one_line_and_known_again(text: str) -> None:
    rule = a_rule(text, "aaaa", "bbbb")
    page = edit_rules(None, "relay", [rule], frozenset())
    assert page is not None
    assert edit_rules(page, "relay", [a_rule(text, "cccc")], frozenset()) == page
    found = [one for one in read_rules(page, "relay").rules.values() if one.rests_on]
    assert [(one.text, one.rests_on, one.added) for one in found] == [(rule_text(text), ["aaaa", "bbbb"], "2026-03-09")]
    gone = edit_rules(page, "relay", [], frozenset({"aaaa", "bbbb"}))
    assert gone == page[: page.index(b"\n- ") + 1]


def test_each_agent_has_rules_that_ship() -> None:
    assert {rule.agent for rule in system_rules()} == set(AGENTS)
    assert all(rule.layer == "system" and not rule.rests_on for rule in system_rules())
