"""A vault in two languages; the embedder puts passages of a language nearer together than those of a topic.

And what is no language: the code of commits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from support.searching import Find, finder, index_of, no_turn, paths, put, put_commit
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.inference.roles import Vectors
from zibaldone.ingest.publish import publish_vectors
from zibaldone.retrieval.language_bias import LanguageBias, LanguageBiases
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.runtime.related import find_related
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore

# Each topic once in each language; the notes of the last two are in one language only.
TOPICS = [
    ("The roof lets the rain through", "Das Dach lässt den Regen durch"),
    ("The oven must be lit with birch", "Der Ofen muss mit Birke angezündet werden"),
    ("The fence was painted in red", "Der Zaun wurde rot gestrichen"),
    ("The apples are kept in the cellar", "Die Äpfel werden im Keller gelagert"),
    ("The bees were sold to a neighbour", "Die Bienen wurden an einen Nachbarn verkauft"),
    ("The well is eleven metres deep", "Der Brunnen ist elf Meter tief"),
    ("The stairs creak in the night", "Die Treppe knarrt in der Nacht"),
    ("The lamp needs a new cord", "Die Lampe braucht ein neues Kabel"),
    ("The garden gate does not close", "Das Gartentor geht nicht zu"),
    ("The boat was tarred in spring", "Das Boot wurde im Frühling geteert"),
    ("The chimney has a crack", "Der Schornstein hat einen Riss"),
    ("The piano is out of tune", "Das Klavier ist verstimmt"),
]
TOGETHER = 1.2  # what a passage has of its language, beside 1 of its topic


class BiasedEmbedder(FakeEmbedder):
    @property
    def cosine_range(self) -> tuple[float, float]:
        return (0.9, 1.0)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([_embed(text) for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        return _embed(text)


def _embed(text: str) -> Vectors:
    """Dimensions: one for each topic, two for the languages, one for what is of neither."""
    vector = np.zeros(len(TOPICS) + 3, np.float32)
    vector[-1] = 1.0
    for number, pair in enumerate(TOPICS):
        for language, sentence in enumerate(pair):
            if sentence in text:
                vector[number], vector[len(TOPICS) + language] = 1.0, TOGETHER
    unit: Vectors = vector / np.linalg.norm(vector)
    return unit


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    english = {f"en/{number}.md": f"{pair[0]}.\n" for number, pair in enumerate(TOPICS) if number != 10}
    german = {f"de/{number}.md": f"{pair[1]}.\n" for number, pair in enumerate(TOPICS) if number != 11}
    with index_of(tmp_path, english | german, BiasedEmbedder()) as made:
        yield made


@pytest.fixture
def find(index: SearchIndex) -> Find:
    return finder(index)


@pytest.mark.parametrize("strategy", ["semantic", "bm25+semantic"])
@pytest.mark.parametrize(
    ("question", "path"),
    [(TOPICS[10][0], "de/10.md"), (TOPICS[11][1], "en/11.md"), (TOPICS[0][0], "en/0.md"), (TOPICS[0][1], "de/0.md")],
)
def test_the_answer_comes_first_in_whichever_language_it_is(
    find: Find, strategy: str, question: str, path: str
) -> None:
    assert _embed(TOPICS[0][0]) @ _embed(TOPICS[1][0]) > _embed(TOPICS[0][0]) @ _embed(TOPICS[0][1])
    assert paths(find(question, strategy=strategy))[0] == path


@pytest.mark.parametrize(("path", "nearest"), [("en/0.md", "de/0.md"), ("de/5.md", "en/5.md")])
def test_a_note_is_related_to_the_one_that_says_the_same(index: SearchIndex, path: str, nearest: str) -> None:
    assert isinstance(index.store, IndexStore)
    assert index.vectors
    assert index.embedder
    biases = LanguageBiases(index.cache)
    found = find_related(path, 3, index.store, index.cache, index.vectors, index.embedder.fingerprint, biases)
    assert found.notes[0].path == nearest


def test_a_bias_is_measured_where_two_languages_are_spoken(index: SearchIndex) -> None:
    assert index.embedder
    biases = LanguageBiases(index.cache)
    bias = biases.find(index.store, index.embedder.fingerprint)
    assert bias is not None
    assert bias is biases.find(index.store, index.embedder.fingerprint)
    assert bias.language_of(_embed(TOPICS[3][0])) == "english"
    assert bias.language_of(_embed(TOPICS[3][1])) == "german"


def test_a_bias_is_measured_when_there_are_vectors(tmp_path: Path) -> None:
    store, cache, embedder = IndexStore(tmp_path / "index.db"), ContentCache(tmp_path / "cache.db"), BiasedEmbedder()
    for number, pair in enumerate(TOPICS):
        for language, sentence in enumerate(pair):
            put(store, f"{language}/{number}.md", f"{sentence}.\n")
    biases = LanguageBiases(cache)
    assert biases.find(store, embedder.fingerprint) is None
    vectors = VectorIndex(tmp_path / "vectors", embedder.fingerprint)
    asyncio.run(publish_vectors(store, cache, vectors, embedder, report=lambda *_: None, wait_turn=no_turn))
    assert biases.find(store, embedder.fingerprint) is not None
    vectors.close()
    store.close()
    cache.close()


def test_a_vault_in_one_language_is_left_as_it_is(tmp_path: Path) -> None:
    store, cache = IndexStore(tmp_path / "index.db"), ContentCache(tmp_path / "cache.db")
    for number, (english, _) in enumerate(TOPICS):
        put(store, f"{number}.md", f"{english}.\n")
    assert LanguageBiases(cache).find(store, "any") is None
    store.close()
    cache.close()


@pytest.fixture
def with_commits(tmp_path: Path) -> Iterator[SearchIndex]:
    """Many more commits than notes, all in English."""
    embedder = BiasedEmbedder()
    store, cache = IndexStore(tmp_path / "index.db"), ContentCache(tmp_path / "cache.db")
    vectors = VectorIndex(tmp_path / "vectors", embedder.fingerprint)
    for number, pair in enumerate(TOPICS):
        for language, sentence in enumerate(pair):
            put(store, f"{language}/{number}.md", f"{sentence}.\n")
    for number in range(300):
        put_commit(store, f"{number:04}", f"This is what is in the file, and it was changed for the {number}. time.")
    asyncio.run(publish_vectors(store, cache, vectors, embedder, report=lambda *_: None, wait_turn=no_turn))
    yield SearchIndex(store, cache, vectors, embedder)
    vectors.close()
    store.close()
    cache.close()


def test_a_language_of_the_notes_counts_beside_any_number_of_commits(with_commits: SearchIndex) -> None:
    assert set(with_commits.store.languages()) == {"english", "german"}


def test_commits_do_not_tell_what_a_language_is_like(with_commits: SearchIndex) -> None:
    bias = with_commits.find_bias()
    assert bias is not None
    assert bias.language_of(_embed(TOPICS[3][0])) == "english"
    sampled = with_commits.store.sample("english", 1000)
    assert {one.source_id for one in sampled} == {f"0/{number}.md" for number in range(len(TOPICS))}


def test_a_passage_in_a_language_that_is_not_known_stays_where_it_is() -> None:
    bias = LanguageBias({"english": _embed(TOPICS[0][0]), "german": _embed(TOPICS[0][1])})
    passages = np.stack([_embed(TOPICS[1][0])] * 3)
    levelled = bias.level_passages(passages, ["finnish", None, "english"])
    assert np.allclose(levelled[:2], passages[:2])
    assert not np.allclose(levelled[2], passages[2])
