from __future__ import annotations

from math import cos, radians

import pytest

from zibaldone.ingest.extract.boxes import Corners, begin_at_first_letter, rectangle, turn, turned
from zibaldone.ingest.extract.lines import Line, group_lines, join_lines

PAGE = (1000, 1000)


def line(text: str, x: float, y: float, height: float = 20) -> Line:
    return Line(text, rectangle(x, y, len(text) * height / 2, height), 0.9)


def texts(lines: list[Line], short: int = 0) -> list[str]:
    return [block.text for block in group_lines(lines, short)]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["Die Versamm-", "lung tagt."], "Die Versammlung tagt."),
        (["Nord-", "und Südseite"], "Nord- und Südseite"),
        (["the Anglo-", "Saxon age"], "the Anglo- Saxon age"),
        (["pages 10-", "12 and on"], "pages 10- 12 and on"),
        (["soft\u00ad", "ened"], "softened"),
        (["", " one ", "two"], "one two"),
        ([], ""),
    ],
)
def test_lines_are_joined_and_broken_words_mended(lines: list[str], text: str) -> None:
    assert join_lines(lines) == text


def columns() -> list[Line]:
    left = [line("the left column goes on and on", 50, 100 + 28 * row) for row in range(3)]
    right = [line("and so does the one at its right", 550, 100 + 28 * row) for row in range(3)]
    return [line("A heading over both of the two columns", 50, 30, 40), *left, *right]


def test_columns_are_read_one_after_the_other_below_what_spans_them() -> None:
    heading, left, right = texts(columns())
    assert heading.startswith("A heading")
    assert left == " ".join(["the left column goes on and on"] * 3)
    assert right == " ".join(["and so does the one at its right"] * 3)


@pytest.mark.parametrize("angle", [0, 7, -9, 90, 180, 266])
def test_a_turned_page_is_read_as_if_it_stood_upright(angle: float) -> None:
    lines = [Line(one.text, turn(one.corners, angle, PAGE, PAGE), 0.9) for one in columns()]
    assert texts(lines[::-1]) == texts(columns())
    assert cos(radians(turned([one.corners for one in lines]) - angle)) == pytest.approx(1)


def test_rows_of_a_table_stay_rows() -> None:
    rows = [("Item", "Price"), ("New pump", "350.00"), ("Paint", "42.10")]
    lines = [
        line(cell, 40 + 300 * column, 50 + 40 * row)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]
    assert " ".join(texts(lines)).split() == "Item Price New pump 350.00 Paint 42.10".split()


def test_short_last_lines_of_two_columns_are_no_table() -> None:
    lines = columns()
    lines += [line("left end.", 50, 184), line("right end.", 550, 184)]
    assert texts(lines)[1].endswith("left end.")


def test_a_gap_begins_a_paragraph_and_short_ones_stay_with_what_follows() -> None:
    lines = [line("Title", 20, 20), *(line("a line of the first paragraph", 20, 70 + 28 * row) for row in range(3))]
    lines += [line("another paragraph of one line only", 20, 190)]
    assert len(texts(lines)) == 3
    assert texts(lines, short=80)[0].startswith("Title\n\na line of the first")


def test_a_block_tells_its_region_and_weighs_confidence_by_length() -> None:
    (block,) = group_lines(
        [Line("aaaaaaaaa", rectangle(10.4, 20.6, 90, 20), 1.0), Line("b", rectangle(10, 45, 10, 20), 0.5)]
    )
    assert block.box == (10, 20, 91, 45)
    assert block.confidence == pytest.approx(0.95)


def test_boxes_on_their_side_begin_at_the_top() -> None:
    tall: Corners = rectangle(10, 10, 20, 300)
    (box,) = begin_at_first_letter([tall])
    assert box[0] == (30, 10)
    assert box[1] == (30, 310)


def test_nothing_is_no_block() -> None:
    assert group_lines([]) == []
