"""One lexicon for every script: what a query asks for meets what the note says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.lexicon import DEFAULT_LANGUAGE, document_terms, question_terms, text_language

LANGUAGES = ("english", "german")


def meets(query: str, document: str) -> bool:
    """Whether every word of the query that is asked for is met by one of its forms."""
    terms = set(document_terms(document, text_language(document)))
    return all(word.is_optional or terms.intersection(word.forms) for word in question_terms(query, LANGUAGES))


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("系統", "這個系統很好"),
        ("会議", "明日の会議室"),
        ("회의", "오늘 회의 기록"),
        ("회의", "내일 회의에서 예산을 정합니다"),
        ("책", "책을 읽다"),
        ("café", "Cafe Müller"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("ハンカク", "ﾊﾝｶｸ"),
        ("ﾊﾝｶｸ", "ハンカク"),
        ("naïve", "a naive approach"),
        ("Strasse", "Die Straße"),
        ("Straße", "in der Strasse"),
        ("AI", "about AI today"),
        ("AI", "AI"),
        ("Go", "a service in Go"),
        ("C++", "written in C++, not in C"),
        ("RFC-2616", "see RFC 2616"),
        ("RFC2616", "see RFC-2616"),
        ("foo", "call foo_bar()"),
        ("foo_bar", "call foo_bar()"),
        ("f1", "the label F_1"),
        ("F_1", "the label f_1"),
        ("v1.2.3", "since v1.2.3."),
        ("node.js", "Node.js at work"),
        ("user", "getUserName()"),
        ("area/work", "#area/work"),
        ("Привет", "ПРИВЕТ мир"),
        ("книги", "он читал книгу"),
        ("Häuser", "das Haus und der Garten sind alt"),
        ("bridges", "the bridge is not of stone"),
    ],
)
def test_a_query_meets_its_document(query: str, document: str) -> None:
    assert question_terms(query, LANGUAGES)
    assert meets(query, document)


@pytest.mark.parametrize(
    ("query", "document"), [("C++", "written in C"), ("v1.2.3", "v12 and 3"), ("系統", "系列 統計")]
)
def test_what_is_another_word_is_not_met(query: str, document: str) -> None:
    assert not meets(query, document)


def test_words_that_only_ask_are_left_out_unless_there_are_no_others() -> None:
    assert question_terms("What is the price?", LANGUAGES) == question_terms("price", LANGUAGES)
    assert question_terms("Was kostet das Haus?", LANGUAGES) == question_terms("kostet Haus", LANGUAGES)
    assert question_terms("Какая цена у дома?", LANGUAGES) == question_terms("цена дома", LANGUAGES)
    assert question_terms("to be or not to be", LANGUAGES)
    assert question_terms("?!", LANGUAGES) == []


def test_a_stem_that_is_a_function_word_stands_for_nothing() -> None:
    assert question_terms("note", LANGUAGES)[0].forms == ("note",)


def test_an_acronym_is_no_function_word() -> None:
    assert question_terms("was IT expensive", LANGUAGES)[0].forms[0] == "it"


def test_the_whole_of_a_name_says_nothing_where_it_is_missing() -> None:
    assert [word.is_optional for word in question_terms("RFC-2616", LANGUAGES)] == [True, False, False]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The meeting was on Monday and it took an hour.", "english"),
        ("Das Treffen war am Montag und hat eine Stunde gedauert.", "german"),
        ("La réunion a eu lieu lundi et elle a duré une heure.", "french"),
        ("Встреча была в понедельник и длилась час.", "russian"),
        ("Kestrel", DEFAULT_LANGUAGE),
    ],
)
def test_a_language_is_told_by_its_function_words(text: str, language: str) -> None:
    assert text_language(text) == language


@given(st.text(max_size=200))
def test_no_text_raises_and_no_term_is_blank(text: str) -> None:
    assert all(term.strip() and " " not in term for term in document_terms(text, text_language(text)))
    assert all(word.forms and all(word.forms) for word in question_terms(text, LANGUAGES))
