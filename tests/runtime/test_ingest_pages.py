"""A page from a document: what stands on it, where it goes, and what the next question makes of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.vaults import Asking, Vault
from zibaldone.errors import ModelFailed
from zibaldone.inference.fake import FakeChat
from zibaldone.inference.roles import Message
from zibaldone.schemas.proposals import Decision
from zibaldone.schemas.sources import IngestedFile, IngestRequest
from zibaldone.schemas.wiki import LintRequest, WritePageRequest

OLD = (
    "# Swarm control in spring\n\nThe colonies swarm in May.\n\n## Cells\n\n"
    "Queen cells are broken every 7 days.\n\nThe weather was fine.\n"
)
NEW = OLD.replace("every 7 days", "every 9 days")
PAGE = "Zibaldone/pages/swarm-control-in-spring.md"
TOLD = ("Queen cells are broken every 9 days.", "Queen cells are broken every 7 days.", "Colonies swarm in May.")


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with documents, outside the vault."""
    folder = tmp_path / "Downloads"
    folder.mkdir()
    return folder


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def reply(messages: Sequence[Message]) -> str:
    """Tells all it knows of documents; answers a question by what it is asked about."""
    asked = messages[-1].content
    if "Write down" in asked:
        return json.dumps({"statements": TOLD})
    if asked.startswith("Question:"):
        return '{"title": "Colonies swarm"}'
    return "Queen cells are broken every 7 days [1]."


async def ingest(asking: Asking, path: Path, **request: object) -> IngestedFile:
    asking.engine._models._chat = FakeChat(reply)
    wanted = IngestRequest.model_validate({"paths": [str(path)], **request})
    [file] = (await asking.engine.library.add(wanted)).files
    return file


def read(vault: Vault, path: str = PAGE) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


async def test_a_page_holds_the_words_of_the_document_and_their_lines(vault: Vault, desk: Path) -> None:
    paper = write(desk / "swarms.md", OLD)
    async with vault.open() as asking:
        file = await ingest(asking, paper, into="bees")
        lint = await asking.engine.wiki.lint(LintRequest())
    assert file.source
    [page] = file.pages
    assert (page.kind, page.slug) == ("compact", "swarm-control-in-spring")
    assert (file.no_page, file.left_out) == (None, None)
    copy = file.source.path.removesuffix(".md")
    text = read(vault)
    assert "## swarms\n\n" in text
    assert f"- The colonies swarm in May. ([[{copy}#Swarm control in spring|swarms]] line 3)\n" in text
    assert f"- Queen cells are broken every 7 days. ([[{copy}#Swarm control in spring|swarms]] line 7)\n" in text
    assert text.count(f"path: {copy}.md\n") == text.count(file.source.sha256) == 2
    assert 'lines: "7"' in text
    assert "|Swarm control in spring]]" in read(vault, "Zibaldone/index.md")
    assert lint.errors == 0
    assert vault.git("log", "-2", "--format=%s").splitlines() == [
        "compact: swarm-control-in-spring",
        f"ingest: {file.source.path}",
    ]
    assert vault.git("status", "--porcelain", "Zibaldone") == ""


async def test_a_question_is_answered_from_the_page_and_cites_the_copy(vault: Vault, desk: Path) -> None:
    async with vault.open() as asking:
        file = await ingest(asking, write(desk / "swarms.md", OLD))
        answer = await asking.ask("How often are queen cells broken?")
        assert file.source
        assert [c.path for c in answer.citations if c.supported] == [PAGE, file.source.path]
        assert answer.citations[1].quote == "Queen cells are broken every 7 days."
        (vault.root / file.source.path).write_text("something else", encoding="utf-8")
        edited = await asking.ask("How often are queen cells broken?")
        (vault.root / file.source.path).unlink()
        gone = await asking.ask("How often are queen cells broken?")
    assert f"A passage of {PAGE} was not used: {file.source.path} has changed since." in edited.notes
    assert f"A passage of {PAGE} was not used: {file.source.path.removesuffix('.md')} is gone since." in gone.notes
    assert edited.abstained
    assert gone.abstained


async def test_the_copy_is_read_as_it_was_committed(vault: Vault, desk: Path) -> None:
    async with vault.open() as asking:
        file = await ingest(asking, write(desk / "swarms.md", OLD))
        assert file.source
        (vault.root / file.source.path).unlink()
        today = vault.git("log", "-1", "--format=%cd", "--date=short")
        answer = await asking.ask("How often are queen cells broken?", as_of=today)
    assert [c.path for c in answer.citations if c.supported] == [PAGE, file.source.path]


async def test_the_same_bytes_twice_are_one_page(vault: Vault, desk: Path) -> None:
    paper = write(desk / "swarms.md", OLD)
    async with vault.open() as asking:
        await ingest(asking, paper)
        head = vault.git("rev-parse", "HEAD")
        again = await ingest(asking, paper, prompt="something else")
        assert (again.outcome, again.pages) == ("unchanged", [])
        assert again.no_page == f"{PAGE} rests on it already."
        assert len(asking.engine._models._chat.prompts) == 0  # type: ignore[union-attr]
    assert vault.git("rev-parse", "HEAD") == head


async def test_of_parallel_runs_one_writes_the_page(vault: Vault, desk: Path) -> None:
    paper = write(desk / "swarms.md", OLD)
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(reply)
        request = IngestRequest(paths=[str(paper)])
        reports = await asyncio.gather(*[asking.engine.library.add(request) for _ in range(4)])
    assert sum(len(report.files[0].pages) for report in reports) == 1
    assert read(vault).count("## ") == 1


async def test_what_was_only_registered_gets_its_page_later(vault: Vault, desk: Path) -> None:
    paper = write(desk / "swarms.md", OLD)
    async with vault.open() as asking:
        first = await ingest(asking, paper, register_only=True)
        assert (first.pages, first.no_page) == ([], None)
        assert not (vault.root / PAGE).exists()
        second = await ingest(asking, paper)
    assert second.outcome == "unchanged"
    assert [page.kind for page in second.pages] == ["compact"]


async def test_a_new_version_takes_the_place_of_the_old_one(vault: Vault, desk: Path) -> None:
    async with vault.open() as asking:
        await ingest(asking, write(desk / "swarms.md", OLD))
        only = await ingest(asking, write(desk / "swarms 2.md", NEW), key="swarms", register_only=True)
        assert [one.page for one in (await asking.engine.library.stale()).stale] == ["swarm-control-in-spring"] * 2
        outdated = await asking.ask("How often are queen cells broken?")
        file = await ingest(asking, desk / "swarms 2.md", key="swarms")
        assert (await asking.engine.library.stale()).stale == []
        old = await ingest(asking, desk / "swarms.md")
        lint = await asking.engine.wiki.lint(LintRequest())
    assert only.supersedes
    assert only.left_stale == ["swarm-control-in-spring"]
    assert f"A passage of {PAGE} was not used: {only.supersedes} was superseded since." in outdated.notes
    assert [(page.kind, page.slug) for page in file.pages] == [("extend", "swarm-control-in-spring")]
    text = read(vault)
    assert "every 9 days" in text
    assert "every 7 days" not in text
    assert only.supersedes not in text
    assert text.count("## ") == 1
    assert old.no_page == "No page was written: a newer version of it is registered."
    assert lint.errors == 0


async def test_what_a_person_wrote_among_it_stays(vault: Vault, desk: Path) -> None:
    async with vault.open() as asking:
        await ingest(asking, write(desk / "swarms.md", OLD))
        vault.write(PAGE, read(vault).replace("every 7 days.", "every 7 days, I say."))
        await asking.sync()
        file = await ingest(asking, write(desk / "swarms 2.md", NEW), key="swarms")
    assert [page.kind for page in file.pages] == ["append"]
    text = read(vault)
    assert "every 7 days, I say." in text
    assert "every 9 days" in text


async def test_what_a_page_is_about_already_is_added_to_it(vault: Vault, desk: Path) -> None:
    async with vault.open() as asking:
        body = "Queen cells are broken every 7 days. The colonies swarm in May, one says."
        await asking.engine.wiki.write(WritePageRequest(title="Swarm cells", body=body))
        await asking.sync()
        told = await ingest(asking, write(desk / "a.md", OLD))
        added = await ingest(asking, write(desk / "b.md", NEW.replace("in May", "in May and in June")))
    assert told.pages == []
    assert told.no_page == "No page was written: Zibaldone/pages/swarm-cells.md says so already."
    assert [(page.kind, page.slug) for page in added.pages] == [("append", "swarm-cells")]
    text = read(vault, "Zibaldone/pages/swarm-cells.md")
    assert text.count("every 7 days") == 1
    assert "## b\n\n- The colonies swarm in May and in June. (" in text


async def test_a_text_without_a_title_is_named_by_the_model_and_has_no_headings(vault: Vault, desk: Path) -> None:
    async with vault.open() as asking:
        file = await ingest(asking, write(desk / "scan_01.txt", OLD.replace("# ", "## ")))
        lint = await asking.engine.wiki.lint(LintRequest())
        answer = await asking.ask("How often are queen cells broken?")
    assert file.source
    assert [page.slug for page in file.pages] == ["colonies-swarm"]
    assert f"([[{file.source.path}|scan_01.txt]] line 7)" in read(vault, "Zibaldone/pages/colonies-swarm.md")
    assert file.source.path in [c.path for c in answer.citations if c.supported]
    assert lint.errors == 0


async def test_with_approval_of_all_the_page_waits(vault: Vault, desk: Path) -> None:
    paper = write(desk / "swarms.md", OLD)
    async with vault.open(approval="all") as asking:
        file = await ingest(asking, paper)
        [page] = file.pages
        assert (page.commit, page.proposal) == (None, 1)
        assert not (vault.root / PAGE).exists()
        again = await ingest(asking, paper)
        assert again.no_page == "Its page waits for your approval: `zib proposals show 1`."
        await asking.engine.apply_proposal(1, Decision())
        lint = await asking.engine.wiki.lint(LintRequest())
    assert "every 7 days" in read(vault)
    assert lint.errors == 0


async def test_an_undo_takes_the_page_back(vault: Vault, desk: Path) -> None:
    from zibaldone.schemas.changes import UndoRequest

    index = read(vault, "Zibaldone/index.md")
    async with vault.open() as asking:
        file = await ingest(asking, write(desk / "swarms.md", OLD))
        await asking.engine.undo(UndoRequest(change=file.pages[0].change))
    assert not (vault.root / PAGE).exists()
    assert read(vault, "Zibaldone/index.md") == index


@pytest.mark.parametrize(
    ("flags", "name", "text", "why"),
    [
        ({"writeback": "off"}, "a.md", OLD, "the setting `writeback = off` forbids it"),
        ({"writeback": "log"}, "a.md", OLD, "the setting `writeback = log` forbids it"),
        ({"models.chat": "nothing-like-it"}, "a.md", OLD, "nothing-like-it"),
        ({}, "a.pdf", OLD, "of documents only Markdown and plain text are read so far"),
        ({}, "a.md", "---\ntitle: x\n---\n", "there is no text in it"),
        ({}, "a.txt", "\0\1\2", "there is no text in it"),
        ({}, "a.md", "# Wasps\n\nWasps built a nest under the roof.\n", "the model told nothing that stands in it"),
    ],
)
async def test_where_no_page_is_written_one_sentence_says_why(
    vault: Vault, desk: Path, flags: dict[str, object], name: str, text: str, why: str
) -> None:
    async with vault.open(**flags) as asking:
        if "models.chat" not in flags:
            asking.engine._models._chat = FakeChat(reply)
        paper = write(desk / name, text)
        [file] = (await asking.engine.library.add(IngestRequest(paths=[str(paper)]))).files
    assert file.outcome == "registered"
    assert file.pages == []
    assert file.no_page
    assert file.no_page.startswith("No page was written: ")
    assert why in file.no_page
    assert not list((vault.root / "Zibaldone").glob("pages/*"))


async def test_a_model_that_fails_leaves_the_document_registered(vault: Vault, desk: Path) -> None:
    def fail(messages: Sequence[Message]) -> str:
        raise ModelFailed("The model stopped.", "Try again.")

    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(fail)
        paths = [str(write(desk / name, text)) for name, text in (("a.md", OLD), ("b.md", NEW))]
        files = (await asking.engine.library.add(IngestRequest(paths=paths))).files
    assert [(one.outcome, one.pages) for one in files] == [("registered", [])] * 2
    assert all(one.no_page and "The model stopped." in one.no_page for one in files)


async def test_of_a_long_document_the_beginning_is_read_and_that_is_said(vault: Vault, desk: Path) -> None:
    text = OLD + "".join(f"\n## Part {number}\n\n{'Some words of a part. ' * 200}\n" for number in range(30))
    async with vault.open() as asking:
        file = await ingest(asking, write(desk / "long.md", text))
    assert file.pages
    assert file.left_out
    assert file.left_out.startswith("Read up to line ")
    assert file.left_out.endswith(f" of {len(text.splitlines())}: it is long.")


async def test_the_model_is_told_what_the_person_wants(vault: Vault, desk: Path) -> None:
    agents = vault.root / "Zibaldone/AGENTS.md"
    agents.write_text(agents.read_text(encoding="utf-8") + "\n- Numbers matter most.\n", encoding="utf-8")
    async with vault.open() as asking:
        await ingest(asking, write(desk / "swarms.md", OLD), prompt="what is done against swarms")
        [prompt] = asking.engine._models._chat.prompts  # type: ignore[union-attr]
    assert prompt[0].content.endswith("\n- Numbers matter most.")
    assert prompt[-1].content.endswith(": what is done against swarms")


async def test_what_a_document_says_does_nothing_in_a_page(vault: Vault, desk: Path) -> None:
    evil = OLD.replace("are broken", "<script>x</script> are ![[secret]] broken #tag [due:: today]")
    async with vault.open() as asking:
        file = await ingest(asking, write(desk / "swarms.md", evil))
        lint = await asking.engine.wiki.lint(LintRequest())
    assert file.pages
    text = read(vault)
    assert "\\#tag" in text
    assert not any(active in text for active in ("<script>", "![[", "due::"))
    assert lint.errors == 0
