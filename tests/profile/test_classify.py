"""The classifier over vectors: what it says of the clear and the doubtful. How right it is with a real embedder is
measured elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from zibaldone.domain.classifier import fit_classifier
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.profile.classify import KINDS, Kind, examples, heed_standing


def clouds(spread: float, of_each: int = 30) -> tuple[np.ndarray, list[Kind]]:
    """Points around one corner for each kind, in 8 dimensions."""
    random = np.random.default_rng(7)
    points = [np.eye(8)[n] + random.normal(0, spread, (of_each, 8)) for n in range(len(KINDS))]
    return np.concatenate(points).astype(np.float32), [kind for kind in KINDS for _ in range(of_each)]


@pytest.mark.parametrize("spread", [0.05, 0.4])
def test_probabilities_add_up_and_the_nearest_kind_is_likeliest(spread: float) -> None:
    classifier = fit_classifier(*clouds(spread))
    for n, kind in enumerate(KINDS):
        found = classifier.probabilities(np.eye(8, dtype=np.float32)[n])
        assert sum(found.values()) == pytest.approx(1)
        assert all(0 <= value <= 1 for value in found.values())
        assert max(found, key=lambda one: found[one]) == kind


def test_it_is_as_sure_as_the_examples_are_of_each_other() -> None:
    clear, mixed = fit_classifier(*clouds(0.05)), fit_classifier(*clouds(1.0))
    corner = np.eye(8, dtype=np.float32)[0]
    assert clear.scale > mixed.scale
    assert clear.probabilities(corner)["user"] > 0.95 > mixed.probabilities(corner)["user"]
    between = clear.probabilities((np.eye(8)[0] + np.eye(8)[1]).astype(np.float32) / 2)
    assert between["user"] + between["feedback"] > 0.95 > max(between["user"], between["feedback"])


def test_labels_that_mean_nothing_make_it_sure_of_nothing() -> None:
    """Not even of the examples: the scale is fitted to what each would be called without itself."""
    vectors, kinds = clouds(1.0)
    shuffled = [kinds[n] for n in np.random.default_rng(3).permutation(len(kinds))]
    classifier = fit_classifier(vectors, shuffled)
    assert max(max(classifier.probabilities(vector).values()) for vector in vectors) < 0.6


def test_a_kind_with_more_examples_is_not_likelier_for_that() -> None:
    vectors, kinds = clouds(0.3)
    keep = [i for i, kind in enumerate(kinds) if kind != "context" or i % 6 == 0]
    found = fit_classifier(vectors[keep], [kinds[i] for i in keep]).probabilities(np.eye(8, dtype=np.float32)[2])
    assert max(found, key=lambda one: found[one]) == "context"


async def test_the_examples_that_ship_are_of_every_kind_and_differ() -> None:
    shipped = examples()
    assert len({example.text.casefold() for example in shipped}) == len(shipped)
    for kind in KINDS:
        assert sum(example.kind == kind for example in shipped) >= 100
    vectors = await FakeEmbedder().embed_passages([example.text for example in shipped])
    classifier = fit_classifier(vectors, [example.kind for example in shipped])
    seen = [max((p := classifier.probabilities(v)), key=lambda one: p[one]) for v in vectors]
    assert np.mean([kind == example.kind for kind, example in zip(seen, shipped, strict=True)]) > 0.8


def test_what_holds_from_now_on_is_no_order_for_this_once() -> None:
    doubtful: dict[Kind, float] = {"user": 0.1, "feedback": 0.3, "context": 0.0, "none": 0.6}
    standing = heed_standing("From now on answer in German", doubtful)
    assert sum(standing.values()) == pytest.approx(1)
    assert standing["feedback"] > 0.8
    assert heed_standing("Answer in German", doubtful) == doubtful
