"""Pages: what is rendered reads back exactly, by our reader and by PyYAML; what a person made of one is still read."""

from __future__ import annotations

import unicodedata
from datetime import datetime

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.errors import InvalidRequest
from zibaldone.ingest.parse import SkipReason
from zibaldone.wiki.page import Page, SetProperty, clean_title, read_page, renamed, render_page, rests_on
from zibaldone.wiki.provenance import Provenance
from zibaldone.wiki.yaml_text import quote

steady = settings(deadline=None, derandomize=True, max_examples=60)

AT = datetime(2026, 3, 2, 10, 30)  # noqa: DTZ001 - the person's local time
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
words = texts.map(str.strip).filter(bool)


def test_a_page_is_a_note_that_a_person_can_read() -> None:
    page = Page(
        title="Penicillin",
        slug="abx:penicillin",
        body="# Penicillin\r\n\r\nAn antibiotic.\n\n",
        aliases=("Benzylpenicillin",),
        tags=("antibiotic",),
        provenance=(Provenance("Bees/Varroa.md"), Provenance("Zibaldone/sources/g.pdf", "0" * 64, page_range="12-14")),
        created=AT,
        updated=AT,
    )
    assert render_page(page).decode() == (
        "---\n"
        "title: Penicillin\n"
        'slug: "abx:penicillin"\n'
        "aliases:\n  - Benzylpenicillin\n"
        "tags:\n  - antibiotic\n"
        "provenance:\n"
        "  - Bees/Varroa.md\n"
        "  - path: Zibaldone/sources/g.pdf\n"
        f'    sha256: "{"0" * 64}"\n'
        '    page_range: "12-14"\n'
        "created: 2026-03-02T10:30:00\n"
        "updated: 2026-03-02T10:30:00\n"
        "---\n\n# Penicillin\n\nAn antibiotic.\n"
    )


@steady
@given(texts)
def test_a_scalar_reads_back_exactly(text: str) -> None:
    assert yaml.safe_load(f"key: {quote(text)}\n") == {"key": text}


@pytest.mark.parametrize("text", ["no", "YES", "null", "~", "12:30", "00123", "1.10", "2026-03-02", "[[Home]]", "a: b"])
def test_words_that_some_reader_takes_for_something_else_are_quoted(text: str) -> None:
    assert quote(text) == f'"{text}"'


@steady
@given(
    words.map(clean_title).filter(bool),
    st.lists(words, max_size=3, unique=True),
    st.lists(words.map(lambda path: path.replace("[", "(")), max_size=3, unique=True),
    words,
)
def test_what_is_rendered_is_read_again(title: str, aliases: list[str], paths: list[str], note: str) -> None:
    sources = tuple(
        Provenance(path, note=note) for path in dict.fromkeys(unicodedata.normalize("NFC", p) for p in paths)
    )
    page = Page(title, "abx:x", "Body.", tuple(aliases), ("t",), sources, AT, AT)
    data = render_page(page)
    assert read_page(data) == page
    assert render_page(page) == data


def test_a_page_that_a_person_changed_is_read_as_far_as_it_goes() -> None:
    data = (
        "\ufeff---\r\nTitle: My page\r\ntags: one\r\nprovenance: '[[Bees/Varroa#July|July]]'\r\n"
        "created: 2026-03-02\r\nupdated: soon\r\nmine: 1\r\n---\r\nText\r\n"
    ).encode()
    page = read_page(data)
    assert isinstance(page, Page)
    assert (page.title, page.slug, page.tags, page.body) == ("My page", "", ("one",), "Text")
    assert page.provenance == (Provenance("Bees/Varroa"),)
    assert (page.created, page.updated) == (AT.replace(hour=0, minute=0), None)


def test_unreadable_properties_leave_the_body() -> None:
    page = read_page(b"---\ntitle: [a\nfoo: }\n---\nBody\n")
    assert isinstance(page, Page)
    assert page.body == "Body"
    assert page.problems
    assert isinstance(read_page(b"\0\0"), SkipReason)


def test_a_page_without_title_or_with_endless_properties_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        render_page(Page(" \n ", "x", ""))
    with pytest.raises(InvalidRequest):
        render_page(Page("x", "x", "", provenance=tuple(Provenance(f"{n}.md", "0" * 64) for n in range(1000))))


def test_new_text_changes_provenance_and_date_only() -> None:
    page = Page("P", "p", "", provenance=(Provenance("a.md", "0" * 64), Provenance("b.pdf", page_range="1")))
    assert rests_on(page, [Provenance("b.pdf", page_range="1")], AT) == (SetProperty("updated", "2026-03-02T10:30:00"),)
    changes = rests_on(page, [Provenance("a.md", "1" * 64), Provenance("b.pdf", page_range="2")], AT)
    assert changes[0] == SetProperty(
        "provenance",
        [
            {"path": "a.md", "sha256": "1" * 64},
            {"path": "b.pdf", "page_range": "1"},
            {"path": "b.pdf", "page_range": "2"},
        ],
    )
    assert isinstance(changes[0], SetProperty)
    assert changes[0].lines[:3] == ("provenance:", "  - path: a.md", f'    sha256: "{"1" * 64}"')


def test_a_renamed_page_keeps_its_old_names_as_aliases() -> None:
    page = Page("Old", "old", "", aliases=("Other",))
    assert renamed(page, "new", "New", AT)[:3] == (
        SetProperty("title", "New"),
        SetProperty("slug", "new"),
        SetProperty("aliases", ["Other", "Old", "old"]),
    )
