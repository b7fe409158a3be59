"""Folders beside the vault: found, cited, never written, and asked only where the notes have no answer."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from support.histories import Made, make_history
from support.repositories import git
from support.vaults import Vault
from zibaldone.agents.relay.pipeline import Search
from zibaldone.config.connectors import add_connector, remove_connector
from zibaldone.config.places import vault_places
from zibaldone.errors import InvalidRequest, NotFound
from zibaldone.schemas.ask import AskRequest
from zibaldone.schemas.search import SearchRequest, SearchResponse

MITES = "How many mites did the colony by the hedge have in July?"
KILN = "At what temperature did the kiln fire the celadon bowl?"
OVEN = "Which flour does the rye sourdough of the bakery take?"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    (folder / "2024").mkdir(parents=True)
    (folder / "2024/kiln.txt").write_text("Kiln diary\n\nThe kiln fired the celadon bowl at 1280 degrees.\n")
    (folder / "mites.md").write_text("# Mites\n\nThe colony by the hedge had 99 mites a day in July.\n")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another vault, with a page of its own and an excluded folder."""
    root = tmp_path / "bakery"
    for rel, text in {
        "Bread/Rye.md": "# Rye\n\nThe rye sourdough of the bakery takes flour type 1150.\n",
        "Zibaldone/pages/rye.md": (
            "---\ntitle: Rye\nslug: rye\nprovenance:\n  - Bread/Rye.md\n---\n\n"
            "- The rye sourdough takes flour type 1150 ([[Bread/Rye|Rye]] line 3)\n"
        ),
        "Zibaldone/settings.toml": '[exclusions]\nfolders = ["Private"]\n',
        "Zibaldone/log/2026-01-01.md": "# Log\n\nWhich flour does the rye sourdough take?\n",
        "Private/Diary.md": "# Diary\n\nThe rye sourdough of the bakery is a secret.\n",
    }.items():
        (root / rel).parent.mkdir(parents=True, exist_ok=True)
        (root / rel).write_text(text, encoding="utf-8")
    (root / ".obsidian").mkdir()
    return root


async def connect(vault: Vault, folder: Path, name: str | None = None) -> str:
    return await asyncio.to_thread(lambda: add_connector(vault_places(vault.root), vault.root, folder, name))


async def disconnect(vault: Vault, name: str) -> None:
    await asyncio.to_thread(lambda: remove_connector(vault_places(vault.root), name))


async def test_a_folder_of_texts_answers_where_the_notes_do_not(vault: Vault, texts: Path) -> None:
    await connect(vault, texts)
    async with vault.open() as asking:
        report = await asking.sync()
        assert [(one.name, one.added) for one in report.connectors] == [("texts", 2)]
        answer = await asking.ask(KILN)
    assert not answer.abstained
    [citation] = answer.citations
    assert citation.path == "//texts/2024/kiln.txt"
    assert citation.source_uri == "note://texts/2024/kiln.txt"
    assert (citation.line_end, citation.supported) == (3, True)
    assert "1280" in citation.quote


async def test_the_notes_come_first(vault: Vault, texts: Path) -> None:
    await connect(vault, texts)
    async with vault.open() as asking:
        await asking.sync()
        answer = await asking.ask(MITES)
    assert {c.path for c in answer.citations} == {"Bees/Varroa.md"}
    assert not any(hit.path.startswith("//") for hit in answer.hits)


async def test_a_search_ranks_everything_together(vault: Vault, texts: Path, other: Path) -> None:
    await connect(vault, texts)
    await connect(vault, other)
    async with vault.open() as asking:
        await asking.sync()
        found = await asking.engine.search(SearchRequest(query="mites a day in July"))
        assert {"Bees/Varroa.md", "//texts/mites.md"} <= {hit.path for hit in found.hits}
        found = await asking.engine.search(SearchRequest(query="rye sourdough of the bakery"))
        paths = {hit.path for hit in found.hits}
    assert {"//bakery/Bread/Rye.md", "//bakery/Zibaldone/pages/rye.md"} <= paths
    assert not any("Private" in path or "/log/" in path for path in paths)


async def test_pages_of_another_vault_lead_to_its_notes(vault: Vault, other: Path) -> None:
    await connect(vault, other)
    async with vault.open() as asking:
        await asking.sync()
        answer = await asking.ask(OVEN)
    assert {c.path for c in answer.citations} == {"//bakery/Zibaldone/pages/rye.md", "//bakery/Bread/Rye.md"}
    assert not (other / "Zibaldone/sources").exists()


async def test_what_a_text_said_becomes_a_page_that_rests_on_it(vault: Vault, texts: Path) -> None:
    await connect(vault, texts)
    async with vault.open() as asking:
        await asking.sync()
        first = await asking.ask(KILN)
        assert first.writeback is not None
        assert first.writeback.page is not None
        await asking.sync()
        second = await asking.ask(KILN)
        assert {c.path for c in second.citations} == {first.writeback.path, "//texts/2024/kiln.txt"}
        assert (await asking.engine.library.stale()).stale == []
        page = (vault.root / str(first.writeback.path)).read_text(encoding="utf-8")
        assert "//texts/2024/kiln.txt" in page
        assert str(texts) not in page
        assert "[[" not in page.partition("\n---\n")[2]
        (texts / "2024/kiln.txt").write_text("Kiln diary\n\nThe kiln fired the celadon bowl at 1240 degrees.\n")
        assert [(one.page, one.state) for one in (await asking.engine.library.stale()).stale] == [
            (first.writeback.page, "changed")
        ]
        await asking.sync()
        third = await asking.ask(KILN)
    assert "1240" in third.citations[0].quote
    assert {c.path for c in third.citations} == {"//texts/2024/kiln.txt"}


async def test_a_folder_that_is_away_says_so_and_is_known_when_it_is_back(vault: Vault, texts: Path) -> None:
    await connect(vault, texts)
    async with vault.open() as asking:
        await asking.sync()
        away = texts.with_name("away")
        shutil.move(texts, away)
        report = await asking.sync()
        assert any("texts" in note and "is not there" in note for note in report.notes)
        assert (await asking.ask(KILN)).abstained
        shutil.move(away, texts)
        [again] = (await asking.sync()).connectors
        assert (again.unchanged, again.added, again.chunks_embedded) == (3, 0, 0)  # the picture too
        assert not (await asking.ask(KILN)).abstained


async def test_a_folder_that_is_removed_is_found_no_more(vault: Vault, texts: Path) -> None:
    await connect(vault, texts)
    async with vault.open() as asking:
        await asking.sync()
        [known] = (await asking.engine.status()).connectors
        assert (known.name, known.kind, known.notes, known.pending) == ("texts", "folder", 2, 0)
        await disconnect(vault, "texts")
        assert (await asking.sync()).connectors == []
        assert (await asking.ask(KILN)).abstained
    places = await asyncio.to_thread(vault_places, vault.root)
    assert list(places.connectors.iterdir()) == []
    assert (texts / "2024/kiln.txt").exists()


async def test_what_cannot_be_a_connector_is_refused(vault: Vault, texts: Path, tmp_path: Path) -> None:
    await connect(vault, texts)
    assert await connect(vault, texts) == "texts"
    for folder, name in (
        (vault.root / "Bees", None),
        (vault.root.parent, None),
        (tmp_path / "nothing", None),
        (texts / "2024", "texts"),
        (texts / "2024", "a/b"),
        (texts, "twice"),
    ):
        with pytest.raises(InvalidRequest):
            await connect(vault, folder, name)
    with pytest.raises(NotFound):
        await disconnect(vault, "nothing")


PROJECT = [
    Made(
        b"Fire hotter\n\nThe celadon stayed matt below 1260 degrees.\n", {b"kiln.py": b"def fire():\n    heat(1240)\n"}
    ),
    Made(b"Heat to 1280", {b"kiln.py": b"def fire():\n    heat(1280)\n", b".gitignore": b"build/\n"}, day=1),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a text, and with texts that are nobody's in it."""
    root = make_history(tmp_path / "project", PROJECT)
    for path in ("docs/glaze.md", "build/made.md", "node_modules/theirs/README.md"):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text("# Glaze\n\nThe ash glaze of the shelf wants rain water.\n", encoding="utf-8")
    return root


async def test_a_repository_has_texts_and_commits(vault: Vault, project: Path) -> None:
    await connect(vault, project)
    async with vault.open() as asking:
        [report] = (await asking.sync()).connectors
        assert (report.added, report.skipped) == (3, [])
        [status] = (await asking.engine.status()).connectors
        assert (status.is_repository, status.notes, status.commits) == (True, 1, 2)
        hits = (await asking.engine.search(SearchRequest(query="why did the celadon stay matt"))).hits
        assert (hits[0].source_uri.partition("@")[0], hits[0].title, hits[0].modality) == (
            "git:project",
            "Fire hotter",
            "code",
        )
        hits = (await asking.engine.search(SearchRequest(query="fire heat(1280)"))).hits
        assert "kiln.py:1-2" in {hit.locator for hit in hits}
        answer = await asking.ask("At what temperature did the celadon stay matt?")
        assert any(cited.source_uri.startswith("git:project@") for cited in answer.citations)
        [report] = (await asking.sync()).connectors
        assert (report.unchanged, report.chunks_embedded) == (3, 0)


async def test_a_bare_repository_has_commits_alone(vault: Vault, project: Path, tmp_path: Path) -> None:
    await asyncio.to_thread(git, tmp_path, "clone", "-q", "--bare", str(project), "kept.git")
    await connect(vault, tmp_path / "kept.git")
    async with vault.open() as asking:
        [report] = (await asking.sync()).connectors
        assert (report.name, report.added) == ("kept", 2)


async def test_a_history_that_cannot_be_read_stops_nothing_else(vault: Vault, project: Path) -> None:
    await connect(vault, project)
    async with vault.open() as asking:
        await asking.sync()
        (project / ".git/config").write_text("[broken")
        (project / "docs/glaze.md").write_text("# Glaze\n\nNow it wants well water.\n", encoding="utf-8")
        [report] = (await asking.sync()).connectors
        assert report.changed == 1
        assert any(note.startswith("git ") for note in report.notes)
        [status] = (await asking.engine.status()).connectors
        assert status.commits == 2


async def test_a_read_only_vault_can_have_them(vault: Vault, texts: Path) -> None:
    await connect(vault, texts)
    async with vault.open(read_only=True) as asking:
        await asking.sync()
        assert "1280" in (await asking.ask(KILN)).citations[0].quote


async def test_the_folders_are_searched_once_a_question(
    vault: Vault, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await connect(vault, texts)
    # The notes are passed over, and no passage of the texts is judged to answer.
    async with vault.open(**{"retrieval.min_retrieval": 0.5, "retrieval.min_answerable": 1}) as asking:
        await asking.sync()
        searched: list[str] = []
        beyond = asking.engine._beyond

        def count(request: AskRequest) -> Search | None:
            search = beyond(request)
            assert search is not None

            async def counted(wanted: SearchRequest) -> SearchResponse:
                searched.append(wanted.query)
                return await search(wanted)

            return counted

        monkeypatch.setattr(asking.engine, "_beyond", count)
        answer = await asking.ask(KILN)
    assert answer.abstention_reason == "llm_insufficient"
    assert searched == [KILN]
