"""Ask: request, answer, and the events of the NDJSON stream (exactly one terminal event)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from zibaldone.schemas.base import ErrorBody, Wire
from zibaldone.schemas.memory import Remembered
from zibaldone.schemas.search import Hit, Level, MatchedNode, Profile

# What `model` is where passages were quoted.
NO_MODEL = "none"
AbstentionReason = Literal["weak_retrieval", "llm_insufficient", "unsupported"]


class AskRequest(Wire):
    question: str = Field(min_length=1, max_length=4000, pattern=r"\S")
    k: int | None = Field(default=None, ge=1, le=100)
    strategy: str | None = None
    profile: Profile | None = None
    modality: list[str] = []
    use_llm: bool = True
    writeback: bool = True
    pull: bool = Field(default=True, description="first pull from the git remote, where the settings say so")
    push: bool = Field(default=True, description="push to it afterwards, likewise")
    conversation_id: str | None = None
    after_turns: int | None = Field(
        default=None,
        ge=0,
        description="ask behind so many turns of the conversation: a last turn that is left out is replaced; where "
        "several are, they stay as they are, and this goes on in a conversation of its own",
    )
    note_path: str | None = None
    within: list[str] = Field(
        default=[],
        max_length=50,
        description="answer from these alone: notes (`PATH`), lines (`PATH:3-7`), folders (`PATH/`), tags (`#TAG`)",
    )
    as_of: str | None = Field(default=None, max_length=40, description="answer from what was committed by then: a day")
    debug: bool = False
    level: Level | None = Field(default=None, description="answer from the evidence of events, episodes or concepts")
    track: bool | None = Field(default=None, description="count what is used; null: as the settings say")
    accept: bool = Field(default=False, description="count what is cited as accepted")


class Citation(Wire):
    marker: int
    path: str
    source_uri: str
    heading: list[str]
    locator: str
    line_start: int
    line_end: int
    page: int | None = None
    modality: str = "text"
    quote: str
    supported: bool
    commit: str | None = Field(default=None, description="the commit that it was read at; null: as it is now")


class Writeback(Wire):
    """How the turn was recorded. `commit` is null while the commit waits in the queue (`queued` true)."""

    kind: Literal["compact", "extend", "append", "log"]
    page: str | None = None
    path: str
    commit: str | None = None
    queued: bool = False
    reason: str | None = None
    change: int | None = Field(default=None, description="for `undo`")


class AskTiming(Wire):
    """`evidence_tokens` are those of all passages that the model read; `prompt_tokens` those of the answer's prompt, of
    the `context_tokens` that the model can hold."""

    total_ms: float = 0
    retrieval_ms: float = 0
    first_token_ms: float = 0
    generation_ms: float = 0
    evidence_tokens: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    context_tokens: int = 0


class DebugTrace(Wire):
    prompt: str
    output: str


class Answer(Wire):
    question: str
    within: list[str] = Field(default=[], description="what it was limited to, as it was asked")
    searched_as: str | None = Field(
        default=None, description="what was searched, where the question leans on the turns before it"
    )
    answer: str
    abstained: bool
    abstention_reason: AbstentionReason | None
    top_score: float
    not_covered: str | None
    route: Literal["convergence", "expansion", "comparison", "chat"]
    citations: list[Citation]
    unsupported_claims: list[str]
    hits: list[Hit]
    matched_nodes: list[MatchedNode] = Field(
        default=[], description="events, episodes or concepts whose evidence was read"
    )
    memory_used: list[str] = Field(description="ids of the entries of the memory that the model was told")
    remembered: list[Remembered] = []
    writeback: Writeback | None
    writeback_error: ErrorBody | None = Field(default=None, description="why the answer, as it is, was not recorded")
    model: str
    truncated: list[str]
    notes: list[str] = []
    conversation_id: str | None = None
    debug: list[DebugTrace] | None = None
    timing: AskTiming


class Queued(Wire):
    """`ahead` questions were asked before this one and are still being answered; the model does one thing at a time."""

    type: Literal["queued"] = "queued"
    ahead: int


class Started(Wire):
    """`conversation_id` names the conversation from now on, also where the turn is stopped."""

    type: Literal["started"] = "started"
    turn_id: str
    model: str
    conversation_id: str | None = None


class Retrieved(Wire):
    type: Literal["retrieved"] = "retrieved"
    hits: list[Hit]
    top_score: float


class Token(Wire):
    type: Literal["token"] = "token"
    text: str


class Notice(Wire):
    """A sentence for the person while the work goes on."""

    type: Literal["notice"] = "notice"
    message: str


class Noted(Wire):
    """Something about the person was taken into the memory."""

    type: Literal["remembered"] = "remembered"
    remembered: Remembered


class Answered(Wire):
    type: Literal["answered"] = "answered"
    answer: Answer


class Failed(Wire):
    type: Literal["failed"] = "failed"
    error: ErrorBody


class Cancelled(Wire):
    type: Literal["cancelled"] = "cancelled"


AskEvent = Queued | Started | Retrieved | Token | Notice | Noted | Answered | Failed | Cancelled
TERMINAL_ASK_EVENTS = (Answered, Failed, Cancelled)


class AskEventLine(RootModel[Annotated[AskEvent, Field(discriminator="type")]]):
    """One NDJSON line of `POST /v1/ask`."""
