"""Where an edit of a section or a text lands, and what is said when it cannot."""

from __future__ import annotations

import pytest

from zibaldone.errors import InvalidRequest, NotEditable, TargetAmbiguous, TargetMissing, ZibaldoneError
from zibaldone.vault.edit.address import ExactText, Property, Section, WholeNote, locate
from zibaldone.vault.edit.append import append
from zibaldone.vault.edit.replace import replace_section, replace_text

TWO = b"# A\n## Tasks\n- one\n# B\n## Tasks\n- two\n### Sub\nx\n"


def hint_of(error: type[ZibaldoneError], data: bytes, address: Section | ExactText | Property) -> str:
    with pytest.raises(error) as caught:
        locate(data, address)
    return f"{caught.value.message}: {caught.value.hint}"


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("## Tasks", ["Tasks"]),
        ("##   Tasks  ##  ", ["Tasks"]),
        ("## C#", ["C#"]),
        ("## A **bold** `code` ==mark==", ["A bold code mark", "A **bold** `code` ==mark=="]),
        ("## [[Note#h|shown]] and [t](u.md)", ["shown and t", "[[Note#h|shown]] and [t](u.md)"]),
        ("## Tasks ^id-1", ["Tasks", "Tasks ^id-1"]),
        ("## Tasks %%hidden%%", ["Tasks", "Tasks %%hidden%%"]),
        ("## 🧑‍💻 ✅", ["🧑‍💻 ✅"]),
        ("## Cafe\u0301", ["Café"]),
        ("## a\u00a0 b", ["a b"]),
        ("Tasks\n---", ["Tasks"]),
        ("*Tasks* ^x\n===", ["Tasks", "*Tasks* ^x"]),
    ],
)
def test_names_of_a_heading(heading: str, names: list[str]) -> None:
    data = f"{heading}\nwords\n".encode()
    for name in names:
        assert replace_section(data, Section((name,)), "new") == f"{heading}\nnew\n".encode()


def test_two_of_a_name() -> None:
    assert "1: A > Tasks (line 2), 2: B > Tasks (line 5)" in hint_of(TargetAmbiguous, TWO, Section(("Tasks",)))
    assert replace_section(TWO, Section(("A", "Tasks")), "x") == TWO.replace(b"- one", b"x")
    assert replace_section(TWO, Section(("Tasks",), 2), "x") == TWO[: TWO.index(b"- two")] + b"x\n"
    assert "none is number 3" in hint_of(TargetMissing, TWO, Section(("Tasks",), 3))
    assert "none is number 0" in hint_of(TargetMissing, TWO, Section(("Tasks",), 0))


def test_a_whole_path_wins_over_the_end_of_one() -> None:
    data = b"# P\n## Tasks\na\n# Tasks\nb\n"
    assert replace_section(data, Section(("Tasks",)), "x") == data.replace(b"b\n", b"x\n")
    assert replace_section(data, Section(("P", "Tasks")), "x") == data.replace(b"a\n", b"x\n")


def test_a_missing_section_is_never_the_nearest_one() -> None:
    for name in ("tasks", "Task", "Tasks!", "## Tasks"):
        assert "A > Tasks (line 2)" in hint_of(TargetMissing, TWO, Section((name,)))
    assert "no headings" in hint_of(TargetMissing, b"words", Section(("A",)))
    many = b"".join(b"# H%d\n" % number for number in range(100))
    assert "and 80 more" in hint_of(TargetMissing, many, Section(("A",)))


def test_the_lines_of_an_address() -> None:
    data = "\ufeff---\r\nzip: 1\r\ntags:\r\n- a\r\n- b\r\n---\r\né\r\n# A\r\nx\r\n".encode()
    assert [locate(data, address)[2:] for address in (WholeNote(), Section(()), Section(("A",)))] == [
        (7, 9),
        (7, 7),
        (8, 9),
    ]
    span = locate(data, Property("tags"))
    assert (data[span.start : span.end], span.line_start, span.line_end) == (b"tags:\r\n- a\r\n- b\r\n", 3, 5)
    span = locate(data, ExactText("# A\nx"))
    assert (data[span.start : span.end], span.line_start, span.line_end) == (b"# A\r\nx", 8, 9)
    assert locate(b"# A\n", Section(())) == (0, 0, 1, 0)
    assert "zip (line 2), tags (line 3)" in hint_of(TargetMissing, data, Property("nope"))
    assert "'Zip'" in hint_of(TargetMissing, data.replace(b"zip", b"Zip"), Property("zip"))


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("# A\n- x\n\n# B\n", "- y", "# A\n- x\n- y\n\n# B\n"),
        ("# A\n- x\n# B\n", "- y", "# A\n- x\n- y\n# B\n"),
        ("# A\n\n- x\n\n- y\n\n# B\n", "- z", "# A\n\n- x\n\n- y\n\n- z\n\n# B\n"),
        ("# A\n1. x\n   more\n\n# B\n", "2. y", "# A\n1. x\n   more\n2. y\n\n# B\n"),
        ("# A\n- x\n\n# B\n", "1. y", "# A\n- x\n\n1. y\n\n# B\n"),
        ("# A\n- x\n\n# B\n", "words", "# A\n- x\n\nwords\n\n# B\n"),
        ("# A\nwords\n\n\n# B\n", "more\n", "# A\nwords\n\nmore\n\n\n# B\n"),
        ("# A\n| a |\n|---|\n| 1 |\n\n# B\n", "| 2 |", "# A\n| a |\n|---|\n| 1 |\n| 2 |\n\n# B\n"),
        ("# A\n| 1 |\n\n# B\n", "| a |\n|---|", "# A\n| 1 |\n\n| a |\n|---|\n\n# B\n"),
        ("# A\n# B\ntight\n# C\n", "words", "# A\nwords\n# B\ntight\n# C\n"),
        ("# A\n\n# B\n\nloose\n\n# C\n\nx\n", "words", "# A\n\nwords\n\n# B\n\nloose\n\n# C\n\nx\n"),
        ("# A\nx\nB\n===\ny\n", "words", "# A\nx\nB\n===\ny\n\nwords\n"),
        ("# A\nx\n## Sub\ny\n# B\n", "words", "# A\nx\n## Sub\ny\n\nwords\n# B\n"),
        ("# A\n", "words", "# A\n\nwords\n"),
        ("# A", "words", "# A\n\nwords"),
        ("# A\nx   ", "words", "# A\nx   \n\nwords"),
    ],
)
def test_appending_to_a_section_as_the_neighbourhood_is(before: str, text: str, after: str) -> None:
    assert append(before.encode(), Section(("A",)), text).decode() == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "new\n"),
        ("\n\n", "new\n\n\n"),
        ("a", "a\n\nnew"),
        ("a\n", "a\n\nnew\n"),
        ("---\na: 1\n---\n", "---\na: 1\n---\nnew\n"),
        ("---\na: 1\n---", "---\na: 1\n---\nnew"),
        ("---\na: 1\n---\n\n", "---\na: 1\n---\n\nnew\n\n"),
    ],
)
def test_appending_to_a_note(before: str, after: str) -> None:
    assert append(before.encode(), WholeNote(), "new").decode() == after


def test_text_before_the_first_heading() -> None:
    assert append(b"---\na: 1\n---\n\n# A\n", Section(()), "x") == b"---\na: 1\n---\n\nx\n\n# A\n"
    assert append(b"# A\n", Section(()), "x") == b"x\n\n# A\n"
    assert replace_section(b"intro\n\n# A\n", Section(()), "x") == b"x\n\n# A\n"


def test_replacing_with_and_without_the_heading() -> None:
    data = b"# A\n\nold\n\n## Sub\n\ny\n\n# B\n"
    assert replace_section(data, Section(("A",)), "new") == b"# A\n\nnew\n\n# B\n"
    assert replace_section(data, Section(("A",)), "# C\nnew", with_heading=True) == b"# C\nnew\n\n# B\n"
    assert replace_section(data, Section(("A",)), "") == b"# A\n\n# B\n"
    assert replace_section(data, Section(("A",)), "", with_heading=True) == b"# B\n"
    assert replace_section(b"# A\n\n# B\n", Section(("A",)), "") == b"# A\n\n# B\n"
    assert replace_section(b"# A\nx\r\ny\nz\r\n", Section(("A",)), "x\ny!\nz") == b"# A\nx\r\ny!\r\nz\r\n"


@pytest.mark.parametrize("text", ["```\nnever closed", "%%\nopen", "<!-- open", "$$\nx", "~~~", "<pre>"])
def test_text_that_would_swallow_the_rest(text: str) -> None:
    data = b"# A\nx\n# B\n```\ncode\n```\n%%c%% <!-- c --> $$\nm\n$$\n</pre>\n"
    for edit in (append, replace_section):
        with pytest.raises(NotEditable, match="other parts of the note"):
            edit(data, Section(("A",)), text)


def test_text_behind_a_fence_that_nothing_closes() -> None:
    with pytest.raises(NotEditable, match="line 2"):
        append(b"# A\n```\ncode\n", WholeNote(), "words")


def test_an_exact_text() -> None:
    data = b"one two\r\nthree two\r\n"
    assert replace_text(data, ExactText("three"), "3\n4") == b"one two\r\n3\r\n4 two\r\n"
    assert replace_text(data, ExactText("two\nthree"), "x") == b"one x two\r\n"
    assert replace_text(data, ExactText("two\r\nthree"), "two\nthree") == data
    assert "2 times" in (hint := hint_of(TargetAmbiguous, data, ExactText("two")))
    assert "line 1, line 2" in hint
    assert "'Two'" in hint_of(TargetMissing, data, ExactText("Two"))
    assert "3 times" in hint_of(TargetAmbiguous, b"aaaa", ExactText("aa"))
    with pytest.raises(InvalidRequest):
        locate(data, ExactText(""))
