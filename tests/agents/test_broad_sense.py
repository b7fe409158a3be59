"""Broad questions by their meaning, with vectors that tell the labels apart."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from zibaldone.agents.relay.broad import Broad
from zibaldone.agents.relay.broad_sense import BroadSense, Vectors, examples, find_topic

LABELS = ("themes", "subject", "change", "period", "none")


def vector_of(label: str) -> Vectors:
    return np.eye(len(LABELS))[LABELS.index(label)]


@pytest.fixture(scope="module")
def sense() -> BroadSense:
    chance = np.random.default_rng(1)
    known = np.stack([vector_of(label) for _, label in examples()])
    return BroadSense(known + 0.1 * chance.normal(size=known.shape))


def test_each_example_has_one_label_and_no_gap() -> None:
    texts = [text for text, _ in examples()]
    assert len(set(texts)) == len(texts)
    assert not any("…" in text for text in texts)
    assert set(Counter(label for _, label in examples())) == set(LABELS)


def test_what_is_near_to_examples_of_a_kind_is_of_it(sense: BroadSense) -> None:
    themes = sense.judge("¿De qué hablo en mi diario?", vector_of("themes"), has_time=False)
    assert themes == Broad("themes")
    subject = sense.judge("Überblick über meine Notizen zum Klettern", vector_of("subject"), has_time=False)
    assert subject == Broad("themes", "Klettern")
    change = sense.judge("¿Cómo evolucionó mi visión del trabajo remoto?", vector_of("change"), has_time=False)
    assert change == Broad("change", "trabajo remoto")
    assert sense.judge("Qu'est-ce que j'ai fait ?", vector_of("period"), has_time=True) == Broad("period")


def test_what_is_in_doubt_is_none(sense: BroadSense) -> None:
    assert sense.judge("What does the roof cost?", vector_of("none"), has_time=True) is None
    assert sense.judge("What does the roof cost?", np.zeros(len(LABELS)), has_time=True) is None
    assert sense.judge("What did I do?", vector_of("period"), has_time=False) is None
    assert sense.judge("Has my opinion changed?", vector_of("change"), has_time=False) is None  # of what?


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Main ideas in my notes on bread baking?", "bread baking"),
        ("Wie dachte ich früher über das Brot aus dem Ofen?", "Brot aus dem Ofen"),
        ("Quels thèmes dans mes notes sur le jardin ?", "jardin"),
        ("My opinion of Docker: has it changed?", "Docker"),
        ("What are the main themes of my notes?", ""),
        ("?!", ""),
        ("", ""),
    ],
)
def test_the_topic_is_what_does_not_only_ask(question: str, topic: str) -> None:
    assert find_topic(question) == topic
