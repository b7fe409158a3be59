"""What every face of Zibaldone can ask for.

`runtime.local.LocalEngine` does it in this process, as the vault's owner; `client.remote.RemoteEngine` asks
the owner over HTTP. The command line, the API and MCP speak to this protocol and cannot tell which they have.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from zibaldone.schemas.ask import AskEvent, AskRequest
from zibaldone.schemas.changes import Changes, Undone, UndoRequest
from zibaldone.schemas.history import Conversation, Conversations, Deleted
from zibaldone.schemas.memory import Remembered, RememberRequest
from zibaldone.schemas.proposals import Decided, Decision, Proposal, Proposals
from zibaldone.schemas.search import SearchRequest, SearchResponse
from zibaldone.schemas.settings import ConfigReport
from zibaldone.schemas.status import DoctorReport, Status
from zibaldone.schemas.sync import ChangesAccepted, Jobs, SyncEvent, SyncRequest, VaultChanges


class Engine(Protocol):
    """Raises only `ZibaldoneError`s. The streams end with exactly one terminal event and raise nothing."""

    async def status(self) -> Status: ...

    async def doctor(self) -> DoctorReport: ...

    async def config(self) -> ConfigReport: ...

    async def search(self, request: SearchRequest) -> SearchResponse: ...

    def ask(self, request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        """Closing the generator stops the compute."""
        ...

    def sync(self, request: SyncRequest) -> AsyncGenerator[SyncEvent, None]:
        """Start a sync, or join the one that runs. Closing the generator stops watching, not the sync."""
        ...

    async def note_changes(self, changes: VaultChanges) -> ChangesAccepted: ...

    async def remember(self, request: RememberRequest) -> Remembered:
        """Keep what the person wants remembered, as a line of their memory and a commit."""
        ...

    async def changes(self, limit: int) -> Changes:
        """What was changed in the vault, the newest first."""
        ...

    async def undo(self, request: UndoRequest) -> Undone:
        """Take a change back, never over newer text."""
        ...

    async def proposals(self, *, all_states: bool) -> Proposals:
        """Changes of the person's notes that wait for approval, the newest first; or all that there ever were."""
        ...

    async def proposal(self, number: int) -> Proposal: ...

    async def apply_proposal(self, number: int, decision: Decision) -> Decided: ...

    async def reject_proposal(self, number: int, decision: Decision) -> Decided: ...

    async def jobs(self) -> Jobs: ...

    async def cancel_job(self, job_id: str) -> Jobs: ...

    async def conversations(self) -> Conversations: ...

    async def conversation(self, conversation_id: str) -> Conversation: ...

    async def delete_conversation(self, conversation_id: str) -> Deleted: ...

    async def close(self) -> None: ...
