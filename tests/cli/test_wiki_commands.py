"""What the wiki's commands ask of the engine, and how they tell the answer."""

from __future__ import annotations

import io
import json
import sys

import pytest

from support.fakes import ScriptedEngine, example
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    ExtendPageRequest,
    LintRequest,
    LogRequest,
    RenamePageRequest,
    SimilarRequest,
    WritePageRequest,
)


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def give(text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="latin-1"))

    give("Text with ö.\n")
    return give


WRITES = {
    ("write", "--title", "Ä", "--tag", "a", "--tag", "b", "--provenance", "N.md:1-2", "--allow-elision"): (
        "wiki.write",
        WritePageRequest(
            title="Ä", body="Text with ö.\n", tags=["a", "b"], provenance=["N.md:1-2"], allow_elision=True
        ),
    ),
    ("write", "bees:ä", "--title", "Ä"): (
        "wiki.write",
        WritePageRequest(title="Ä", slug="bees:ä", body="Text with ö.\n"),
    ),
    ("extend", "ä", "--provenance", "N.md"): (
        "wiki.extend",
        ("ä", ExtendPageRequest(body="Text with ö.\n", provenance=["N.md"])),
    ),
    ("append", "ä", "--section", "A", "--section", "B"): (
        "wiki.append",
        ("ä", AppendPageRequest(text="Text with ö.\n", section=["A", "B"])),
    ),
    ("append", "ä", "--section", "2", "--number", "3"): (
        "wiki.append",
        ("ä", AppendPageRequest(text="Text with ö.\n", section=["2"], number=3)),
    ),
    ("rename", "ä", "ö", "--title", "Ö"): ("wiki.rename", ("ä", RenamePageRequest(slug="ö", title="Ö"))),
    ("delete", "ä"): ("wiki.delete", "ä"),
}


@pytest.mark.parametrize(("arguments", "call"), WRITES.items(), ids=lambda it: it[0])
def test_a_change_is_asked_for_with_its_flags(zib, opened, stdin, arguments, call) -> None:
    ran = zib("page", *arguments)
    assert ran.code == 0, ran.err
    assert opened.calls == [call]


def test_a_change_tells_what_it_wrote_and_how_to_take_it_back(zib, stdin) -> None:
    ran = zib("page", "write", "--title", "Varroa")
    assert ran.out == (
        "compact: Zibaldone/index.md, Zibaldone/pages/bees/varroa.md commit 9f1c2b7; `zib undo 12` takes it back\n"
    )
    ran = zib("page", "rename", "a", "b")
    assert "links in your own notes wait as proposal 4" in ran.out
    assert "a merge is going on" in ran.err
    assert "stay as they are" in ran.err
    assert json.loads(zib("page", "rename", "a", "b", "--json").out) == example("WikiChange.rename")


def test_what_waits_or_changes_nothing_is_told(zib, opened, stdin) -> None:
    engine = ScriptedEngine()
    done = example("WikiChange.compact") | {"change": None, "commit": None, "proposal": 7, "reason": "held"}
    engine.wiki.change = done
    opened.make = lambda: engine
    assert "waits as proposal 7" in zib("page", "write", "--title", "x").out
    engine.wiki.change = done | {"proposal": None}
    assert zib("page", "write", "--title", "x").out == "compact: unchanged\n"


def test_stdin_has_to_be_utf8(zib, stdin) -> None:
    stdin(b"\xff\xfe")
    ran = zib("page", "write", "--title", "x")
    assert (ran.code, "not UTF-8" in ran.err) == (1, True)


def test_pages_are_listed_and_shown(zib, opened) -> None:
    ran = zib("page", "list", "bees")
    assert opened.calls == [("wiki.pages", "bees")]
    assert ran.out == "bees:varroa  Varroa  (bees)\nüberblick  Überblick\n"
    ran = zib("page", "show", "bees:varroa")
    assert ran.out.splitlines()[:4] == [
        "Varroa",
        "bees:varroa  Zibaldone/pages/bees/varroa.md",
        "also mites",
        "#bees",
    ]
    assert "rests on Bees/Varroa.md lines 12-18" in ran.out
    assert zib("page", "show", "x", "--body-only").out == "Treat in December.\n\n## Open\n\n- When?\n"
    assert json.loads(zib("page", "show", "x", "--json").out) == example("PageContent.typical")
    assert json.loads(zib("page", "list", "--json").out) == example("Pages.two")


def test_history_and_blame_say_who(zib, opened) -> None:
    ran = zib("page", "history", "bees:varroa", "-n", "3")
    assert opened.calls == [("wiki.history", ("bees:varroa", 3))]
    assert "1111111  2026-03-04 09:30  person  Ada\n    Correct the month\n" in ran.out
    ran = zib("page", "blame", "bees:varroa")
    assert "2222222 2026-03-02 agent     1 Treat in December." in ran.out
    assert "------- " in ran.out
    for command, name in (("history", "PageHistory.two"), ("blame", "PageBlame.typical")):
        assert json.loads(zib("page", command, "x", "--json").out) == example(name)


def test_log_backlinks_and_similar(zib, opened, stdin) -> None:
    zib("log", "Varroa")
    assert opened.calls == [("wiki.log", LogRequest(topic="Varroa", text="Text with ö.\n"))]
    ran = zib("backlinks", "Bees/Varroa.md")
    assert (opened.calls, ran.out) == ([("wiki.backlinks", "Bees/Varroa.md")], "Home.md:7  #Open\n")
    ran = zib("similar", "mites", "-k", "3")
    assert opened.calls == [("wiki.similar", SimilarRequest(text="mites", k=3))]
    assert ran.out.startswith("0.87  bees:varroa  Varroa\n")
    assert "not embedded yet" in ran.err
    zib("similar", "--slug", "ä")
    assert opened.calls == [("wiki.similar", SimilarRequest(slug="ä"))]
    assert zib("similar").code == 2
    assert zib("similar", "x", "--slug", "y").code == 2
    assert json.loads(zib("backlinks", "x", "--json").out) == example("Backlinks.one")
    assert json.loads(zib("similar", "x", "--json").out) == example("SimilarPages.one")


def test_lint_ends_with_one_where_there_is_an_error(zib, opened) -> None:
    ran = zib("lint", "--all", "--fix")
    assert opened.calls == [("wiki.lint", LintRequest(fix=True, scope="all"))]
    assert ran.code == 1
    assert ran.out.startswith("Zibaldone/pages/bees/varroa.md:9  error broken-link\n    The link to `Mites`")
    assert ran.out.endswith("1 error, 1 warning; `zib lint --fix` mends 1\n")
    ran = zib("lint", "--json")
    assert (ran.code, json.loads(ran.out)) == (1, example("LintReport.typical"))


def test_a_fix_is_told_and_the_index_is_rebuilt(zib, opened) -> None:
    engine = ScriptedEngine()
    engine.wiki.report = "LintReport.fixed"
    opened.make = lambda: engine
    ran = zib("lint", "--fix")
    assert ran.code == 0
    assert ran.out == "lint: Zibaldone/index.md commit 3333333; `zib undo 14` takes it back\n0 errors, 0 warnings\n"
    ran = zib("index", "rebuild")
    assert engine.calls[-1] == ("wiki.lint", LintRequest(fix=True, scope="index"))
    assert ran.out.startswith("lint: Zibaldone/index.md")
    assert json.loads(zib("index", "rebuild", "--json").out) == example("LintReport.fixed")
