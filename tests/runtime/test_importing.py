"""Imports: every real vault arrives whole, in one commit, and lints as it did; an outmem wiki becomes pages."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.vaults import NOTES, Vault
from zibaldone.config.load import load_settings
from zibaldone.config.places import vault_places
from zibaldone.errors import InvalidRequest, NotFound, VaultChanged
from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.ingest.parse import decode_note, parse_note
from zibaldone.runtime import importing
from zibaldone.runtime.importing import Importer
from zibaldone.runtime.prepare import prepare_vault
from zibaldone.runtime.sources import load_registry
from zibaldone.runtime.writer import VaultWriter, open_writer
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.sources import ImportReport, ImportRequest
from zibaldone.store.state_db import StateStore
from zibaldone.vault.edit.links import LinkTarget, rewrite_links
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.listing import list_files
from zibaldone.vault.undo import UndoStore
from zibaldone.wiki.lint import Scope, lint, note_hashes
from zibaldone.wiki.lint_kinds import Finding, Kind, Severity
from zibaldone.wiki.lint_note import LintNote, read_lint_note
from zibaldone.wiki.provenance import RegisteredSource, Registry
from zibaldone.wiki.resolve import LinkResolver

VAULTS = Path(__file__).parents[3] / "shared" / "data" / "vaults"
NAMES = [
    "dataview-test", "export-edge-cases", "foam", "handbook", "kepano", "nexus", "tasks-demo", "zettelkasten",
    pytest.param("garden-zh", marks=pytest.mark.slow),
]  # fmt: skip
real_vaults = pytest.mark.skipif(not VAULTS.is_dir(), reason=f"the real vaults are not at {VAULTS}")
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@dataclass
class Desk:
    """An importer over a vault."""

    root: Path
    importer: Importer
    writer: VaultWriter

    def run(self, source: Path, **request: object) -> ImportReport:
        return self.importer.run(ImportRequest.model_validate({"path": str(source), **request}), NOW)


def open_desk(root: Path) -> Iterator[Desk]:
    places = vault_places(root)
    undo = UndoStore(places.undo)
    files = VaultFiles(root, undo.keep, durable=False)
    state = StateStore(places.state_db)
    writer = open_writer(root, files, undo, state.changes, places, "Zibaldone", lambda _: None)
    yield Desk(root, Importer(files.root, files, writer, "Zibaldone"), writer)
    state.close()


@pytest.fixture
def desk(vault: Vault) -> Iterator[Desk]:
    yield from open_desk(vault.root)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Desk]:
    """A vault without notes."""
    root = tmp_path / "bare"
    root.mkdir()
    prepare_vault(root, load_settings(root).settings, confirm=lambda _: True)
    yield from open_desk(root)


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A small vault to import."""
    return tmp_path / "Garden"


def write(root: Path, **files: str | bytes) -> None:
    for name, content in files.items():
        write_file(root, name, content)


def write_file(root: Path, rel: str, content: str | bytes) -> Path:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def findings(
    root: Path, under: str = "", *, folder: str = "Zibaldone", registry: Registry | None = None
) -> list[Finding]:
    """What lint finds in the notes below a folder of the vault."""
    files = list(list_files(root))
    read = [
        read_lint_note(path, (root / path).read_bytes(), folder)
        for path in files
        if path.lower().endswith(".md") and "/sources/" not in path
    ]
    notes = [note for note in read if isinstance(note, LintNote)]
    known = Registry(registry.sources if registry else {}, note_hashes(notes))
    found = lint(notes, LinkResolver(files), known, scope=Scope.ALL, folder=folder)
    return [one for one in found if one.path.startswith(under)]


def without_links(data: bytes) -> bytes:
    """The bytes with every address blanked, so that nothing but an address may differ."""

    def blank(link: LinkTarget) -> str:
        return "x"

    return rewrite_links(data, blank)


@real_vaults
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("into", ["bare", "beside"])
def test_a_real_vault_arrives_whole(bare: Desk, name: str, into: str) -> None:
    source = VAULTS / name
    files = list(list_files(source))
    if into == "beside":  # the vault has files of the same names, with other words, nearer to its root
        if name == "garden-zh":
            pytest.skip("once is enough for 3,000 notes")
        for path in files[::3]:
            twin = bare.root / path.rpartition("/")[2]
            if path.endswith(".md") and not twin.exists():
                twin.write_text("another note of this name\n")
    before = findings(source)
    mine = findings(bare.root)

    report = bare.run(source)
    assert report.written
    assert report.commit
    assert not report.left_out or all(left.reason == "hidden" for left in report.left_out)
    arrived = list(list_files(bare.root, name))
    assert [path.removeprefix(f"{name}/") for path in arrived] == files
    assert (report.notes, report.attachments) == (
        sum(path.lower().endswith(".md") for path in files),
        sum(not path.lower().endswith(".md") for path in files),
    )

    rewritten = 0
    for path in files:
        old, new = (source / path).read_bytes(), (bare.root / name / path).read_bytes()
        assert (bare.root / name / path).stat().st_mtime_ns == (source / path).stat().st_mtime_ns
        if old == new:
            continue
        rewritten += 1
        assert path.endswith((".md", ".canvas")), path
        if path.endswith(".md"):
            assert without_links(old) == without_links(new), path
            assert metadata(path, old) == metadata(path, new), path
    assert rewritten == report.notes_changed

    found = findings(bare.root, f"{name}/")
    new = {(one.path.removeprefix(f"{name}/"), one.line, one.kind) for one in found}
    new -= {(one.path, one.line, one.kind) for one in before}
    if "headings hold a link" in "".join(report.remarks):  # their text is another now: one link in all the vaults
        assert into == "beside"
        new = {one for one in new if one[2] is not Kind.BROKEN_HEADING}
    assert new == set()
    assert kinds(before) - kinds(found) == Counter()
    if into == "beside":
        assert [one for one in findings(bare.root) if not one.path.startswith(f"{name}/")] == mine

    subject, *names = git_show(bare.root)
    assert subject == f"import: {name}"
    assert len(names) == len(files)


def metadata(path: str, data: bytes) -> object:
    decoded = decode_note(data)
    assert hasattr(decoded, "text")
    note = parse_note(path, decoded.text)
    front = read_frontmatter(decoded.text).properties
    plain = {key: value for key, value in front.items() if "[[" not in str(value) and ".md" not in str(value)}
    return plain, note.tags, note.aliases, note.stated_date, len(note.links), len(note.tasks)


def kinds(found: list[Finding]) -> Counter[Kind]:
    return Counter(one.kind for one in found)


def git_show(root: Path) -> list[str]:
    shown = Vault(root).git("-c", "core.quotePath=off", "show", "-z", "--name-only", "--format=%s", "HEAD")
    return [part.strip("\n") for part in shown.replace("\n\n", "\0").replace("\n", "\0", 1).split("\0") if part.strip()]


def test_what_a_vault_holds_stays_as_it_is(desk: Desk, garden: Path) -> None:
    odd = {
        "Ä/日本 🌱.md": (
            '\ufeff---\r\ntags: [a, b]\r\naliases: "x"\r\nzip: 00123\r\n'
            "date: 2019-04-05\r\nup: [[Home]]\r\n---\r\n\r\n#x\r\n"
        ),
        "Home.md": "[[日本 🌱]] ![[p.png]]\n\n```\n[[Ä/日本 🌱]]\n```\n\tno end",
        "p.png": b"\x89PNG\0\xff",
        "broken.md": b"---\na: [\n---\n\xff\xfe[[Home]]\0",
        "empty.md": b"",
        ".obsidian/app.json": "{}",
        ".trash/gone.md": "x",
        "sub/.hidden.md": "x",
    }  # fmt: skip
    for rel, content in odd.items():
        os.utime(write_file(garden, rel, content), ns=(1_500_000_000_123_456_789,) * 2)
    (garden / "out.md").symlink_to("/etc/hostname")
    (garden / "folder").symlink_to(desk.root)
    os.mkfifo(garden / "pipe")
    report = desk.run(garden)
    assert (report.kind, report.into, report.notes, report.attachments) == ("vault", "Garden", 4, 1)
    assert {left.path: left.reason for left in report.left_out} == {
        ".obsidian/": "hidden",
        ".trash/": "hidden",
        "sub/.hidden.md": "hidden",
        "out.md": "a link, which is not followed",
        "folder": "a link, which is not followed",
        "pipe": "not a regular file",
    }
    assert report.links_rewritten == 0
    for rel, content in odd.items():
        path = desk.root / "Garden" / rel
        if "/." in f"/{rel}":
            assert not path.exists()
            continue
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
        assert path.stat().st_mtime_ns == 1_500_000_000_123_456_789
    for rel, text in NOTES.items():
        assert (desk.root / rel).read_text() == text


def test_a_dry_run_says_the_same_and_writes_nothing(desk: Desk, garden: Path) -> None:
    write(garden, a="no note", **{"n.md": "[x](/m.md)", "m.md": "x"})
    head = Vault(desk.root).git("rev-parse", "HEAD")
    plan = desk.run(garden, dry_run=True)
    assert not (desk.root / "Garden").exists()
    assert Vault(desk.root).git("rev-parse", "HEAD") == head
    assert desk.writer.changes(5) == []
    done = desk.run(garden)
    written = {"written", "change", "commit"}
    assert done.model_dump(exclude=written) == plan.model_dump(exclude=written)
    assert (plan.written, done.written, done.links_rewritten) == (False, True, 1)


def test_importing_again_changes_nothing(desk: Desk, garden: Path) -> None:
    write(garden, **{"n.md": "[x](/m.md)", "m.md": "x"})
    desk.run(garden)
    again = desk.run(garden)
    assert (again.written, again.unchanged, again.collisions) == (False, 2, [])
    write(garden, **{"new.md": "y"})
    more = desk.run(garden)
    assert (more.written, more.unchanged) == (True, 2)


def test_files_in_the_way_are_reported_and_overwritten_only_when_asked(desk: Desk, garden: Path) -> None:
    write(garden, **{"Note.md": "theirs", "b/C.md": "theirs", "ok.md": "x"})
    write(desk.root / "Garden", **{"note.md": "mine", "b/C.md": "mine too"})
    plan = desk.run(garden, dry_run=True)
    assert [(one.path, one.existing, one.kind) for one in plan.collisions] == [
        ("Garden/Note.md", "Garden/note.md", "twin"),
        ("Garden/b/C.md", "Garden/b/C.md", "same"),
    ]
    with pytest.raises(InvalidRequest, match="2 files are in the way") as caught:
        desk.run(garden)
    assert "--force" in caught.value.hint
    assert not (desk.root / "Garden/ok.md").exists()

    done = desk.run(garden, force=True)
    assert (desk.root / "Garden/note.md").read_text() == "theirs"
    assert not (desk.root / "Garden/Note.md").exists()
    desk.writer.take_back(done.change, NOW)
    assert (desk.root / "Garden/note.md").read_text() == "mine"
    assert (desk.root / "Garden/b/C.md").read_text() == "mine too"
    assert not (desk.root / "Garden/ok.md").exists()


def test_two_of_one_name_both_arrive_when_forced(desk: Desk, garden: Path) -> None:
    write(garden, **{"Note.md": "upper", "note.md": "lower", "Home.md": "[x](note.md) [y](Note.md)"})
    if len(list(garden.iterdir())) < 3:
        pytest.skip("this file system ignores case")
    with pytest.raises(InvalidRequest):
        desk.run(garden)
    desk.run(garden, force=True)
    assert sorted(path.name for path in (desk.root / "Garden").iterdir()) == ["Home.md", "Note.md", "note 2.md"]
    assert (desk.root / "Garden/note 2.md").read_text() == "lower"


def test_force_does_not_put_a_file_over_a_folder(desk: Desk, garden: Path) -> None:
    write(garden, **{"x/y.md": "x"})
    write(desk.root / "Garden", x="a file")
    with pytest.raises(InvalidRequest, match="where a folder is needed"):
        desk.run(garden, force=True)
    assert (desk.root / "Garden/x").read_text() == "a file"


def test_a_file_that_appears_meanwhile_is_not_overwritten(
    desk: Desk, garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(garden, **{"n.md": "theirs", "a.md": "x"})
    real = importing._refuse_clashes

    def late(*arguments: object, **more: object) -> None:
        real(*arguments, **more)  # type: ignore[arg-type]
        write(desk.root / "Garden", **{"n.md": "just typed"})

    monkeypatch.setattr(importing, "_refuse_clashes", late)
    with pytest.raises(VaultChanged):
        desk.run(garden)
    assert (desk.root / "Garden/n.md").read_text() == "just typed"
    assert not (desk.root / "Garden/a.md").exists()


def test_links_of_the_vault_that_would_lead_elsewhere_are_named(desk: Desk, garden: Path) -> None:
    write(garden, **{"Varroa.md": "theirs", "Other.md": "x"})
    write(
        desk.root, **{"Home.md": "see\n[[Varroa]] and [[Bees/Varroa]]\n`[[Varroa]]`\n", "A/long/way/Varroa 2.md": "x"}
    )
    write_file(desk.root, "Areas/of/Bees/Colony.md", "x")
    report = desk.run(garden, into="B")
    assert [(one.path, one.line, one.target, one.was, one.now) for one in report.redirected] == [
        ("Home.md", 2, "Varroa", "Bees/Varroa.md", "B/Varroa.md")
    ]
    assert (desk.root / "Home.md").read_text().startswith("see\n[[Varroa]] and")


def test_what_cannot_be_imported(desk: Desk, garden: Path, tmp_path: Path) -> None:
    write(garden, **{"n.md": "x", "Zibaldone/pages/p.md": "x"})
    (desk.root / "in").symlink_to(garden)
    for path, words in {
        desk.root: "in the vault already",
        desk.root / "Bees": "in the vault already",
        tmp_path: "The vault itself is in",
        garden / "n.md": "is not a folder",
        Path("relative"): "not an absolute path",
    }.items():
        with pytest.raises(InvalidRequest, match=words):
            desk.run(path)
    with pytest.raises(NotFound):
        desk.run(tmp_path / "none")
    for into in ("Zibaldone/pages", "../x", ".obsidian", "a|b"):
        with pytest.raises(InvalidRequest):
            desk.run(garden, into=into)
    assert desk.run(desk.root / "in", dry_run=True).notes == 2  # a link that the person gives is theirs to follow
    at_root = desk.run(garden, into=".")
    assert [(left.path, left.reason) for left in at_root.left_out] == [
        ("Zibaldone/pages/p.md", "it would go to Zibaldone's own folder")
    ]
    assert (desk.root / "n.md").read_text() == "x"


def test_an_import_has_bounds(desk: Desk, garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(garden, **{"big.bin": b"x" * 2000, "n.md": "x" * 500, "m.md": "x" * 600})
    monkeypatch.setattr(importing, "MOST_BYTES", 1000)
    report = desk.run(garden, dry_run=True)
    assert [(left.path, "more than" in left.reason) for left in report.left_out] == [("big.bin", True)]
    monkeypatch.setattr(importing, "MOST_SUM_BYTES", 1000)
    with pytest.raises(InvalidRequest, match="at most"):
        desk.run(garden)
    monkeypatch.setattr(importing, "MOST_FILES", 1)
    with pytest.raises(InvalidRequest, match="more than 1 files"):
        desk.run(garden)


async def test_imported_notes_are_found_and_taken_back(vault: Vault, garden: Path) -> None:
    write(garden, **{"Orchid.md": "# Orchid\n\nThe orchid wants rain water.\n"})
    async with vault.open() as asking:
        report = await asking.engine.library.import_folder(ImportRequest(path=str(garden)))
        await asking.sync()
        assert "Garden/Orchid.md" in await asking.found("orchid rain water")
        await asking.engine.undo(UndoRequest(change=report.change))
    assert not await asyncio.to_thread((vault.root / "Garden/Orchid.md").exists)
    async with vault.open(read_only=True) as asking:
        with pytest.raises(InvalidRequest, match="read-only"):
            await asking.engine.library.import_folder(ImportRequest(path=str(garden)))


# -- an outmem wiki ----------------------------------------------------------------------------------------


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    """A wiki as outmem 0.19 keeps it: two versions of one source, a page by its alias, logs."""
    root = tmp_path / "ada-wiki"
    old, new = b"# WHO 2024\n", b"# WHO 2026\n"
    old_path, new_path = (f"med/{sha256_hex(data)[:12]}/who.md" for data in (old, new))
    write(
        root,
        **{
            f"wiki/sources/{old_path}": old,
            f"wiki/sources/{new_path}": new,
            "wiki/sources-local/0f3a00000000/private.md": "private",
            "wiki/index.md": "---\ngenerated: true\n---\n- [[abx:penicillin]]\n",
            "wiki/AGENTS.md": "# Conventions\n",
            "wiki/pages/abx/penicillin.md": (
                "---\ntitle: 'Penicillin: dose'\nslug: abx:penicillin\nprovenance:\n"
                f"- path: sources/{old_path}\n  sha256: {sha256_hex(old)}\n- sources/{new_path}\n"
                "created: '2026-01-02T03:04:05Z'\nupdated: '2026-01-02T03:04:05Z'\ntags: [drug]\naliases: [abx:pen]\n"
                "mood: calm\n---\n\n# Penicillin\n\nSee [[abx:amoxicillin|amoxi]], "
                "[[vet:penicillin#Dose]], [[abx:nothing]].\n"
                f"![[img/a.png]] [who](../../sources/{new_path})\n\n```\n[[abx:amoxicillin]]\n```\n"
            ),
            "wiki/pages/abx/amoxicillin.md": (
                f"---\ntitle: Amoxicillin\nslug: abx:amoxicillin\nprovenance:\n- sources/{new_path}\n"
                "---\n\n[[abx:pen]]\n"
            ),
            "wiki/pages/vet/penicillin.md": (
                f"---\ntitle: For horses\nslug: vet:penicillin\nprovenance: [sources/{new_path}]\n"
                "---\n\n## Dose\n\n[[abx:pen]]\n"
            ),
            "wiki/img/a.png": b"\x89PNG",
            "log/2026-01-02.md": "# 2026-01-02\n\n## 03:04 penicillin\n\nCompared in [[abx:penicillin]].\n",
            "config.yaml": "a: 1\n",
            "CONTRIBUTORS.md": "- Ada <a@b>\n",
            ".outmem/last_run.json": "{}",
            "README.md": "Start at [[abx:penicillin]].\n",
        },
    )  # fmt: skip
    with sqlite3.connect(root / "wiki/sources/.sources.db") as connection:
        connection.execute(
            "CREATE TABLE sources(rel_path TEXT PRIMARY KEY, sha256 TEXT, size_bytes INTEGER, registered_at TEXT,"
            " document_key TEXT, superseded_by TEXT, origin_path TEXT, refs_scanned_at TEXT)"
        )
        connection.executemany(
            "INSERT INTO sources VALUES (?, ?, ?, '2026-01-01T00:00:00Z', ?, ?, '/home/ada/secret/who.md', NULL)",
            [
                (old_path, sha256_hex(old), len(old), "med/who-2024", new_path),
                (new_path, sha256_hex(new), len(new), "med/who-2026", None),
            ],
        )
    connection.close()
    return root


def lint_wiki(root: Path) -> list[Finding]:
    """The wiki where it was, with its own registry; its links are to slugs, which lint does not know."""
    sources = {
        path.relative_to(root / "wiki").as_posix(): RegisteredSource(sha256_hex(path.read_bytes()))
        for path in (root / "wiki/sources").rglob("*.md")
    }
    return findings(root, folder="wiki", registry=Registry(sources))


def test_an_outmem_wiki_becomes_pages_logs_and_sources(desk: Desk, wiki: Path) -> None:
    before = {one.kind for one in lint_wiki(wiki) if one.severity is Severity.ERROR}
    log = write_file(desk.root, "Zibaldone/log/2026-01-02.md", "# mine\n")
    report = desk.run(wiki)
    assert (report.kind, report.pages, report.logs, report.sources, report.notes, report.attachments) == (
        "outmem", 3, 1, 2, 1, 1,
    )  # fmt: skip
    assert {left.path for left in report.left_out} == {
        ".outmem/", "wiki/index.md", "wiki/AGENTS.md", "config.yaml", "CONTRIBUTORS.md",
        "wiki/sources-local/0f3a00000000/private.md", "wiki/sources/.sources.db",
    }  # fmt: skip
    text = (desk.root / "Zibaldone/pages/abx/penicillin.md").read_text()
    old = (wiki / "wiki/pages/abx/penicillin.md").read_text()
    assert "[[amoxicillin|amoxi]], [[pages/vet/penicillin#Dose]], [[abx:nothing]]." in text
    assert "```\n[[abx:amoxicillin]]\n```" in text
    assert "mood: calm\n" in text
    assert "slug: abx:penicillin\n" in text
    assert text.count("\n") == old.count("\n")
    assert "[[pages/abx/penicillin]]" in (desk.root / "Zibaldone/pages/vet/penicillin.md").read_text()

    registry = load_registry(desk.root, "Zibaldone")
    newest, oldest = sorted(registry.sources, key=lambda path: registry.sources[path].superseded_by is not None)
    assert registry.sources[oldest].superseded_by == newest
    assert "secret" not in (desk.root / f"{newest}.source.md").read_text()
    assert (desk.root / newest).read_bytes() == b"# WHO 2026\n"

    assert log.read_text().startswith("# mine\n")
    assert "Compared in [[pages/abx/penicillin]]." in log.read_text()
    index = (desk.root / "Zibaldone/index.md").read_text()
    assert "[[pages/abx/penicillin|Penicillin: dose]] (drug)" in index
    assert index.count("[[pages/") == 3
    assert (desk.root / "ada-wiki/README.md").read_text() == "Start at [[pages/abx/penicillin]].\n"

    after = [one for one in findings(desk.root, "Zibaldone/", registry=registry) if one.severity is Severity.ERROR]
    assert [(one.path, one.kind, "abx:nothing" in one.message) for one in after] == [
        ("Zibaldone/pages/abx/penicillin.md", Kind.BROKEN_LINK, True)
    ]
    assert {one.kind for one in after} <= before
    kinds_there = {one.kind for one in findings(desk.root, "Zibaldone/", registry=registry)}
    assert kinds_there == {Kind.BROKEN_LINK, Kind.SUPERSEDED_PROVENANCE}
    assert Vault(desk.root).git("log", "-1", "--format=%s") == "import: ada-wiki"


def test_a_wiki_is_imported_once(desk: Desk, wiki: Path) -> None:
    desk.run(wiki)
    head = Vault(desk.root).git("rev-parse", "HEAD")
    again = desk.run(wiki)
    assert (again.written, again.collisions) == (False, [])
    assert Vault(desk.root).git("rev-parse", "HEAD") == head


@pytest.mark.parametrize("damage", ["gone", "garbage", "other"])
def test_a_wiki_without_its_registry_keeps_its_sources(desk: Desk, wiki: Path, damage: str) -> None:
    registry = wiki / "wiki/sources/.sources.db"
    registry.unlink()
    if damage == "garbage":
        registry.write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    elif damage == "other":
        with sqlite3.connect(registry) as connection:
            connection.execute("CREATE TABLE sources(rel_path TEXT)")
        connection.close()
    report = desk.run(wiki)
    assert report.sources == 2
    assert len(load_registry(desk.root, "Zibaldone").sources) == 2


def test_a_page_that_is_there_is_not_overwritten(desk: Desk, wiki: Path) -> None:
    mine = write_file(desk.root, "Zibaldone/pages/abx/penicillin.md", "---\ntitle: Mine\n---\n")
    with pytest.raises(InvalidRequest, match="in the way"):
        desk.run(wiki)
    assert mine.read_text() == "---\ntitle: Mine\n---\n"
    assert not (desk.root / "Zibaldone/sources").exists()
