"""When a hit leads to where the ledger says, and how much of a text counts as found."""

from __future__ import annotations

from typing import Any

import pytest

from evidence_set.citing import is_cited
from evidence_set.recall import count_found, normalise


def hit(**told: Any) -> dict[str, Any]:
    return {"locator": "", "page": None, "heading": [], "text": "", "line_start": 1, "line_end": 1, **told}


BOX = [10, 10, 80, 20]


@pytest.mark.parametrize(
    ("place", "right", "wrong"),
    [
        ({"place": "page=3"}, hit(page=3, locator="p. 3"), hit(page=2)),
        ({"place": "node=a1"}, hit(locator="node=a1"), hit(locator="node=a12")),
        ({"place": "edge=a-b", "cards": ["a", "b"]}, hit(locator="node=b"), hit(locator="node=c")),
        ({"place": "region=sum", "box": BOX}, hit(locator="xywh=0,0,20,20"), hit(locator="xywh=0,40,9,9")),
        ({"place": "region=sum", "box": BOX}, hit(locator="xywh=50,25,5,50"), hit(locator="")),
        ({"place": "heading=Costs"}, hit(heading=["Offer", "Costs"]), hit(heading=["Offer"])),
        ({"place": "row=10"}, hit(locator="row 2-21"), hit(locator="row 11")),
        ({"place": "L7"}, hit(line_start=5, line_end=7), hit(line_start=8, line_end=9)),
        ({"place": "src/a.py:4-9"}, hit(locator="src/a.py:9-30"), hit(locator="src/b.py:4-9")),
        ({"place": "src/a.py:4-9"}, hit(locator="src/a.py:5-6 (removed)"), hit(locator="src/a.py:10")),
        ({"place": ""}, hit(), hit(locator="src/a.py:1-2")),
    ],
)  # fmt: skip
def test_a_hit_leads_there_or_elsewhere(place: dict[str, Any], right: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert is_cited(right, place)
    assert not is_cited(wrong, place)


WANTED = "The level rose by nine centimetres."


@pytest.mark.parametrize(
    ("given", "missed"),
    [
        (WANTED, 0),
        ("Before. The level rose\nby nine   centi\u00admetres. After.", 0),
        ("The leve1 rose by nine centimetres", 2),
        ("Theevel rose by nine centimetres.", 2),
        ("", len(WANTED)),
    ],
)
def test_what_is_missing_is_counted_and_a_joined_line_costs_nothing(given: str, missed: int) -> None:
    assert count_found(WANTED, normalise(given)) == len(WANTED) - missed


@pytest.mark.parametrize(
    "given", ["centimetres. nine by rose level The", "The lev pump el rose was by nine mended cent by imetres."]
)
def test_another_order_and_reading_across_columns_are_not_found(given: str) -> None:
    assert count_found(WANTED, given) == 0
