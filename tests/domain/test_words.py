"""One tokenizer for every script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.words import fold, index_terms, query_terms


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("系統", "這個系統很好"),
        ("会議", "明日の会議室"),
        ("회의", "오늘 회의 기록"),
        ("café", "Cafe Müller"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("ハンカク", "ﾊﾝｶｸ"),
        ("Strasse", "Die Straße"),
        ("AI", "about AI today"),
        ("RFC-2616", "see RFC 2616"),
        ("foo", "call foo_bar()"),
        ("foo_bar", "call foo_bar()"),
        ("Привет", "ПРИВЕТ мир"),
    ],
)
def test_a_query_meets_its_document(query: str, document: str) -> None:
    assert set(query_terms(query)) <= set(index_terms(document))


def test_function_words_are_dropped_unless_nothing_else_is_asked() -> None:
    assert query_terms("What is the price?") == ["price"]
    assert query_terms("to be or not to be") != []
    assert query_terms('"*" AND -') == ["and"]
    assert query_terms("?!") == []


@given(st.text(max_size=200))
def test_folding_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert all(term.strip() for term in index_terms(text))
