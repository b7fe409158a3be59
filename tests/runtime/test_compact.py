"""What a turn leaves on pages, and what the next turn makes of them."""

from __future__ import annotations

import pytest

from support.vaults import Asking, Vault
from zibaldone.inference.fake import FakeChat
from zibaldone.schemas.ask import Answer
from zibaldone.schemas.wiki import AppendPageRequest, LintRequest

QUESTION = "How many mites did the colony by the hedge have in July?"
PAGE = "Zibaldone/pages/many-mites-colony-hedge-july.md"


async def ask(asking: Asking, question: str = QUESTION) -> Answer:
    """As when the index is in step."""
    answer = await asking.ask(question)
    await asking.sync()
    return answer


def read(vault: Vault, path: str = PAGE) -> str:
    return (vault.root / path).read_text(encoding="utf-8")


async def test_a_page_holds_the_question_the_statement_and_where_it_comes_from(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        lint = await asking.engine.wiki.lint(LintRequest())
    page = read(vault)
    assert f"## {QUESTION}" in page
    assert "- The colony by the hedge had 14 mites a day in July. ([[Bees/Varroa#Varroa|Varroa]] line" in page
    assert "path: Bees/Varroa.md" in page
    assert f"[[{PAGE.removesuffix('.md').removeprefix('Zibaldone/')}|" in read(vault, "Zibaldone/index.md")
    assert lint.errors == 0


async def test_the_second_answer_reads_the_page_and_cites_the_note_behind_it(vault: Vault) -> None:
    vault.write("Bees/Long.md", "# Long\n\n" + "The colony by the hedge was strong in July. " * 60)
    async with vault.open() as asking:
        first = await ask(asking)
        second = await ask(asking)
    assert second.writeback is not None
    assert second.writeback.kind == "log"  # the page says so already
    assert [c.path for c in second.citations if c.supported] == [PAGE, "Bees/Varroa.md"]
    assert "14 mites" in second.citations[1].quote
    assert second.timing.evidence_tokens <= 0.6 * first.timing.evidence_tokens


async def test_a_page_whose_note_has_changed_is_not_used_and_is_written_anew(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        vault.write("Bees/Varroa.md", "# Varroa\n\nThe colony by the hedge had 3 mites a day in July.\n")
        await asking.sync()
        second = await ask(asking)
        lint = await asking.engine.wiki.lint(LintRequest())
    assert "3 mites" in second.answer
    assert [c.path for c in second.citations] == ["Bees/Varroa.md"]
    assert f"A passage of {PAGE} was not used: Bees/Varroa.md has changed since." in second.notes
    assert second.writeback is not None
    assert second.writeback.kind == "extend"
    page = read(vault)
    assert page.count("## ") == 1
    assert "14 mites" not in page
    assert lint.errors == 0


async def test_what_stood_in_a_note_that_is_gone_is_not_told_from_its_page(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        (vault.root / "Bees/Varroa.md").unlink()
        await asking.sync()
        second = await ask(asking)
    assert second.abstained
    assert f"A passage of {PAGE} was not used: Bees/Varroa is gone since." in second.notes
    assert not any("14 mites" in hit.text for hit in second.hits)


async def test_what_a_person_wrote_into_a_page_stays(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        vault.write(PAGE, read(vault).replace("14 mites a day in July.", "14 mites a day in July, I counted twice."))
        await asking.engine.wiki.append("many-mites-colony-hedge-july", AppendPageRequest(text="Something else."))
        vault.write("Bees/Varroa.md", "# Varroa\n\nThe colony by the hedge had 3 mites a day in July.\n")
        await asking.sync()
        second = await ask(asking)
    assert second.writeback is not None
    assert second.writeback.kind == "append"
    assert "I counted twice." in read(vault)
    assert read(vault).count(f"## {QUESTION}") == 2


async def test_what_belongs_to_a_page_is_added_to_it(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        asking.engine._models._chat = FakeChat(
            lambda _: "The colony by the hedge is treated with oxalic acid in December [1]."
        )
        vault.write("Bees/Varroa.md", read(vault, "Bees/Varroa.md") + "\nIn July the colony by the hedge had mites.\n")
        await asking.sync()
        second = await ask(asking, "When is the colony by the hedge treated for mites?")
    assert second.writeback is not None
    assert second.writeback.kind == "append"
    assert read(vault).count("## ") == 2
    assert vault.git("log", "-1", "--format=%s").startswith("append: many-mites")


async def test_another_matter_begins_another_page(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        second = await ask(asking, "Wie viele Lorbeerblätter braucht die Suppe?")
    assert second.writeback is not None
    assert second.writeback.kind == "compact"
    assert second.writeback.path == "Zibaldone/pages/viele-lorbeerblätter-braucht-suppe.md"


async def test_of_a_long_answer_the_first_statements_go_to_the_page(vault: Vault) -> None:
    facts = [f"Fact {name} is about the roof." for name in ("one", "two", "three", "four")]
    mites = "The colony by the hedge had 14 mites a day in July."
    vault.write("Bees/Varroa.md", "# Varroa\n\n" + "\n\n".join([*facts, mites]) + "\n")
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(lambda _: " ".join(f"{one[:-1]} [1]." for one in [mites, *facts]))
        await ask(asking)
    assert mites in read(vault)
    assert read(vault).count("\n- ") == 3


async def test_the_model_names_a_page_where_its_name_is_about_the_matter(vault: Vault) -> None:
    def reply(messages: object) -> str:
        named = "Question: How" in str(messages) and "Notes:" not in str(messages)
        return '{"title": "Mites by the hedge"}' if named else "The colony by the hedge had 14 mites a day in July [1]."

    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(reply)
        answer = await ask(asking)
    assert answer.writeback is not None
    assert answer.writeback.page == "mites-by-the-hedge"


@pytest.mark.parametrize("question", ["What else?", "Mites?", "Und was noch?"])
async def test_a_question_that_names_no_matter_heads_no_page(vault: Vault, question: str) -> None:
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(lambda _: "The colony by the hedge had 14 mites a day in July [1].")
        answer = await ask(asking, question)
    assert answer.writeback is not None
    assert answer.writeback.kind == "log"


async def test_with_approval_of_all_the_page_waits_and_the_log_does_not(vault: Vault) -> None:
    async with vault.open(approval="all") as asking:
        answer = await ask(asking)
        [proposal] = (await asking.engine.proposals(all_states=False)).proposals
    assert answer.writeback is not None
    assert answer.writeback.kind == "log"
    assert answer.writeback.reason is not None
    assert f"zib proposals show {proposal.id}" in answer.writeback.reason
    assert not (vault.root / PAGE).exists()


async def test_an_undo_takes_the_whole_write_back(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        [change, *_] = (await asking.engine.changes(5)).changes
        assert PAGE in change.paths
        assert any(path.startswith("Zibaldone/log/") for path in change.paths)


@pytest.mark.parametrize("text", ["See ![[secret]] and `= this.file` <script>x</script> 14 mites a day in July."])
async def test_what_a_model_says_does_nothing_in_a_page(vault: Vault, text: str) -> None:
    vault.write("Bees/Varroa.md", f"# Varroa\n\nThe colony by the hedge: {text}\n")
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(lambda _: f"The colony by the hedge: {text} [1].")
        await ask(asking)
    if (vault.root / PAGE).exists():
        page = read(vault)
        assert "![[secret]]" not in page
        assert "\\`= this" in page
        assert "<script>" not in page


async def test_what_was_cited_from_a_note_about_something_else_becomes_no_page(vault: Vault) -> None:
    vault.write("Projects/Tallinn Workshop.md", "# Tallinn Workshop\n\nThe participants come by ferry.\n")
    vault.write("Projects/Altarpiece.md", "# Altarpiece\n\nThe fee was raised from 18,400 to 21,150 euros.\n")
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(lambda _: "The fee was raised from 18,400 to 21,150 euros.")
        answer = await ask(asking, "How was the fee of the Tallinn Workshop raised, and by how many euros?")
    assert [c.path for c in answer.citations if c.supported] == ["Projects/Altarpiece.md"]
    assert answer.writeback is not None
    assert answer.writeback.kind == "log"
    assert "No page was written: what was cited does not speak of “tallinn”." in answer.notes


async def test_another_answer_from_another_note_does_not_displace_the_first(vault: Vault) -> None:
    async with vault.open() as asking:
        await ask(asking)
        before = read(vault)
        vault.write("Bees/Varroa.md", "# Varroa\n\nThe colony by the hedge had 3 mites a day in July.\n")
        vault.write("Bees/Other.md", "# Other\n\nThe colony by the hedge had 77 mites and wasps a day in July.\n")
        asking.engine._models._chat = FakeChat(
            lambda _: "The colony by the hedge had 77 mites and wasps a day in July."
        )
        await asking.sync()
        second = await ask(asking)
    assert [c.path for c in second.citations if c.supported] == ["Bees/Other.md"]
    assert second.writeback is not None
    assert second.writeback.kind == "log"
    assert read(vault) == before
