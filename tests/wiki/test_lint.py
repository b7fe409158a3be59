"""Lint: every kind of finding once, with its line and what can be done; and what must not be one."""

from __future__ import annotations

from datetime import date

import pytest

from zibaldone.ingest.parse import SkipReason
from zibaldone.wiki.index_page import IndexEntry
from zibaldone.wiki.lint import Scope, lint, note_hashes
from zibaldone.wiki.lint_kinds import RULES, AddIndexEntry, Finding, Kind, RemoveIndexEntry, Severity
from zibaldone.wiki.lint_note import LintNote, read_lint_note
from zibaldone.wiki.page import SetProperty
from zibaldone.wiki.places import Heading, find_heading, nearest_heading
from zibaldone.wiki.provenance import RegisteredSource, Registry
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.slug import Slug

PAGE = "---\ntitle: Penicillin\nslug: abx:penicillin\n---\n\nText about it.\n"
INDEX = "# Index\n\n- [[pages/abx/penicillin|Penicillin]]\n"
NOTES = {
    "Zibaldone/index.md": INDEX,
    "Zibaldone/pages/abx/penicillin.md": PAGE,
    "Home.md": "[[penicillin]]\n",
    "img/hive.png": "",
}


def found_in(
    files: dict[str, str], scope: Scope = Scope.ALL, sources: dict[str, RegisteredSource] | None = None
) -> list[Finding]:
    """Lint a vault of these files over `NOTES`; an empty text takes one of those away."""
    vault = {**NOTES, **files}
    notes: list[LintNote] = []
    for path, text in vault.items():
        if path.endswith(".md") and text:
            note = read_lint_note(path, text.encode())
            assert not isinstance(note, SkipReason)
            notes.append(note)
    there = [path for path, text in vault.items() if text or not path.endswith(".md")]
    return lint(notes, LinkResolver(there), Registry(sources or {}, note_hashes(notes)), scope=scope)


def test_a_vault_in_order_has_no_finding() -> None:
    assert found_in({}) == []
    assert found_in({"Zibaldone/index.md": "", "Zibaldone/pages/abx/penicillin.md": "", "Home.md": "x"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "[[Target]] [[target.md]] [[sub/Target]] [[/sub/Target]] [x](Target.md) [x](sub/Target.md) [x](<Target.md>)",
        "[[Target#Heading]] [[Target#heading]] [[Target#Heading#Deeper: one]] [[Target#Deeper one]]",
        "[[Target#With [link](x.md)]] [[Target#With link other]] [[Target#Underlined]]",
        "[[Target#^block-1]] [[Target#^BLOCK-1]] [[Target#^cjk]] ![[Target#^block-1]]",
        "[[#Here]]\n\n# Here\n",
        "![[hive.png]] ![[img/hive.png|200]] ![](img/hive.png) [x](img/hive.png)",
        "[x](https://example.com/a.md) [x](mailto:a@b.c) <https://x.y>",
        "`[[Gone]]`\n\n```\n[[Gone]]\n```\n\n%%[[Gone]]%%\n",
        "[[{{title}}]] [[<% tp.file.title %>]]",
        "[[doc.pdf#page=3]] [[Board.canvas#any]]",
        "| a |\n|---|\n| [[Target\\|shown]] |",
    ],
)
def test_what_obsidian_resolves_is_no_finding(text: str) -> None:
    target = "# Heading\n\n## Deeper: one\n\nText ^block-1\n\n蜂群。^cjk\n\n"
    target += "## With [[Other|link other]]\n\nUnderlined\n---\n\n## With [link](x.md)\n"
    files = {"sub/Target.md": target, "Other.md": "x", "x.md": "x", "doc.pdf": "", "Board.canvas": "", "N.md": text}
    assert [finding for finding in found_in(files) if finding.path == "N.md"] == []


@pytest.mark.parametrize(
    ("text", "kind", "line", "says"),
    [
        ("x\n[[Gone]]", Kind.BROKEN_LINK, 2, "`Gone`"),
        ("[x](Gone.md)", Kind.BROKEN_LINK, 1, "`Gone.md`"),
        ("![[gone.png]]", Kind.BROKEN_EMBED, 1, "`gone.png`"),
        ("[[Home#Nowhere]]", Kind.BROKEN_HEADING, 1, "`Nowhere` in `Home.md`"),
        ("# Two words\n[x](#two-words)", Kind.BROKEN_HEADING, 2, "Obsidian finds this one as `#Two words`"),
        ("[[#Nowhere]]", Kind.BROKEN_HEADING, 1, "in this note"),
        ("[[Home#^gone]]", Kind.BROKEN_BLOCK, 1, "`^gone` in `Home.md`"),
        ("---\na: [b\nc: }\n---\n", Kind.INVALID_FRONTMATTER, 1, "could not be read"),
    ],
)
def test_findings_in_any_note(text: str, kind: Kind, line: int, says: str) -> None:
    [finding] = found_in({"N.md": text})
    assert (finding.kind, finding.path, finding.line, finding.severity) == (kind, "N.md", line, Severity.WARNING)
    assert says in finding.message
    assert finding.remedy == RULES[kind].remedy
    assert found_in({"N.md": text}, Scope.PAGES) == []


def test_a_broken_link_of_a_page_is_an_error() -> None:
    [finding] = found_in({"Zibaldone/pages/abx/penicillin.md": PAGE + "[[Gone]]\n"}, Scope.PAGES)
    assert (finding.kind, finding.severity, finding.line) == (Kind.BROKEN_LINK, Severity.ERROR, 7)


@pytest.mark.parametrize(
    ("properties", "kind", "says"),
    [
        ("provenance: [Gone.md]", Kind.UNREGISTERED_PROVENANCE, "`Gone.md` is neither"),
        ("provenance: [{path: Home.md, sha256: " + "0" * 64 + "}]", Kind.STALE_PROVENANCE, "`Home.md`"),
        ("provenance: [s/v1.pdf]", Kind.SUPERSEDED_PROVENANCE, "by `s/v2.pdf`"),
        ("provenance: [{sha256: x}]", Kind.INVALID_PROVENANCE, "has no `path`"),
        ("provenance: ['[[Home]]', Home, s/v2.pdf, {path: s/v1.pdf, superseded_ok: history}]", None, ""),
    ],
)
def test_provenance(properties: str, kind: Kind | None, says: str) -> None:
    sources = {
        "s/v1.pdf": RegisteredSource("0" * 64, "s/v2.pdf", date(2026, 1, 1)),
        "s/v2.pdf": RegisteredSource("1" * 64),
    }
    page = PAGE.replace("slug:", f"{properties}\nslug:")
    found = found_in({"Zibaldone/pages/abx/penicillin.md": page}, sources=sources)
    assert [finding.kind for finding in found] == ([kind] if kind else [])
    assert all(says in finding.message for finding in found)


def test_a_page_whose_properties_name_it_otherwise() -> None:
    path = "Zibaldone/pages/abx/penicillin.md"
    [finding] = found_in({path: PAGE.replace("abx:penicillin", "other")})
    assert (finding.kind, finding.fix) == (Kind.SLUG_MISMATCH, SetProperty("slug", "abx:penicillin"))
    missing_title = found_in({path: "---\nslug: abx:penicillin\n---\n\n# The penicillins\n\nText.\n"})
    assert [(one.kind, one.fix) for one in missing_title] == [
        (Kind.MISSING_TITLE, SetProperty("title", "The penicillins"))
    ]


def test_a_page_that_was_copied_or_has_a_name_of_no_slug() -> None:
    copy = "Zibaldone/pages/abx/copy.md"
    found = found_in({copy: PAGE, "Home.md": "[[penicillin]] [[copy]] [[Foo Bar]]", "Zibaldone/pages/Foo Bar.md": PAGE})
    kinds = {(one.path, one.kind) for one in found}
    assert (copy, Kind.SLUG_MISMATCH) in kinds
    assert ("Zibaldone/pages/Foo Bar.md", Kind.UNUSABLE_NAME) in kinds
    assert sum(one.kind is Kind.DUPLICATE_SLUG for one in found) == 2


def test_the_index_names_every_page_and_no_other() -> None:
    found = found_in({"Zibaldone/index.md": "# Index\n\n- [[pages/abx/gone|Gone]]\n- [[Nowhere]]\n"})
    fixes = {one.kind: one.fix for one in found}
    assert fixes == {
        Kind.DEAD_INDEX_ENTRY: RemoveIndexEntry(Slug("abx:gone")),
        Kind.BROKEN_LINK: None,
        Kind.MISSING_INDEX_ENTRY: AddIndexEntry(IndexEntry(Slug("abx:penicillin"), "Penicillin")),
    }
    assert found_in({"Zibaldone/index.md": "See [[penicillin]], my favourite.\n"}) == []  # as the person likes it


def test_orphans_aliases_and_truncated_pages() -> None:
    other = "---\ntitle: Other\nslug: other\naliases: [penicillin, Twice, Benzyl]\n---\n\nText.\n\n(rest unchanged)\n"
    third = "---\ntitle: Third\nslug: third\naliases: twice\n---\n\n[[other]] [[third]]\n"
    index = INDEX + "- [[pages/other|O]]\n- [[pages/third|T]]\n"
    page = PAGE.replace("title: Penicillin", "title: Benzyl")
    found = found_in(
        {
            "Zibaldone/pages/other.md": other,
            "Zibaldone/pages/third.md": third,
            "Zibaldone/index.md": index,
            "Zibaldone/pages/abx/penicillin.md": page,
        }
    )
    assert [(one.path.rpartition("/")[2], one.kind, one.line) for one in found] == [
        ("other.md", Kind.ALIAS_CONFLICT, 1),
        ("other.md", Kind.TRUNCATED_PAGE, 9),
        ("third.md", Kind.ORPHAN_PAGE, 0),
        ("third.md", Kind.ALIAS_CONFLICT, 1),
    ]


def test_every_kind_has_a_rule_and_a_remedy() -> None:
    assert RULES.keys() == set(Kind)
    assert all(rule.remedy.endswith((".", "`.")) for rule in RULES.values())


def test_headings_follow_each_other_and_go_deeper() -> None:
    headings = [Heading(1, "A", "A", 1), Heading(2, "B", "B", 2), Heading(1, "C", "C", 3), Heading(2, "B", "B", 4)]
    assert find_heading("A#B", headings) is headings[1]
    assert find_heading("C#B", headings) is headings[3]
    assert find_heading("B#A", headings) is None
    assert find_heading("A#C", headings) is None
    assert find_heading("", headings) is None
    assert nearest_heading("b", headings) is headings[1]
