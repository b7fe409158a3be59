"""A search over real SQLite and real Chroma; the embedder is the scripted one."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.searching import Find, finder, index_of, no_turn, paths, put
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.fake import FakeEmbedder
from zibaldone.ingest.publish import publish_vectors
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.store.index_db import IndexStore

NOTES = {
    "Projects/Kestrel.md": "---\ndate: 2026-03-04\ntags: [project/bird]\n---\n# Kestrel\nA kestrel costs nine euro.\n",
    "Projects/Marlin.md": "---\ndate: 2025-03-09\ntags: [project/fish]\n---\n# Marlin\nThe marlin costs seven euro.\n",
    "Projects/Old Marlin.md": "---\ndate: 2019-05-05\n---\n# Old Marlin\nThe marlin did cost six euro, long ago.\n",
    "Daily/2026-05-20.md": "Met Ada about the roof. She was in a hurry.\n",
    "Daily/2026-04-20.md": "Met Ada about the cellar, which is damp.\n",
    "Codes.md": "# Codes\nCall foo_bar() of RFC-2616 in C++, see v1.2.3 and naïve AI in the Straße.\n",
    "Languages.md": "# Languages\n系統 和 会議, 회의, हिन्दी, ﾊﾝｶｸ, café.\n",
    "Move to Graz.md": "---\ndate: 2024-06-01\n---\n# Move to Graz\nThe van came at nine.\n",
    "Daily/2024-05-01.md": "Lunch with Noor, who sold the piano.\n",
    "Daily/2024-08-01.md": "Lunch with Noor, who bought a piano.\n",
    "Copy A.md": "# Copy A\nTo mend a puncture, find the hole, roughen the rubber, add glue, wait, press the patch.\n",
    "Copy B.md": "# Copy B\nTo mend a puncture, find the hole, roughen the rubber, add glue, wait, press the patch.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    with index_of(tmp_path_factory.mktemp("index"), NOTES, FakeEmbedder()) as made:
        yield made


@pytest.fixture
def find(index: SearchIndex) -> Find:
    return finder(index)


@pytest.fixture
def find_by_words(index: SearchIndex) -> Find:
    return finder(SearchIndex(index.store, index.cache, None, None))


@pytest.mark.parametrize(
    ("query", "path"),
    [
        *((query, "Languages.md") for query in ("系統", "会議", "회의", "café", "cafe", "हिन्दी", "ﾊﾝｶｸ", "ハンカク")),
        *((query, "Codes.md") for query in ("naïve", "naive", "Straße", "Strasse", "AI", "C++", "foo_bar", "RFC-2616")),
        ("v1.2.3", "Codes.md"),
        ("kestrels", "Projects/Kestrel.md"),
    ],
)
def test_every_script_and_name_finds_its_note_by_words_alone(find_by_words: Find, query: str, path: str) -> None:
    assert paths(find_by_words(query))[0] == path


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"marlin costs"', {"Projects/Marlin.md"}),
        ("marlin -ago", {"Projects/Marlin.md"}),
        ("euro tag:project", {"Projects/Kestrel.md", "Projects/Marlin.md"}),
        ("euro tag:#project/fish", {"Projects/Marlin.md"}),
        ("euro -tag:project", {"Projects/Old Marlin.md"}),
        ("marlin path:Daily/", set()),
        ("marlin before:2020", {"Projects/Old Marlin.md"}),
        ("euro after:2026-03 before:2026-04", {"Projects/Kestrel.md"}),
        ("tag:project", {"Projects/Kestrel.md", "Projects/Marlin.md"}),
        ("path:Projects/ -marlin", {"Projects/Kestrel.md"}),
    ],
)
def test_operators_limit_the_search_itself(find_by_words: Find, query: str, found: set[str]) -> None:
    assert set(paths(find_by_words(query))) == found


def test_filters_hold_for_the_vectors_too(find: Find) -> None:
    assert set(paths(find("what does it cost path:Projects/"))) == {path for path in NOTES if path.startswith("Proj")}
    assert all(hit.path.startswith("Daily") for hit in find("kestrel", paths=["Daily/2026-05-20.md"]).hits)
    assert find("kestrel type:pdf").hits == find("kestrel", modality=["pdf"]).hits == []
    assert "Nothing here is of the type pdf. `type:` can be note, person, text." in find("kestrel type:pdf").notes
    assert not any("type:" in note for note in find("kestrel type:Note").notes)


def test_notes_without_a_date_are_not_left_out_in_silence(find_by_words: Find) -> None:
    assert any("have no date of their own" in note for note in find_by_words("euro after:2020").notes)


@pytest.mark.parametrize("query", ["before March", "until 15 May", "bis Ende Juni", "vor 2026", "until yesterday"])
def test_a_time_without_a_beginning_explains_itself(find: Find, query: str) -> None:
    explanation = find(query, explain=True).explanation
    assert explanation
    assert "0001" not in (explanation.time or "")


def test_quotations_of_a_comparison_name_its_sides(find: Find) -> None:
    assert {"Projects/Kestrel.md", "Projects/Marlin.md"} <= set(paths(find('"A kestrel" vs "The marlin"')))


def test_a_quotation_that_stands_nowhere_is_searched_by_its_words(find_by_words: Find) -> None:
    response = find_by_words('"kestrel that costs"')
    assert paths(response)[0] == "Projects/Kestrel.md"
    assert "No passage holds the quoted words" in response.notes[1] + response.notes[0]


def test_a_time_in_the_question_prefers_what_is_dated_then(find: Find) -> None:
    assert paths(find("What did I talk about with Ada in April?"))[0] == "Daily/2026-04-20.md"
    assert paths(find("What did I talk about with Ada in May 2026?"))[0] == "Daily/2026-05-20.md"
    assert paths(find("the latest about Ada"))[0] == "Daily/2026-05-20.md"


def test_an_event_is_dated_by_its_note(find: Find) -> None:
    before = find("lunch with Noor before the move", explain=True)
    assert paths(before)[0] == "Daily/2024-05-01.md"
    assert before.explanation and before.explanation.time == "before move, 2024-06-01 by Move to Graz.md"
    assert paths(find("lunch with Noor after the move"))[0] == "Daily/2024-08-01.md"


def test_both_sides_of_a_comparison_have_places(find: Find) -> None:
    response = find("kestrel vs marlin", k=4, explain=True)
    assert {"Projects/Kestrel.md", "Projects/Marlin.md"} <= set(paths(response))
    assert response.explanation
    assert response.explanation.subqueries == ["kestrel", "marlin"]
    assert {hit.subquery for hit in response.hits} >= {"kestrel", "marlin"}


def test_the_side_of_a_comparison_that_is_not_there_is_named(find_by_words: Find) -> None:
    assert any("wyvern" in note for note in find_by_words("difference between the kestrel and the wyvern").notes)


def test_passages_that_say_the_same_are_shown_once(find: Find) -> None:
    (shown,) = [hit for hit in find("how to mend a puncture").hits if hit.path.startswith("Copy")]
    assert {shown.path, *shown.also} == {"Copy A.md", "Copy B.md"}


def test_a_search_explains_itself(find: Find) -> None:
    why = find("marlin after:2020", explain=True).explanation
    assert why
    assert why.words == {"marlin": 2}
    assert 0 < why.semantic_weight < 1
    assert any("by the filters" in reason for reason in why.left_out)
    assert find("marlin").explanation is None


@pytest.mark.parametrize("strategy", ["bm25", "semantic", "bm25+semantic", "rerank(bm25+semantic)"])
def test_a_note_that_is_gone_is_found_by_nothing(index: SearchIndex, strategy: str) -> None:
    find = finder(index)
    assert isinstance(index.store, IndexStore)
    put(index.store, "Ghost.md", "# Ghost\nThe wendigo walks at night.\n")
    assert index.vectors and index.embedder
    assert isinstance(index.vectors, VectorIndex)
    asyncio.run(
        publish_vectors(
            index.store, index.cache, index.vectors, index.embedder, report=lambda *_: None, wait_turn=no_turn
        )
    )
    assert paths(find("wendigo", strategy=strategy))[0] == "Ghost.md"
    index.store.delete_sources(["Ghost.md"])  # its vector is still there
    assert "Ghost.md" not in paths(find("wendigo", strategy=strategy))


@pytest.mark.parametrize("searches", [200, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kept", [True, False], ids=["renamed", "deleted"])
def test_no_search_finds_what_was_gone_before_it_began(index: SearchIndex, searches: int, kept: bool) -> None:
    """One thread renames (or writes anew and deletes) a note over and over, another searches for it."""
    store, find = index.store, finder(index)
    assert isinstance(store, IndexStore)
    gone, ended = [-1], threading.Event()
    put(store, "Camp.md", "# Camp\nThe yeti sleeps.\n")

    def change() -> None:
        for number in itertools.count():
            put(store, f"Wandering {number}.md", "# Wandering\nThe yeti moves on.\n", "one" if kept else f"{number}")
            if not kept and number:
                store.delete_sources([f"{number - 1}"])
            gone[0] = number - 1
            if ended.is_set():
                break
        store.delete_sources(["one" if kept else f"{number}"])

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(searches):
            before = gone[0]
            found = paths(find("yeti"))
            assert "Camp.md" in found
            assert all(int(path.split()[1][:-3]) > before for path in found if path.startswith("Wandering"))
    finally:
        ended.set()
        thread.join()
    assert [path for path in paths(find("yeti")) if path.startswith(("Camp", "Wandering"))] == ["Camp.md"]
    store.delete_sources(["Camp.md"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(min_size=1, max_size=80).filter(str.strip))
def test_no_query_raises(find_by_words: Find, query: str) -> None:
    find_by_words(query)
