"""`zib ingest`, `sources`, `stale` and `import`: what they ask for, say and exit with."""

from __future__ import annotations

import json
from pathlib import Path

from cli.conftest import Opened, Zib
from support.fakes import example
from zibaldone.schemas.sources import CollectRequest, ImportRequest, IngestRequest


def test_ingest_says_what_became_of_each_file(zib: Zib, opened: Opened, vault: Path) -> None:
    ran = zib("ingest", "a.pdf", "../b.pdf", "/c/d.pdf", "--into", "guidelines")
    assert ran.code == 1  # one of the three failed
    assert opened.calls == [
        (
            "add",
            IngestRequest(paths=[str(vault / "a.pdf"), str(vault / "../b.pdf"), "/c/d.pdf"], into="guidelines"),
        )
    ]
    assert ran.out == (
        "registered: Zibaldone/sources/guidelines/a1b2c3d4e5f6/Leitlinie Müdigkeit.pdf commit 868d022\n"
        "    supersedes Zibaldone/sources/guidelines/0f3a5c7e9b1d/Leitlinie Müdigkeit.pdf\n"
        "registered: Zibaldone/sources/guidelines/5be11c0ffee0/bees.md commit 3c5d0f1\n"
        "compact: Zibaldone/index.md, Zibaldone/pages/bees/varroa.md commit 9f1c2b7; `zib undo 14` takes it back\n"
        "registered already: Zibaldone/sources/guidelines/0f3a5c7e9b1d/Leitlinie Müdigkeit.pdf\n"
        "    an older version of leitlinie-müdigkeit: superseded by "
        "Zibaldone/sources/guidelines/a1b2c3d4e5f6/Leitlinie Müdigkeit.pdf\n"
    )
    assert "No page was written: of documents only Markdown and plain text are read so far.\n" in ran.err
    assert "1 page rests on an older version: `zib stale` names them.\n" in ran.err
    assert "Read up to line 612 of 1340: it is long.\n" in ran.err
    assert "error: There is no file /home/ada/nothing.pdf.\nhint: Check the path.\n" in ran.err


def test_ingest_takes_a_key_and_a_prompt(zib: Zib, opened: Opened, vault: Path) -> None:
    zib("ingest", "~/x.pdf", "--as", "tax", "--prompt", "What changed?")
    [(_, request)] = opened.calls
    assert request == IngestRequest(paths=[str(Path("~/x.pdf").expanduser())], key="tax", prompt="What changed?")
    zib("ingest", "/x.pdf", "--register-only")
    [(_, request)] = opened.calls
    assert request == IngestRequest(paths=["/x.pdf"], register_only=True)


def test_ingest_as_json(zib: Zib) -> None:
    ran = zib("ingest", "a.pdf", "--json")
    assert json.loads(ran.out) == example("IngestReport.mixed")
    assert ran.code == 1


def test_ingest_without_a_file_is_a_usage_error(zib: Zib) -> None:
    assert zib("ingest").code == 2


def test_sources_are_listed(zib: Zib) -> None:
    ran = zib("sources", "list")
    assert ran.code == 0
    assert ran.out == (
        "leitlinie-müdigkeit  2026-03-02  0.5 MB  superseded\n"
        "    Zibaldone/sources/guidelines/0f3a5c7e9b1d/Leitlinie Müdigkeit.pdf\n"
        "leitlinie-müdigkeit  2026-05-11  0.5 MB\n"
        "    Zibaldone/sources/guidelines/a1b2c3d4e5f6/Leitlinie Müdigkeit.pdf\n"
    )
    assert "is not used: it has no `sha256`" in ran.err
    assert json.loads(zib("sources", "list", "--json").out) == example("Sources.two")


def test_gc_removes_nothing_unless_asked(zib: Zib, opened: Opened) -> None:
    ran = zib("sources", "gc")
    assert opened.calls == [("collect", CollectRequest(apply=False))]
    assert ran.out.startswith("would be removed: Zibaldone/sources/")
    assert "--apply" in ran.err
    ran = zib("sources", "gc", "--apply")
    assert opened.calls == [("collect", CollectRequest(apply=True))]
    assert "removed: Zibaldone/sources/guidelines/0f3a5c7e9b1d" in ran.out
    assert "kept: Zibaldone/sources/77aa77aa77aa/fees.csv (named by Zibaldone/pages/fees.md)" in ran.out
    assert "commit d0b747a; `zib undo 12` takes it back" in ran.out
    assert json.loads(zib("sources", "gc", "--json").out) == example("Collected.dry")


def test_stale_exits_with_1_where_a_page_is(zib: Zib) -> None:
    ran = zib("stale")
    assert ran.code == 1
    assert "medicine:fatigue  superseded\n" in ran.out
    assert "bees  changed\n    Bees/Varroa.md\n" in ran.out
    ran = zib("stale", "--json")
    assert ran.code == 1
    assert json.loads(ran.out) == example("StalePages.two")


def test_import_shows_the_plan(zib: Zib, opened: Opened, vault: Path) -> None:
    ran = zib("import", "../Garten", "--into", "Alt/Garten", "--dry-run")
    assert ran.code == 0
    assert opened.calls == [
        ("import_folder", ImportRequest(path=str(vault / "../Garten"), into="Alt/Garten", dry_run=True))
    ]
    assert ran.out == (
        "vault Garten -> Alt/Garten\n"
        "  41 notes, 7 attachments, 2 there already\n"
        "  3 links rewritten in 2 notes\n"
        "  1 in the way:\n"
        "    Alt/Garten/rose.md (twin)\n"
        "  1 left out:\n"
        "    .obsidian/ (hidden)\n"
    )
    assert "warning: Home.md:4 [[Rose]] would lead to Alt/Garten/Rose.md\n" in ran.err
    assert "warning: 2 files ask for notes by folder" in ran.err
    assert "Nothing was written." in ran.err


def test_import_of_a_wiki(zib: Zib, opened: Opened) -> None:
    ran = zib("import", "/w", "--force")
    assert opened.calls == [("import_folder", ImportRequest(path="/w", force=True))]
    assert "outmem wiki wiki-of-ada -> wiki-of-ada\n  1 notes, 12 pages, 30 days of log, 4 sources\n" in ran.out
    assert "imported commit 541493e; `zib undo 13` takes it back\n" in ran.out
    assert json.loads(zib("import", "/w", "--json").out) == example("ImportReport.wiki")
