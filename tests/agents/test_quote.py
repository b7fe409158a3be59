"""Quotes are verbatim and know their lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zibaldone.agents.relay.quote import QUOTE_CHARS, choose_quote, numbers_of, split_spans, word_overlap


def test_sentences_of_a_wrapped_paragraph_know_their_lines() -> None:
    spans = split_spans(["The varnish is", "Regalrez. It stays clear", "for years."], 10)
    assert [(s.text, s.line_start, s.line_end) for s in spans] == [
        ("The varnish is Regalrez.", 10, 11),
        ("It stays clear for years.", 11, 12),
    ]


def test_items_and_rows_are_spans_of_their_own() -> None:
    spans = split_spans(["- one", "two", "| a | b |", "> said", "plain"], 1)
    assert [s.text for s in spans] == ["- one", "two", "| a | b |", "> said", "plain"]


def test_numbers_do_not_end_a_sentence() -> None:
    assert len(split_spans(["Um 8. 12 Uhr, am 3. Mai."], 1)) == 1


def test_the_best_span_is_quoted_with_neighbours_that_fit() -> None:
    spans = split_spans(["A" * 270 + ".", "", "The answer is 42.", "", "Short."], 1)
    quote = choose_quote(spans, [0.0, 1.0, 0.1])
    assert quote is not None
    assert quote.text == "The answer is 42. Short."
    assert (quote.line_start, quote.line_end) == (3, 5)


def test_overlap_weighs_figures_double() -> None:
    assert word_overlap("costs 480 euros", "480 is the price") == 0.5
    assert word_overlap("", "anything") == 0.0


def test_figures_are_compared_as_digits() -> None:
    assert numbers_of("2,400 € or 2.400 €") == {"2400"}


@given(st.lists(st.text(alphabet="ab.!? -|>#1。", max_size=40), max_size=12))
def test_spans_hold_every_word_once_and_in_order(lines: list[str]) -> None:
    spans = split_spans(lines, 1)
    assert "".join("".join(s.text.split()) for s in spans) == "".join("".join(line.split()) for line in lines)
    assert all(1 <= s.line_start <= s.line_end <= len(lines) for s in spans)
    for score in range(len(spans)):
        quote = choose_quote(spans, [float(i == score) for i in range(len(spans))])
        assert quote is not None
        assert spans[score].text in quote.text
        assert len(quote.text) <= max(QUOTE_CHARS, len(spans[score].text))
