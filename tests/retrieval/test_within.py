"""What a question is limited to."""

from __future__ import annotations

from zibaldone.retrieval.within import read_within


def test_each_kind_is_told_by_how_it_is_written() -> None:
    within = read_within(["a/b.md", " c.md:3-7 ", "Areas/", "#Bees/", "", "#"])
    assert within.notes == ("a/b.md", "c.md")
    assert within.lines == (("c.md", 3, 7),)
    assert within.folders == ("Areas/",)
    assert within.tags == ("bees",)
    assert not within.is_of_notes
    assert read_within(["a.md", "b.md:1-2"]).is_of_notes
    assert not read_within([]).is_of_notes


def test_a_note_lies_in_any_of_them() -> None:
    within = read_within(["a.md", "Areas/", "#bees"])
    assert within.admit("a.md", ())
    assert within.admit("Areas/x/y.md", ())
    assert within.admit("z.md", ("Bees/Queen",))
    assert not within.admit("Areas 2/x.md", ("beeswax",))


def test_lines_of_a_note_that_is_named_whole_are_the_whole_note() -> None:
    some = read_within(["a.md:3-7"])
    assert some.admit_lines("a.md", 7, 20)
    assert not some.admit_lines("a.md", 8, 20)
    assert some.admit_lines("b.md", 8, 20)
    assert read_within(["a.md:3-7", "a.md"]).admit_lines("a.md", 8, 20)
