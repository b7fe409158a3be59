"""What each command asks of the engine, and how it tells the answer."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import sys
import threading
import types
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path

import pytest

from support.fakes import ScriptedEngine, ask_event, example, the_answer, the_report
from zibaldone.cli import chat
from zibaldone.errors import ModelMissing, WritebackError
from zibaldone.schemas.ask import Answered, AskRequest, Cancelled, DebugTrace, Failed, Token, Writeback
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.evolution import EvolutionRequest
from zibaldone.schemas.failure import describe_error
from zibaldone.schemas.memory import (
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    ImportedFile,
    ImportMemoryRequest,
    MemoryRequest,
    MemoryType,
    MigrateRequest,
    PatternRequest,
    RememberRequest,
)
from zibaldone.schemas.proposals import Decision
from zibaldone.schemas.rules import RulesRequest
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.sync import Synced, SyncReport, SyncRequest


def test_search_passes_its_flags_on(zib, opened) -> None:
    zib("search", "Kestrel", "-k", "3", "--strategy", "bm25", "--profile", "recent", "--modality", "pdf",
        "--modality", "text", "--explain")  # fmt: skip
    assert opened.calls == [
        ("search", SearchRequest(
            query="Kestrel", k=3, strategy="bm25", profile="recent", modality=["pdf", "text"], explain=True,
        )),
    ]  # fmt: skip


def test_k_comes_from_the_settings_where_no_flag_is(zib, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_RETRIEVAL_K", "17")
    zib("search", "x")
    assert opened.calls[0][1].k == 17


def test_a_search_may_begin_with_what_it_leaves_out(zib, opened) -> None:
    zib("search", "-lanterns")
    assert opened.calls[0][1].query == "-lanterns"


def test_search_tells_place_heading_and_words(zib) -> None:
    ran = zib("search", "Kestrel budget", "--explain")
    assert "Projects/Kestrel.md:12-18" in ran.out
    assert "Kestrel > Budget" in ran.out
    assert "42,000 EUR" in ran.out
    assert "bm25 0.70" in ran.out
    assert "strategy bm25+semantic" in ran.out


def test_ask_passes_its_flags_on(zib, opened) -> None:
    zib("ask", "Why?", "-k", "3", "--strategy", "bm25", "--profile", "usage", "--modality", "text", "--no-writeback",
        "--no-llm", "--no-stream", "--debug", "--note", "a.md", "--as-of", "2026-03-01")  # fmt: skip
    assert opened.calls == [
        ("ask", AskRequest(
            question="Why?", k=3, strategy="bm25", profile="usage", modality=["text"], use_llm=False,
            writeback=False, note_path="a.md", as_of="2026-03-01", debug=True,
        )),
    ]  # fmt: skip


def test_evolution_tells_oldest_newest_and_each_step(zib, opened) -> None:
    ran = zib("evolution", "the database", "--limit", "5", "--no-llm")
    assert opened.calls == [("evolution", EvolutionRequest(topic="the database", limit=5, use_llm=False))]
    assert "Oldest: 2026-01-05, Projects/App.md:5 at 1111111" in ran.out
    assert "Newest: 2026-03-02, Archive/App.md:5 at 3333333" in ran.out
    assert "2026-03-02  Archive/App.md:5  3333333  changed" in ran.out
    assert "- “I am going with Postgres.”" in ran.out
    assert "[2] Archive/App.md:5 at 3333333" in ran.out
    assert "What is not committed is not seen." in ran.err
    assert json.loads(zib("evolution", "x", "--json").out) == example("Evolution.two")


@pytest.mark.parametrize("flags", [(), ("--no-stream",)])
def test_ask_tells_answer_sources_and_commit(zib, flags: tuple[str, ...]) -> None:
    ran = zib("ask", "How much money does Kestrel have?", *flags)
    assert ran.code == 0
    assert ran.out.count("Kestrel has 42,000 EUR, approved on 2 March [1].") == 1
    assert "[1] Projects/Kestrel.md:12-18" in ran.out
    assert "“The board approved 42,000 EUR" in ran.out
    assert "recorded: Zibaldone/log/2026-03-04.md commit 9f1c2b7\n" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_ask_json_is_the_answer(zib) -> None:
    assert json.loads(zib("ask", "How much?", "--json").out) == example("AskEventLine.answered")["answer"]


def test_abstaining_is_said_in_words(zib, opened) -> None:
    opened.make = lambda: ScriptedEngine([ask_event("started"), ask_event("abstained")])
    ran = zib("ask", "What did the dentist say?")
    assert ran.code == 0
    assert "Nothing good enough" in ran.out
    assert "so no model was asked" in ran.out
    assert "Closest passages" in ran.out
    assert "Recipes/Brot.md:3-9" in ran.out
    assert json.loads(zib("ask", "x", "--json").out)["abstention_reason"] == "weak_retrieval"


def test_an_answer_that_was_changed_by_the_check_is_shown_again(zib, opened) -> None:
    opened.make = lambda: ScriptedEngine([Token(text="Kestrel has millions."), ask_event("answered")])
    ran = zib("ask", "How much?")
    assert "After checking it against the sources:\nKestrel has 42,000 EUR" in ran.out


def test_what_is_wrong_with_an_answer_is_told(zib, opened) -> None:
    answer = the_answer()
    doubtful = answer.model_copy(
        update={
            "citations": [
                answer.citations[0].model_copy(
                    update={"supported": False, "modality": "pdf", "path": "a.pdf", "locator": "p. 4"}
                )
            ],
            "unsupported_claims": ["It has millions."],
            "not_covered": "who decided",
            "truncated": ["Not shown for lack of room: Projects/Long.md."],
            "notes": ["Only words were compared."],
            "writeback": Writeback(kind="log", path="Zibaldone/log/x.md", queued=True, reason="a merge is under way"),
            "debug": [DebugTrace(prompt="the prompt", output="the output")],
        }
    )
    opened.make = lambda: ScriptedEngine([Answered(answer=doubtful)])
    ran = zib("ask", "x", "--debug")
    assert "a.pdf p. 4  (does not support the claim)" in ran.out
    assert "not supported by your notes: It has millions." in ran.out
    assert "not covered: who decided" in ran.out
    assert "Not shown for lack of room: Projects/Long.md." in ran.out
    assert "recorded: Zibaldone/log/x.md (the commit waits: a merge is under way)" in ran.out
    assert "Only words were compared." in ran.err
    assert "the prompt" in ran.err
    assert "the output" in ran.err


def test_a_failed_answer(zib, opened) -> None:
    error = ModelMissing("No chat model is installed.", "Run `zib models pull x`.")
    opened.make = lambda: ScriptedEngine([Token(text="a"), Failed(error=describe_error(error))])
    ran = zib("ask", "x")
    assert ran.code == 1
    assert ran.err == "error: No chat model is installed.\nhint: Run `zib models pull x`.\n"
    assert json.loads(zib("ask", "x", "--json").out)["error"]["code"] == "model_missing"
    opened.make = lambda: ScriptedEngine([Cancelled()])
    assert zib("ask", "x").code == 1


def test_an_answer_that_could_not_be_recorded_is_shown_and_fails_aloud(zib, opened) -> None:
    error = WritebackError("The answer is not recorded: the disk is full.", "Make room.")
    answer = the_answer().model_copy(update={"writeback": None, "writeback_error": describe_error(error)})
    opened.make = lambda: ScriptedEngine([Answered(answer=answer)])
    ran = zib("ask", "x")
    assert ran.code == 1
    assert "Kestrel has 42,000 EUR" in ran.out
    assert ran.err.endswith("error: The answer is not recorded: the disk is full.\nhint: Make room.\n")
    ran = zib("ask", "x", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["writeback_error"]["code"] == "writeback_failed"


def test_text_of_notes_and_models_cannot_drive_the_terminal(zib, opened) -> None:
    evil = "\x1b]0;pwned\x07\x1b[2J\x9b31m"
    answer = the_answer()
    hits = [answer.hits[0].model_copy(update={"text": evil, "path": evil, "heading": [evil]})]
    told = answer.model_copy(update={"answer": evil, "hits": hits, "abstained": True})
    opened.make = lambda: ScriptedEngine([Token(text=evil), Answered(answer=told)])
    ran = zib("ask", "x")
    assert not any(char in ran.out for char in "\x1b\x07\x9b")


def test_ask_closes_the_engine(zib, opened) -> None:
    zib("ask", "x")
    assert opened.engine.closed.is_set()
    assert opened.engine.engine_closed


def test_a_question_that_is_too_long(zib) -> None:
    ran = zib("ask", "x" * 4001)
    assert ran.code == 1
    assert "question" in ran.err


def test_sync_passes_its_flags_on(zib, opened) -> None:
    zib("sync", "Projects", "a.md", "--only", "notes,pdf", "--only", "git", "--yes")
    assert opened.calls == [
        ("sync", SyncRequest(paths=["Projects", "a.md"], only=["notes", "pdf", "git"], accept_deletions=True))
    ]
    zib("rebuild")
    assert opened.calls == [("sync", SyncRequest(rebuild=True))]


def test_sync_tells_its_report(zib) -> None:
    ran = zib("sync")
    assert "3 added, 1 changed, 1 renamed, 412 unchanged in 2.3 s" in ran.out
    assert "17 chunks embedded, 4 found in the cache" in ran.out
    assert "skipped Attachments/scan.md: not UTF-8 text" in ran.out
    assert ran.err == ""


def test_notes_that_vanished_are_never_dropped_unasked(zib, opened) -> None:
    held = Synced(report=the_report().model_copy(update={"held": 60}))
    opened.make = lambda: ScriptedEngine(sync_script=[held])
    ran = zib("sync")
    assert ran.code == 1
    assert "60 held" in ran.out
    assert "Add --yes to agree" in ran.err
    assert opened.calls[0][1].accept_deletions is False
    assert json.loads(zib("sync", "--json").out)["error"]["code"] == "needs_confirmation"


def test_a_sync_that_was_stopped(zib, opened) -> None:
    opened.make = lambda: ScriptedEngine(sync_script=[Cancelled()])
    assert "stopped before it was done" in zib("sync").err


def test_status_and_doctor_in_words(zib) -> None:
    ran = zib("status")
    assert "416 indexed, 0 pending, 1 skipped, 0 failed" in ran.out
    assert "18 MB" in ran.out
    assert "zib models pull multilingual-e5-small" in ran.out
    assert "Attachments/scan.md: not UTF-8 text" in ran.out
    ran = zib("doctor")
    assert "ok       git: git 2.43.0" in ran.out
    assert "problem  embed model" in ran.out
    assert "remedy: zib models pull" in ran.out
    assert "1 of 2 need a look" in ran.out


@pytest.mark.parametrize(
    ("statement", "kind", "text"),
    [
        ("Leo is eight", None, "Leo is eight"),
        ("feedback: short answers", "feedback", "short answers"),
        ("CONTEXT : moving: in May", "context", "moving: in May"),
        ("Note: tea", None, "Note: tea"),
    ],
)
def test_memory_add_knows_the_type_before_the_colon(
    zib, opened, statement: str, kind: MemoryType | None, text: str
) -> None:
    assert zib("memory", "add", statement).out == (
        "remembered [user] Leo is eight  3f9a1c20 commit 3f1c9a7\n  instead of: Leo is seven\n"
    )
    assert opened.calls == [("memory.remember", RememberRequest(text=text, type=kind))]
    assert json.loads(zib("memory", "add", statement, "--json").out)["already"] is False
    assert zib("memory", "add", "user:").code == 1


def test_memory_add_asks_where_it_is_unsure_and_says_what_was_known(zib, opened) -> None:
    opened.make = lambda: remembering("Remembered.unsure")
    ran = zib("memory", "add", "explain every step")
    assert "Prefers short answers (c05d77e1) says otherwise: both stay." in ran.err
    assert "Is it feedback? `zib memory edit d1c2a3b4 --type user|feedback|context` changes it." in ran.err
    opened.make = lambda: remembering("Remembered.known")
    assert zib("memory", "add", "short").out == "known already [feedback] Prefers short answers  c05d77e1\n"


def remembering(example: str) -> ScriptedEngine:
    engine = ScriptedEngine()
    engine.memory.remembered = example
    return engine


MEMORY = """\
Memory
----------------------------------------

[user] (1 entry)
  1. Leo is eight [!]  3f9a1c20

[feedback] (2 entries)
  1. Prefers short answers [90%] [conflicts with d1c2a3b4]  c05d77e1
  2. Wants every step explained [70%] [conflicts with c05d77e1]  d1c2a3b4

[context] (1 entry)
  1. Moving to Augsburg in May [!] [↓12d]  e1f20a6b

[expired]
  - Preparing a talk on varroa mites  0a11bc22
"""


@pytest.fixture
def march(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is 2 March 2026, noon."""
    from zibaldone.cli import memory

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls(2026, 3, 2, 12, tzinfo=UTC)

    monkeypatch.setattr(memory, "datetime", Clock)


@pytest.mark.parametrize("arguments", [(), ("list",)])
def test_memory_lists_what_is_known_by_type(zib, opened, march: None, arguments: tuple[str, ...]) -> None:
    ran = zib("memory", *arguments)
    assert ran.out == MEMORY
    assert "user.md:11: “colour blue” is not understood, and passed over." in ran.err
    asked = zib("memory", *arguments, "--as-of", "2026-03-01", "--all", "--json")
    assert opened.calls == [("memory.tell", MemoryRequest(as_of="2026-03-01", all=True))]
    [first, *_] = json.loads(asked.out)["entries"]
    wanted = "id type content created_at updated_at confidence source_count decay_days expires_at is_explicit pinned"
    assert first.keys() >= {*wanted.split(), "sources"}


def test_memory_edit_and_clear(zib, opened) -> None:
    assert zib("memory", "edit", "3f9a", "Leo is nine", "--type", "user", "--pin").code == 0
    changed = EditMemoryRequest(content="Leo is nine", type="user", pinned=True)
    assert opened.calls == [("memory.edit", ("3f9a", changed))]
    assert zib("memory", "edit", "3f9a").code == 2
    ran = zib("memory", "clear", "context")
    assert (ran.code, "--yes" in ran.err) == (1, True)
    assert zib("memory", "clear", "context", "--yes").out == "2 retired: memory/archive.md has them.\n"
    assert opened.calls == [("memory.clear", ClearRequest(type="context"))]
    assert zib("memory", "clear", "all", "--yes").code == 2


def test_memory_migrate_says_what_it_kept_and_what_waits(zib, opened) -> None:
    ran = zib("memory", "migrate")
    assert ran.out == (
        "accepted [user] Leo is eight  3f9a1c20\n2 rejected: not proposed again\n"
        "about me.md: 11 proposed, 1 known already, 2 not about you\noutheis.json: 6 proposed before\n"
        "14 to decide on in Migration/Migration.md; then run `zib memory migrate` again\n"
        "kept commit 3f1c9a7; `zib undo 12` takes it back\n"
    )
    assert "warning: chats/export.json is not valid JSON" in ran.err
    assert "Migration.md:18: Accept and Reject are both ticked" in ran.err
    assert opened.calls == [("memory.migrate", MigrateRequest())]
    assert json.loads(zib("memory", "migrate", "--dry-run", "--json").out)["undecided"] == 14
    assert opened.calls == [("memory.migrate", MigrateRequest(dry_run=True))]


def test_memory_import_sends_the_files_that_are_text(zib, opened, vault: Path) -> None:
    (vault / "a.md").write_bytes("\ufeff- Öl\r\n".encode())
    (vault / "b.md").write_bytes(b"\xff")
    ran = zib("memory", "import", "a.md", "b.md", "gone.md")
    assert ran.out == (
        "added [user] Leo is eight  3f9a1c20\nadded [feedback?] Prefers short answers  c05d77e1\n"
        "notes.md: 2 added, 3 known already\nkept commit 3f1c9a7; `zib undo 13` takes it back\n"
    )
    assert "warning: b.md is not text in UTF-8." in ran.err
    assert "warning: gone.md cannot be read" in ran.err
    assert "warning: notes.md, line 9: it is empty." in ran.err
    sent = ImportMemoryRequest(files=[ImportedFile(name="a.md", content="- Öl\r\n")])
    assert opened.calls == [("memory.import_entries", sent)]
    assert zib("memory", "import", "gone.md").code == 1
    assert zib("memory", "import").code == 2


def test_memory_forget_says_what_it_cleaned_and_what_it_could_not(zib, opened) -> None:
    ran = zib("memory", "forget", "3f9a", "c05d")
    assert ran.out == (
        "forgotten: 2 entries\n  cleaned: Zibaldone/memory/user.md\n  cleaned: displaced versions\n"
        "  cleaned: conversations\n"
    )
    assert "Git still holds the words in: 3f1c9a7 2026-03-02." in ran.err
    assert "So do notes of yours: Daily/2025-04-01.md." in ran.err
    assert opened.calls == [("memory.forget", ForgetRequest(ids=["3f9a", "c05d"]))]
    assert json.loads(zib("memory", "forget", "3f9a", "--json").out)["entries"] == ["3f9a1c20", "7be41d09"]


def test_rules_are_told_by_layer_and_agent(zib, opened) -> None:
    assert zib("rules").out == (
        "[system] common\n  - Say what you do not know.\n[user] relay\n  - Prefers short answers  2026-03-03\n"
    )
    zib("rules", "relay", "--user", "--json")
    assert opened.calls == [("memory.rules", RulesRequest(agent="relay", layer="user"))]
    assert zib("rules", "nobody").code == 2


def test_pattern_tells_each_step_and_what_is_left(zib, opened) -> None:
    ran = zib("pattern", "--dry-run")
    assert opened.calls == [("memory.pattern", PatternRequest(dry_run=True))]
    assert ran.out == "said again:\n  - Prefers short answers: 3 times\n"
    assert "conversations reviewed: The chat model gave no usable answer." in ran.err
    assert "The run is partial: the next one does what is left." in ran.err


def test_memory_history_and_export(zib, opened) -> None:
    assert zib("memory", "history", "3f9a").out == (
        "2025-04-01 09:00  7be41d09  added: Leo is seven\n2026-03-02 18:04  7be41d09  replaced: Leo is seven\n"
    )
    assert opened.calls == [("memory.history", "3f9a")]
    [user, feedback, context] = json.loads(zib("memory", "export").out)
    assert [one["type"] for one in (user, feedback, context)] == ["user", "feedback", "context"]
    assert [one["content"] for one in context["entries"]] == [
        "Moving to Augsburg in May",
        "Preparing a talk on varroa mites",
    ]
    assert json.loads(zib("memory", "export", "user").out) == user


def test_pull_and_push_tell_what_came_and_went(zib, opened) -> None:
    came = (
        "pulled: 2 commits from git@example.org:ada/notes.git (main)\n  Projects/Kestrel.md\n"
        "  Zibaldone/log/2026-03-02.md\n1 commit of yours on top\n"
    )
    assert zib("pull").out == came
    assert opened.calls == [("pull", None)]
    assert zib("push").out == came + "pushed: 1 commit to git@example.org:ada/notes.git (main)\n"
    assert opened.calls == [("push", None)]
    assert json.loads(zib("push", "--json").out)["pulled"]["received"] == 2


def test_a_question_may_be_kept_from_the_network(zib, opened) -> None:
    for flags, wanted in ((("--no-pull", "--no-push"), False), ((), True)):
        zib("ask", "Why?", *flags)
        [(_, request)] = opened.calls
        assert (request.pull, request.push) == (wanted, wanted)


def test_changes_and_undo(zib, opened) -> None:
    listed = zib("changes", "-n", "2").out
    assert "8  2026-03-02 18:22  9b1d0c5" in listed
    assert "7  2026-03-02 18:20  3f1c9a7  undone" in listed
    assert zib("undo", "7").out == "undone: Zibaldone/memory/user.md commit 9b1d0c5\n"
    assert opened.calls == [("undo", UndoRequest(change=7))]
    assert json.loads(zib("changes", "--json").out)["changes"][0]["undoes"] == 7
    assert json.loads(zib("undo", "--json").out)["change"] == 8


def test_proposals_are_listed_shown_and_decided(zib, opened) -> None:
    assert "3  2026-03-04 09:20  Rename the page Money" in zib("proposals").out
    shown = zib("proposals", "show", "3").out
    assert "hunk 1, line 12\n- - Budget: see [[Money]]\n+ - Budget: see [[Kestrel budget|Money]]" in shown
    assert "your edits are kept" in shown
    applied = zib("proposals", "apply", "3", "--file", "Projects/Kestrel.md", "--hunk", "1")
    assert applied.out == ("applied commit 9b1d0c5; `zib undo 12` takes it back\nstill open: Daily/2026-03-02.md\n")
    assert opened.calls == [("apply_proposal", (3, Decision(path="Projects/Kestrel.md", hunks=[1])))]
    assert json.loads(zib("proposals", "reject", "3", "--json").out)["proposal"]["id"] == 3
    assert opened.calls == [("reject_proposal", (3, Decision()))]


def test_history(zib, opened) -> None:
    assert "conv-20260304-1  2026-03-04T09:13  1 turn" in zib("history").out
    shown = zib("history", "show", "conv-20260304-1")
    assert "How much money does Kestrel have?" in shown.out
    assert "[1] Projects/Kestrel.md L12-L18" in shown.out
    missing = zib("history", "show", "x", "--json")
    assert (missing.code, json.loads(missing.out)["error"]["code"]) == (1, "not_found")
    assert zib("history", "delete", "a", "b").out == "2 deleted\n"
    assert opened.calls == [("delete_conversation", "a"), ("delete_conversation", "b")]


def test_config_show(zib, opened, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_RETRIEVAL_K", "4")
    ran = zib("config", "show")
    assert ran.code == 0
    [line] = [line for line in ran.out.splitlines() if line.startswith("retrieval.k ")]
    assert line.split() == ["retrieval.k", "4", "(environment)"]
    report = json.loads(zib("config", "show", "--json").out)
    assert report["settings"]["retrieval.k"] == {"value": 4, "source": "environment"}
    assert opened.engine is None
    monkeypatch.chdir("/")
    assert zib("config", "show").code == 0


@dataclass(frozen=True)
class Prepared:
    vault: Path
    repository_created: bool
    written: list[str]
    commit: str | None
    notes: list[str]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    answers: list[bool] = []

    def prepare_vault(path: Path, settings: object, confirm) -> Prepared:
        answers.append(confirm("Make a git repository?"))
        return Prepared(path, True, ["Zibaldone/index.md"], "a" * 40, ["A note."])

    module = types.ModuleType("zibaldone.runtime.prepare")
    module.prepare_vault = prepare_vault  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "zibaldone.runtime.prepare", module)
    return answers


def test_init(zib, asked: list[bool], vault: Path, tmp_path: Path) -> None:
    ran = zib("init")
    assert ran.code == 1
    assert "error: Make a git repository?\nhint: Add --yes to agree." in ran.err
    ran = zib("init", "--yes")
    assert ran.code == 0
    assert "written: Zibaldone/index.md" in ran.out
    assert "commit aaaaaaa" in ran.out
    (tmp_path / "new").mkdir()
    document = json.loads(zib("init", str(tmp_path / "new"), "--yes", "--json").out)
    assert document["vault"] == str(tmp_path / "new")
    assert document["written"] == ["Zibaldone/index.md"]
    assert asked == [True, True]
    assert zib("init", str(tmp_path / "missing")).code == 1


def talk(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_chat_holds_a_conversation(zib, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(monkeypatch, "/sources", "How much?", "", "/sources", "/help", "/undo", "/what", "! tea", "And why?",
         "/new", "Who?", "/quit", "never asked")  # fmt: skip
    ran = zib("chat")
    assert ran.code == 0
    asked = [request for name, request in opened.calls if name == "ask"]
    assert [(request.question, request.conversation_id) for request in asked] == [
        ("How much?", None),
        ("And why?", "conv-20260304-1"),
        ("Who?", None),
    ]
    assert "Nothing was asked yet." in ran.out
    assert ran.out.count("“The board approved") == 4
    assert "/help       this list" in ran.out
    assert ("undo", UndoRequest()) in opened.calls
    assert ("memory.remember", RememberRequest(text="tea")) in opened.calls
    assert "remembered" in ran.err
    assert "/what is no command" in ran.err


def test_chat_goes_on_after_a_failed_answer(zib, opened, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ModelMissing("No chat model is installed.", "Pull one.")
    opened.make = lambda: ScriptedEngine([Failed(error=describe_error(error))])
    talk(monkeypatch, "one", "two")
    ran = zib("chat")
    assert ran.code == 0
    assert ran.err.count("error: No chat model is installed.") == 2


def interrupt_when(started: threading.Event) -> None:
    started.wait()
    os.kill(os.getpid(), signal.SIGINT)


def test_chat_stops_an_answer_on_an_interrupt() -> None:
    started = threading.Event()
    ended: list[str] = []

    async def forever() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("closed")

    with chat._Loop() as loop:
        interrupter = threading.Thread(target=interrupt_when, args=(started,))
        with pytest.raises(KeyboardInterrupt):
            interrupter.start()
            loop.run(forever())
        interrupter.join()
        assert ended == ["closed"]
        assert loop.run(asyncio.sleep(0, "still there")) == "still there"


def test_an_empty_report(zib, opened) -> None:
    opened.make = lambda: ScriptedEngine(sync_script=[Synced(report=SyncReport())])
    assert "no notes in 0.0 s" in zib("sync").out
