"""A scripted `Engine` for tests of the edges: no disk, no model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from support.fake_memory import ScriptedMemory, ScriptedVaultMemory
from support.fake_wiki import ScriptedWiki
from zibaldone.errors import NotFound, ZibaldoneError
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest
from zibaldone.schemas.ask import Answer, Answered, AskEvent, AskEventLine, AskRequest, Token
from zibaldone.schemas.changes import Changes, Undone, UndoRequest
from zibaldone.schemas.coverage import Coverage
from zibaldone.schemas.divergence import (
    Bridges,
    BridgesRequest,
    Contradictions,
    ContradictionsRequest,
    Gaps,
    GapsRequest,
    Walk,
    WalkRequest,
)
from zibaldone.schemas.evolution import Evolution, EvolutionRequest
from zibaldone.schemas.exchange import Pulled, Pushed
from zibaldone.schemas.history import Conversation, Conversations, Deleted, RenameConversationRequest
from zibaldone.schemas.proposals import (
    Decided,
    Decision,
    HunkEdit,
    Proposal,
    Proposals,
    Suggested,
    SuggestLinksRequest,
)
from zibaldone.schemas.related import RelatedNotes, RelatedRequest
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.schemas.settings import ConfigReport, SettingsChange
from zibaldone.schemas.sources import (
    Collected,
    CollectRequest,
    ImportReport,
    ImportRequest,
    IngestReport,
    IngestRequest,
    Sources,
    StalePages,
)
from zibaldone.schemas.status import DoctorReport, Status
from zibaldone.schemas.sync import (
    ChangesAccepted,
    Jobs,
    PauseRequest,
    SyncEvent,
    SyncEventLine,
    SyncReport,
    SyncRequest,
    SyncState,
    VaultChanges,
)

EXAMPLES = Path(__file__).parents[2] / "shared-schemas" / "examples"


def example(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def ask_event(name: str) -> AskEvent:
    return AskEventLine.model_validate(example(f"AskEventLine.{name}")).root


def sync_event(name: str) -> SyncEvent:
    return SyncEventLine.model_validate(example(f"SyncEventLine.{name}")).root


def the_answer() -> Answer:
    event = ask_event("answered")
    assert isinstance(event, Answered)
    return event.answer


class ScriptedLibrary:
    """Answers with the golden examples. `record` notes the call, and raises where the engine is to fail."""

    def __init__(self, record: Callable[[str, object], None]) -> None:
        self._record = record

    async def add(self, request: IngestRequest) -> IngestReport:
        self._record("add", request)
        return IngestReport.model_validate(example("IngestReport.mixed"))

    async def list(self) -> Sources:
        self._record("list", None)
        return Sources.model_validate(example("Sources.two"))

    async def collect(self, request: CollectRequest) -> Collected:
        self._record("collect", request)
        return Collected.model_validate(example("Collected.dry" if not request.apply else "Collected.applied"))

    async def stale(self) -> StalePages:
        self._record("stale", None)
        return StalePages.model_validate(example("StalePages.two"))

    async def import_folder(self, request: ImportRequest) -> ImportReport:
        self._record("import_folder", request)
        return ImportReport.model_validate(example("ImportReport.plan" if request.dry_run else "ImportReport.wiki"))


class ScriptedDivergence:
    """As `ScriptedLibrary`."""

    def __init__(self, record: Callable[[str, object], None]) -> None:
        self._record = record

    async def contradictions(self, request: ContradictionsRequest) -> Contradictions:
        self._record("contradictions", request)
        return Contradictions.model_validate(example("Contradictions.two"))

    async def gaps(self, request: GapsRequest) -> Gaps:
        self._record("gaps", request)
        return Gaps.model_validate(example("Gaps.two"))

    async def drift_walk(self, request: WalkRequest) -> Walk:
        self._record("drift_walk", request)
        return Walk.model_validate(example("Walk.one"))

    async def bridges(self, request: BridgesRequest) -> Bridges:
        self._record("bridges", request)
        return Bridges.model_validate(example("Bridges.one"))


class ScriptedEngine:
    """Answers with the golden examples.

    Args:
        ask_script, sync_script: events of the streams, and exceptions to raise in their place. The script of
            `ask` may hold an `asyncio.Event`: the stream then waits for it, as for a model.
        failure: raised by every call that is no stream.

    `waiting` is set while a stream waits, `closed` when a stream has ended, for whatever reason.
    """

    def __init__(
        self,
        ask_script: list[AskEvent | asyncio.Event | Exception] | None = None,
        sync_script: list[SyncEvent | asyncio.Event | Exception] | None = None,
        failure: Exception | None = None,
    ) -> None:
        self.ask_script = ask_script if ask_script is not None else usual_ask()
        self.sync_script = sync_script if sync_script is not None else usual_sync()
        self.failure = failure
        self.calls: list[tuple[str, object]] = []
        self.wiki = ScriptedWiki(self._record, example)
        self.waiting = asyncio.Event()
        self.closed = asyncio.Event()
        self.engine_closed = False
        self.library = ScriptedLibrary(self._record)
        self.divergence = ScriptedDivergence(self._record)
        self.memory = ScriptedMemory(self._record, example)
        self.vault_memory = ScriptedVaultMemory(self._record, example)

    async def status(self) -> Status:
        self._record("status", None)
        return Status.model_validate(example("Status.typical"))

    async def doctor(self) -> DoctorReport:
        self._record("doctor", None)
        return DoctorReport.model_validate(example("DoctorReport.typical"))

    async def config(self) -> ConfigReport:
        self._record("config", None)
        return ConfigReport.model_validate(example("ConfigReport.typical"))

    async def change_config(self, change: SettingsChange) -> ConfigReport:
        self._record("change_config", change)
        return ConfigReport.model_validate(example("ConfigReport.typical"))

    async def coverage(self) -> Coverage:
        self._record("coverage", None)
        return Coverage.model_validate(example("Coverage.typical"))

    async def related(self, request: RelatedRequest) -> RelatedNotes:
        self._record("related", request)
        return RelatedNotes.model_validate(example("RelatedNotes.two"))

    async def search(self, request: SearchRequest) -> SearchResponse:
        self._record("search", request)
        return SearchResponse.model_validate(example("SearchResponse.hit"))

    async def ask(self, request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        self.calls.append(("ask", request))
        try:
            for step in self.ask_script:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, asyncio.Event):
                    self.waiting.set()
                    await step.wait()
                else:
                    yield step
        finally:
            self.closed.set()

    async def agenda(self, request: AgendaRequest) -> Agenda:
        self._record("agenda", request)
        return Agenda.model_validate(example("Agenda.three"))

    async def add_to_agenda(self, request: AgendaAddRequest) -> Proposal:
        self._record("add_to_agenda", request)
        return Proposal.model_validate(example("Proposal.two-files"))

    async def evolution(self, request: EvolutionRequest) -> Evolution:
        self._record("evolution", request)
        return Evolution.model_validate(example("Evolution.two"))

    async def sync(self, request: SyncRequest) -> AsyncGenerator[SyncEvent, None]:
        self.calls.append(("sync", request))
        try:
            for step in self.sync_script:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, asyncio.Event):
                    self.waiting.set()
                    await step.wait()
                else:
                    yield step
        finally:
            self.closed.set()

    async def changes(self, limit: int) -> Changes:
        self._record("changes", limit)
        return Changes.model_validate(example("Changes.two"))

    async def undo(self, request: UndoRequest) -> Undone:
        self._record("undo", request)
        return Undone.model_validate(example("Undone.typical"))

    async def pull(self) -> Pulled:
        self._record("pull", None)
        return Pulled.model_validate(example("Pulled.typical"))

    async def push(self) -> Pushed:
        self._record("push", None)
        return Pushed.model_validate(example("Pushed.after_pull"))

    async def proposals(self, *, all_states: bool) -> Proposals:
        self._record("proposals", all_states)
        return Proposals.model_validate(example("Proposals.one"))

    async def proposal(self, number: int) -> Proposal:
        self._record("proposal", number)
        return Proposal.model_validate(example("Proposal.two-files"))

    async def suggest_links(self, request: SuggestLinksRequest) -> Suggested:
        self._record("suggest_links", request)
        return Suggested.model_validate(example("Suggested.none"))

    async def edit_proposal(self, number: int, edit: HunkEdit) -> Proposal:
        self._record("edit_proposal", (number, edit))
        return Proposal.model_validate(example("Proposal.two-files"))

    async def apply_proposal(self, number: int, decision: Decision) -> Decided:
        self._record("apply_proposal", (number, decision))
        return Decided.model_validate(example("Decided.typical"))

    async def reject_proposal(self, number: int, decision: Decision) -> Decided:
        self._record("reject_proposal", (number, decision))
        return Decided.model_validate(example("Decided.typical"))

    async def note_changes(self, changes: VaultChanges) -> ChangesAccepted:
        self._record("note_changes", changes)
        return ChangesAccepted(accepted=len(changes.paths))

    async def pause(self, request: PauseRequest) -> SyncState:
        self._record("pause", request)
        return SyncState(state="paused" if request.paused else "idle")

    async def jobs(self) -> Jobs:
        self._record("jobs", None)
        return Jobs.model_validate(example("Jobs.running"))

    async def cancel_job(self, job_id: str) -> Jobs:
        self._record("cancel_job", job_id)
        return Jobs(jobs=[])

    async def conversations(self, words: str = "") -> Conversations:
        self._record("conversations", words)
        return Conversations.model_validate(example("Conversations.one"))

    async def conversation(self, conversation_id: str) -> Conversation:
        self._record("conversation", conversation_id)
        found = Conversation.model_validate(example("Conversation.one"))
        if conversation_id != found.id:
            raise NotFound(f"There is no conversation {conversation_id}.", "See `zib history`.")
        return found

    async def rename_conversation(self, conversation_id: str, request: RenameConversationRequest) -> Conversation:
        self._record("rename_conversation", (conversation_id, request))
        return Conversation.model_validate(example("Conversation.one"))

    async def delete_conversation(self, conversation_id: str) -> Deleted:
        self._record("delete_conversation", conversation_id)
        return Deleted(deleted=1)

    async def close(self) -> None:
        self.engine_closed = True

    def _record(self, name: str, argument: object) -> None:
        self.calls.append((name, argument))
        if self.failure is not None:
            raise self.failure


def usual_ask() -> list[AskEvent | asyncio.Event | Exception]:
    words = the_answer().answer.split(" ")
    tokens = [Token(text=word if i == 0 else f" {word}") for i, word in enumerate(words)]
    return [ask_event("started"), ask_event("retrieved"), *tokens, ask_event("answered")]


def usual_sync() -> list[SyncEvent | asyncio.Event | Exception]:
    return [sync_event("progress"), sync_event("synced")]


def the_report() -> SyncReport:
    return SyncReport.model_validate(example("SyncReport.typical"))


def every_error() -> list[type[ZibaldoneError]]:
    return ZibaldoneError.__subclasses__()
