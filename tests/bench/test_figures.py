"""What a figure says of its pairs."""

from __future__ import annotations

import pytest

from zibaldone.bench.figures import MEASURES, Measure
from zibaldone.cli.bench import NAMES

SLOWER = Measure(name="x", what="", unit="ms", at_most=2)
FASTER = Measure(name="x", what="", unit="tokens/s", at_least=0.9)


def test_the_ratio_is_the_median_of_pairs_that_were_measured_together() -> None:
    row = SLOWER.compare([(10, 10), (300, 100), (4, 2)])
    assert (row.ratio, row.low, row.high) == (2, 1, 3)
    assert (row.ours, row.raw, row.repeats) == (10, 10, 3)


@pytest.mark.parametrize(
    ("measure", "ours", "met"), [(SLOWER, 2.0, True), (SLOWER, 2.1, False), (FASTER, 0.9, True), (FASTER, 0.8, False)]
)
def test_a_target_can_be_missed(measure: Measure, ours: float, met: bool) -> None:
    assert measure.compare([(ours, 1.0)]).met is met


def test_what_was_not_measured_meets_nothing() -> None:
    row = SLOWER.leave_out("no model")
    assert (row.met, row.why, row.failed) == (None, "no model", False)


def test_every_figure_can_be_named() -> None:
    assert {measure.name.partition("-")[0] for measure in MEASURES} == set(NAMES)
