"""A note's structure, on the lines where it stands on disk."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.notes import Link, ParsedNote
from zibaldone.ingest.parse import Decoded, SkipReason, decode_note, parse_note, plain_text


def parse(text: str, path: str = "Folder/My note.md") -> ParsedNote:
    return parse_note(path, text)


def texts(note: ParsedNote) -> list[str]:
    return [block.text for section in note.sections for block in section.blocks]


def headings(note: ParsedNote) -> list[tuple[str, ...]]:
    return [section.heading for section in note.sections]


# --- decoding


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark(encoding: str) -> None:
    assert decode_note("café 日記".encode(encoding)) == Decoded("café 日記", [])


def test_utf16_big_endian() -> None:
    assert decode_note(b"\xfe\xff" + "日記".encode("utf-16-be")) == Decoded("日記", [])


def test_invalid_utf8_is_replaced_and_reported() -> None:
    decoded = decode_note(b"a quite long note: caf\xe9 and \xff")
    assert decoded == Decoded(
        "a quite long note: caf\ufffd and \ufffd", ["2 places are not valid UTF-8 and were replaced."]
    )


def test_a_replacement_character_of_the_persons_own_is_no_problem() -> None:
    assert decode_note("\ufffd".encode()) == Decoded("\ufffd", [])


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "ab".encode("utf-16-le"), bytes(range(128, 256))])
def test_binary_is_skipped_with_a_reason(data: bytes) -> None:
    assert isinstance(decode_note(data), SkipReason)


@given(st.binary(max_size=200))
def test_decoding_never_raises(data: bytes) -> None:
    decode_note(data)


# --- title, aliases, tags


def test_title_is_the_property_or_the_file_name_never_a_heading() -> None:
    assert parse("# Heading").title == "My note"
    assert parse("---\ntitle: Real\n---\n").title == "Real"
    assert parse("---\ntitle: 2024\n---\n").title == "2024"
    assert parse("---\ntitle: <% tp.file.title %>\n---\n").title == "My note"
    assert parse("", "v1.2 plan.md").title == "v1.2 plan"


def test_aliases_and_tags_from_properties() -> None:
    note = parse("---\naliases: One, Two\ntags: '#a b/c, d'\n---\n#A #e")
    assert note.aliases == ("One", "Two")
    assert note.tags == ("a", "b/c", "d", "e")
    assert parse("---\ntags: [x, null, 2024, {{tag}}]\nalias:\n  - 1984\n---\n").tags == ("x", "2024")


def test_inline_tags() -> None:
    note = parse(
        "#start a #tag/sub, #日記。 #идея! #2024/03 #123 x#no `#code` http://x.y/#frag [t](#heading)\n"
        "[[Note #not]] \\#no #y1984 #emoji🎉 #trailing/\n```\n#fenced\n```\n# Heading #inhead\n> #quoted"
    )
    assert note.tags == ("start", "tag/sub", "日記", "идея", "y1984", "emoji🎉", "trailing", "inhead", "quoted")


# --- links


def test_links_with_their_lines() -> None:
    note = parse(
        '---\nup: "[[Home]]"\n---\n[[A#H^b|al]] and ![[pic.png|200]]\n'
        '[x](Folder/Note%20A.md#h) ![i](<a b.png>) [web](https://x.y) [mail](mailto:a@b) [p](a_(b).md "t")\n'
        "| [[T\\|cell]] | [[#Here]] | `[[code]]` |\n```\n[[fenced]]\n```\n%%[[hidden]]%%"
    )
    assert note.links == (
        Link("Home", 2),
        Link("A", 4, heading="H", block="b", alias="al"),
        Link("pic.png", 4, alias="200", embed=True),
        Link("Folder/Note A.md", 5, heading="h", alias="x"),
        Link("a b.png", 5, alias="i", embed=True),
        Link("a_(b).md", 5, alias="p"),
        Link("T", 6, alias="cell"),
        Link("", 6, heading="Here"),
    )


def test_block_link() -> None:
    assert parse("[[A#^id1]]").links == (Link("A", 1, block="id1"),)


# --- sections


def test_sections_know_their_lines_on_disk() -> None:
    note = parse("---\ntags: x\n---\n\nintro\n\n# One\ntext\n\n## Two ##\nmore\n# Three")
    assert [(s.heading, s.line_start, s.line_end) for s in note.sections] == [
        ((), 1, 6),
        (("One",), 7, 9),
        (("One", "Two"), 10, 11),
        (("Three",), 12, 12),
    ]
    assert [(b.line_start, b.line_end) for s in note.sections for b in s.blocks] == [(5, 5), (8, 8), (11, 11)]


def test_what_is_a_heading() -> None:
    note = parse(
        "# **Bold** [[A|link]] `x` ^id\n#tag\n    # code\n#### Deep\nUnder\n===\npara\nof two\n---\n- item\n---\n"
        "| a\n---\nLast one\n---\n> # quoted\n#\n#\ttab"
    )
    assert headings(note) == [
        ("Bold link x",),
        ("Bold link x", "Deep"),
        ("Under",),
        ("Under", "Last one"),
        ("tab",),
    ]
    assert note.block_ids == ("id",)
    assert note.sections[2].blocks[0].text == "para\nof two"


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_hash_in_a_fence_is_no_heading(fence: str) -> None:
    note = parse(f"{fence}sh\n# comment\n\n{fence[:2]}\n{fence}\n# Real\n{fence}\n# open to the end")
    assert headings(note) == [(), ("Real",)]
    assert texts(note) == [f"{fence}sh\n# comment\n\n{fence[:2]}\n{fence}", f"{fence}\n# open to the end"]
    assert all(block.atomic for section in note.sections for block in section.blocks)


def test_fences_in_lists_and_quotes() -> None:
    note = parse("- ```py\n  # x\n  ```\n> ```\n> # y\nafter\n# H")
    assert headings(note) == [(), ("H",)]
    assert texts(note) == ["- ```py\n  # x\n  ```", "> ```\n> # y", "after"]


def test_a_very_long_heading_is_text() -> None:
    note = parse("# " + "x" * 400)
    assert headings(note) == [()]
    assert len(texts(note)[0]) == 402


def test_tables_are_blocks_of_their_own() -> None:
    note = parse("before\n| a | b |\n|---|:-:|\n| 1 | 2 |\nafter\nx | y\n--- | ---\n1 | 2")
    assert texts(note) == ["before", "| a | b |\n|---|:-:|\n| 1 | 2 |", "after", "x | y\n--- | ---\n1 | 2"]
    assert [b.atomic for s in note.sections for b in s.blocks] == [False, True, False, True]


def test_math_is_kept_and_held_together() -> None:
    assert texts(parse("so $a^2$ and\n$$\nx %% y\n\n# z\n$$\nend\n\n$$ open")) == [
        "so $a^2$ and",
        "$$\nx %% y\n\n# z\n$$",
        "end",
        "$$ open",
    ]


def test_tasks() -> None:
    note = parse("- [ ] buy #milk 📅 2024-03-01 ^t1\n  * [x] done\n> 1. [/] half\n- [] no\n-[ ] no\n```\n- [ ] no\n```")
    assert [(t.text, t.status, t.line) for t in note.tasks] == [
        ("buy #milk 📅 2024-03-01", " ", 1),
        ("done", "x", 2),
        ("half", "/", 3),
    ]
    assert note.block_ids == ("t1",)


# --- what is left out


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("a <!-- no --> b", ["a  b"]),
        ("a %%no%% b", ["a  b"]),
        ("a %% no\nno\nno %% b", ["a", " b"]),
        ("<!--\n# no\n```\n-->\nb", ["b"]),
        ("a <!-- stray\nb", ["a <!-- stray\nb"]),
        ("sure 100%%\nb", ["sure 100%%\nb"]),
        ("`<!-- code -->` `` %%x%% ` ``", ["`<!-- code -->` `` %%x%% ` ``"]),
        ("<%* let x = 1\n# no\n%>b <% tp.date %>", ["b"]),
        ("> [!note]+ Title\n> text\n> > [!tip|wide]\n> > in", ["> Title\n> text", "> > in"]),
        ("> a\n>\n> b", ["> a", "> b"]),
        ('<div class="x">a<br>b</div> List<String> `<b>` 1 <2', ["a b List<String> `<b>` 1 <2"]),
        ("```dataview\nLIST\n```\nb\n```dataviewjs\nx\n```\n```tasks\nnot done\n```", ["b"]),
        ("text ^block-id\n10 ^2", ["text\n10"]),
        ("***\na\n- - -\n___", ["a"]),
        ("%%\n", []),
    ],
)
def test_left_out(written: str, kept: list[str]) -> None:
    assert texts(parse(written)) == kept


def test_embedded_data_is_left_out_but_a_long_word_is_not() -> None:
    encoded = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJzZ9" * 20
    assert texts(parse(f"a ![alt](data:image/png;base64,{encoded}==) b")) == ["a alt b"]
    assert texts(parse(f"a {encoded} b")) == ["a  b"]
    assert texts(parse(f'```html\n<img src="data:image/png;base64,{encoded}">\n```')) == ['```html\n<img src="">\n```']
    for word in ("a" * 50_000, "0123456789abcdef" * 40, "漢" * 5000):
        assert texts(parse(word)) == [word]


@pytest.mark.parametrize("declared", ["---\nexcalidraw-plugin: parsed\n---\n", ""])
def test_excalidraw_keeps_its_text_only(declared: str) -> None:
    note = parse(
        declared + "==⚠  Switch to EXCALIDRAW VIEW ⚠==\n\n# Excalidraw Data\n## Text Elements\nBuy milk ^abc123\n\n"
        "[[Other]] ^def\n\n%%\n## Drawing\n```compressed-json\nN4KAkARALgngDgUwgLgAQ\n\nQQDwMYEMA2AlgCYBOuA7\n```\n%%"
    )
    assert texts(note) == ["Buy milk", "[[Other]]"]
    assert headings(note) == [()]
    assert [link.target for link in note.links] == ["Other"]


def test_excalidraw_data_in_a_comment_is_read_and_what_stands_above_it_is_the_persons() -> None:
    note = parse(
        "---\nexcalidraw-plugin: parsed\n---\n==⚠  Switch ⚠==\n# Why\nMy reasons. %%aside%%\n\n%%\n# Excalidraw Data\n"
        "\n## Text Elements\nRoadmap: https://x.org ^a1\n\n## Element Links\nXv9fGh2k: [[Plan]]\n\n## Embedded files\n"
        "2718f5a20de55b38e0ed299d1659c8e7e89eb8f0: [[Photo.png]]\n\n%%\n## Drawing\n```compressed-json\nN4KAkA\n```\n%%"
    )
    assert texts(note) == ["My reasons.", "Roadmap: https://x.org", "[[Plan]]", "[[Photo.png]]"]
    assert [link.target for link in note.links] == ["Plan", "Photo.png"]


def test_a_drawing_heading_without_data_is_a_heading() -> None:
    assert headings(parse("# Drawing\nI draw.")) == [("Drawing",)]


def test_plain_text_of_headings() -> None:
    assert plain_text("**a** *b* [t](u.md) [[X]] <u>y</u> ==z== 5 * 3 < 4") == "a b t X y z 5 * 3 < 4"


# --- robustness


def test_problem_of_the_properties_is_kept_and_the_body_too() -> None:
    note = parse("---\ntags: [a\n---\nbody")
    assert len(note.problems) == 1
    assert texts(note) == ["body"]


MARKUP = st.text(alphabet="#>-*`~|[]()!%$<^:=\\ \t\n\r1aé漢\u200d\"'&{}@x", max_size=300)


@given(MARKUP)
def test_each_block_has_one_line_for_each_line_on_disk(text: str) -> None:
    note = parse(text)
    last = 0
    for section in note.sections:
        for block in section.blocks:
            assert last < block.line_start <= block.line_end <= section.line_end
            assert block.text.count("\n") == block.line_end - block.line_start
            last = block.line_end


@pytest.mark.parametrize(
    "unit",
    ["[", "(", "*", "`", "%", "[[", "![", "[](", "<!--", "<%", "%%", "` `` ", "[a](b \"", "<a ", "> [!", " ", "\n",
     "\t", "](", "data:", "```\n", "$$\n", " #", "|-|\n", "a\n---\n", "> ", "- "],
)  # fmt: skip
def test_time_is_linear(unit: str) -> None:
    """Quadratic work on this much would take minutes of the processor, however busy the machine is."""
    text = unit * (200_000 // len(unit))
    started = time.process_time()
    parse(text)
    assert time.process_time() - started < 30
