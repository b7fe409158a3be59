"""The table of routes. It drives both the routing and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from pydantic import BaseModel

from zibaldone.api import divergence, handlers, hierarchy, library, memory, streams, wiki
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest
from zibaldone.schemas.ask import AskEventLine, AskRequest
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
from zibaldone.schemas.exchange import ExchangeRequest, Pulled, Pushed
from zibaldone.schemas.hierarchy import (
    BuildEventLine,
    BuildRequest,
    ConceptNotesWritten,
    Concepts,
    Distilled,
    Drift,
    Forgetting,
    Graded,
    GradeRequest,
    MemoryStats,
    Recall,
    RecallRequest,
    Timeline,
    TouchRequest,
    Usage,
    UsageCleared,
    WriteNotesRequest,
)
from zibaldone.schemas.history import Conversation, Conversations, Deleted, RenameConversationRequest
from zibaldone.schemas.memory import (
    Cleared,
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    Forgotten,
    ImportMemoryRequest,
    KeepRequest,
    Memory,
    MemoryHistory,
    MemoryImported,
    Migrated,
    MigrateRequest,
    PatternReport,
    PatternRequest,
    Remembered,
    RememberRequest,
)
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
from zibaldone.schemas.rules import Rules
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
from zibaldone.schemas.status import DoctorReport, Handshake, Health, Status
from zibaldone.schemas.sync import (
    ChangesAccepted,
    Jobs,
    PauseRequest,
    SyncEventLine,
    SyncRequest,
    SyncState,
    VaultChanges,
)
from zibaldone.schemas.wiki import (
    AppendPageRequest,
    Backlinks,
    ExtendPageRequest,
    LintReport,
    LintRequest,
    LogRequest,
    PageBlame,
    PageContent,
    PageHistory,
    Pages,
    RenamePageRequest,
    SimilarPages,
    SimilarRequest,
    WikiChange,
    WritePageRequest,
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Route:
    """`stream` means that the response is NDJSON, each line a `response`."""

    method: str
    path: str
    handler: Handler
    summary: str
    response: type[BaseModel] | None
    request: type[BaseModel] | None = None
    stream: bool = False

    @property
    def operation_id(self) -> str:
        return self.handler.__name__


def all_routes() -> list[Route]:
    return [
        Route("GET", "/v1/handshake", handlers.handshake, "Who serves which vault, and how", Handshake),
        Route("GET", "/v1/health", handlers.health, "Alive, and able to write?", Health),
        Route("GET", "/v1/status", handlers.status, "What is indexed, pending, skipped", Status),
        Route("GET", "/v1/doctor", handlers.doctor, "Findings, each with a remedy", DoctorReport),
        Route("GET", "/v1/config", handlers.config, "Each setting and its source", ConfigReport),
        Route(
            "POST", "/v1/config", handlers.change_config, "Change settings of this device",
            ConfigReport, SettingsChange,
        ),
        Route("GET", "/v1/coverage", handlers.coverage, "What became of each note in the index", Coverage),
        Route("GET", "/v1/openapi.json", handlers.openapi, "This document", None),
        Route(
            "POST", "/v1/vault/changes", handlers.note_changes,
            "A hint that notes may have changed", ChangesAccepted, VaultChanges,
        ),
        Route("POST", "/v1/search", handlers.search, "Retrieval only", SearchResponse, SearchRequest),
        Route(
            "POST", "/v1/ask", streams.ask,
            "A cited answer; closing the connection stops the compute", AskEventLine, AskRequest, stream=True,
        ),
        Route(
            "POST", "/v1/related", handlers.related, "Notes near to a note, by vectors that are there",
            RelatedNotes, RelatedRequest,
        ),
        Route(
            "POST", "/v1/evolution", handlers.evolution, "How thinking about a topic moved", Evolution, EvolutionRequest
        ),
        Route("POST", "/v1/agenda", handlers.agenda, "What is due, by the notes", Agenda, AgendaRequest),
        Route(
            "POST", "/v1/agenda/add", handlers.add_to_agenda, "Propose a task for a daily note",
            Proposal, AgendaAddRequest,
        ),
        Route(
            "POST", "/v1/sync", streams.sync,
            "Reconcile disk and index; closing the connection stops watching only",
            SyncEventLine, SyncRequest, stream=True,
        ),
        Route("POST", "/v1/sync/pause", handlers.pause, "Leave changes for later, or not", SyncState, PauseRequest),
        Route("GET", "/v1/changes", handlers.changes, "What was changed in the vault; ?limit=N", Changes),
        Route("POST", "/v1/undo", handlers.undo, "Take a change back, never over newer text", Undone, UndoRequest),
        Route(
            "POST", "/v1/pull", handlers.pull, "Bring in what the git remote has, or change nothing",
            Pulled, ExchangeRequest,
        ),
        Route("POST", "/v1/push", handlers.push, "Send the branch to the git remote", Pushed, ExchangeRequest),
        Route(
            "POST", "/v1/links/suggest", handlers.suggest_links, "Propose links to the notes that a note names",
            Suggested, SuggestLinksRequest,
        ),
        Route("GET", "/v1/proposals", handlers.proposals, "Changes of notes that wait; ?all=1: all", Proposals),
        Route("GET", "/v1/proposals/{id}", handlers.proposal, "One proposal, with its hunks", Proposal),
        Route(
            "POST", "/v1/proposals/{id}/edit", handlers.edit_proposal, "Other words for a hunk", Proposal, HunkEdit
        ),
        Route(
            "POST", "/v1/proposals/{id}/apply", handlers.apply_proposal, "Approve all or a part", Decided, Decision
        ),
        Route(
            "POST", "/v1/proposals/{id}/reject", handlers.reject_proposal, "Reject all or a part", Decided, Decision
        ),
        *_memory_routes(),
        *_vault_memory_routes(),
        *_wiki_routes(),
        *_library_routes(),
        *_divergence_routes(),
        Route("GET", "/v1/jobs", handlers.jobs, "Work in the background", Jobs),
        Route("DELETE", "/v1/jobs/{id}", handlers.cancel_job, "Cancel a job", Jobs),
        Route("GET", "/v1/conversations", handlers.conversations, "Saved conversations; ?q=WORDS", Conversations),
        Route("GET", "/v1/conversations/{id}", handlers.conversation, "One conversation", Conversation),
        Route(
            "POST", "/v1/conversations/{id}", handlers.rename_conversation, "Call a conversation something else",
            Conversation, RenameConversationRequest,
        ),
        Route(
            "DELETE", "/v1/conversations/{id}", handlers.delete_conversation, "Delete a conversation", Deleted
        ),
    ]  # fmt: skip


def _memory_routes() -> list[Route]:
    return [
        Route("GET", "/v1/memory", memory.tell_memory, "What is remembered; ?as_of=DAY&all=1", Memory),
        Route("POST", "/v1/memory", memory.remember, "Keep a statement", Remembered, RememberRequest),
        Route("GET", "/v1/memory/history", memory.memory_history, "What happened to it; ?id=ID", MemoryHistory),
        Route("POST", "/v1/memory/clear", memory.clear_memory, "Retire all of a type", Cleared, ClearRequest),
        Route(
            "POST", "/v1/memory/forget", memory.forget_memory, "Remove entries from all that is kept",
            Forgotten, ForgetRequest,
        ),
        Route(
            "POST", "/v1/memory/migrate", memory.migrate_memory, "Propose what the files in Migration/ say",
            Migrated, MigrateRequest,
        ),
        Route(
            "POST", "/v1/memory/import", memory.import_memory, "Keep what files say",
            MemoryImported, ImportMemoryRequest,
        ),
        Route("GET", "/v1/rules", memory.tell_rules, "How the agents work; ?agent=NAME&layer=user", Rules),
        Route(
            "POST", "/v1/pattern", memory.run_pattern, "The nightly run of the memory, now",
            PatternReport, PatternRequest,
        ),
        Route(
            "POST", "/v1/memory/{id}/keep", memory.prevail_memory, "Keep an entry over those that contradict it",
            Remembered, KeepRequest,
        ),
        Route("POST", "/v1/memory/{id}", memory.edit_memory, "Change an entry", Remembered, EditMemoryRequest),
    ]  # fmt: skip


def _vault_memory_routes() -> list[Route]:
    nodes = "?top=N&min_support=N&level=LEVEL"
    return [
        Route(
            "POST", "/v1/build-memory", hierarchy.build_memory,
            "Read what changed for events, build what is above; closing the connection stops it",
            BuildEventLine, BuildRequest, stream=True,
        ),
        Route("GET", "/v1/memory-stats", hierarchy.memory_stats, "How far the vault's memory is", MemoryStats),
        Route(
            "POST", "/v1/memory-stats/pause", hierarchy.pause_building, "Stop building by itself, or go on",
            MemoryStats, PauseRequest,
        ),
        Route("GET", "/v1/concepts", hierarchy.concepts, f"What the notes are about; {nodes}", Concepts),
        Route(
            "POST", "/v1/concepts/notes", hierarchy.write_concept_notes, "A note for each concept and episode",
            ConceptNotesWritten, WriteNotesRequest,
        ),
        Route(
            "GET", "/v1/timeline", hierarchy.timeline, f"Episodes in order; {nodes}&since=DAY&until=DAY&project=NAME",
            Timeline,
        ),
        Route("GET", "/v1/forgetting", hierarchy.forgetting, f"What is slipping away; {nodes}", Forgetting),
        Route("GET", "/v1/drift", hierarchy.drift, f"How the thinking on concepts moved; {nodes}", Drift),
        Route("GET", "/v1/distill", hierarchy.distill, f"Passages that stand for a node; {nodes}", Distilled),
        Route("POST", "/v1/recall", hierarchy.recall, "Cards that are due", Recall, RecallRequest),
        Route("POST", "/v1/recall/{card}", hierarchy.grade_card, "How well it was remembered", Graded, GradeRequest),
        Route("GET", "/v1/usage", hierarchy.usage, f"What was used of late; {nodes}", Usage),
        Route("POST", "/v1/usage", hierarchy.touch, "Something was opened or accepted", Usage, TouchRequest),
        Route("DELETE", "/v1/usage", hierarchy.clear_usage, "Forget what was used", UsageCleared),
    ]  # fmt: skip


def _wiki_routes() -> list[Route]:
    return [
        Route("GET", "/v1/pages", wiki.pages, "The pages of the wiki; ?prefix=SLUG", Pages),
        Route("POST", "/v1/pages", wiki.write_page, "Write a new page", WikiChange, WritePageRequest),
        Route("GET", "/v1/pages/{slug}", wiki.page, "One page", PageContent),
        Route("DELETE", "/v1/pages/{slug}", wiki.delete_page, "Move a page to the trash", WikiChange),
        Route(
            "POST", "/v1/pages/{slug}/extend", wiki.extend_page, "Give a page another body",
            WikiChange, ExtendPageRequest,
        ),
        Route("POST", "/v1/pages/{slug}/append", wiki.append_page, "Add to a page", WikiChange, AppendPageRequest),
        Route(
            "POST", "/v1/pages/{slug}/rename", wiki.rename_page, "Move a page, and the links to it",
            WikiChange, RenamePageRequest,
        ),
        Route("GET", "/v1/pages/{slug}/history", wiki.page_history, "Commits that touched it; ?limit=N", PageHistory),
        Route("GET", "/v1/pages/{slug}/blame", wiki.page_blame, "Who wrote which line", PageBlame),
        Route("POST", "/v1/log", wiki.log_topic, "An entry of the day's log", WikiChange, LogRequest),
        Route("GET", "/v1/backlinks/{of}", wiki.backlinks, "Links to a page or note, by slug or path", Backlinks),
        Route("POST", "/v1/lint", wiki.lint_wiki, "What is wrong with the wiki", LintReport, LintRequest),
        Route("POST", "/v1/similar", wiki.similar_pages, "Pages near in meaning", SimilarPages, SimilarRequest),
    ]  # fmt: skip


def _library_routes() -> list[Route]:
    return [
        Route("GET", "/v1/sources", library.sources, "Registered documents", Sources),
        Route(
            "POST", "/v1/sources", library.add_sources, "Copy and register files of this machine, and write pages",
            IngestReport, IngestRequest,
        ),
        Route(
            "POST", "/v1/sources/gc", library.collect_sources, "Superseded copies that nothing names",
            Collected, CollectRequest,
        ),
        Route("GET", "/v1/stale", library.stale_pages, "Pages whose sources are not what they were", StalePages),
        Route(
            "POST", "/v1/import", library.import_folder, "Take over a vault, folder or wiki of this machine",
            ImportReport, ImportRequest,
        ),
    ]  # fmt: skip


def _divergence_routes() -> list[Route]:
    return [
        Route(
            "POST", "/v1/contradictions", divergence.contradictions, "Claims that disagree",
            Contradictions, ContradictionsRequest,
        ),
        Route("POST", "/v1/gaps", divergence.gaps, "What one would expect and is absent", Gaps, GapsRequest),
        Route("POST", "/v1/drift-walk", divergence.drift_walk, "A walk of associations", Walk, WalkRequest),
        Route("POST", "/v1/bridges", divergence.bridges, "What lies between two areas", Bridges, BridgesRequest),
    ]  # fmt: skip


def path_parameters(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]
