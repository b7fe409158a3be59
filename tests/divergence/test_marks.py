"""In what two sentences differ."""

from __future__ import annotations

import pytest

from zibaldone.divergence.marks import compare_marks, read_marks

DIFFER = [
    ("The tank holds 110 litres.", "240 litres fit into the tank.", "figure"),
    ("Es dauert zwei Wochen.", "Es dauert 20 Tage.", "figure"),
    ("They met on 3 March 2025.", "The meeting was on 2025-04-03.", "date"),
    ("She was born in 1931 in a village.", "She was born in 1934.", "date"),
    ("Gebaut wurde sie 1893.", "Sie stammt von 1911.", "date"),
    ("We leave at 7:30 am.", "Departure is at 19:30.", "date"),
    ("The club meets on Fridays.", "On Tuesdays the club comes together.", "date"),
    ("The gate is locked.", "The gate is not locked.", "negation"),
    ("Die Pilze sind essbar.", "Die Pilze sind nicht essbar.", "negation"),
    ("Окно открыто.", "Окно не открыто.", "negation"),
    ("Visitors are allowed.", "Visitors are forbidden.", "opposite"),
    ("The result is certain.", "The result is uncertain.", "opposite"),
    ("The talk was given by Ingrid.", "The talk was given by Tomas.", "value"),
]
SAME = [
    ("The trail is 1.5 km long.", "The trail measures 1500 metres."),
    ("It takes two weeks.", "It takes 14 days."),
    ("It costs 1,200 euros.", "Der Preis ist 1.200 Euro."),
    ("They met in March 2025.", "They met on 3 March 2025."),
    ("See [[Garden 3]].", "See [[Garden 4]]."),
    ("See [a page](https://example.org/1/).", "See [a page](https://example.org/2/)."),
    ("It has 3 rooms.", "It has rooms."),
    ("It keeps five days, the other three.", "It lasts three days."),
    ("The paste has 3 pots.", "The paste takes 14 days."),
    ("Order some Regalrez 1094.", "Order it on 2026-08-14."),
    ("It was due in 2026.", "It was due on 14 August 2026."),
    ("On Monday it ends.", "It ends in 2027."),
    ("Invoice 2025-014 is for the treatment.", "The treatment is 2,750 €."),
    ("Photographs ✅ 2026-02-11", "Photographs ✅ 2026-01-20"),
    ("It stands between 18 and 22 °C.", "It stands at 19 °C."),
    ("The lining holds.", "The lining holds and is matt, with no tide line."),
]


@pytest.mark.parametrize(("one", "other", "kind"), DIFFER)
def test_what_differs_is_named(one: str, other: str, kind: str) -> None:
    for a, b in ((one, other), (other, one)):
        assert [found[0] for found in compare_marks(read_marks(a), read_marks(b))][:1] == [kind]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_the_same_do_not_differ(one: str, other: str) -> None:
    assert compare_marks(read_marks(one), read_marks(other)) == []


def test_a_figure_is_not_what_a_sentence_is_about() -> None:
    assert read_marks("On 2025-03-04 it had 14 rooms.").plain == "On it had rooms."
