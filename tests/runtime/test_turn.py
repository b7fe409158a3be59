"""A turn: cited from the notes, recorded in one commit, never resting on itself."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from support.vaults import Vault
from zibaldone.inference.fake import FakeChat
from zibaldone.schemas.ask import Answered, AskRequest, Failed, Queued, Started, Token

PAGE = "many-mites-colony-hedge-july"
QUESTION = "How many mites did the colony by the hedge have in July?"


async def test_an_answer_is_cited_and_recorded_in_one_commit(vault: Vault) -> None:
    before = vault.git("rev-parse", "HEAD")
    async with vault.open() as asking:
        answer = await asking.ask(QUESTION)
    assert not answer.abstained
    citation = answer.citations[0]
    assert (citation.path, citation.supported) == ("Bees/Varroa.md", True)
    lines = (vault.root / citation.path).read_text(encoding="utf-8").splitlines()
    assert "14 mites" in citation.quote
    assert any("14 mites" in line for line in lines[citation.line_start - 1 : citation.line_end])
    assert answer.writeback is not None
    assert (answer.writeback.kind, answer.writeback.page) == ("compact", PAGE)
    assert answer.writeback.commit == vault.git("rev-parse", "HEAD")
    assert vault.git("rev-parse", "HEAD^") == before
    log = next((vault.root / "Zibaldone/log").iterdir())
    assert vault.git("show", "--name-only", "--format=%an %s", "HEAD").splitlines() == [
        f"Zibaldone compact: {PAGE}",
        "",
        "Zibaldone/index.md",
        f"Zibaldone/log/{log.name}",
        answer.writeback.path,
    ]
    assert "14 mites" in (vault.root / answer.writeback.path).read_text(encoding="utf-8")
    assert "14 mites" in log.read_text(encoding="utf-8")


async def test_where_only_the_log_is_wanted_no_page_is_written(vault: Vault) -> None:
    async with vault.open(writeback="log") as asking:
        answer = await asking.ask(QUESTION)
    assert answer.writeback is not None
    assert answer.writeback.kind == "log"
    assert vault.git("show", "--name-only", "--format=%s", "HEAD").splitlines() == [
        f"log: {QUESTION}",
        "",
        answer.writeback.path,
    ]


@pytest.mark.parametrize("question", [QUESTION, "What did the notary charge for the Zanzibar deed?"])
async def test_asked_twice_the_second_never_rests_on_the_log_of_the_first(vault: Vault, question: str) -> None:
    async with vault.open(watch=True) as asking:
        first = await asking.ask(question)
        await asking.sync()
        second = await asking.ask(question)
    assert second.abstained == first.abstained
    assert {c.path for c in second.citations} >= {c.path for c in first.citations}
    assert not any(hit.path.startswith("Zibaldone/log/") for hit in second.hits)


async def test_an_abstention_is_recorded_too(vault: Vault) -> None:
    async with vault.open() as asking:
        answer = await asking.ask("What did the notary charge for the Zanzibar deed?")
    assert answer.abstained
    assert answer.citations == []
    assert answer.writeback is not None
    assert "notary" in vault.git("show", "HEAD")


async def test_what_the_person_has_staged_stays_staged_and_is_not_in_our_commit(vault: Vault) -> None:
    vault.git("add", "Bees/Varroa.md")
    staged = vault.git("diff", "--cached", "--name-only")
    async with vault.open() as asking:
        answer = await asking.ask(QUESTION)
    assert answer.writeback is not None
    ours = vault.git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert answer.writeback.path in ours
    assert all(path.startswith("Zibaldone/") for path in ours)
    assert vault.git("diff", "--cached", "--name-only") == staged
    assert vault.git("status", "--porcelain", answer.writeback.path) == ""


async def test_under_a_foreign_lock_the_commit_waits_and_nothing_is_deleted(vault: Vault) -> None:
    lock = vault.root / ".git/index.lock"
    lock.write_bytes(b"")
    async with vault.open() as asking:
        answer = await asking.ask(QUESTION)
        assert answer.writeback is not None
        assert (answer.writeback.commit, answer.writeback.queued) == (None, True)
        assert (await asking.engine.status()).git.queued_commits == 1
        assert lock.exists()
        lock.unlink()
        async with asyncio.timeout(30):
            while (await asking.engine.status()).git.queued_commits:
                await asyncio.sleep(0.05)
    assert answer.writeback.path in vault.git("show", "--name-only", "--format=", "HEAD").splitlines()


async def test_an_answer_survives_a_log_that_cannot_be_written(vault: Vault) -> None:
    (vault.root / "Zibaldone/log").write_text("a file where the folder should be", encoding="utf-8")
    async with vault.open() as asking:
        answer = await asking.ask(QUESTION)
    assert answer.writeback is None
    assert not answer.abstained
    assert answer.writeback_error is not None
    assert answer.writeback_error.code == "writeback_failed"


async def test_no_writeback_writes_nothing(vault: Vault) -> None:
    before = vault.git("rev-parse", "HEAD")
    async with vault.open() as asking:
        assert (await asking.ask(QUESTION, writeback=False)).writeback is None
    async with vault.open(writeback="off") as asking:
        assert (await asking.ask(QUESTION)).writeback is None
    assert vault.git("rev-parse", "HEAD") == before
    assert not (vault.root / "Zibaldone/log").exists()


async def test_without_a_model_the_best_passages_are_quoted(vault: Vault) -> None:
    async with vault.open() as asking:
        chosen = await asking.ask(QUESTION, use_llm=False)
    async with vault.open(**{"models.chat": "no-such-model"}) as asking:
        missing = await asking.ask(QUESTION)
    for answer in (chosen, missing):
        assert answer.model == "none"
        assert any("14 mites" in c.quote and c.supported for c in answer.citations)
        assert "14 mites" in answer.answer
    assert chosen.notes == []
    assert any("No model wrote this answer" in note for note in missing.notes)


async def test_a_claim_that_the_notes_do_not_hold_is_not_given_as_an_answer(vault: Vault) -> None:
    async with vault.open() as asking:
        _script(asking, "The colony had 99 mites [1].")
        answer = await asking.ask(QUESTION)
    assert answer.abstention_reason == "unsupported"
    assert answer.unsupported_claims == ["The colony had 99 mites."]
    assert answer.citations == []


async def test_a_wrong_marker_is_put_right_and_an_unknown_one_dropped(vault: Vault) -> None:
    async with vault.open() as asking:
        _script(asking, "The colony by the hedge had 14 mites a day in July [2][9].")
        answer = await asking.ask(QUESTION)
    assert [c.path for c in answer.citations] == ["Bees/Varroa.md"]
    assert all(c.supported for c in answer.citations)
    assert any("Dropped 1 citation" in note for note in answer.notes)


async def test_the_missing_part_is_said(vault: Vault) -> None:
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(
            lambda _: "The colony had 14 mites a day in July [1].",
            scores=lambda messages, _: (
                [-9.0, 0.0] if '"what did the hedge cost' in messages[-1].content else [0.0, -9.0]
            ),
        )
        answer = await asking.ask("How many mites did the colony have in July and what did the hedge cost?")
    assert answer.not_covered == "what did the hedge cost"
    assert not answer.abstained


async def test_a_model_that_sees_no_answer_is_believed(vault: Vault) -> None:
    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(scores=lambda _, labels: [-5.0] * (len(labels) - 1) + [-0.01])
        answer = await asking.ask(QUESTION)
    assert answer.abstention_reason == "llm_insufficient"


async def test_closing_the_stream_stops_the_turn_and_keeps_the_partial_answer(vault: Vault) -> None:
    before = vault.git("rev-parse", "HEAD")
    async with vault.open() as asking:
        async with aclosing(asking.engine.ask(AskRequest(question=QUESTION))) as events:
            async for event in events:
                if isinstance(event, Token):
                    break
        saved = (await asking.engine.conversations()).conversations[0]
        messages = (await asking.engine.conversation(saved.id)).messages
        assert [(m.role, m.state) for m in messages] == [("user", "complete"), ("assistant", "partial")]
        assert isinstance((await asking.events(QUESTION))[-1], Answered)
    assert vault.git("rev-list", "--count", f"{before}..HEAD") == "1"


async def test_a_failing_model_is_a_failed_event_with_a_hint(vault: Vault) -> None:
    from zibaldone.errors import ModelFailed

    def fail(_: object) -> str:
        raise ModelFailed("The model's worker died.", "Ask again.")

    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(fail)
        events = await asking.events(QUESTION)
        assert isinstance(events[0], Started)
        assert isinstance(events[-1], Failed)
        assert events[-1].error.hint
        asking.engine._models._chat = None
        assert isinstance((await asking.events(QUESTION))[-1], Answered)


async def test_a_model_that_cannot_be_used_leaves_the_quoted_passages(vault: Vault) -> None:
    from zibaldone.errors import ModelInvalid

    def refuse(_: object, __: object) -> list[float]:
        raise ModelInvalid("The file is truncated.", "Pull it again.")

    async with vault.open() as asking:
        asking.engine._models._chat = FakeChat(scores=refuse)
        answer = await asking.ask(QUESTION)
    assert any("14 mites" in citation.quote for citation in answer.citations)
    assert any("truncated" in note for note in answer.notes)


async def test_a_second_turn_reads_on_where_the_first_one_was_and_nothing_that_is_gone(vault: Vault) -> None:
    async with vault.open() as asking:
        first = await asking.ask(QUESTION, debug=True)
        asked = {"conversation_id": first.conversation_id, "debug": True}
        second = await asking.ask("And which acid treats the colony by the hedge?", **asked)
        assert first.debug and second.debug
        evidence = first.debug[0].prompt.split("\n\nQuestion:")[0]
        assert second.debug[0].prompt.startswith(evidence)
        (vault.root / "Bees/Varroa.md").unlink()
        await asking.sync()
        third = await asking.ask("And which acid treats the colony by the hedge?", **asked)
    assert not any("oxalic" in trace.prompt for trace in third.debug or [])


async def test_a_question_that_leans_on_the_turn_before_is_searched_with_its_words(vault: Vault) -> None:
    vault.write("Bees/Swarm.md", "# Swarm\n\nTreatment of the swarm happened in May.\n")
    async with vault.open() as asking:
        first = await asking.ask(QUESTION)
        asked = {"conversation_id": first.conversation_id, "debug": True}
        second = await asking.ask("And when is it treated?", **asked)
        assert first.searched_as is None
        assert second.question == "And when is it treated?"
        assert second.searched_as and second.searched_as.startswith("And when is it treated? – ")
        assert "Varroa" in second.searched_as
        assert second.hits[0].path == "Bees/Varroa.md"
        assert second.debug and all("Question: And when is it treated?\n" in trace.prompt for trace in second.debug)
        third = await asking.ask("What did I choose for the captain?", **asked)
        assert third.searched_as is None


async def test_asking_about_one_note_reads_no_other(vault: Vault) -> None:
    async with vault.open() as asking:
        answer = await asking.ask("How many mites were there?", note_path="Studio/Varnish.md")
        assert {hit.path for hit in answer.hits} <= {"Studio/Varnish.md"}


async def test_an_excluded_note_is_not_read_even_when_it_was_indexed(vault: Vault) -> None:
    async with vault.open() as asking:
        await asking.sync()
        vault.write(".obsidian/app.json", '{"userIgnoreFilters": ["Bees/"]}')
        answer = await asking.ask(QUESTION, use_llm=False)
        assert "mites" not in answer.answer.replace(QUESTION, "")
        assert not any(c.path.startswith("Bees/") for c in answer.citations)


def _script(asking, reply: str) -> None:  # type: ignore[no-untyped-def]
    asking.engine._models._chat = FakeChat(lambda _: reply)


async def test_what_the_person_adds_to_agents_md_is_in_every_prompt_and_nothing_else_of_it(vault: Vault) -> None:
    agents = vault.root / "Zibaldone/AGENTS.md"
    agents.write_text(agents.read_text(encoding="utf-8") + "\n- Give weights in grams.\n", encoding="utf-8")
    async with vault.open(writeback="log") as asking:
        await asking.ask(QUESTION)
        chat = asking.engine._models._chat
        assert isinstance(chat, FakeChat)
        systems = [messages[0].content for messages in chat.prompts if messages[0].role == "system"]
    assert len(systems) > 1
    assert all(system.endswith("keep to this:\n- Give weights in grams.") for system in systems)


async def test_both_sides_of_a_comparison_are_read(vault: Vault) -> None:
    for number in range(12):
        vault.write(f"Acid/Oxalic {number}.md", f"# Oxalic {number}\n\nOxalic acid against mites, remark {number}.\n")
    vault.write("Acid/Formic.md", "# Formic\n\nFormic acid is used in August.\n")
    async with vault.open(writeback="log") as asking:
        answer = await asking.ask("What is the difference between oxalic acid and formic acid?", k=6)
    assert answer.route == "comparison"
    assert {"oxalic acid", "formic acid"} <= {hit.subquery for hit in answer.hits}
    assert "Acid/Formic.md" in [hit.path for hit in answer.hits[:3]]


async def test_what_the_person_committed_since_the_last_turn_counts_a_little_more(vault: Vault) -> None:
    for name in ("One", "Two"):
        vault.write(f"{name}.md", f"The ladder stands behind the shed: {name}.\n")
    vault.git("add", "-A")
    vault.git("-c", "user.name=P", "-c", "user.email=p@e", "commit", "-qm", "both")
    async with vault.open(writeback="log") as asking:
        await asking.ask(QUESTION)
        vault.write("Two.md", "---\npublish: true\n---\nThe ladder stands behind the shed: Two.\n")
        vault.git("add", "Two.md")
        vault.git("-c", "user.name=P", "-c", "user.email=p@e", "commit", "-qm", "two")
        await asking.sync()
        answer = await asking.ask("Where does the ladder stand?")
    assert answer.hits[0].path == "Two.md"


async def test_a_question_is_limited_to_folders_tags_notes_or_lines_of_one(vault: Vault) -> None:
    sailing = "The captain kept the sails trimmed and the crew busy. " * 60
    cooking = "The cook baked bread and salted the fish for everybody. " * 60
    log = f"# Log\n\n## May\n\n{sailing}\n\n## June\n\nThe captain sang.\n\n{cooking}\n"
    vault.write("Log.md", f"---\ntags: [sea]\n---\n{log}")
    async with vault.open() as asking:

        async def paths(*within: str) -> set[str]:
            answer = await asking.ask("What about the captain?", within=list(within))
            assert answer.within == list(within)
            return {hit.path for hit in answer.hits}

        assert await paths("Studio/") == {"Studio/Varnish.md"}
        assert await paths("#sea") == {"Log.md"}
        assert await paths("#sea", "Studio/") == {"Log.md", "Studio/Varnish.md"}
        assert await paths("Log.md", "Bees/Varroa.md") == {"Log.md", "Bees/Varroa.md"}
        some = await asking.ask("What did the captain do?", within=["Log.md:10-14"])
        assert {hit.heading[-1] for hit in some.hits} == {"June"}
        events = await asking.events("What about the captain?", within=["Gone.md"])
        assert isinstance(events[-1], Failed) and "Gone.md" in events[-1].error.message


async def test_a_turn_asked_anew_does_not_know_the_one_it_replaces(vault: Vault) -> None:
    async with vault.open() as asking:
        first = await asking.ask("What did I choose for the captain?")
        asked = {"conversation_id": first.conversation_id}
        await asking.ask(QUESTION, **asked)
        again = await asking.ask("And when is it treated?", after_turns=1, **asked)
        assert "Varroa" not in (again.searched_as or "")
        kept = (await asking.engine.conversation(str(first.conversation_id))).messages
    assert [one.text for one in kept if one.role == "user"] == [first.question, again.question]
    assert kept[-1].answer is not None
    assert kept[-1].answer.writeback is not None
    assert kept[-1].answer.writeback.change is not None


async def test_what_is_written_so_far_is_kept_while_it_is_written(vault: Vault) -> None:
    async with vault.open() as asking, aclosing(asking.engine.ask(AskRequest(question=QUESTION))) as events:
        async for event in events:
            if isinstance(event, Token):
                saved = (await asking.engine.conversations()).conversations[0]
                message = (await asking.engine.conversation(saved.id)).messages[1]
                assert (message.text, message.state) == (event.text, "partial")
                break


async def test_a_question_behind_another_says_how_many_are_ahead(vault: Vault) -> None:
    async with vault.open() as asking:
        first = asking.engine.ask(AskRequest(question=QUESTION))
        async with aclosing(first) as events:
            assert isinstance(await anext(events), Started)
            behind = await asking.events(QUESTION)
            assert isinstance(behind[0], Queued)
            assert behind[0].ahead == 1
        assert not any(isinstance(event, Queued) for event in await asking.events(QUESTION))
