"""Chunks: where they are cut and joined, what they carry, and what holds for every note."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.notes import Chunk
from zibaldone.ingest.chunk import chunk_note, estimate_tokens
from zibaldone.ingest.parse import parse_note

SIZES = ChunkingSettings(min_tokens=24, max_tokens=120)
FILLER = "Here is a sentence of some length that says nothing at all but fills the paragraph quite well enough. "
LONG = (FILLER * 2).strip()


def chunk(
    text: str, sizes: ChunkingSettings = SIZES, path: str = "Folder/Note.md", source_id: str = "s"
) -> list[Chunk]:
    return chunk_note(path, parse_note(path, text), sizes, source_id)


def squeeze(text: str) -> str:
    """Without white space; headings without their depth, which a chunk counts from the path, not from the hashes."""
    return re.sub("#+", "#", "".join(text.split()))


# --- the estimate


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("Hello world", 2, 3),
        ("Donaudampfschifffahrtsgesellschaft", 6, 8),
        ("https://github.com/foo/bar-baz?x=12345", 16, 24),
        ("2024-03-01 12:30", 5, 12),
        ("人工智能的发展", 3, 7),
        ("会議の予定を確認する", 6, 9),
        ("회의 일정을 확인", 4, 7),
        ("Привет, как дела сегодня", 6, 10),
        ("नमस्ते दुनिया", 3, 6),
        ("สวัสดีชาวโลก", 4, 7),
        ("a" * 60, 10, 20),
        ("🎉🚀", 2, 4),
    ],
)
def test_estimates_lie_near_what_a_tokenizer_counts(text: str, low: int, high: int) -> None:
    assert low <= estimate_tokens(text) <= high


@given(st.text(max_size=200), st.integers(0, 200))
def test_a_whole_costs_no_more_than_its_parts(text: str, at: int) -> None:
    assert estimate_tokens(text) <= estimate_tokens(text[:at]) + estimate_tokens(text[at:])


# --- nothing to index


@pytest.mark.parametrize("text", ["", "\n \n", "---\ntags: [x]\n---\n", "%% only a comment %%", "---\n---\n***\n"])
def test_without_text_there_are_no_chunks(text: str) -> None:
    assert chunk(text) == []


def test_links_alone_are_a_chunk() -> None:
    (only,) = chunk("---\ntags: x\n---\n![[Base.base]]\n[[Other]]")
    assert (only.text, only.line_start, only.line_end) == ("![[Base.base]]\n[[Other]]", 4, 5)


# --- joining


def test_paragraphs_that_stand_alone_stay_alone_and_short_ones_join() -> None:
    chunks = chunk(f"{LONG}\n\nBuy:\n\n- {LONG}\n\n{LONG}\n\nThe end.")
    assert [c.text for c in chunks] == [LONG, f"Buy:\n\n- {LONG}", f"{LONG}\n\nThe end."]
    assert [(c.line_start, c.line_end) for c in chunks] == [(1, 1), (3, 5), (7, 9)]


def test_short_sections_join_under_their_parent_and_keep_their_headings() -> None:
    chunks = chunk(f"# Home\n## A\nfew words\n## B\nfew more\n## C\n{LONG} {FILLER}\n# Other\n{LONG}")
    assert chunks[0].heading == ("Home",)
    assert chunks[0].text == f"## A\nfew words\n\n## B\nfew more\n\n## C\n{LONG} {FILLER}".strip()
    assert (chunks[0].line_start, chunks[0].line_end) == (2, 7)
    assert chunks[1].heading == ("Other",)


def test_sections_of_different_parents_stay_apart() -> None:
    chunks = chunk("# A\n## X\nshort\n# B\n## Y\nshort")
    assert [(c.heading, c.text) for c in chunks] == [(("A", "X"), "short"), (("B", "Y"), "short")]


def test_repeated_headings_are_told_apart() -> None:
    (only,) = chunk("## Tasks\none\n## Tasks\ntwo")
    assert only.text == "one\n\n# Tasks\ntwo"
    assert only.heading == ("Tasks",)


def test_a_heading_over_subsections_only_is_said_by_the_path() -> None:
    (only,) = chunk(f"# A\n## B\n{LONG}")
    assert (only.heading, only.text) == (("A", "B"), LONG)


def test_an_empty_heading_is_still_found() -> None:
    (only,) = chunk("text\n\n# Read about lichens")
    assert only.text == "text\n\n# Read about lichens"
    (only,) = chunk("# A\n## B")
    assert (only.heading, only.text, only.line_start, only.line_end) == (("A", "B"), "## B", 2, 2)


def test_the_end_of_a_section_carries_its_heading_for_the_embedding() -> None:
    text = f"# Top\n## A\n{LONG} {FILLER}\n\n{LONG} {FILLER}\n## B\nshort"
    chunks = chunk(text)
    assert chunks[1].heading == ("Top",)
    assert chunks[1].text.endswith("## B\nshort")
    assert "## A" not in chunks[1].text
    assert chunks[1].embed_text.startswith("Note > Top\n## A\n")


# --- cutting


def test_a_long_paragraph_is_cut_at_sentence_ends_into_even_parts() -> None:
    chunks = chunk(FILLER * 12)
    assert len(chunks) > 1
    assert all(c.text.endswith("enough.") for c in chunks)
    assert max(c.tokens for c in chunks) - min(c.tokens for c in chunks) <= estimate_tokens(FILLER)


def test_chinese_is_cut_at_its_full_stops() -> None:
    chunks = chunk("这是一个没有空格的句子，用来测试切分。" * 30)
    assert len(chunks) > 1
    assert all(c.text.endswith("。") for c in chunks)


def test_a_list_is_cut_between_items_and_items_stay_with_their_children() -> None:
    item = (
        "- In any tightly coupled system there is a sustainable load. We know it to be about 60 percent.\n  - A child."
    )
    chunks = chunk("\n".join([item] * 9))
    assert len(chunks) > 1
    assert all(squeeze(c.text) == squeeze(item) * c.text.count("60 percent") for c in chunks)
    assert [c.line_start for c in chunks][1:] == [c.line_end + 1 for c in chunks][:-1]


def test_a_fence_stays_whole_while_it_fits_and_is_cut_between_lines() -> None:
    fence = "```py\n" + "\n\n".join(f"x{i} = compute(y)" for i in range(5)) + "\n```"
    assert [c.text for c in chunk(f"{LONG}\n{fence}\n{LONG}")] == [LONG, fence, LONG]
    lines = [f"value_{i} = compute(argument)" for i in range(60)]
    chunks = chunk("```py\n" + "\n".join(lines) + "\n```")
    assert "\n".join(c.text for c in chunks) == "```py\n" + "\n".join(lines) + "\n```"


def test_a_cut_table_repeats_its_header_for_the_embedding_only() -> None:
    rows = [f"| name {i} | value number {i} |" for i in range(40)]
    chunks = chunk("# Prices\n| thing | price |\n|---|---|\n" + "\n".join(rows))
    assert len(chunks) > 1
    for part in chunks[1:]:
        assert "| thing | price |" not in part.text
        assert part.embed_text == f"Note > Prices\n| thing | price |\n{part.text}"
    assert all(line in rows for part in chunks[1:] for line in part.text.splitlines())


@pytest.mark.parametrize("wall", ["a" * 50_000, "漢字" * 20_000, "🎉" * 5000, "x9" * 20_000, "é" * 9000, "[" * 5000])
def test_a_wall_without_spaces_is_cut(wall: str) -> None:
    chunks = chunk(f"before {wall} after")
    assert squeeze("".join(c.text for c in chunks)) == f"before{wall}after"
    assert all(c.tokens <= SIZES.max_tokens for c in chunks)
    assert {(c.line_start, c.line_end) for c in chunks} == {(1, 1)}


# --- what is embedded


def test_breadcrumb_and_date() -> None:
    (only,) = chunk(f"---\ncreated: 2024-03-01\n---\n# Note\n## Part\n{LONG}")
    assert only.heading == ("Note", "Part")
    assert only.embed_text == f"Note > Part (2024-03-01)\n{LONG}"


def test_no_date_unless_stated_and_never_twice() -> None:
    assert chunk(LONG)[0].embed_text == f"Note\n{LONG}"
    assert chunk(LONG, path="2024-03-01 Friday.md")[0].embed_text == f"2024-03-01 Friday\n{LONG}"


def test_a_name_that_says_nothing_gets_its_folder() -> None:
    assert chunk(LONG, path="Garden/README.md")[0].embed_text.startswith("Garden > README\n")


def test_a_long_heading_does_not_crowd_out_the_text() -> None:
    assert len(chunk("# " + "word " * 50 + f"\n{LONG}")[0].embed_text) < len(LONG) + 100


# --- identity


def test_identity_survives_edits_elsewhere() -> None:
    base = [f"# H{i}\n{LONG} number {i}" for i in range(4)]
    before = {c.id for c in chunk("\n".join(base))}
    after = {c.id for c in chunk("\n".join([*base[:1], f"\nA new paragraph. {LONG}", *base[1:]]))}
    assert before < after


def test_identity_depends_on_note_heading_and_text_and_counts_repeats() -> None:
    twice = chunk(f"{LONG}\n\n{LONG}\n\n# H\n{LONG}")
    assert len({c.id for c in twice}) == 3
    assert len({c.content_hash for c in twice}) == 1
    assert [c.ordinal for c in twice] == [0, 1, 2]
    assert not {c.id for c in twice} & {c.id for c in chunk(f"{LONG}\n\n{LONG}", source_id="other")}


# --- what holds for every note

WORDS = st.sampled_from(["alpha", "beta", "gamma.", "Delta", "漢字かな。", "émile!", "x" * 40, "[[Link|shown]]", "42"])
SENTENCE = st.lists(WORDS, min_size=1, max_size=40).map(" ".join)
ITEMS = st.lists(SENTENCE, min_size=1, max_size=8).map(lambda items: "\n".join(f"- {item}" for item in items))
FENCE = st.lists(SENTENCE, min_size=1, max_size=8).map(lambda lines: "\n".join(["```", *lines, "```"]))
TABLE = st.lists(SENTENCE, min_size=1, max_size=8).map(
    lambda rows: "\n".join(["|a|b|", "|-|-|", *(f"|{r}|" for r in rows)])
)
TITLE = st.tuples(st.integers(1, 4), st.integers(0, 5)).map(lambda pair: f"{'#' * pair[0]} Heading{pair[1]}")
NOTE = st.lists(st.one_of(SENTENCE, SENTENCE, ITEMS, FENCE, TABLE, TITLE, TITLE, st.just("%%no%%")), max_size=25).map(
    "\n\n".join
)
LIMITS = st.tuples(st.integers(1, 40), st.integers(32, 200)).map(
    lambda pair: ChunkingSettings(min_tokens=pair[0], max_tokens=pair[1])
)


def body(text: str) -> str:
    return squeeze("\n".join(line for line in text.splitlines() if "# Heading" not in line))


@given(NOTE, LIMITS)
@settings(deadline=None)
def test_chunks_are_the_notes_text_once_and_in_order(text: str, limits: ChunkingSettings) -> None:
    note = parse_note("Note.md", text)
    chunks = chunk_note("Note.md", note, limits, "s")
    assert body("\n".join(c.text for c in chunks)) == squeeze("".join(b.text for s in note.sections for b in s.blocks))
    said = [" ".join((*c.heading, c.text)) for c in chunks]
    for section in note.sections:
        assert not section.heading or any(section.heading[-1] in words for words in said)
    assert all(0 < c.tokens <= limits.max_tokens for c in chunks)
    assert [c.ordinal for c in chunks] == list(range(len(chunks)))
    assert len({c.id for c in chunks}) == len(chunks)
    assert chunks == chunk_note("Note.md", parse_note("Note.md", text), limits, "s")


@given(NOTE, LIMITS)
@settings(deadline=None)
def test_line_spans_are_true(text: str, limits: ChunkingSettings) -> None:
    lines = text.split("\n")
    for part in chunk(text, limits):
        stands = squeeze("\n".join(lines[part.line_start - 1 : part.line_end]).replace("%%no%%", ""))
        assert squeeze(part.text) in stands
        for edge in (part.line_start, part.line_end):
            assert any(word in part.text for word in lines[edge - 1].split())


@given(st.lists(SENTENCE.map(lambda s: f"{LONG} {s}"), min_size=1, max_size=6), SENTENCE, st.integers(0, 6))
@settings(deadline=None)
def test_inserting_a_paragraph_leaves_the_others_ids(paragraphs: list[str], added: str, at: int) -> None:
    before = chunk("\n\n".join(paragraphs))
    after = chunk("\n\n".join([*paragraphs[:at], f"{LONG} Inserted. {added}", *paragraphs[at:]]))
    assert {c.id for c in before} <= {c.id for c in after}


@given(st.text(alphabet="#>-*`~|[]()!%$<^ \t\n1aé漢.。", max_size=300), LIMITS)
@settings(deadline=None)
def test_any_markup_is_covered(text: str, limits: ChunkingSettings) -> None:
    note = parse_note("n.md", text)
    chunks = chunk_note("n.md", note, limits, "s")
    whole = squeeze("".join(c.text for c in chunks))
    at = 0
    for block in (block for section in note.sections for block in section.blocks):
        for token in block.text.split():
            at = whole.index(squeeze(token)[:1], at)
    assert all(c.tokens <= limits.max_tokens for c in chunks)


def test_a_megabyte_is_chunked_in_time() -> None:
    text = "\n\n".join(f"## Part {i}\n{FILLER * 8}" for i in range(1200))
    started = time.perf_counter()
    chunks = chunk(text, ChunkingSettings())
    assert len(text) > 900_000
    assert len(chunks) >= 1200
    assert time.perf_counter() - started < 6  # 1 s on an idle core
