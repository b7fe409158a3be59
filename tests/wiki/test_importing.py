"""Planning an import: where files go, what is in their way, and which links have to change."""

from __future__ import annotations

import json

import pytest

from zibaldone.errors import InvalidRequest
from zibaldone.wiki.importing.links import Relinker, names_folders
from zibaldone.wiki.importing.outmem import is_outmem, join_logs, move_provenance, slug_paths, sort_wiki
from zibaldone.wiki.importing.place import Clash, choose_folder, place_files
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.resolve import LinkResolver


def place(wanted: list[str], existing: list[str], *, force: bool = False) -> tuple[dict[str, str], list[Clash]]:
    placed = place_files({path: f"In/{path}" for path in wanted}, existing, force=force)
    return placed.moves, placed.clashes


def test_files_keep_their_folders_and_names() -> None:
    names = ["Ä/日本.md", "a/b c.png", "x.canvas"]
    assert place(names, ["other.md"]) == ({name: f"In/{name}" for name in names}, [])


def test_a_folder_that_is_there_keeps_its_spelling() -> None:
    assert place(["Note.md"], ["in/other.md"])[0] == {"Note.md": "in/Note.md"}


def test_what_is_in_the_way_is_found_whatever_its_case_and_form() -> None:
    nfd = "Cafe\u0301.md"
    moves, clashes = place(["Note.md", "Caf\u00e9.md", "ok.md"], ["In/NOTE.md", f"In/{nfd}", "In/ok.md"])
    assert clashes == [
        Clash("In/Caf\u00e9.md", f"In/{nfd}", "same"),
        Clash("In/Note.md", "In/NOTE.md", "twin"),
        Clash("In/ok.md", "In/ok.md", "same"),
    ]
    forced, _ = place(["Note.md", "ok.md"], ["In/NOTE.md", "In/ok.md"], force=True)
    assert forced == {"Note.md": "In/NOTE.md", "ok.md": "In/ok.md"}
    assert moves["ok.md"] == "In/ok.md"


def test_two_files_of_an_import_never_become_one() -> None:
    names = ["Note.md", "note.md", "NOTE.md", "note 2.md"]
    _, clashes = place(names, [])
    assert {clash.kind for clash in clashes} == {"twin"}
    moves, _ = place(names, [], force=True)
    assert len({target.casefold() for target in moves.values()}) == 4


def test_a_file_where_a_folder_is_needed() -> None:
    assert place(["a/b.md"], ["In/a"])[1] == [Clash("In/a/b.md", "In/a", "file")]
    assert place(["a"], ["In/A/b.md"])[1] == [Clash("In/a", "In/A", "file")]


def test_the_folder_that_an_import_goes_to() -> None:
    assert choose_folder(None, "Mein Garten", "Zibaldone") == "Mein Garten"
    assert choose_folder(None, "notes [old] #1", "Zibaldone") == "notes -old- -1"
    assert choose_folder(".", "x", "Zibaldone") == ""
    assert choose_folder("Alt/花園/", "x", "Zibaldone") == "Alt/花園"
    for into in ("../up", ".hidden", "a//b", "zibaldone/pages", "a|b", "/etc/../x"):
        with pytest.raises(InvalidRequest):
            choose_folder(into, "x", "Zibaldone")
    with pytest.raises(InvalidRequest, match="own folder"):
        choose_folder(None, "Zibaldone", "Zibaldone")


THERE = ["Home.md", "Projects/Kestrel.md", "Projects/Sub/Log.md", "img/a b.png", "Log.md"]
MINE = ["Projects/Kestrel.md", "Log.md"]


def rewrite(source: str, text: str, existing: list[str] = MINE) -> tuple[str, int]:
    moves = {path: f"In/{path}" for path in THERE}
    relinker = Relinker(LinkResolver(THERE), LinkResolver([*existing, *moves.values()]), moves)
    done = relinker.rewrite_note(source, text.encode())
    return done.data.decode(), done.links


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("Home.md", "[[Projects/Kestrel|k]]", "[[In/Projects/Kestrel|k]]"),  # the vault's own is exact from the root
        ("Home.md", "![[Projects/Kestrel#A^b]]", "![[In/Projects/Kestrel#A^b]]"),
        ("Home.md", "[k](Projects/Kestrel.md#A)", "[k](In/Projects/Kestrel.md#A)"),
        ("Home.md", "[k](/Projects/Kestrel.md)", "[k](/In/Projects/Kestrel.md)"),
        ("Home.md", "[[Log]]", "[[In/Log]]"),
        ("Home.md", "[[Kestrel]]", "[[Kestrel]]"),  # below the note's own folder
        ("Projects/Sub/Log.md", "[[Kestrel]]", "[[In/Projects/Kestrel]]"),  # else the shorter path of the vault
        ("Projects/Sub/Log.md", "[[../Kestrel]]", "[[../Kestrel]]"),
        ("Projects/Sub/Log.md", "![](../../img/a%20b.png)", "![](../../img/a%20b.png)"),
        ("Home.md", "![[img/a b.png|300]]", "![[img/a b.png|300]]"),  # only one has that ending
        *[
            ("Home.md", text, text)
            for text in (
                "[[Nowhere]] [[Projects/Nowhere]] https://x.y/Log",
                "`[[Log]]`\n\n```\n[[Log]]\n```\n",
                "%% [[Log]] %%",
            )
        ],
        ("Home.md", '---\nup: "[[Log]]"\nsee: [[Log]]\n---\nx', '---\nup: "[[In/Log]]"\nsee: [[In/Log]]\n---\nx'),
        ("Home.md", "| [[Log\\|l]] |\r\n", "| [[In/Log\\|l]] |\r\n"),
    ],
)  # fmt: skip
def test_a_link_leads_where_it_led_and_changes_only_for_that(source: str, before: str, after: str) -> None:
    assert rewrite(source, before)[0] == after
    assert bool(rewrite(source, before)[1]) == (before != after)


def test_an_empty_vault_needs_next_to_no_rewriting() -> None:
    text = "[[Projects/Kestrel]] [[Kestrel]] [[Log]] ![[a b.png]] [x](img/a%20b.png)"
    assert rewrite("Home.md", text, []) == (text, 0)
    assert rewrite("Home.md", "[x](/Log.md)", []) == ("[x](/In/Log.md)", 1)
    # From the root a path that is exact wins; below a folder the nearer note would.
    assert rewrite("Projects/Sub/Log.md", "[[Log]]", []) == ("[[In/Log]]", 1)


def test_a_canvas_names_files_from_the_root() -> None:
    moves = {path: f"In/{path}" for path in ["b.canvas", *THERE]}
    relinker = Relinker(LinkResolver(moves), LinkResolver([*MINE, *moves.values()]), moves)
    canvas = {
        "nodes": [
            {"id": "1", "type": "file", "file": "img/a b.png", "x": 0.50},
            {"id": "2", "type": "text", "text": 'see "file": [[Log]] and [[Kestrel]]'},
            {"id": "3", "type": "file", "file": "gone.md"},
        ],
        "edges": [],
    }
    data = json.dumps(canvas, indent="\t").encode()
    done = relinker.rewrite_canvas("b.canvas", data)
    canvas["nodes"][0]["file"] = "In/img/a b.png"  # type: ignore[index]
    canvas["nodes"][1]["text"] = 'see "file": [[In/Log]] and [[Kestrel]]'  # type: ignore[index]
    assert done.data == json.dumps(canvas, indent="\t").encode()
    assert done.links == 2
    for broken in (b"", b"{", b"\xff", b"[" * 100_000):
        assert relinker.rewrite_canvas("b.canvas", broken).data == broken


def test_queries_by_folder_are_noticed() -> None:
    assert names_folders(b'```dataview\nLIST FROM "Projects"\n```\n')
    assert not names_folders(b'from "Projects"\n')
    assert not names_folders(b"```dataview\nLIST FROM #tag\n```\n")


WIKI = ["wiki/pages/abx/penicillin.md", "wiki/index.md", "wiki/sources/med/0f3a/who.md", "log/2026-01-02.md"]


def test_an_outmem_wiki_is_known_by_its_files() -> None:
    assert is_outmem(WIKI)
    assert not is_outmem(["wiki/pages/a.md"])
    assert not is_outmem(["pages/a.md", "config.yaml"])


def test_the_files_of_a_wiki_find_their_places() -> None:
    files = sort_wiki([*WIKI, "wiki/sources-local/0f/x.md", "config.yaml", "README.md", "wiki/img/a.png"], "Z")
    assert files.pages == {"wiki/pages/abx/penicillin.md": "Z/pages/abx/penicillin.md"}
    assert files.logs == {"log/2026-01-02.md": "Z/log/2026-01-02.md"}
    assert files.sources == ["wiki/sources/med/0f3a/who.md"]
    assert files.rest == ["README.md", "wiki/img/a.png"]
    assert [path for path, _ in files.left_out] == ["wiki/index.md", "wiki/sources-local/0f/x.md", "config.yaml"]


def test_slugs_become_links_that_obsidian_resolves() -> None:
    pages = {
        "wiki/pages/abx/penicillin.md": ("Z/pages/abx/penicillin.md", Page("P", "abx:penicillin", "", ("abx:pen",))),
        "wiki/pages/abx/notes.md": ("Z/pages/abx/notes.md", Page("N", "abx:notes", "")),
        "wiki/pages/vet/notes.md": ("Z/pages/vet/notes.md", Page("N", "vet:notes", "")),
    }
    moves = {source: target for source, (target, _) in pages.items()}
    relinker = Relinker(LinkResolver(moves), LinkResolver(moves.values()), moves, slug_paths(pages))
    text = "[[abx:penicillin|P]] [[abx:pen]] [[vet:notes#Dose]] [[abx:none]] `[[abx:pen]]` [[abx:notes]]"
    done = relinker.rewrite_note("wiki/pages/abx/penicillin.md", text.encode())
    assert done.data.decode() == (
        "[[penicillin|P]] [[penicillin]] [[pages/vet/notes#Dose]] [[abx:none]] `[[abx:pen]]` [[pages/abx/notes]]"
    )
    assert done.links == 4


def test_provenance_names_the_copies_where_they_are_now() -> None:
    data = (
        b"---\ntitle: P\nslug: abx:p   # theirs\nprovenance:\n  - sources/med/0f3a/who.md\n"
        b'  - path: sources/med/0f3a/who.md\n    finding: silent\n    scope: "x: y"\n  - https://who.int\nzip: 00123\n'
        b"---\r\nbody\r\n"
    )
    page = read_page(data)
    assert isinstance(page, Page)
    moved, problem = move_provenance(data, page, {"wiki/sources/med/0f3a/who.md": "Z/sources/med/0f3a/who.md"})
    assert problem == ""
    after = read_page(moved)
    assert isinstance(after, Page)
    assert [entry.path for entry in after.provenance] == [
        "Z/sources/med/0f3a/who.md", "Z/sources/med/0f3a/who.md", "https://who.int",
    ]  # fmt: skip
    assert (after.provenance[1].finding, after.provenance[1].scope) == ("silent", "x: y")
    for kept in (b"slug: abx:p   # theirs\n", b"zip: 00123\n---\r\nbody\r\n"):
        assert kept in moved
    assert move_provenance(data, page, {}) == (data, "")


def test_a_day_that_has_a_log_keeps_it() -> None:
    imported = b"---\ndate: 2026-01-02\n---\n\n## 10:00 x\n\nseen\n"
    assert join_logs(None, imported) == imported
    joined = join_logs(b"# mine\n", imported)
    assert joined == b"# mine\n\n## 10:00 x\n\nseen\n"
    assert join_logs(joined, imported) == joined
