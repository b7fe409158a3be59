"""The table of routes. It drives both the routing and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from pydantic import BaseModel

from zibaldone.api import handlers, streams
from zibaldone.schemas.ask import AskEventLine, AskRequest
from zibaldone.schemas.changes import Changes, Undone, UndoRequest
from zibaldone.schemas.history import Conversation, Conversations, Deleted
from zibaldone.schemas.memory import Remembered, RememberRequest
from zibaldone.schemas.proposals import Decided, Decision, Proposal, Proposals
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.schemas.settings import ConfigReport
from zibaldone.schemas.status import DoctorReport, Handshake, Health, Status
from zibaldone.schemas.sync import ChangesAccepted, Jobs, SyncEventLine, SyncRequest, VaultChanges

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
            "POST", "/v1/sync", streams.sync,
            "Reconcile disk and index; closing the connection stops watching only",
            SyncEventLine, SyncRequest, stream=True,
        ),
        Route(
            "POST", "/v1/memory", handlers.remember, "Keep a statement in the person's memory",
            Remembered, RememberRequest,
        ),
        Route("GET", "/v1/changes", handlers.changes, "What was changed in the vault; ?limit=N", Changes),
        Route("POST", "/v1/undo", handlers.undo, "Take a change back, never over newer text", Undone, UndoRequest),
        Route("GET", "/v1/proposals", handlers.proposals, "Changes of notes that wait; ?all=1: all", Proposals),
        Route("GET", "/v1/proposals/{id}", handlers.proposal, "One proposal, with its hunks", Proposal),
        Route(
            "POST", "/v1/proposals/{id}/apply", handlers.apply_proposal, "Approve all or a part", Decided, Decision
        ),
        Route(
            "POST", "/v1/proposals/{id}/reject", handlers.reject_proposal, "Reject all or a part", Decided, Decision
        ),
        Route("GET", "/v1/jobs", handlers.jobs, "Work in the background", Jobs),
        Route("DELETE", "/v1/jobs/{id}", handlers.cancel_job, "Cancel a job", Jobs),
        Route("GET", "/v1/conversations", handlers.conversations, "Saved conversations", Conversations),
        Route("GET", "/v1/conversations/{id}", handlers.conversation, "One conversation", Conversation),
        Route(
            "DELETE", "/v1/conversations/{id}", handlers.delete_conversation, "Delete a conversation", Deleted
        ),
    ]  # fmt: skip


def path_parameters(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]
