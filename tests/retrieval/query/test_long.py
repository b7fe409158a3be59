"""A query of the greatest length of one awkward thing repeated is read all the same."""

from __future__ import annotations

from datetime import date

import pytest

from zibaldone.retrieval.query.comparisons import find_comparison
from zibaldone.retrieval.query.syntax import parse_query
from zibaldone.retrieval.query.times import find_time, relative_event, wants_latest

LONGEST = 4000  # characters: SearchRequest.query
PIECES = [
    *"\"'“”„«»「」-:：*#/\\.,;?!()[]{}|+_ \n\t01aé\u0301年月日和与の",
    *("-a ", 'tag:"', "path:*a", '-"', "2024-", "1.1.", "2019 and ", "last week ", "去年", "3 weeks ", "May "),
    *("difference between ", "compare ", " vs ", "is a ", "和区别", "before the ", "x or y "),
]


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_query_is_read(piece: str) -> None:
    text = (piece * LONGEST)[:LONGEST]
    query = parse_query(text)
    query.admit(text)
    query.filters.admit(text, [text], [text])
    find_time(text, date(2026, 1, 1))
    find_comparison(text)
    wants_latest(text)
    relative_event(text)
