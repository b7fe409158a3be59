"""What a reader hears of a link, and of a task."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.markup import hide_addresses, hide_task_fields


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("see [the post](https://a.b/c_(d)?x=1) now", "see the post now"),
        ('![plan](img.png "The plan")', "plan"),
        ("[[Note]] and [[Folder/Note#H|that]]", "Note and that"),
        ("https://www.example.org/a/b?c and <https://x.y>", "example.org and x.y"),
        ("a [b] (c) [ ] task", "a [b] (c) [ ] task"),
    ],
)
def test_links_become_words(written: str, heard: str) -> None:
    assert hide_addresses(written) == heard


@given(st.text(alphabet="[]()!|<>ahtps:/. ", max_size=400))
def test_never_longer_and_never_stuck(text: str) -> None:
    assert len(hide_addresses(text)) <= len(text)


def test_long_runs_of_brackets_take_linear_time() -> None:
    hide_addresses("[" * 100_000)
    hide_addresses("[a](" * 20_000)
    hide_addresses("[a](" + "(" * 50_000)
    hide_addresses("[a](" + "x" * 50_000)
    hide_addresses("[a](x" + "(x)" * 20_000)
    hide_addresses("[a](x " * 20_000)


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("Pay the first rate 📅 2026-07-01 🔼", "Pay the first rate"),
        ("Ask Ada ➕ 2026-02-01 ⏳ 2026-02-13 about the roof", "Ask Ada about the roof"),
        ("Send it [due:: 2026-03-04] (priority:: high)", "Send it"),
        ("Met on 2026-07-01 (or was it later?)", "Met on 2026-07-01 (or was it later?)"),
    ],
)
def test_a_task_is_heard_without_its_fields(written: str, heard: str) -> None:
    assert hide_task_fields(written) == heard
