"""What the nightly run notes and says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.fakes import example
from support.memories import an_entry
from zibaldone.agents.action.describe import describe_waiting
from zibaldone.agents.pattern.describe import describe_run
from zibaldone.agents.pattern.reflect import describe_pattern, pattern_path, write_pattern
from zibaldone.agents.relay.phrases import say
from zibaldone.schemas.memory import PatternReport, PatternStep
from zibaldone.schemas.proposals import Proposals


def test_the_page_is_begun_and_its_part_written_anew() -> None:
    page = write_pattern(None, "- one")
    assert pattern_path("Zibaldone") == "Zibaldone/memory/pattern.md"
    assert page == (
        b"---\ntype: memory\nwritten_by: Zibaldone\n---\n\n# What works\n\n"
        b"%%written by Zibaldone: begin%%\n- one\n%%written by Zibaldone: end%%\n"
    )
    assert write_pattern(page, "- one") == page
    mine = b"Before.\r\n" + page + b"After \xff.\n"
    assert write_pattern(mine, "- two \\1") == mine.replace(b"- one", b"- two \\1")


@given(st.binary(max_size=60).filter(lambda data: b"%%written" not in data))
def test_what_a_person_adds_around_it_stays(own: bytes) -> None:
    once = write_pattern(own, "- one")
    if own:
        assert once.startswith(own.decode("utf-8", "surrogateescape").rstrip().encode("utf-8", "surrogateescape"))
    assert write_pattern(once, "- one") == once
    assert write_pattern(once, "- two") == once.replace(b"- one", b"- two") or own.count(b"- one")


def test_what_works_is_told_in_figures() -> None:
    messages = ["Wie viele Milben hatte das Volk an der Hecke?", "Antworte bitte kürzer.", "Was steht heute an?"]
    entries = [
        an_entry("Leo is eight", sources=["chat:a#1"]),
        an_entry("Lives in Ulm", is_explicit=False, sources=["chat:b#1"]),
        an_entry("x", is_explicit=False, state="retired", why="deleted by hand", sources=["chat:b#2"]),
        an_entry("Short", type="feedback", sources=["hand"]),
    ]
    assert describe_pattern(messages, entries).splitlines() == [
        "- Messages of the last night's review: 3; languages: german 67%.",
        "- They write 4 words in the median; 67% ask something.",
        "- user: 2 stand of 3; 1 said expressly, 2 noticed, 1 of these taken out by the person.",
        "- feedback: 1 stand of 1; 1 said expressly, 0 noticed, 0 of these taken out by the person.",
        "- Where it comes from: chat 3, hand 1.",
    ]
    assert describe_pattern([], []) == "- Nothing yet."


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_run_is_told(language: str) -> None:
    report = PatternReport(
        started_at="2026-03-02T04:00:00+01:00",
        ended_at="2026-03-02T04:01:00+01:00",
        state="complete",
        dry_run=False,
        steps=[PatternStep(name="review"), PatternStep(name="fade")],
    )
    assert describe_run(report, language) == say("run_nothing", language)
    steps = [
        PatternStep(name="review", changes=["noticed: [[Leo]] is `eight`"], problem="It fell\nover."),
        PatternStep(name="fade", changes=["archived: Moving"]),
    ]
    lines = describe_run(report.model_copy(update={"steps": steps, "state": "partial"}), language).splitlines()
    assert lines[0] == say("run_done", language)
    assert lines[3:] == [say("run_partial", language), "- It fell over."]
    assert "[[" not in lines[1].replace("\\[", "")  # inert
    assert lines[2] == "- archived: Moving"
    alone = [PatternStep(name="review", problem="It fell over. `zib doctor` may tell why.")]
    assert describe_run(report.model_copy(update={"steps": alone}), language) == (
        f"{say('run_partial', language)}\n- It fell over. zib doctor may tell why."
    )


def test_what_waits_is_told() -> None:
    found = Proposals.model_validate(example("Proposals.one"))
    lines = describe_waiting(found, "en").splitlines()
    assert lines[0] == "This waits for your approval:"
    assert [line.split(":")[0] for line in lines[1:]] == [f"- {one.id}" for one in found.proposals]
    assert describe_waiting(Proposals(proposals=[]), "de") == "Nichts wartet auf deine Zustimmung."
