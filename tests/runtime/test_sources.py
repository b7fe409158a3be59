"""Documents: added once, in one commit; versions, staleness and clearing away. Real git, real files."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.vaults import Vault
from zibaldone.errors import InvalidRequest
from zibaldone.runtime.sources import MOST_BYTES, load_registry, read_records
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.sources import CollectRequest, IngestedFile, IngestRequest
from zibaldone.vault.files import sha256_hex


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with documents, outside the vault."""
    folder = tmp_path / "Downloads"
    folder.mkdir()
    return folder


async def add(vault: Vault, *paths: Path, into: str = "", key: str | None = None) -> list[IngestedFile]:
    async with vault.open() as asking:
        request = IngestRequest(paths=[str(path) for path in paths], into=into, key=key)
        return (await asking.engine.library.add(request)).files


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def page(vault: Vault, name: str, *provenance: str) -> None:
    lines = "".join(f"  - {entry}\n" for entry in provenance)
    vault.write(f"Zibaldone/pages/{name}.md", f"---\ntitle: {name}\nslug: {name}\nprovenance:\n{lines}---\n\nText.\n")


async def test_a_document_is_copied_and_recorded_in_one_commit(vault: Vault, desk: Path) -> None:
    paper = write(desk / "衛生 2024.txt", "wash your hands\n")
    vault.write("mine.md", "not committed\n")
    [done] = await add(vault, paper, into="medicine")
    assert done.outcome == "registered"
    assert done.source
    path = done.source.path
    assert path == f"Zibaldone/sources/medicine/{done.source.sha256[:12]}/衛生 2024.txt"
    assert (vault.root / path).read_bytes() == paper.read_bytes()
    assert vault.git("log", "-1", "--format=%s") == f"ingest: {path}"
    listed = vault.git("-c", "core.quotePath=off", "show", "--name-status", "--format=", "HEAD")
    assert listed.splitlines() == [f"A\t{path}", f"A\t{path}.source.md"]
    record = (vault.root / f"{path}.source.md").read_text()
    assert str(desk) not in record
    assert done.source.origin == "衛生 2024.txt"
    registry = await asyncio.to_thread(load_registry, vault.root, "Zibaldone")
    assert registry.sources[path].sha256 == sha256_hex(paper.read_bytes())


async def test_the_same_bytes_twice_are_one_source(vault: Vault, desk: Path) -> None:
    paper = write(desk / "a.txt", "one")
    again = write(desk / "other" / "b.txt", "one")
    [first] = await add(vault, paper)
    head = vault.git("rev-parse", "HEAD")
    for files in (await add(vault, paper), await add(vault, again, into="x"), await add(vault, again, key="z")):
        assert [(one.outcome, one.source and one.source.path) for one in files] == [
            ("unchanged", first.source and first.source.path)
        ]
    assert vault.git("rev-parse", "HEAD") == head


async def test_a_copy_that_is_gone_or_edited_is_put_back(vault: Vault, desk: Path) -> None:
    paper = write(desk / "a.txt", "one")
    [first] = await add(vault, paper)
    assert first.source
    copy = vault.root / first.source.path
    copy.unlink()
    assert [one.outcome for one in await add(vault, paper)] == ["restored"]
    copy.write_text("edited")
    assert [one.outcome for one in await add(vault, paper)] == ["restored"]
    assert copy.read_text() == "one"


async def test_a_new_version_makes_pages_stale(vault: Vault, desk: Path) -> None:
    paper = write(desk / "guideline.txt", "old")
    [old] = await add(vault, paper)
    write(paper, "new")
    [new] = await add(vault, paper)
    assert old.source
    assert new.source
    assert (new.outcome, new.supersedes) == ("registered", old.source.path)
    varroa = sha256_hex((vault.root / "Bees/Varroa.md").read_bytes())
    page(vault, "rests-on-old", old.source.path)
    page(vault, "rests-on-new", new.source.path)
    page(vault, "rests-on-note", f"{{path: Bees/Varroa.md, sha256: {varroa}}}")
    page(vault, "by-link", f"{{path: Varroa, sha256: {varroa}}}")
    page(vault, "bare", "Bees/Varroa.md", "https://example.org", "old.pdf")
    page(vault, "meant", f"{{path: {old.source.path}, superseded_ok: history}}")
    async with vault.open() as asking:
        found = await asking.engine.library.stale()
        assert [(one.page, one.state, one.newest) for one in found.stale] == [
            ("rests-on-old", "superseded", new.source.path)
        ]
        assert found.pages == 6
        vault.write("Bees/Varroa.md", "# Varroa\n\nRewritten.\n")
        (vault.root / new.source.path).write_text("edited by hand")
        found = await asking.engine.library.stale()
    assert [(one.page, one.state) for one in found.stale] == [
        ("by-link", "changed"),
        ("rests-on-new", "changed"),
        ("rests-on-note", "changed"),
        ("rests-on-old", "superseded"),
    ]
    (vault.root / "Bees/Varroa.md").unlink()
    (vault.root / new.source.path).unlink()
    async with vault.open() as asking:
        found = await asking.engine.library.stale()
    assert {one.page: one.state for one in found.stale} == {
        "by-link": "missing",
        "rests-on-new": "missing",
        "rests-on-note": "missing",
        "rests-on-old": "superseded",
    }


async def test_only_pages_that_are_left_stale_are_told(vault: Vault, desk: Path) -> None:
    paper = write(desk / "guideline.txt", "old")
    [old] = await add(vault, paper)
    assert old.source
    page(vault, "meant", f"{{path: {old.source.path}, superseded_ok: history}}")
    [second] = await add(vault, write(paper, "new"))
    assert second.supersedes
    assert second.left_stale == []
    page(vault, "rests-on-old", old.source.path)
    [third] = await add(vault, write(paper, "newest"))
    assert third.left_stale == ["rests-on-old"]


async def test_a_derived_key_never_takes_over_another_document(vault: Vault, desk: Path) -> None:
    one, other = write(desk / "report.txt", "bees"), write(desk / "tax" / "report.txt", "tax")
    await add(vault, one)
    [refused] = await add(vault, other)
    assert refused.outcome == "failed"
    assert refused.error
    assert "another folder" in refused.error.message
    assert "--as report" in refused.error.hint
    [kept_apart] = await add(vault, other, key="tax report")
    assert (kept_apart.outcome, kept_apart.supersedes) == ("registered", None)
    assert kept_apart.source
    assert kept_apart.source.key == "tax-report"


async def test_what_cannot_be_added_is_said_and_the_others_are(vault: Vault, desk: Path) -> None:
    huge = desk / "huge.bin"
    with huge.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    pipe = desk / "pipe"
    os.mkfifo(pipe)
    (desk / "loop").symlink_to(desk / "loop")
    (desk / "link.md").symlink_to(vault.root / "Bees/Varroa.md")
    bad = {
        desk / "none.txt": "There is no file",
        desk: "is a folder",
        huge: "100 MB",
        pipe: "not a regular file",
        write(desk / "empty.txt", ""): "is empty",
        vault.root / "Bees/Varroa.md": "in the vault already",
        desk / "link.md": "in the vault already",
        desk / "loop": "cannot be read",
        Path("relative.txt"): "not an absolute path",
    }
    good = write(desk / "good.txt", "good")
    done = await add(vault, *bad, good)
    for one, words in zip(done, bad.values(), strict=False):
        assert one.outcome == "failed"
        assert one.error
        assert words in one.error.message
        assert one.error.hint
    assert done[-1].outcome == "registered"
    for request in ({"into": "../up"}, {"key": " "}):
        with pytest.raises(InvalidRequest):
            await add(vault, good, **request)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="one document"):
        await add(vault, good, huge, key="x")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
async def test_a_file_that_may_not_be_read(vault: Vault, desk: Path) -> None:
    secret = write(desk / "secret.txt", "x")
    secret.chmod(0)
    [done] = await add(vault, secret)
    assert done.error
    assert "cannot be read" in done.error.message


async def test_names_that_other_systems_cannot_hold(vault: Vault, desk: Path) -> None:
    names = [".hidden.txt", "a:b?.txt", "a|b#c^[d].txt", "con.txt", "x" * 240 + ".txt", "two\nlines.txt", "x.source.md"]
    done = await add(vault, *[write(desk / name, name) for name in names])
    assert [one.outcome for one in done] == ["registered"] * len(names)
    assert done[0].source
    assert done[0].source.path.endswith("/hidden.txt")
    assert len((await asyncio.to_thread(load_registry, vault.root, "Zibaldone")).sources) == len(names)
    assert vault.git("status", "--porcelain", "Zibaldone/sources") == ""


async def test_parallel_runs_register_each_document_once(vault: Vault, desk: Path) -> None:
    papers = [write(desk / f"{number}.txt", f"paper {number}") for number in range(6)]
    async with vault.open() as asking:
        add_one = asking.engine.library.add
        requests = [IngestRequest(paths=[str(paper)]) for paper in papers for _ in range(3)]
        reports = await asyncio.gather(*[add_one(request) for request in requests])
    outcomes = [report.files[0].outcome for report in reports]
    assert outcomes.count("registered") == len(papers)
    assert outcomes.count("unchanged") == 2 * len(papers)
    assert len((await asyncio.to_thread(load_registry, vault.root, "Zibaldone")).sources) == len(papers)


def test_parallel_processes_register_each_document_once(
    vault: Vault, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIBALDONE_MODELS_CHAT", "fake-chat")
    monkeypatch.setenv("ZIBALDONE_MODELS_EMBED", "fake-embed")
    papers = [write(desk / name, name) for name in ("a.txt", "b.txt", "a.txt")]
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", "from zibaldone.cli.main import main; main()", "ingest", str(paper)],
            cwd=vault.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for paper in papers
    ]
    results = [(run.communicate(timeout=120), run.returncode) for run in runs]
    assert [code for _, code in results] == [0, 0, 0], results
    said = sorted(out.split(":")[0] for (out, _), _ in results)
    assert said == ["registered", "registered", "registered already"]
    assert len(load_registry(vault.root, "Zibaldone").sources) == 2


async def test_clearing_away_takes_only_what_nothing_names(vault: Vault, desk: Path) -> None:
    paths = []
    for name in ("cited", "linked", "embedded", "alone"):
        paper = write(desk / f"{name} paper.txt", f"old {name}")
        [old] = await add(vault, paper, key=name)
        write(paper, f"new {name}")
        await add(vault, paper, key=name)
        assert old.source
        paths.append(old.source.path)
    cited, linked, _, alone = paths
    page(vault, "p", cited)
    vault.write("Home.md", f"See [[{linked}|it]].\n")
    # By its bare name this is whichever copy the link leads to; the older one has the same name as the newer.
    vault.write("Zibaldone/log/2026-01-01.md", "[e](embedded%20paper.txt)\n")
    async with vault.open() as asking:
        dry = await asking.engine.library.collect(CollectRequest())
        assert not dry.applied
        assert alone in [one.path for one in dry.removed]
        assert {cited, linked} <= {one.path for one in dry.kept}
        assert all((vault.root / path).exists() for path in paths)
        done = await asking.engine.library.collect(CollectRequest(apply=True))
        assert done.removed == dry.removed
        assert done.commit
        assert not (vault.root / alone).exists()
        assert not (vault.root / f"{alone}.source.md").exists()
        again = await asking.engine.library.collect(CollectRequest(apply=True))
        assert (again.removed, again.applied) == ([], False)
        await asking.engine.undo(UndoRequest(change=done.change))
    assert (vault.root / alone).read_text() == "old alone"


async def test_listing_shows_versions_gone_copies_and_unreadable_records(vault: Vault, desk: Path) -> None:
    paper = write(desk / "a.txt", "1")
    [first] = await add(vault, paper)
    write(paper, "2")
    [second] = await add(vault, paper)
    assert first.source
    assert second.source
    (vault.root / first.source.path).unlink()
    vault.write("Zibaldone/sources/000000000000/x.source.md", "nonsense")
    async with vault.open() as asking:
        found = await asking.engine.library.list()
    assert [(one.path, one.superseded_by, one.present) for one in found.sources] == [
        (first.source.path, second.source.path, False),
        (second.source.path, None, True),
    ]
    assert [problem.path for problem in found.problems] == ["Zibaldone/sources/000000000000/x.source.md"]


async def test_nothing_is_added_in_read_only_mode(vault: Vault, desk: Path) -> None:
    async with vault.open(read_only=True) as asking:
        with pytest.raises(InvalidRequest, match="read-only"):
            await asking.engine.library.add(IngestRequest(paths=[str(write(desk / "a.txt", "x"))]))
        with pytest.raises(InvalidRequest, match="read-only"):
            await asking.engine.library.collect(CollectRequest(apply=True))
        await asking.engine.library.collect(CollectRequest())


def test_sources_that_are_a_link_out_of_the_vault_are_not_read(vault: Vault, desk: Path) -> None:
    write(desk / "000000000000" / "x.source.md", "---\nsha256: '" + "0" * 64 + "'\nregistered: 2026-01-01\n---\n")
    (vault.root / "Zibaldone/sources").symlink_to(desk)
    assert read_records(vault.root, "Zibaldone") == {}


async def test_adding_costs_nothing_that_grows_with_the_vault(vault: Vault, desk: Path, no_blocking: object) -> None:
    """Files that are opened for one document, with few and with many notes and sources."""
    opened: list[str] = []
    real = os.open

    def counting(path: object, *rest: object, **more: object) -> int:
        opened.append(str(path))
        return real(path, *rest, **more)  # type: ignore[arg-type]

    counts = []
    async with vault.open() as asking:
        for round_number in range(2):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(os, "open", counting)
                opened.clear()
                paper = write(desk / f"p{round_number}.txt", f"{round_number}")
                report = await asking.engine.library.add(IngestRequest(paths=[str(paper)]))
            assert report.files[0].outcome == "registered"
            counts.append(len(opened))
            for number in range(300):
                vault.write(f"Notes/{number}.md", "x\n")
    assert counts[1] <= counts[0] + 20


def test_registered_is_in_utc(vault: Vault, desk: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    asyncio.run(add(vault, write(desk / "a.txt", "x")))
    [record] = [one for one in read_records(vault.root, "Zibaldone").values() if not isinstance(one, str)]
    assert before <= record.registered <= datetime.now(UTC)
