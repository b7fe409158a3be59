"""`RemoteEngine`: the `Engine` protocol over the owner's HTTP API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial
from typing import Any, TypeVar, cast
from urllib.parse import quote

import aiohttp
from pydantic import BaseModel, RootModel, ValidationError

from zibaldone.client.divergence import RemoteDivergence
from zibaldone.client.hierarchy import RemoteVaultMemory
from zibaldone.client.library import RemoteLibrary
from zibaldone.client.memory import RemoteMemory
from zibaldone.client.ndjson import LineDecoder, LineTooLong
from zibaldone.client.wiki import RemoteWiki
from zibaldone.errors import DeadlineExceeded, VaultBusy, ZibaldoneError
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest
from zibaldone.schemas.ask import TERMINAL_ASK_EVENTS, AskEvent, AskEventLine, AskRequest, Failed
from zibaldone.schemas.base import ErrorResponse
from zibaldone.schemas.changes import Changes, Undone, UndoRequest
from zibaldone.schemas.coverage import Coverage
from zibaldone.schemas.evolution import Evolution, EvolutionRequest
from zibaldone.schemas.exchange import ExchangeRequest, Pulled, Pushed
from zibaldone.schemas.failure import describe_error, restore_error
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
from zibaldone.schemas.status import PROTOCOL, DoctorReport, Handshake, Status
from zibaldone.schemas.sync import (
    TERMINAL_SYNC_EVENTS,
    ChangesAccepted,
    Jobs,
    PauseRequest,
    SyncEvent,
    SyncEventLine,
    SyncRequest,
    SyncState,
    VaultChanges,
)

M = TypeVar("M", bound=BaseModel)

_CONNECT_S = 5.0
# A first search may have to wait for a model to load.
_ANSWER_S = 180.0
# A first look at a long history embeds what was changed in it.
_HISTORY_S = 1800.0
# A push may take two, and a pull between them.
_NETWORK_S = 600.0


class RemoteEngine:
    """Made by `attach`. Keys that a newer sidecar adds are ignored."""

    def __init__(self, url: str, token: str) -> None:
        # No proxy of the environment is used: `trust_env` is off by default.
        self._session = aiohttp.ClientSession(
            base_url=url,
            headers={"Authorization": f"Bearer {token}", "X-Zibaldone-Protocol": str(PROTOCOL)},
            timeout=aiohttp.ClientTimeout(total=_ANSWER_S, sock_connect=_CONNECT_S),
        )
        self.wiki = RemoteWiki(self._call)
        self.library = RemoteLibrary(self._call)
        self.divergence = RemoteDivergence(self._call)
        self.memory = RemoteMemory(self._call, partial(self._call, answer_s=_HISTORY_S))
        self.vault_memory = RemoteVaultMemory(self._call, self._stream)

    async def handshake(self) -> Handshake:
        return await self._call("GET", "/v1/handshake", Handshake)

    async def status(self) -> Status:
        return await self._call("GET", "/v1/status", Status)

    async def doctor(self) -> DoctorReport:
        return await self._call("GET", "/v1/doctor", DoctorReport)

    async def config(self) -> ConfigReport:
        return await self._call("GET", "/v1/config", ConfigReport)

    async def change_config(self, change: SettingsChange) -> ConfigReport:
        return await self._call("POST", "/v1/config", ConfigReport, change)

    async def coverage(self) -> Coverage:
        return await self._call("GET", "/v1/coverage", Coverage)

    async def related(self, request: RelatedRequest) -> RelatedNotes:
        return await self._call("POST", "/v1/related", RelatedNotes, request)

    async def search(self, request: SearchRequest) -> SearchResponse:
        return await self._call("POST", "/v1/search", SearchResponse, request)

    def ask(self, request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        lines = self._stream("/v1/ask", request, AskEventLine, TERMINAL_ASK_EVENTS)
        return cast("AsyncGenerator[AskEvent, None]", lines)

    async def evolution(self, request: EvolutionRequest) -> Evolution:
        return await self._call("POST", "/v1/evolution", Evolution, request, answer_s=_HISTORY_S)

    async def agenda(self, request: AgendaRequest) -> Agenda:
        return await self._call("POST", "/v1/agenda", Agenda, request)

    async def add_to_agenda(self, request: AgendaAddRequest) -> Proposal:
        return await self._call("POST", "/v1/agenda/add", Proposal, request)

    def sync(self, request: SyncRequest) -> AsyncGenerator[SyncEvent, None]:
        lines = self._stream("/v1/sync", request, SyncEventLine, TERMINAL_SYNC_EVENTS)
        return cast("AsyncGenerator[SyncEvent, None]", lines)

    async def note_changes(self, changes: VaultChanges) -> ChangesAccepted:
        return await self._call("POST", "/v1/vault/changes", ChangesAccepted, changes)

    async def pause(self, request: PauseRequest) -> SyncState:
        return await self._call("POST", "/v1/sync/pause", SyncState, request)

    async def changes(self, limit: int) -> Changes:
        return await self._call("GET", f"/v1/changes?limit={limit}", Changes)

    async def undo(self, request: UndoRequest) -> Undone:
        return await self._call("POST", "/v1/undo", Undone, request)

    async def pull(self) -> Pulled:
        return await self._call("POST", "/v1/pull", Pulled, ExchangeRequest(), answer_s=_NETWORK_S)

    async def push(self) -> Pushed:
        return await self._call("POST", "/v1/push", Pushed, ExchangeRequest(), answer_s=_NETWORK_S)

    async def proposals(self, *, all_states: bool) -> Proposals:
        return await self._call("GET", f"/v1/proposals{'?all=1' if all_states else ''}", Proposals)

    async def proposal(self, number: int) -> Proposal:
        return await self._call("GET", f"/v1/proposals/{number}", Proposal)

    async def suggest_links(self, request: SuggestLinksRequest) -> Suggested:
        return await self._call("POST", "/v1/links/suggest", Suggested, request)

    async def edit_proposal(self, number: int, edit: HunkEdit) -> Proposal:
        return await self._call("POST", f"/v1/proposals/{number}/edit", Proposal, edit)

    async def apply_proposal(self, number: int, decision: Decision) -> Decided:
        return await self._call("POST", f"/v1/proposals/{number}/apply", Decided, decision)

    async def reject_proposal(self, number: int, decision: Decision) -> Decided:
        return await self._call("POST", f"/v1/proposals/{number}/reject", Decided, decision)

    async def jobs(self) -> Jobs:
        return await self._call("GET", "/v1/jobs", Jobs)

    async def cancel_job(self, job_id: str) -> Jobs:
        return await self._call("DELETE", f"/v1/jobs/{quote(job_id, safe='')}", Jobs)

    async def conversations(self, words: str = "") -> Conversations:
        return await self._call("GET", f"/v1/conversations?q={quote(words, safe='')}", Conversations)

    async def conversation(self, conversation_id: str) -> Conversation:
        return await self._call("GET", _conversation(conversation_id), Conversation)

    async def rename_conversation(self, conversation_id: str, request: RenameConversationRequest) -> Conversation:
        return await self._call("POST", _conversation(conversation_id), Conversation, request)

    async def delete_conversation(self, conversation_id: str) -> Deleted:
        return await self._call("DELETE", _conversation(conversation_id), Deleted)

    async def close(self) -> None:
        await self._session.close()

    async def _call(
        self, method: str, path: str, model: type[M], body: BaseModel | None = None, *, answer_s: float = _ANSWER_S
    ) -> M:
        limit = aiohttp.ClientTimeout(total=answer_s, sock_connect=_CONNECT_S)
        try:
            async with self._session.request(method, path, timeout=limit, **_sent(body)) as response:
                content = await response.read()
        except TimeoutError:
            raise _too_slow() from None
        except aiohttp.ClientError:
            raise _gone() from None
        if response.status != 200:
            raise _error_of(response.status, content)
        return _read(model, content)

    async def _stream(
        self,
        path: str,
        body: BaseModel,
        line_model: type[RootModel[Any]],
        terminal: tuple[type[BaseModel], ...],
    ) -> AsyncGenerator[BaseModel, None]:
        """Events, the last one terminal. Closing it closes the connection, which the owner notices."""
        failure: ZibaldoneError
        try:
            endless = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_S)
            async with self._session.post(path, timeout=endless, **_sent(body)) as response:
                if response.status != 200:
                    raise _error_of(response.status, await response.read())
                decoder = LineDecoder()
                async for chunk in response.content.iter_any():
                    for line in decoder.feed(chunk):
                        event = _read_event(line_model, line)
                        if event is None:
                            continue
                        yield event
                        if isinstance(event, terminal):
                            return
            failure = _gone()
        except ZibaldoneError as error:
            failure = error
        except (aiohttp.ClientError, TimeoutError, LineTooLong):
            failure = _gone()
        yield Failed(error=describe_error(failure))


def _sent(body: BaseModel | None) -> dict[str, Any]:
    """Our server never redirects: a stranger on its port cannot send the token elsewhere."""
    if body is None:
        return {"allow_redirects": False}
    headers = {"Content-Type": "application/json"}
    return {"data": body.model_dump_json().encode(), "headers": headers, "allow_redirects": False}


def _conversation(conversation_id: str) -> str:
    return f"/v1/conversations/{quote(conversation_id, safe='')}"


def _read(model: type[M], content: bytes) -> M:
    try:
        return model.model_validate_json(content, extra="ignore")
    except ValidationError:
        raise _not_understood() from None


def _read_event(line_model: type[RootModel[Any]], line: bytes) -> BaseModel | None:
    """None for an event of a type that a newer sidecar added."""
    try:
        return cast("BaseModel", line_model.model_validate_json(line, extra="ignore").root)
    except ValidationError as error:
        if error.errors()[0]["type"] == "union_tag_invalid":
            return None
        raise _not_understood() from None


def _error_of(status: int, content: bytes) -> ZibaldoneError:
    try:
        return restore_error(ErrorResponse.model_validate_json(content, extra="ignore").error)
    except ValidationError:
        return ZibaldoneError(f"The vault's sidecar answered with status {status}.", "Stop it and start it again.")


def _not_understood() -> ZibaldoneError:
    return ZibaldoneError(
        "The vault's sidecar sent something that cannot be read.",
        "Update Zibaldone, stop the sidecar and start it again.",
    )


def _gone() -> ZibaldoneError:
    return VaultBusy("The vault's sidecar stopped answering.", "Try again in a moment.")


def _too_slow() -> ZibaldoneError:
    return DeadlineExceeded(
        f"The vault's sidecar gave no answer within {_ANSWER_S:.0f} s.", "See `zib doctor`, or restart it."
    )
