"""Any bytes come back as they were, or the note is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.errors import InvalidRequest, NotEditable
from zibaldone.ingest.frontmatter import read_frontmatter, split_lines
from zibaldone.vault.edit.address import ExactText, WholeNote
from zibaldone.vault.edit.append import append
from zibaldone.vault.edit.lines import Splice, apply_splices, read_note, splice_lines
from zibaldone.vault.edit.replace import replace_text

BYTES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(st.characters(codec="utf-16-le"), max_size=20).map(lambda text: b"\xff\xfe" + text.encode("utf-16-le")),
    st.text("-\n\r:a \0\ufeff", max_size=30).map(str.encode),
)
LINES = st.lists(st.text("ab\x0b\u2028 ", max_size=3), max_size=6)


@given(BYTES)
def test_reading_loses_nothing(data: bytes) -> None:
    try:
        note = read_note(data)
    except NotEditable:
        return
    assert apply_splices(note, []) == data
    assert "".join(note.text[line.start : line.stop] for line in note.lines) == note.text


@given(st.text("-\n\r:a #", max_size=40))
def test_lines_and_properties_are_where_the_reader_sees_them(text: str) -> None:
    note = read_note(text.encode())
    lines = split_lines(text)
    assert note.contents() == (lines if lines[-1] else lines[:-1])
    assert note.body == read_frontmatter(text).body_line - 1


@given(LINES, LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.data())
def test_lines_are_replaced_and_nothing_else(
    old: list[str], new: list[str], end: str, final: bool, data: st.DataObject
) -> None:
    text = end.join(old) + (end if final and old else "")
    note = read_note(text.encode())
    last = data.draw(st.integers(0, len(note.lines)))
    first = data.draw(st.integers(0, last))
    after = read_note(apply_splices(note, [splice_lines(note, first, last, new)]))
    expected = [*note.contents(0, first), *new, *note.contents(last)]
    assert "\n".join(after.contents()).rstrip("\n") == "\n".join(expected).rstrip("\n")
    if expected and expected[-1] and note.text and last < len(note.lines):
        assert after.text.endswith(end) == note.text.endswith(end)


def test_a_note_in_an_encoding_of_its_own() -> None:
    wide = b"\xff\xfe" + "# Ä\r\nx".encode("utf-16-le")
    assert append(wide, WholeNote(), "日本") == wide + "\r\n\r\n日本".encode("utf-16-le")
    latin = "Grüße\n".encode("latin-1")
    assert append(latin, WholeNote(), "plain") == latin + b"\nplain\n"
    with pytest.raises(NotEditable, match="not UTF-8"):
        append(latin, WholeNote(), "ü")
    damaged = "Größe 日本\n".encode() + b"\xff\n"
    assert append(damaged, WholeNote(), "ü") == damaged + "\nü\n".encode()


@pytest.mark.parametrize(
    "data",
    ["# Note\nwords\n".encode("utf-16-le"), "日本\n語\n".encode("utf-16-be"), b"\xff\xfea", b"\xff\xfe\0\0abc"],
)
def test_what_cannot_be_read_is_refused(data: bytes) -> None:
    with pytest.raises(NotEditable, match=r"UTF-16|UTF-32"):
        append(data, WholeNote(), "x")


def test_new_text_that_no_note_may_hold() -> None:
    for text in ("a\0b", "half \ud83d"):
        with pytest.raises(InvalidRequest):
            append(b"words\n", WholeNote(), text)


def test_splices_may_not_overlap() -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_splices(read_note(b"abc"), [Splice(0, 2, ""), Splice(1, 3, "")])


def test_a_line_break_is_never_cut_in_two() -> None:
    assert replace_text(b"a\r\nb\nc", ExactText("b\nc"), "d\ne") == b"a\r\nd\ne"
    assert replace_text(b"a\r\nb\r\nc", ExactText("a\nb"), "d\ne\nf") == b"d\r\ne\r\nf\r\nc"
