"""Each language's table is whole."""

from __future__ import annotations

import re

import pytest

from zibaldone.retrieval.query.vocabulary import Table, languages, whole

LENGTHS = {"months": 12, "short": 12, "weekdays": 7, "seasons": 4, "numbers": 12, "units": 4}


@pytest.mark.parametrize("table", languages().values(), ids=list(languages()))
def test_lists_have_their_length_and_patterns_their_places(table: Table) -> None:
    assert {"months", "seasons", "numbers", "units", "past", "ago", "relative", "notes", "latest", "compare"} <= set(
        table
    )
    for key, length in LENGTHS.items():
        assert not table.get(key) or len(table[key]) == length, key
    assert all("{n}" in table[key] and "{unit}" in table[key] for key in ("past", "ago"))
    assert all("{x}" in pattern and "{y}" in pattern for pattern in table["compare"])
    assert {"chooses", "first", "or"} <= set(table) or all("{before}" in pattern for pattern in table["alternatives"])


def test_each_language_goes_on_from_a_question() -> None:
    spaced = set(languages()["en"]["followup"])
    for table in languages().values():
        followup = table["followup"]
        assert set(followup) == (spaced if table.get("spaced", True) else spaced - {"language"} | {"fillers"})
        assert all("{x}" in pattern for pattern in followup["swap"])


@pytest.mark.parametrize("text", ["fin  d\u2019année", "fin d'annee", "fin d'anne\u0301e"])
def test_spaces_accents_and_apostrophes_are_read_loosely(text: str) -> None:
    assert re.fullmatch(whole("fin d'année"), text)
