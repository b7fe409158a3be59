"""Pages on a real vault: what each change writes and commits, what it leaves alone, and what is refused."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from support.vaults import Asking, Vault
from zibaldone.config.settings import ExclusionSettings
from zibaldone.errors import InvalidRequest, NotFound, TargetMissing, UndoRefused
from zibaldone.runtime.wiki_sources import SourceDesk
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.proposals import Decision
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    ExtendPageRequest,
    LogRequest,
    RenamePageRequest,
    WikiChange,
    WritePageRequest,
)
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.git import Git
from zibaldone.vault.outside import OutsideFiles
from zibaldone.wiki.provenance import RegisteredSource

PAGE = "Zibaldone/pages/bees/mites.md"
INDEX = "Zibaldone/index.md"
BODY = "Treat in December, says [[Varroa]].\n\n## Open\n\n- When?\n"


def text(vault: Vault, path: str) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


async def write(asking: Asking, title: str = "Mites", slug: str | None = "bees:mites", **more: Any) -> WikiChange:
    request = WritePageRequest(title=title, slug=slug, **{"body": BODY, **more})
    return await asking.engine.wiki.write(request)


def committed(vault: Vault) -> tuple[str, list[str]]:
    subject, _, *paths = vault.git("show", "--name-only", "--no-renames", "--format=%s%n", "HEAD").splitlines()
    return subject, [path for path in paths if path]


async def test_a_page_is_one_commit_with_its_line_in_the_index_and_its_source(vault: Vault) -> None:
    async with vault.open() as asking:
        done = await write(asking, tags=["#bees"], provenance=["Bees/Varroa.md:3-5"])
        shown = await asking.engine.wiki.page("bees:mites")
        listed = await asking.engine.wiki.pages("bees")
        nothing = await asking.engine.wiki.pages("x")
    assert (done.kind, done.slug, done.paths) == ("compact", "bees:mites", [INDEX, PAGE])
    assert committed(vault) == ("compact: bees:mites", [INDEX, PAGE])
    assert done.commit == vault.git("rev-parse", "HEAD")
    assert "[[pages/bees/mites|Mites]] (bees)" in text(vault, INDEX)
    assert "none yet" not in text(vault, INDEX)
    [rests_on] = shown.provenance
    digest = sha256((vault.root / "Bees/Varroa.md").read_bytes()).hexdigest()
    assert (rests_on.path, rests_on.sha256, rests_on.lines) == ("Bees/Varroa.md", digest, "3-5")
    assert (shown.body, shown.tags, shown.created) == (BODY.strip(), ["bees"], shown.updated)
    assert [page.slug for page in listed.pages] == ["bees:mites"]
    assert nothing.pages == []


async def test_a_page_is_searched_as_the_agents_right_after(vault: Vault) -> None:
    async with vault.open() as asking:
        await write(asking, body="The quokka hive was moved in April.\n")
        await asking.sync()
        found = await asking.engine.search(SearchRequest(query="quokka"))
    assert [(hit.path, hit.origin) for hit in found.hits if "quokka" in hit.text] == [(PAGE, "agent")]


async def test_the_indexer_is_told_of_a_change(vault: Vault) -> None:
    async with vault.open() as asking:
        hinted: list[str] = []
        asking.engine._indexer.hint = hinted.extend  # type: ignore[method-assign]
        asking.engine.wiki._indexing = type(asking.engine.wiki._indexing)(hinted.extend, asking.engine._catch_up)
        await write(asking)
        await asking.engine.wiki.delete("bees:mites")
    assert hinted == [INDEX, PAGE, ".trash/mites.md", INDEX, PAGE]


async def test_a_slug_comes_from_the_title_and_a_taken_one_is_an_error(vault: Vault) -> None:
    async with vault.open() as asking:
        done = await write(asking, "Küche & Keller", None)
        assert done.slug == "küche-keller"
        with pytest.raises(InvalidRequest, match="There is a page küche-keller already") as caught:
            await write(asking, "Küche: Keller", None)
    assert "zib page append küche-keller" in caught.value.hint


async def test_extending_and_adding_keep_what_a_person_wrote_elsewhere(vault: Vault) -> None:
    async with vault.open() as asking:
        await write(asking)
        vault.write(PAGE, text(vault, PAGE).replace("title: Mites\n", "title: Mites\nmine: 00123 # kept\n"))
        await asking.engine.wiki.append(
            "bees:mites", AppendPageRequest(text="- Where?", section=["Open"], provenance=["Bees/Varroa"])
        )
        assert committed(vault)[0] == "append: bees:mites"
        assert text(vault, PAGE).endswith("- When?\n- Where?\n")
        await asking.engine.wiki.extend("bees:mites", ExtendPageRequest(body="All of it anew."))
        assert committed(vault) == ("extend: bees:mites", [PAGE])
        with pytest.raises(TargetMissing):
            await asking.engine.wiki.append("bees:mites", AppendPageRequest(text="x", section=["Nowhere"]))
        with pytest.raises(NotFound, match="no page bees:none"):
            await asking.engine.wiki.extend("bees:none", ExtendPageRequest(body="x"))
    assert "mine: 00123 # kept\n" in text(vault, PAGE)
    assert "path: Bees/Varroa.md" in text(vault, PAGE)
    assert text(vault, PAGE).endswith("---\n\nAll of it anew.\n")


@pytest.mark.parametrize(
    "provenance", ["Bees/None.md", "Bees/Varroa.md:4-99", "hive.png", "../x.md", INDEX, ".git/x.md"]
)
async def test_what_is_not_there_cannot_be_a_source_and_nothing_is_written(vault: Vault, provenance: str) -> None:
    vault.write("hive.png", "x")
    before = vault.git("rev-parse", "HEAD")
    async with vault.open() as asking:
        with pytest.raises(InvalidRequest):
            await write(asking, provenance=["Bees/Varroa.md", provenance])
    assert not (vault.root / PAGE).exists()
    assert vault.git("rev-parse", "HEAD") == before


def test_a_registered_source_is_one_by_its_path_and_pages(vault: Vault) -> None:
    vault.write("Private/Diary.md", "Mine.\n")
    settings = ExclusionSettings(folders=("Private",))
    desk = SourceDesk(
        VaultFiles(vault.root),
        lambda: Exclusions.read(vault.root, settings),
        lambda: {"Zibaldone/sources/0f/guide.pdf": RegisteredSource("f" * 64)},
        OutsideFiles(dict),
    )
    given = ["Zibaldone/sources/0f/guide.pdf:3-4", "[[Bees/Varroa]]", "Bees/Varroa.md:3", "Bees/Varroa.md"]
    pdf, note, span = desk.check(given)
    assert (pdf.sha256, pdf.page_range, pdf.lines) == ("f" * 64, "3-4", None)
    assert (note.path, note.lines, span.lines) == ("Bees/Varroa.md", None, "3")
    with pytest.raises(InvalidRequest, match="excluded in the settings"):
        desk.check(["Private/Diary.md"])


async def test_a_text_that_is_cut_short_is_refused_unless_it_is_meant(vault: Vault) -> None:
    body = "First.\n\n...\n"
    async with vault.open() as asking:
        with pytest.raises(InvalidRequest, match="left out"):
            await write(asking, body=body)
        assert (await write(asking, body=body, allow_elision=True)).commit


async def test_a_rename_takes_links_along_and_proposes_the_persons(vault: Vault) -> None:
    vault.write(
        "Home.md",
        "Up: [[mites|the mites]], ![[pages/bees/mites#Open]], [m](Zibaldone/pages/bees/mites.md), [[Varroa]].\n",
    )
    vault.write("Zibaldone/sources/ab/copy.md", "[[mites]]\n")
    async with vault.open() as asking:
        await write(asking)
        await write(asking, "Winter", "bees:winter", body="See [[mites]].", provenance=[PAGE])
        done = await asking.engine.wiki.rename(
            "bees:mites", RenamePageRequest(slug="bees:varroa-mite", title="Varroa mite")
        )
        assert committed(vault)[0] == "rename: bees:mites -> bees:varroa-mite"
        new = "Zibaldone/pages/bees/varroa-mite.md"
        winter = text(vault, "Zibaldone/pages/bees/winter.md")
        assert "See [[varroa-mite]]." in winter
        assert f"path: {new}" in winter
        assert not (vault.root / PAGE).exists()
        page = await asking.engine.wiki.page("bees:varroa-mite")
        assert (page.title, page.aliases) == ("Varroa mite", ["Mites", "bees:mites"])
        assert text(vault, INDEX).count("varroa-mite") == 1
        assert "bees/mites" not in text(vault, INDEX)
        assert "[[mites|" in text(vault, "Home.md")
        assert text(vault, "Zibaldone/sources/ab/copy.md") == "[[mites]]\n"

        assert done.proposal
        assert (await asking.engine.proposal(done.proposal)).paths == ["Home.md"]
        await asking.engine.apply_proposal(done.proposal, Decision())
        await asking.sync()
        report = await asking.engine.wiki.backlinks("bees:varroa-mite")
        of_note = await asking.engine.wiki.backlinks("Bees/Varroa.md")
        with pytest.raises(NotFound, match="no page or note Nowhere"):
            await asking.engine.wiki.backlinks("Nowhere")
    assert text(vault, "Home.md") == (
        "Up: [[varroa-mite|the mites]], ![[pages/bees/varroa-mite#Open]],"
        " [m](Zibaldone/pages/bees/varroa-mite.md), [[Varroa]].\n"
    )
    assert [(link.path, link.line) for link in report.backlinks] == [
        ("Home.md", 1), ("Home.md", 1), ("Home.md", 1), ("Zibaldone/pages/bees/winter.md", 11),
    ]  # fmt: skip
    assert [link.path for link in of_note.backlinks] == ["Home.md", "Zibaldone/pages/bees/varroa-mite.md"]


async def test_a_rename_is_one_change_to_take_back(vault: Vault) -> None:
    async with vault.open() as asking:
        await write(asking)
        before = {path: text(vault, path) for path in (PAGE, INDEX)}
        await asking.engine.wiki.rename("bees:mites", RenamePageRequest(slug="mites"))
        await asking.engine.undo(UndoRequest())
        assert {path: text(vault, path) for path in (PAGE, INDEX)} == before
        assert not (vault.root / "Zibaldone/pages/mites.md").exists()
        await write(asking, "Other", "other")
        with pytest.raises(InvalidRequest, match="There is a page other already"):
            await asking.engine.wiki.rename("bees:mites", RenamePageRequest(slug="other"))


@pytest.mark.parametrize(("option", "kept"), [("local", True), (None, True), ("none", False)])
async def test_a_deleted_page_is_in_the_trash_and_comes_back(vault: Vault, option: str | None, kept: bool) -> None:
    if option:
        vault.write(".obsidian/app.json", f'{{"trashOption": "{option}"}}')
    vault.write(".trash/mites.md", "an older one\n")
    async with vault.open() as asking:
        await write(asking)
        page, index = text(vault, PAGE), text(vault, INDEX)
        done = await asking.engine.wiki.delete("bees:mites")
        assert committed(vault) == ("delete: bees:mites", [INDEX, PAGE])
        assert "bees/mites" not in text(vault, INDEX)
        assert not (vault.root / PAGE).exists()
        in_trash = vault.root / ".trash/mites 1.md"
        assert in_trash.exists() is kept
        assert not kept or in_trash.read_text(encoding="utf-8") == page
        await asking.engine.undo(UndoRequest(change=done.change))
    assert (text(vault, PAGE), text(vault, INDEX)) == (page, index)
    assert not in_trash.exists()
    assert text(vault, ".trash/mites.md") == "an older one\n"


async def test_a_log_entry_is_inert_and_one_commit(vault: Vault) -> None:
    async with vault.open() as asking:
        done = await asking.engine.wiki.log(LogRequest(topic="The hedge", text="Ask `= this.x` again."))
        with pytest.raises(InvalidRequest, match="empty"):
            await asking.engine.wiki.log(LogRequest(topic="x", text=" \n"))
    [path] = done.paths
    assert path.startswith("Zibaldone/log/")
    assert committed(vault) == ("log: The hedge", [path])
    assert "The hedge\n\n> Ask \\`= this.x\\` again.\n" in text(vault, path)


async def test_with_approval_of_all_a_page_waits_and_is_listed_once_approved(vault: Vault) -> None:
    async with vault.open(approval="all") as asking:
        first = await write(asking, "Anna", "anna")
        second = await write(asking, "Berta", "berta")
        assert (first.change, first.commit) == (None, None)
        assert not (vault.root / "Zibaldone/pages").exists()
        for waiting in (second, first):
            assert waiting.proposal
            await asking.engine.apply_proposal(waiting.proposal, Decision())
        assert text(vault, INDEX).index("|Anna]]") < text(vault, INDEX).index("|Berta]]")
        moved = await asking.engine.wiki.rename("anna", RenamePageRequest(slug="anne"))
        assert moved.proposal
        await asking.engine.apply_proposal(moved.proposal, Decision())
        assert [page.slug for page in (await asking.engine.wiki.pages("")).pages] == ["anne", "berta"]
        assert "pages/anna|" not in text(vault, INDEX)
        assert (await asking.engine.wiki.log(LogRequest(topic="t", text="x"))).commit


async def test_what_was_approved_is_one_change_to_take_back(vault: Vault) -> None:
    before = text(vault, INDEX)
    async with vault.open(approval="all") as asking:
        waiting = await write(asking)
        assert waiting.proposal
        done = await asking.engine.apply_proposal(waiting.proposal, Decision())
        assert committed(vault)[1] == [INDEX, PAGE]
        undone = await asking.engine.undo(UndoRequest())
        assert undone.paths == [INDEX, PAGE]
        [_, first] = (await asking.engine.changes(9)).changes
        assert (first.id, first.state) == (done.change, "undone")
    assert text(vault, INDEX) == before
    assert not (vault.root / PAGE).exists()


async def test_a_page_that_was_edited_and_renamed_is_not_told_to_be_taken_back(vault: Vault) -> None:
    async with vault.open() as asking:
        created = await write(asking)
        vault.write(PAGE, text(vault, PAGE) + "- How?\n")
        vault.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qam", "mine")
        await asking.sync()
        await asking.engine.wiki.rename("bees:mites", RenamePageRequest(slug="my:mites"))
        with pytest.raises(UndoRefused, match=r"pages/my/mites\.md\) was edited since"):
            await asking.engine.undo(UndoRequest(change=created.change))
        assert [change.state for change in (await asking.engine.changes(9)).changes] == ["written", "written"]


async def test_read_only_is_said(vault: Vault) -> None:
    async with vault.open(read_only=True) as asking:
        with pytest.raises(InvalidRequest, match="read-only"):
            await write(asking)
        with pytest.raises(InvalidRequest, match="read-only"):
            await asking.engine.wiki.log(LogRequest(topic="x", text="y"))
        assert (await asking.engine.wiki.pages("")).pages == []


async def test_writing_costs_the_same_in_a_large_wiki(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are read, processes of git that are started, and folders that are listed."""
    counts: list[str] = []

    def counting(owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def call(*arguments: Any, **keys: Any) -> Any:
            counts.append(name)
            return original(*arguments, **keys)

        monkeypatch.setattr(owner, name, call)

    async def cost(asking: Asking, slug: str) -> dict[str, int]:
        counts.clear()
        await write(asking, slug, slug, provenance=["Bees/Varroa.md"])
        await asking.engine.wiki.append(slug, AppendPageRequest(text="More."))
        await asking.engine.wiki.extend(slug, ExtendPageRequest(body="Other."))
        return {name: counts.count(name) for name in set(counts)}

    # What the indexer reads of the written pages, some time later, is not the writer's cost.
    async with vault.open(**{"watch.debounce_s": 3600.0}) as asking:
        counting(VaultFiles, "read_stable")
        counting(Git, "_start")
        counting(Path, "iterdir")
        await cost(asking, "warm")
        small = await cost(asking, "few")
        for number in range(100):
            vault.write(f"Zibaldone/pages/n/page-{number}.md", "---\ntitle: x\n---\n\ntext\n")
            vault.write(f"Notes/{number}.md", "[[few]]\n")
        assert await cost(asking, "many") == small
