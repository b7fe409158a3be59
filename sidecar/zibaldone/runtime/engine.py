"""What every face of Zibaldone can ask for.

`runtime.local.LocalEngine` does it in this process, as the vault's owner; `client.remote.RemoteEngine` asks
the owner over HTTP. The command line, the API and MCP speak to this protocol and cannot tell which they have.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest
from zibaldone.schemas.ask import AskEvent, AskRequest
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
from zibaldone.schemas.hierarchy import (
    BuildEvent,
    BuildRequest,
    ConceptNotesWritten,
    Concepts,
    Distilled,
    Drift,
    Forgetting,
    Graded,
    GradeRequest,
    MemoryStats,
    NodesRequest,
    Recall,
    RecallRequest,
    Timeline,
    TimelineRequest,
    TouchRequest,
    Usage,
    UsageCleared,
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
    MemoryRequest,
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
from zibaldone.schemas.rules import Rules, RulesRequest
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


class Wiki(Protocol):
    """The pages that the agent keeps. `slug` is `abx:penicillin`."""

    async def pages(self, prefix: str) -> Pages: ...

    async def page(self, slug: str) -> PageContent: ...

    async def write(self, request: WritePageRequest) -> WikiChange: ...

    async def extend(self, slug: str, request: ExtendPageRequest) -> WikiChange: ...

    async def append(self, slug: str, request: AppendPageRequest) -> WikiChange: ...

    async def rename(self, slug: str, request: RenamePageRequest) -> WikiChange: ...

    async def delete(self, slug: str) -> WikiChange: ...

    async def log(self, request: LogRequest) -> WikiChange: ...

    async def backlinks(self, of: str) -> Backlinks:
        """Links to a page (its slug) or a note (its path)."""
        ...

    async def history(self, slug: str, limit: int) -> PageHistory: ...

    async def blame(self, slug: str) -> PageBlame: ...

    async def lint(self, request: LintRequest) -> LintReport: ...

    async def similar(self, request: SimilarRequest) -> SimilarPages: ...


class Library(Protocol):
    """The documents that pages rest on, and taking over what is elsewhere. Paths are those of the owner's machine."""

    async def add(self, request: IngestRequest) -> IngestReport:
        """Copy and register documents, and write a page from each; one that fails is said so in its entry."""
        ...

    async def list(self) -> Sources: ...

    async def collect(self, request: CollectRequest) -> Collected:
        """Remove superseded copies that nothing names."""
        ...

    async def stale(self) -> StalePages: ...

    async def import_folder(self, request: ImportRequest) -> ImportReport: ...


class Divergence(Protocol):
    """The questions that similarity alone does not answer, each answered with quotes."""

    async def contradictions(self, request: ContradictionsRequest) -> Contradictions: ...

    async def gaps(self, request: GapsRequest) -> Gaps: ...

    async def drift_walk(self, request: WalkRequest) -> Walk: ...

    async def bridges(self, request: BridgesRequest) -> Bridges: ...


class PersonalMemory(Protocol):
    """What is remembered about the person. `id_` is an entry's id, or its beginning."""

    async def tell(self, request: MemoryRequest) -> Memory: ...

    async def remember(self, request: RememberRequest) -> Remembered:
        """Keep what the person wants remembered, as a line of their memory and a commit."""
        ...

    async def edit(self, id_: str, request: EditMemoryRequest) -> Remembered: ...

    async def prevail(self, id_: str, request: KeepRequest) -> Remembered:
        """Keep an entry, and retire what it does not go together with."""
        ...

    async def clear(self, request: ClearRequest) -> Cleared:
        """Retire all entries of a type; they are on the archive page, and can be put back."""
        ...

    async def forget(self, request: ForgetRequest) -> Forgotten:
        """Remove entries from all that is kept; nothing but a hash remains."""
        ...

    async def history(self, id_: str | None) -> MemoryHistory:
        """What happened to an entry and those that it replaced, or to all."""
        ...

    async def rules(self, request: RulesRequest) -> Rules: ...

    async def pattern(self, request: PatternRequest) -> PatternReport:
        """The nightly run, now."""
        ...

    async def migrate(self, request: MigrateRequest) -> Migrated:
        """Do what was decided in the note of proposals, then propose what the files in `Migration/` say."""
        ...

    async def import_entries(self, request: ImportMemoryRequest) -> MemoryImported:
        """Keep what files of another assistant say, in one change."""
        ...


class VaultMemory(Protocol):
    """What happened, when, and what it is all about, by the notes and what lies beside them."""

    def build(self, request: BuildRequest) -> AsyncGenerator[BuildEvent, None]:
        """Bring it up to date. Closing the generator stops the build; what was read is kept."""
        ...

    async def stats(self) -> MemoryStats: ...

    async def pause(self, request: PauseRequest) -> MemoryStats:
        """Stop building in the background, or go on."""
        ...

    async def concepts(self, request: NodesRequest) -> Concepts: ...

    async def timeline(self, request: TimelineRequest) -> Timeline: ...

    async def forgetting(self, request: NodesRequest) -> Forgetting: ...

    async def drift(self, request: NodesRequest) -> Drift: ...

    async def distill(self, request: NodesRequest) -> Distilled: ...

    async def recall(self, request: RecallRequest) -> Recall:
        """Cards of what is slipping away, made where there are none yet."""
        ...

    async def grade(self, card: str, request: GradeRequest) -> Graded: ...

    async def usage(self, request: NodesRequest) -> Usage: ...

    async def clear_usage(self) -> UsageCleared: ...

    async def touch(self, request: TouchRequest) -> Usage:
        """That something was opened or accepted; nothing is kept where the setting does not allow it."""
        ...

    async def write_notes(self) -> ConceptNotesWritten:
        """A note for each concept and episode, in one commit."""
        ...


class Engine(Protocol):
    """Raises only `ZibaldoneError`s. The streams end with exactly one terminal event and raise nothing."""

    @property
    def wiki(self) -> Wiki: ...

    @property
    def library(self) -> Library: ...

    @property
    def divergence(self) -> Divergence: ...

    @property
    def memory(self) -> PersonalMemory: ...

    @property
    def vault_memory(self) -> VaultMemory: ...

    async def status(self) -> Status: ...

    async def doctor(self) -> DoctorReport: ...

    async def config(self) -> ConfigReport: ...

    async def change_config(self, change: SettingsChange) -> ConfigReport:
        """Write settings of this device. They hold from the next start on, as the report has them."""
        ...

    async def coverage(self) -> Coverage:
        """What became of each note in the index."""
        ...

    async def search(self, request: SearchRequest) -> SearchResponse: ...

    async def related(self, request: RelatedRequest) -> RelatedNotes:
        """Notes near to a note; no model is asked."""
        ...

    def ask(self, request: AskRequest) -> AsyncGenerator[AskEvent, None]:
        """Closing the generator stops the compute."""
        ...

    async def evolution(self, request: EvolutionRequest) -> Evolution:
        """How thinking about a topic moved, from the git history of the notes."""
        ...

    async def agenda(self, request: AgendaRequest) -> Agenda:
        """What is due, by the tasks and dates in the notes."""
        ...

    async def add_to_agenda(self, request: AgendaAddRequest) -> Proposal:
        """Propose a task for a daily note."""
        ...

    def sync(self, request: SyncRequest) -> AsyncGenerator[SyncEvent, None]:
        """Start a sync, or join the one that runs. Closing the generator stops watching, not the sync."""
        ...

    async def pause(self, request: PauseRequest) -> SyncState:
        """Leave what changes in the vault for later, or no longer."""
        ...

    async def note_changes(self, changes: VaultChanges) -> ChangesAccepted: ...

    async def changes(self, limit: int) -> Changes:
        """What was changed in the vault, the newest first."""
        ...

    async def undo(self, request: UndoRequest) -> Undone:
        """Take a change back, never over newer text."""
        ...

    async def pull(self) -> Pulled:
        """Bring in what the git remote has, or change nothing."""
        ...

    async def push(self) -> Pushed:
        """Send the branch to the git remote, after a pull where it has moved."""
        ...

    async def proposals(self, *, all_states: bool) -> Proposals:
        """Changes of the person's notes that wait for approval, the newest first; or all that there ever were."""
        ...

    async def proposal(self, number: int) -> Proposal: ...

    async def suggest_links(self, request: SuggestLinksRequest) -> Suggested:
        """Propose links from a note to the notes that it names."""
        ...

    async def edit_proposal(self, number: int, edit: HunkEdit) -> Proposal: ...

    async def apply_proposal(self, number: int, decision: Decision) -> Decided: ...

    async def reject_proposal(self, number: int, decision: Decision) -> Decided: ...

    async def jobs(self) -> Jobs: ...

    async def cancel_job(self, job_id: str) -> Jobs: ...

    async def conversations(self, words: str = "") -> Conversations:
        """Saved conversations, the latest first; with `words` those that hold them."""
        ...

    async def conversation(self, conversation_id: str) -> Conversation: ...

    async def rename_conversation(self, conversation_id: str, request: RenameConversationRequest) -> Conversation: ...

    async def delete_conversation(self, conversation_id: str) -> Deleted: ...

    async def close(self) -> None: ...
