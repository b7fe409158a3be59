"""Through HTTP an engine says the same as in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.fakes import ScriptedEngine, ask_event, every_error, example, sync_event, the_answer
from support.serving import TOKEN, Serve, Served
from zibaldone.client.remote import RemoteEngine
from zibaldone.errors import ProtocolMismatch, Unauthorized, VaultBusy, ZibaldoneError
from zibaldone.runtime.engine import Engine
from zibaldone.schemas.agenda import AgendaAddRequest, AgendaRequest
from zibaldone.schemas.ask import AskRequest, Failed
from zibaldone.schemas.changes import UndoRequest
from zibaldone.schemas.divergence import BridgesRequest, ContradictionsRequest, GapsRequest, WalkRequest
from zibaldone.schemas.evolution import EvolutionRequest
from zibaldone.schemas.hierarchy import (
    BuildRequest,
    GradeRequest,
    NodesRequest,
    RecallRequest,
    TimelineRequest,
    TouchRequest,
)
from zibaldone.schemas.history import RenameConversationRequest
from zibaldone.schemas.memory import (
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    ImportedFile,
    ImportMemoryRequest,
    MemoryRequest,
    MigrateRequest,
    PatternRequest,
    RememberRequest,
)
from zibaldone.schemas.proposals import Decision
from zibaldone.schemas.rules import RulesRequest
from zibaldone.schemas.search import SearchRequest
from zibaldone.schemas.sources import CollectRequest, ImportRequest, IngestRequest
from zibaldone.schemas.sync import PauseRequest, SyncRequest, VaultChanges
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    ExtendPageRequest,
    LintRequest,
    LogRequest,
    RenamePageRequest,
    SimilarRequest,
    WritePageRequest,
)

LIMIT_S = 5.0
Call = Callable[[Engine], Awaitable[Any]]

CALLS: dict[str, Call] = {
    "status": lambda engine: engine.status(),
    "doctor": lambda engine: engine.doctor(),
    "config": lambda engine: engine.config(),
    "search": lambda engine: engine.search(SearchRequest(query="Kestrel", k=3, modality=["text"], explain=True)),
    "evolution": lambda engine: engine.evolution(EvolutionRequest(topic="Ä?", limit=3, use_llm=False)),
    "agenda": lambda engine: engine.agenda(AgendaRequest(span="week")),
    "add_to_agenda": lambda engine: engine.add_to_agenda(AgendaAddRequest(text="Müll", day="2026-03-05")),
    "note_changes": lambda engine: engine.note_changes(VaultChanges(paths=["ä/ö.md"])),
    "memory": lambda engine: engine.memory.tell(MemoryRequest(as_of="2026-03-01T18:00+01:00", all=True)),
    "memory_of_now": lambda engine: engine.memory.tell(MemoryRequest()),
    "remember": lambda engine: engine.memory.remember(RememberRequest(text="Ünser", note_path="ä.md", line_start=3)),
    "edit_memory": lambda engine: engine.memory.edit("3f9a/../ä ?#", EditMemoryRequest(content="Ö", pinned=False)),
    "clear_memory": lambda engine: engine.memory.clear(ClearRequest(type="context")),
    "forget_memory": lambda engine: engine.memory.forget(ForgetRequest(ids=["3f9a", "ä"])),
    "migrate_memory": lambda engine: engine.memory.migrate(MigrateRequest(dry_run=True)),
    "import_memory": lambda engine: engine.memory.import_entries(
        ImportMemoryRequest(files=[ImportedFile(name="ä.md", content="- Ünser\r\n")])
    ),
    "memory_history": lambda engine: engine.memory.history("3f9a &#ä"),
    "rules": lambda engine: engine.memory.rules(RulesRequest(agent="relay", layer="user")),
    "all_rules": lambda engine: engine.memory.rules(RulesRequest()),
    "pattern": lambda engine: engine.memory.pattern(PatternRequest(dry_run=True)),
    "memory_history_of_all": lambda engine: engine.memory.history(None),
    "changes": lambda engine: engine.changes(3),
    "pull": lambda engine: engine.pull(),
    "push": lambda engine: engine.push(),
    "undo": lambda engine: engine.undo(UndoRequest(change=7)),
    "proposals": lambda engine: engine.proposals(all_states=True),
    "proposal": lambda engine: engine.proposal(3),
    "apply_proposal": lambda engine: engine.apply_proposal(3, Decision(path="ä.md", hunks=[2])),
    "reject_proposal": lambda engine: engine.reject_proposal(3, Decision()),
    "pages": lambda engine: engine.wiki.pages("bees:ä &"),
    "page": lambda engine: engine.wiki.page("bees:mite/../ä ?#"),
    "write_page": lambda engine: engine.wiki.write(WritePageRequest(title="Ä", body="ö\n", provenance=["ä.md:1-2"])),
    "extend_page": lambda engine: engine.wiki.extend("bees:ä", ExtendPageRequest(body="ö", allow_elision=True)),
    "append_page": lambda engine: engine.wiki.append("ä", AppendPageRequest(text="ö", section=["Ü", "ß"])),
    "rename_page": lambda engine: engine.wiki.rename("ä", RenamePageRequest(slug="ö")),
    "delete_page": lambda engine: engine.wiki.delete("bees:ä"),
    "page_history": lambda engine: engine.wiki.history("bees:ä", 3),
    "page_blame": lambda engine: engine.wiki.blame("ä"),
    "log_topic": lambda engine: engine.wiki.log(LogRequest(topic="Ä", text="ö")),
    "backlinks": lambda engine: engine.wiki.backlinks("Küche/Suppe.md?x=&#y"),
    "lint_wiki": lambda engine: engine.wiki.lint(LintRequest(fix=True, scope="all")),
    "similar_pages": lambda engine: engine.wiki.similar(SimilarRequest(text="ä", k=3)),
    "jobs": lambda engine: engine.jobs(),
    "cancel_job": lambda engine: engine.cancel_job("job/../1 ?#"),
    "conversations": lambda engine: engine.conversations("ä &?"),
    "conversation": lambda engine: engine.conversation("conv-20260304-1"),
    "rename_conversation": lambda engine: engine.rename_conversation("ä/b%2F", RenameConversationRequest(title="Ö")),
    "delete_conversation": lambda engine: engine.delete_conversation("ä/b%2F"),
    "add_sources": lambda engine: engine.library.add(IngestRequest(paths=["/ä/b.pdf"], into="ö", key="ü", prompt="ß")),
    "sources": lambda engine: engine.library.list(),
    "collect": lambda engine: engine.library.collect(CollectRequest(apply=True)),
    "stale": lambda engine: engine.library.stale(),
    "import": lambda engine: engine.library.import_folder(ImportRequest(path="/ä", dry_run=True)),
    "build_memory": lambda engine: collect(engine.vault_memory.build(BuildRequest(level="event", limit=3))),
    "memory_stats": lambda engine: engine.vault_memory.stats(),
    "pause": lambda engine: engine.vault_memory.pause(PauseRequest(paused=True)),
    "concepts": lambda engine: engine.vault_memory.concepts(NodesRequest(top=3, min_support=2, level="concept")),
    "timeline": lambda engine: engine.vault_memory.timeline(TimelineRequest(since="2026-03-01", project="ä/ö &#")),
    "forgetting": lambda engine: engine.vault_memory.forgetting(NodesRequest()),
    "drift": lambda engine: engine.vault_memory.drift(NodesRequest()),
    "distill": lambda engine: engine.vault_memory.distill(NodesRequest()),
    "recall": lambda engine: engine.vault_memory.recall(RecallRequest(regenerate=True)),
    "grade": lambda engine: engine.vault_memory.grade("a/../b", GradeRequest(grade="hard")),
    "usage": lambda engine: engine.vault_memory.usage(NodesRequest()),
    "clear_usage": lambda engine: engine.vault_memory.clear_usage(),
    "touch": lambda engine: engine.vault_memory.touch(TouchRequest(targets=["a"], kind="accepted")),
    "concept_notes": lambda engine: engine.vault_memory.write_notes(),
    "contradictions": lambda engine: engine.divergence.contradictions(ContradictionsRequest(top=3, use_llm=False)),
    "gaps": lambda engine: engine.divergence.gaps(GapsRequest(topic="Ä #ö", top=3)),
    "drift_walk": lambda engine: engine.divergence.drift_walk(WalkRequest(note="ä.md", steps=2, seed=-1, top=2)),
    "bridges": lambda engine: engine.divergence.bridges(BridgesRequest(a="ä", b="#ö")),
    "ask": lambda engine: collect(
        engine.ask(AskRequest(question="Wie viel?", note_path="ä.md", as_of="2026-03-01", debug=True))
    ),
    "sync": lambda engine: collect(engine.sync(SyncRequest(paths=["a"], only=["notes"], accept_deletions=True))),
}


async def collect(events: AsyncGenerator[Any, None]) -> list[Any]:
    return [event async for event in events]


def connect(served: Served) -> RemoteEngine:
    return RemoteEngine(served.url, TOKEN)


@pytest.mark.parametrize("name", CALLS)
async def test_remote_and_local_say_the_same(served: Served, name: str) -> None:
    local = ScriptedEngine()
    async with aclosing_engine(connect(served)) as remote:
        assert await CALLS[name](remote) == await CALLS[name](local)
    assert served.engine.calls == local.calls


def aclosing_engine(engine: RemoteEngine) -> Any:
    class Closing:
        async def __aenter__(self) -> RemoteEngine:
            return engine

        async def __aexit__(self, *_: object) -> None:
            await engine.close()

    return Closing()


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("ask", "sync", "build_memory")])
@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.code)
async def test_errors_come_back_as_themselves(served: Served, name: str, error: type[ZibaldoneError]) -> None:
    served.engine.failure = error("Straße fehlt.", "Do it.")
    async with aclosing_engine(connect(served)) as remote:
        with pytest.raises(error) as caught:
            await CALLS[name](remote)
    assert (caught.value.message, caught.value.hint) == ("Straße fehlt.", "Do it.")


async def test_closing_the_iterator_stops_the_compute(serve_engine: Serve) -> None:
    served = await serve_engine(ScriptedEngine([ask_event("started"), asyncio.Event()]))
    async with aclosing_engine(connect(served)) as remote:
        async with aclosing(remote.ask(AskRequest(question="x"))) as events:
            async for event in events:
                assert event.type == "started"
                break
        await asyncio.wait_for(served.engine.closed.wait(), LIMIT_S)


async def test_cancelling_the_task_stops_the_compute(serve_engine: Serve) -> None:
    served = await serve_engine(ScriptedEngine([asyncio.Event()]))
    async with aclosing_engine(connect(served)) as remote:
        task = asyncio.ensure_future(collect(remote.ask(AskRequest(question="x"))))
        await asyncio.wait_for(served.engine.waiting.wait(), LIMIT_S)
        task.cancel()
        await asyncio.wait_for(served.engine.closed.wait(), LIMIT_S)


async def test_a_wrong_token_and_a_server_that_is_gone(served: Served) -> None:
    async with aclosing_engine(RemoteEngine(served.url, "wrong")) as remote:
        with pytest.raises(Unauthorized):
            await remote.status()
        events = await collect(remote.ask(AskRequest(question="x")))
    assert [type(event) for event in events] == [Failed]
    assert events[0].error.code == "unauthorized"

    await served.runner.cleanup()
    async with aclosing_engine(connect(served)) as remote:
        with pytest.raises(VaultBusy):
            await remote.status()
        events = await collect(remote.sync(SyncRequest()))
    assert events[0].error.code == "vault_busy"


class RawServer:
    """Answers any request with bytes as given, in chunks as given."""

    def __init__(self, chunks: list[bytes], status: str = "200 OK") -> None:
        self.chunks = chunks
        self.status = status

    async def __aenter__(self) -> RemoteEngine:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self._engine = RemoteEngine(f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}", TOKEN)
        return self._engine

    async def __aexit__(self, *_: object) -> None:
        await self._engine.close()
        self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {self.status}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for chunk in self.chunks:
            if chunk:
                writer.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        writer.close()


STREAM = b"".join(
    json.dumps(example(f"AskEventLine.{name}"), ensure_ascii=False).encode() + b"\n"
    for name in ("started", "retrieved", "token", "notice", "answered")
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, len(STREAM)), max_size=30))
def test_events_survive_any_chunking(cuts: list[int]) -> None:
    cuts = sorted(cuts)
    chunks = [STREAM[a:b] for a, b in zip([0, *cuts], [*cuts, len(STREAM)], strict=True)]

    async def run() -> list[Any]:
        async with RawServer(chunks) as remote:
            return await collect(remote.ask(AskRequest(question="x")))

    events = asyncio.run(run())
    assert [event.type for event in events] == ["started", "retrieved", "token", "notice", "answered"]
    assert events[-1].answer == the_answer()


async def test_a_stream_that_breaks_off_ends_with_failed() -> None:
    async with RawServer([STREAM[: STREAM.index(b"notice")]]) as remote:
        events = await collect(remote.ask(AskRequest(question="x")))
    assert [event.type for event in events] == ["started", "retrieved", "token", "failed"]
    assert events[-1].error.retryable


async def test_what_a_newer_sidecar_adds_is_ignored() -> None:
    newer = {**example("AskEventLine.token"), "logprob": -0.1}
    lines = [json.dumps(line).encode() + b"\n" for line in ({"type": "thought"}, newer, {"type": "cancelled"})]
    async with RawServer(lines) as remote:
        events = await collect(remote.ask(AskRequest(question="x")))
    assert events == [ask_event("token"), ask_event("cancelled")]

    status = {**example("Status.typical"), "mood": "calm"}
    async with RawServer([json.dumps(status).encode()]) as remote:
        assert (await remote.status()).chunks == 1893


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"{}"])
async def test_nonsense_is_an_error_in_words(content: bytes) -> None:
    for status in ("200 OK", "500 Internal Server Error", "302 Found"):
        async with RawServer([content], status) as remote:
            with pytest.raises(ZibaldoneError) as caught:
                await remote.status()
        assert caught.value.hint


async def test_another_protocol_is_refused(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = connect(served)
    remote._session.headers["X-Zibaldone-Protocol"] = "7"
    async with aclosing_engine(remote):
        with pytest.raises(ProtocolMismatch):
            await remote.search(SearchRequest(query="x"))
    assert served.engine.calls == []
    assert sync_event("progress")
