"""Lint and its fixes, history and blame, and pages near in meaning, on a real vault."""

from __future__ import annotations

import pytest

from support.vaults import Vault
from zibaldone.errors import InvalidRequest, NotFound
from zibaldone.schemas.proposals import Decision
from zibaldone.schemas.wiki import AppendPageRequest, LintRequest, RenamePageRequest, SimilarRequest, WritePageRequest

PAGE = "Zibaldone/pages/mites.md"
INDEX = "Zibaldone/index.md"


def text(vault: Vault, path: str) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


async def test_fixes_are_one_change_and_the_rest_is_reported(vault: Vault) -> None:
    vault.write(PAGE, "# Mites in winter\n\n[[Nowhere]] and [[Varroa]].\n")
    vault.write("Home.md", "[[mites]] and [[gone]].\n")
    vault.write(INDEX, "# Index\n\nMine.\n\n## Pages\n\n- [[pages/old|Old]] my words\n")
    async with vault.open() as asking:
        before = await asking.engine.wiki.lint(LintRequest())
        found = {(one.kind, one.path) for one in before.findings}
        assert found == {
            ("broken-link", PAGE),
            ("dead-index-entry", INDEX),
            ("missing-index-entry", PAGE),
            ("missing-title", PAGE),
            ("slug-mismatch", PAGE),
        }
        assert (before.errors, before.fixed, before.fix) == (1, 0, None)
        report = await asking.engine.wiki.lint(LintRequest(fix=True))
        assert report.fixed == 4
        assert report.fix
        assert vault.git("log", "-1", "--format=%s") == "lint: 4 fixes"
        assert [one.kind for one in report.findings] == ["broken-link"]
        assert "slug: mites" in text(vault, PAGE)
        assert "title: Mites in winter" in text(vault, PAGE)
        assert text(vault, INDEX) == (
            "# Index\n\nMine.\n\n## Pages\n\n- [[pages/mites|Mites in winter]]\n- Old my words\n"
        )
        again = await asking.engine.wiki.lint(LintRequest(fix=True, scope="all"))
        assert (again.fixed, again.fix) == (0, None)
        assert {(one.kind, one.path) for one in again.findings} == {("broken-link", PAGE), ("broken-link", "Home.md")}


async def test_the_index_alone_can_be_rebuilt(vault: Vault) -> None:
    vault.write(PAGE, "---\ntitle: Mites\n---\n\nText.\n")
    async with vault.open() as asking:
        report = await asking.engine.wiki.lint(LintRequest(fix=True, scope="index"))
        assert (report.fixed, report.findings) == (1, [])
        assert vault.git("log", "-1", "--format=%s") == "index: 1 fix"
        assert "- [[pages/mites|Mites]]\n" in text(vault, INDEX)
        assert "slug" not in text(vault, PAGE)
        assert (await asking.engine.wiki.lint(LintRequest(fix=True, scope="index"))).fix is None


async def test_fixes_wait_where_all_is_approved(vault: Vault) -> None:
    vault.write(PAGE, "---\ntitle: Mites\n---\n\nText.\n")
    async with vault.open(approval="all") as asking:
        report = await asking.engine.wiki.lint(LintRequest(fix=True))
        assert report.fix
        assert report.fix.proposal
        assert "slug" not in text(vault, PAGE)
        await asking.engine.apply_proposal(report.fix.proposal, Decision())
    assert "slug: mites" in text(vault, PAGE)
    assert "[[pages/mites|Mites]]" in text(vault, INDEX)


async def test_history_and_blame_tell_the_person_from_the_agent_through_a_rename(vault: Vault) -> None:
    body = "\n".join(f"Line {number} of the page says something of its own." for number in range(8))
    async with vault.open() as asking:
        wiki = asking.engine.wiki
        await wiki.write(WritePageRequest(title="Mites", body=body))
        vault.write(PAGE, text(vault, PAGE).replace("Line 3 of", "I say:"))
        # A mailmap is the repository's word, and is not taken.
        vault.write(".mailmap", "Zibaldone <zibaldone@localhost> <ada@example.org>\n")
        vault.git("add", PAGE)
        vault.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "Mine")
        await wiki.rename("mites", RenamePageRequest(slug="varroa"))
        moved = "Zibaldone/pages/varroa.md"
        vault.write(moved, text(vault, moved) + "not yet committed\n")
        history = await wiki.history("varroa", 10)
        blame = await wiki.blame("varroa")
        latest = await wiki.history("varroa", 1)
        with pytest.raises(NotFound):
            await wiki.history("nothing", 10)
        with pytest.raises(NotFound):
            await wiki.blame("nothing")
    assert [(one.by, one.subject, one.path) for one in history.commits] == [
        ("agent", "rename: mites -> varroa", moved),
        ("person", "Mine", PAGE),
        ("agent", "compact: mites", PAGE),
    ]
    assert len(latest.commits) == 1
    who = {line.text: (line.by, line.author) for line in blame.lines}
    assert who["I say: the page says something of its own."] == ("person", "Ada")
    assert who["Line 4 of the page says something of its own."] == ("agent", "Zibaldone")
    assert who["not yet committed"] == ("uncommitted", None)
    assert [line.line for line in blame.lines] == list(range(1, len(blame.lines) + 1))


async def test_a_page_that_is_not_committed_has_no_history_yet(vault: Vault) -> None:
    vault.write(PAGE, "Text.\n")
    async with vault.open() as asking:
        assert (await asking.engine.wiki.history("mites", 10)).commits == []
        assert [line.by for line in (await asking.engine.wiki.blame("mites")).lines] == ["uncommitted"]


async def test_pages_near_in_meaning_are_pages_alone_and_not_the_page_itself(vault: Vault) -> None:
    async with vault.open() as asking:
        wiki = asking.engine.wiki
        await wiki.write(WritePageRequest(title="Mites", body="Treat with oxalic acid in December."))
        await wiki.write(WritePageRequest(title="Soup", body="Zwei Lorbeerblätter und eine Stunde Zeit."))
        await wiki.append("soup", AppendPageRequest(text="## Acid\n\nTreat with oxalic acid in December."))
        await asking.sync()
        near = await wiki.similar(SimilarRequest(text="Treat with oxalic acid in December.", k=1))
        of_page = await wiki.similar(SimilarRequest(slug="mites"))
        with pytest.raises(InvalidRequest):
            await wiki.similar(SimilarRequest(text="x", slug="mites"))
        with pytest.raises(NotFound):
            await wiki.similar(SimilarRequest(slug="nothing"))
    assert [page.slug for page in near.pages] == ["mites"]
    assert [page.slug for page in of_page.pages] == ["soup"]
    assert "oxalic" in of_page.pages[0].text
    assert 0.3 < of_page.pages[0].cosine <= 1.0001
