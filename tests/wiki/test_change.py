"""What a change of a page writes, and that it leaves the rest alone."""

from __future__ import annotations

from datetime import datetime

import pytest

from zibaldone.errors import InvalidRequest, NotEditable, NotFound, TargetAmbiguous, TargetMissing
from zibaldone.wiki.change import append_to_page, delete_page, extend_page, rename_page, write_page
from zibaldone.wiki.page import Page
from zibaldone.wiki.provenance import Provenance
from zibaldone.wiki.slug import make_slug

AT = datetime(2026, 3, 2, 12, 0)  # noqa: DTZ001 - a page's times have no zone
LATER = datetime(2026, 3, 3, 9, 0)  # noqa: DTZ001
FOLDER = "Zibaldone"
SLUG = make_slug("Tallinn workshop")
PATH = "Zibaldone/pages/tallinn-workshop.md"
INDEX = "Zibaldone/index.md"
OLD = Provenance("Projects/T.md", "a" * 64, lines="13-16")
NEW = Provenance("Projects/K.md", "c" * 64)


def page(body: str = "Paid 2,400 €.") -> Page:
    return Page("Tallinn workshop", SLUG, body, tags=("work",), provenance=(OLD,), created=AT, updated=AT)


def written() -> dict[str, bytes | None]:
    return write_page({INDEX: b"# Mine\n\nMy own words.\n"}.get, SLUG, page(), FOLDER)


def text(files: dict[str, bytes | None], path: str = PATH) -> str:
    data = files[path]
    assert data is not None
    return data.decode()


def test_a_new_page_comes_with_its_line_in_the_index() -> None:
    files = written()
    assert text(files).startswith(
        "---\ntitle: Tallinn workshop\nslug: tallinn-workshop\ntags:\n  - work\nprovenance:\n"
    )
    assert text(files).endswith("---\n\nPaid 2,400 €.\n")
    assert "My own words." in text(files, INDEX)
    assert "[[pages/tallinn-workshop|Tallinn workshop]] (work)" in text(files, INDEX)
    with pytest.raises(InvalidRequest, match="There is a page tallinn-workshop already"):
        write_page(files.get, SLUG, page(), FOLDER)


def test_appending_keeps_the_page_and_says_what_it_rests_on() -> None:
    files = written()
    before = text(files)
    files |= append_to_page(files.get, SLUG, "- It runs with 7.", [NEW], LATER, FOLDER)
    assert "Paid 2,400 €.\n\n- It runs with 7.\n" in text(files)
    assert f"path: Projects/K.md\n    sha256: {'c' * 64}\n" in text(files)
    assert "updated: 2026-03-03T09:00:00" in text(files)
    kept = [line for line in before.splitlines() if line and not line.startswith("updated:")]
    assert [line for line in text(files).splitlines() if line in kept] == kept


def test_of_several_sections_one_is_meant_by_its_number() -> None:
    files = write_page({}.get, SLUG, page("## Tasks\n\n- a\n\n## Tasks\n\n- b\n"), FOLDER)
    with pytest.raises(TargetAmbiguous) as told:
        append_to_page(files.get, SLUG, "- c", [], LATER, FOLDER, section=("Tasks",))
    assert "--number: 1: Tasks" in told.value.hint
    files |= append_to_page(files.get, SLUG, "- c", [], LATER, FOLDER, section=("Tasks",), number=1)
    assert "- a\n- c\n" in text(files)
    with pytest.raises(TargetMissing, match="none is number 3"):
        append_to_page(files.get, SLUG, "- c", [], LATER, FOLDER, section=("Tasks",), number=3)
    with pytest.raises(InvalidRequest, match="which of several"):
        append_to_page(files.get, SLUG, "- c", [], LATER, FOLDER, number=1)


def test_extending_replaces_the_body_alone() -> None:
    files = written()
    files |= extend_page(files.get, SLUG, "Other words\n\n## More\nx\n", [], LATER, FOLDER)
    assert text(files).endswith("---\n\nOther words\n\n## More\nx\n")
    assert "created: 2026-03-02T12:00:00\nupdated: 2026-03-03T09:00:00\n" in text(files)


def test_renaming_moves_the_page_and_keeps_its_names() -> None:
    files = written()
    files |= rename_page(files.get, SLUG, make_slug("Tallinn", "work"), "Tallinn", LATER, FOLDER)
    assert files[PATH] is None
    assert "aliases:\n  - Tallinn workshop\n  - tallinn-workshop\n" in text(files, "Zibaldone/pages/work/tallinn.md")
    assert "[[pages/work/tallinn|Tallinn]] (work)" in text(files, INDEX)
    assert "tallinn-workshop" not in text(files, INDEX)


def test_deleting_takes_it_out_of_the_index() -> None:
    files = written()
    files |= delete_page(files.get, SLUG, FOLDER)
    assert files[PATH] is None
    assert text(files, INDEX) == "# Mine\n\nMy own words.\n"
    with pytest.raises(NotFound, match="no page tallinn-workshop"):
        delete_page({}.get, SLUG, FOLDER)


@pytest.mark.parametrize("body", ["  \n", "One.\n\n[...]\n", "One.\n\n... rest unchanged ...\n"])
def test_a_body_that_was_cut_short_is_refused(body: str) -> None:
    with pytest.raises(InvalidRequest):
        write_page({}.get, SLUG, page(body), FOLDER)
    with pytest.raises(InvalidRequest):
        append_to_page(written().get, SLUG, body, [], LATER, FOLDER)


def test_what_cannot_be_read_of_the_provenance_is_never_lost() -> None:
    files = written()
    files[PATH] = text(files).replace("a" * 64, "abc").encode()
    with pytest.raises(NotEditable, match="cannot be read"):
        append_to_page(files.get, SLUG, "More.", [NEW], LATER, FOLDER)
    files |= append_to_page(files.get, SLUG, "More.", [], LATER, FOLDER)
    assert "sha256: abc" in text(files)
