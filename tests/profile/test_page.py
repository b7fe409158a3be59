"""A page of the memory: what is added, and that nothing else changes."""

from __future__ import annotations

from datetime import date

import pytest

from zibaldone.profile.page import Entry, add_entry, memory_path

DAY = date(2026, 3, 2)


def test_a_new_page_reads_like_a_list() -> None:
    page = add_entry(None, "user", Entry("Leo is eight", DAY, "Daily/2026-03-02.md:14"))
    assert page == (
        b"---\ntype: memory\nwritten_by: Zibaldone\n---\n\n# About you\n\n"
        b"- Leo is eight %%added 2026-03-02, from Daily/2026-03-02.md:14%%\n"
    )
    assert memory_path("Zibaldone", "feedback") == "Zibaldone/memory/feedback.md"


@pytest.mark.parametrize(
    "existing", [b"- mine\r\n* [ ] other", b"no list at all\n", b"\xff\xfe odd bytes\n\n- x\n", b""]
)
def test_what_is_there_stays_byte_for_byte(existing: bytes) -> None:
    page = add_entry(existing, "context", Entry("Moving in May", DAY))
    assert page is not None
    assert page.startswith(existing)
    assert b"Moving in May %%added 2026-03-02%%" in page
    assert (b"\r\n" in page) == (b"\r\n" in existing)


@pytest.mark.parametrize(
    "line", ["- Tea, no milk", "*  Tea, no milk %%added 2025-01-01, from a%%", "- [x] Tea, no milk"]
)
def test_a_statement_that_is_there_is_not_added_again(line: str) -> None:
    assert add_entry(f"# Head\r\n{line}\r\n".encode(), "user", Entry(" Tea,  no milk\n", DAY)) is None


def test_a_selection_over_lines_is_one_inert_line_and_cannot_end_its_comment() -> None:
    page = add_entry(b"# H\n", "user", Entry("one\ntwo `= this` %% [[x]]", DAY, "A %% b.md:3"))
    assert page is not None
    [line] = page.decode().splitlines()[1:]
    assert line.count("%%") == 2
    assert "[[x" not in line
    assert "`= this`" not in line.replace("\\`", "")
