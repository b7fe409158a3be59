from __future__ import annotations

from dataclasses import replace

from support.planted_vault.sources import read_source
from zibaldone.domain.hierarchy import Event, EventKind
from zibaldone.hierarchy.events.anchor import anchor_event, follow_passage

EVENT = Event("id", "s", "a.md", "", "old", EventKind.DECISION, "", "Decided to stay.", 2, 2)


def test_an_event_follows_its_quote_and_is_gone_without_it() -> None:
    text = "A line that is new.\n\nWe were tired. Decided\nto stay. Then we slept.\n"
    moved = anchor_event(EVENT, read_source("a.md", text).chunks, text.split("\n"))
    assert moved is not None
    assert (moved.id, moved.quote, moved.line_start, moved.line_end) == ("id", "Decided\nto stay.", 3, 4)
    assert moved.chunk_id == read_source("a.md", text).chunks[0].id
    left = "Undecided to stay.\n\nDecided to stay.s\n"
    assert anchor_event(EVENT, read_source("a.md", left).chunks, left.split("\n")) is None


def test_of_two_places_the_nearer_one_counts() -> None:
    text = "Decided to stay.\n\nIt rains.\n\nDecided to stay.\n"
    near = anchor_event(replace(EVENT, line_start=6), read_source("a.md", text).chunks, text.split("\n"))
    assert near is not None and near.line_start == 5


def test_what_is_no_note_is_searched_in_its_passages() -> None:
    page = replace(read_source("a.md", "It rained. Decided to stay.").chunks[0], page=4)
    found = anchor_event(EVENT, [page])
    assert found is not None and (found.page, found.chunk_id) == (4, page.id)


def test_an_event_moves_up_and_down_with_its_passage() -> None:
    passage = "We were tired.\nDecided to stay.\nThen we slept."
    assert follow_passage(EVENT, passage, 1, 3) is EVENT
    moved = follow_passage(EVENT, passage, 11, 13)
    assert (moved.line_start, moved.line_end) == (12, 12)
    assert follow_passage(EVENT, "Decided to", 11, 11) is EVENT  # the rest stands in the next passage
    assert follow_passage(EVENT, passage, 11, 14) is EVENT  # an empty line was left out, somewhere
    twice = f"{passage}\nDecided to stay."
    assert follow_passage(replace(EVENT, line_start=9, line_end=9), twice, 6, 9).line_start == 9
    assert follow_passage(replace(EVENT, line_start=3, line_end=3), twice, 6, 9).line_start == 7
