"""Broad questions by words, by meaning, and by words alone where no model tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from zibaldone.agents.relay.broad import Broad
from zibaldone.agents.relay.broad_sense import examples
from zibaldone.errors import ModelFailed
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.inference.roles import Vectors
from zibaldone.runtime.hierarchy.broad import BroadQuestions
from zibaldone.store.cache_db import ContentCache

LABELS = sorted({label for _, label in examples()})
UNKNOWN = "¿De qué hablo en mi diario?"


class LabelEmbedder(FakeEmbedder):
    """A vector for each label of the examples; what is no example is of all themes."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = 0
        self.fails = False

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self.fails:
            raise ModelFailed("The model is gone.")
        self.texts += len(texts)
        labels = dict(examples())
        return np.eye(len(LABELS), dtype=np.float32)[[LABELS.index(labels.get(text, "themes")) for text in texts]]


@pytest.fixture
def broad(tmp_path: Path) -> Iterator[BroadQuestions]:
    with closing(ContentCache(tmp_path / "cache.db")) as cache:
        yield BroadQuestions(cache)


async def test_what_the_words_do_not_tell_the_meaning_does(broad: BroadQuestions) -> None:
    embedder = LabelEmbedder()
    assert await broad.find("What are the main themes of my notes?", embedder, has_time=False) == Broad("themes")
    assert embedder.texts == 0
    assert await broad.find(UNKNOWN, embedder, has_time=False) == Broad("themes")
    assert embedder.texts == len(examples()) + 1
    assert await broad.find(UNKNOWN, embedder, has_time=False) == Broad("themes")
    assert embedder.texts == len(examples()) + 2


async def test_without_a_model_or_with_one_that_fails_the_words_decide(broad: BroadQuestions) -> None:
    embedder = LabelEmbedder()
    embedder.fails = True
    for given in (None, embedder):
        assert await broad.find(UNKNOWN, given, has_time=False) is None
        assert await broad.find("Worum geht es in meinen Notizen?", given, has_time=False) == Broad("themes")
