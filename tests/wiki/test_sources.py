"""Records of documents: written once, read whatever became of them, and what replaced what."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.errors import InvalidRequest
from zibaldone.wiki.links import LinkStyle, link_to
from zibaldone.wiki.provenance import Provenance, Registered, Superseded, check_entry
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.sources import (
    Known,
    NewSource,
    Register,
    SourceRecord,
    build_registry,
    clean_folder,
    copy_path,
    document_key,
    given_key,
    newest,
    read_record,
    record_path,
    register,
    render_record,
    safe_name,
    spread_times,
    superseded,
)

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def new(text: str, name: str = "report.pdf", mark: str = "here", **rest: str) -> NewSource:
    return NewSource(name=name, sha256=sha256(text.encode()).hexdigest(), size=len(text), origin_mark=mark, **rest)


def added(records: list[SourceRecord], source: NewSource, at: datetime = NOW) -> SourceRecord:
    decision = register(records, source, at)
    assert isinstance(decision, Register)
    records.append(decision.record)
    return decision.record


def test_a_record_is_a_readable_note_and_reads_back() -> None:
    record = added([], new("x", "Leitlinie 2024 (neu).pdf", into="medicine"))
    assert record.path == f"Zibaldone/sources/medicine/{record.sha256[:12]}/Leitlinie 2024 (neu).pdf"
    text = render_record(record).decode()
    assert f"[[{record.path}|Leitlinie 2024 (neu).pdf]]" in text
    assert "zib ingest FILE --as leitlinie-2024-neu" in text
    assert "/home" not in text
    assert read_record(record_path(record.path), text.encode()) == record


@given(st.text(min_size=1, max_size=60), st.text(max_size=20), st.integers(0, 4_000_000_000))
def test_any_name_and_key_survive(name: str, key: str, at: int) -> None:
    source = new("x", name, key=key) if key.strip() else new("x", name)
    decision = register([], source, datetime.fromtimestamp(at, UTC))
    record = replace(decision.record, origin=" ".join("".join(c for c in name if c.isprintable()).split()))
    read = read_record(record_path(record.path), render_record(record))
    assert isinstance(read, SourceRecord)
    assert (read.path, read.key, read.sha256, read.registered) == (
        record.path, record.key, record.sha256, record.registered,
    )  # fmt: skip


@given(st.text(max_size=300))
def test_a_safe_name_can_be_linked_everywhere(name: str) -> None:
    safe = safe_name(name)
    assert safe_name(safe) == safe
    assert len(safe.encode()) <= 180
    assert not set(safe) & set('#^[]|\\/:*?"<>\n')
    path = f"Zibaldone/sources/0f3a5c7e9b1d/{safe}"
    if "%%" not in safe:
        assert link_to(path, "Home.md", LinkResolver([path]), LinkStyle("absolute")) is not None


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Report.PDF", "report"),
        ("Report (final) v1.2.pdf", "report-final-v1-2"),
        ("v1.2", "v1-2"),
        ("衛生.txt", "衛生"),
        ("Müdigkeit.md", "müdigkeit"),
        ("archive.tar.gz", "archive-tar"),
        ("README", "readme"),
    ],
)
def test_the_key_is_the_name_without_its_extension(name: str, key: str) -> None:
    assert document_key(name) == key
    assert given_key(key) == key
    with pytest.raises(InvalidRequest):
        given_key("  ")


@pytest.mark.parametrize("into", ["../x", "a/../b", ".hidden", "a//b", "C:/x", "a|b", "a\0b", "[a]", "a/#b"])
def test_a_folder_that_cannot_be_one(into: str) -> None:
    with pytest.raises(InvalidRequest, match="cannot be a folder"):
        clean_folder(into)


def test_a_plain_folder() -> None:
    assert [clean_folder(into) for into in ("", ".", "a/b/", "指南")] == ["", "", "a/b", "指南"]


def test_versions_follow_each_other_and_the_same_bytes_change_nothing() -> None:
    records: list[SourceRecord] = []
    first = added(records, new("1"))
    second = added(records, new("2"), NOW - timedelta(days=3))  # a clock that was set back
    third = added(records, new("3"))
    assert [record.supersedes for record in records] == ["", first.path, second.path]
    assert first.registered < second.registered < third.registered
    for order in itertools.permutations(records):
        assert superseded(order) == {first.path: second.path, second.path: third.path}
    assert newest(first, records) == third
    assert register(records, new("3"), NOW) == Known(third)
    assert register(records, new("1"), NOW) == Known(first, third.path)
    registry = build_registry(records)
    assert check_entry(Provenance(first.path), registry) == Superseded(first.path, third.path)
    assert check_entry(Provenance(third.path, third.sha256), registry) == Registered(third.path)


@pytest.mark.parametrize(
    ("typed", "key"),
    [("oxalic.md", "oxalic"), ("Oxalic.PDF", "oxalic"), ("formic.md", "formic-md"), ("tax.md", "tax-md")],
)
def test_a_file_name_given_as_a_key_means_the_document_of_that_name(typed: str, key: str) -> None:
    records: list[SourceRecord] = []
    for known in ("oxalic", "tax", "tax-md"):
        added(records, new(known, "a.md", key=known))
    assert added(records, new("newer", "download.md", key=typed)).key == key


def test_a_version_in_the_middle_can_be_taken_away() -> None:
    records: list[SourceRecord] = []
    first, _, third = (added(records, new(text)) for text in "123")
    assert superseded([first, third]) == {first.path: third.path}


def test_another_document_of_the_same_name_is_refused_and_told_how() -> None:
    records: list[SourceRecord] = []
    first = added(records, new("1"))
    for other in (new("2", mark="elsewhere"), new("2", name="report.docx")):
        with pytest.raises(InvalidRequest, match="would be a version of `report`") as caught:
            register(records, other, NOW)
        assert "--as report" in caught.value.hint
    as_version = register(records, new("2", mark="elsewhere", key="Report"), NOW)
    assert isinstance(as_version, Register)
    assert (as_version.record.key, as_version.record.supersedes) == ("report", first.path)
    apart = register(records, new("2", mark="elsewhere", key="tax-report"), NOW)
    assert isinstance(apart, Register)
    assert apart.record.supersedes == ""


def test_two_machines_that_add_versions_merge_to_one_order() -> None:
    shared: list[SourceRecord] = []
    first = added(shared, new("1"))
    here, there = list(shared), list(shared)
    one, two = added(here, new("2")), added(there, new("3"))
    merged = {record.path: record for record in [*here, *there]}.values()
    assert {record_path(record.path) for record in merged} == {record_path(r.path) for r in (first, one, two)}
    assert superseded(merged) == superseded(reversed(list(merged)))
    assert len(superseded(merged)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no properties",
        "---\nsha256: abc\n---\n",
        "---\nsha256: " + "1" * 64 + "\nregistered: 2026-03-02T12:00:00Z\n---\n",
        "---\nsha256: " + "0" * 64 + "\nregistered: soon\n---\n",
        "---\nsha256: [" + "0" * 64 + "\n---\n",
        "---\n" + "x: y\n" * 20_000 + "---\n",
    ],
)
def test_what_is_no_record_is_said_in_words(text: str) -> None:
    path = "Zibaldone/sources/000000000000/a.pdf.source.md"
    assert isinstance(read_record(path, text.encode()), str)


def test_a_record_that_a_person_shortened_still_counts() -> None:
    digest = "0" * 64
    path = f"{copy_path(digest, 'Plan B.pdf')}.source.md"
    read = read_record(path, f"---\nsha256: '{digest}'\nregistered: 2026-03-02\nsize: many\n---\nmy words\n".encode())
    assert isinstance(read, SourceRecord)
    assert (read.key, read.size, read.path) == ("plan-b", 0, path.removesuffix(".source.md"))


def test_versions_of_another_system_get_one_key_and_an_order() -> None:
    base = SourceRecord("a/1", "x-2024", "1", 1, NOW, "x")
    records = [base, replace(base, path="a/2", key="x-2026"), replace(base, path="a/3", key="other")]
    spread = spread_times(records, {"a/1": "a/2", "a/2": "gone", "a/3": "a/3"})
    assert superseded(spread) == {"a/1": "a/2"}
    assert [record.key for record in spread] == ["x-2026", "x-2026", "other"]
    circle = spread_times(records, {"a/1": "a/2", "a/2": "a/1"})
    assert len({record.key for record in circle}) <= 2
