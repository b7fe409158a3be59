"""In which order passages are read."""

from __future__ import annotations

from zibaldone.agents.relay.pack import ReadBefore, arrange_hits, find_round, pack_rounds
from zibaldone.schemas.search import Components, Hit


def hits(names: str) -> list[Hit]:
    return [
        Hit(
            rank=rank, score=1, chunk_id=name, source_uri="note:a.md", path="a.md", title="a", heading=[], locator="L1",
            line_start=1, line_end=1, date="2026-01-01", text=name, components=Components(),
        )
        for rank, name in enumerate(names, 1)
    ]  # fmt: skip


def read(names: str, *rounds: str) -> tuple[str, int]:
    found = hits(names)
    before = find_round(found, [list(one) for one in rounds])
    ordered, together = arrange_hits(found, hits("".join(before)))
    return "".join(hit.chunk_id for hit in ordered), together


def test_what_was_read_before_comes_first_and_as_it_stood_and_the_best_passage_with_it() -> None:
    assert read("bxad", "abc", "def") == ("abcxd", 3)
    assert read("exab", "abc", "dex") == ("dexab", 3)
    assert read("xyab", "abc") == ("abcxy", 4)


def test_another_matter_leaves_the_ranks_alone() -> None:
    assert read("vwxyab", "abc") == ("vwxyab", 0)
    assert read("abc") == ("abc", 0)
    assert read("", "abc") == ("", 0)


def test_the_first_round_is_read_together_however_large_it_is() -> None:
    packed = pack_rounds(hits("abcd"), [60, 60, 60, 60], 300, 3)
    assert [[hit.chunk_id for hit in one] for one in packed.rounds] == [["a", "b", "c"], ["d"]]


def test_pages_are_read_alone_and_before_the_notes() -> None:
    found = hits("aPbQc")
    ordered, together = arrange_hits(found, [], [found[1], found[3]])
    assert ("".join(hit.chunk_id for hit in ordered), together) == ("PQabc", 2)
    packed = pack_rounds(ordered, [10] * 5, 300, together, apart=True)
    assert [[hit.chunk_id for hit in one] for one in packed.rounds] == [["P", "Q"], ["a", "b", "c"]]
    packed = pack_rounds(ordered, [90] * 5, 300, together, apart=True)
    assert [[hit.chunk_id for hit in one] for one in packed.rounds] == [["P", "Q"], ["a"], ["b"], ["c"]]


def test_a_conversation_knows_its_last_turn_and_old_ones_are_forgotten() -> None:
    before = ReadBefore()
    before.keep("one", [hits("ab"), hits("c")])
    assert before.of("one") == [["a", "b"], ["c"]]
    before.keep("one", [hits("d")])
    assert before.of("one") == [["d"]]
    assert before.of("two") == before.of(None) == []
    for number in range(100):
        before.keep(f"later {number}", [hits("a")])
    assert before.of("one") == []


def test_rounds_are_of_equal_size_and_the_first_passage_always_goes_in() -> None:
    packed = pack_rounds(hits("abcdef"), [30, 90, 200, 60, 40, 10], 300)
    assert [[hit.chunk_id for hit in one] for one in packed.rounds] == [["a"], ["b"], ["c"]]
    assert len(packed.left_out) == 3
