"""The memory of the vault: building it, and what its events, episodes and concepts tell."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from zibaldone.schemas.ask import Cancelled, Failed, Notice
from zibaldone.schemas.base import Wire
from zibaldone.schemas.search import Level
from zibaldone.schemas.sync import Progress, SkippedFile

BuildLevel = Literal["event", "episode", "concept", "graph", "drift", "distill", "all"]
UsedLevel = Literal["passage", "event", "episode", "concept"]
MOST_NODES = 10_000


# -- building ---------------------------------------------------------------------------------------------


class BuildRequest(Wire):
    """`event` reads sources for events and stops there; `distill` also measures whether stand-ins may be used. `limit`
    is how many sources are read, `model` names the chat model (`none`: no model at all)."""

    level: BuildLevel = "all"
    limit: int | None = Field(default=None, ge=1)
    model: str | None = Field(default=None, min_length=1)


class GateReport(Wire):
    """Whether this vault may be searched by the stand-ins of its nodes: what recall that loses, of `probes` questions,
    and what part of the passages is read."""

    is_open: bool
    lost: float
    read: float
    probes: int


class BuildReport(Wire):
    """`read` sources were read for events, `unchanged` were not, `retired` are gone, `failed` are tried again. `left`
    sources wait. `model_calls` counts what models were asked, `asked_before` what the cache knew."""

    read: int = 0
    unchanged: int = 0
    retired: int = 0
    failed: list[SkippedFile] = []
    left: int = 0
    events: int = 0
    episodes: int = 0
    concepts: int = 0
    relations: int = 0
    changed: int = Field(default=0, description="sources whose events are other than before")
    model_calls: int = 0
    asked_before: int = 0
    gate: GateReport | None = None
    notes: list[str] = []
    seconds: float = 0.0


class MemoryBuilt(Wire):
    type: Literal["built"] = "built"
    report: BuildReport


BuildEvent = Progress | Notice | MemoryBuilt | Failed | Cancelled
TERMINAL_BUILD_EVENTS = (MemoryBuilt, Failed, Cancelled)


class BuildEventLine(RootModel[Annotated[BuildEvent, Field(discriminator="type")]]):
    """One NDJSON line of `POST /v1/build-memory`."""


class MemoryStats(Wire):
    """`seconds_left` is an estimate, null where nothing was read yet. `successions` counts merges and splits."""

    state: Literal["idle", "building", "paused"]
    sources: int
    read: int
    left: int
    seconds_left: float | None
    failed: list[SkippedFile]
    events: int
    episodes: int
    concepts: int
    relations: int
    successions: int
    cards: int
    touches: int
    tracking: bool
    built_at: str | None
    gate: GateReport | None


# -- telling ----------------------------------------------------------------------------------------------


class NodesRequest(Wire):
    """`min_support`: nodes of at least so many events."""

    top: int = Field(default=20, ge=1, le=MOST_NODES)
    min_support: int = Field(default=1, ge=1)
    level: Level | None = None


class TimelineRequest(NodesRequest):
    """The newest `top`, of those that touch the days from `since` to `until` (ISO dates) and are of `project`."""

    since: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")
    until: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")
    project: str | None = None


class RecallRequest(NodesRequest):
    """`all`: also cards that are not due. `regenerate`: questions and answers are made again; what was graded stays.
    `node`: the card of this one alone."""

    top: int = Field(default=10, ge=1, le=MOST_NODES)
    regenerate: bool = False
    all: bool = False
    node: str | None = Field(default=None, pattern=r"^[0-9a-f]{16}$")


class NodeEvidence(Wire):
    """Words of a source, verbatim, that tell of the event `event_id`."""

    source_uri: str
    path: str
    locator: str
    line_start: int
    line_end: int
    page: int | None
    quote: str
    date: str | None
    event_id: str


class Node(Wire):
    node_id: str
    level: Level
    title: str
    confidence: float
    evidence: list[NodeEvidence]


class RelatedConcept(Wire):
    node_id: str
    title: str
    weight: float


class ConceptNode(Node):
    """`events` and `episodes` are ids, `first` and `last` days."""

    events: list[str]
    episodes: list[str]
    centrality: float
    first: str | None
    last: str | None
    related: list[RelatedConcept]


class Concepts(Wire):
    concepts: list[ConceptNode]
    total: int
    notes: list[str] = []


class TimelineNode(Node):
    start: str | None
    end: str | None
    project: str
    events: list[str]


class Timeline(Wire):
    timeline: list[TimelineNode]
    total: int
    notes: list[str] = []


class FadingNode(Node):
    risk: float
    importance: float
    staleness: float
    last_touched: str | None


class Forgetting(Wire):
    forgetting: list[FadingNode]
    total: int
    notes: list[str] = []


class DriftWindowShown(Wire):
    """`drift` is 1 - cosine to the window before, `expected` what chance alone makes of it."""

    start: str
    end: str
    drift: float
    expected: float
    support: int
    confidence: float


class RelearnedShown(Wire):
    """That after a pause the event `again` came, nearest in meaning to `before`."""

    again: str
    before: str
    day: str
    pause_days: int
    strength: float


class DriftingNode(Node):
    overall_drift: float
    relearning: list[RelearnedShown]
    windows: list[DriftWindowShown]


class Drift(Wire):
    drift: list[DriftingNode]
    total: int
    notes: list[str] = []


class DistilledNode(Node):
    """`core` are the passages (ids) that stand for all of the node's, `full`; `ratio` is the part that they are."""

    summary: str
    core: list[str]
    full: list[str]
    ratio: float


class Distilled(Wire):
    distill: list[DistilledNode]
    total: int
    gate: GateReport | None
    notes: list[str] = []


class RecallNode(Node):
    """A card: `answer` is strictly from the evidence; `generated_by` is a model's name or `none`."""

    card: str
    question: str
    answer: str
    due: str
    generated_by: str
    risk: float


class Recall(Wire):
    recall: list[RecallNode]
    total: int
    notes: list[str] = []


class GradeRequest(Wire):
    grade: Literal["again", "hard", "good", "easy"]


class Graded(Wire):
    card: str
    due: str


class TouchRequest(Wire):
    """That somebody opened or accepted these passages, events or nodes; counted where the setting allows it."""

    targets: list[str] = Field(max_length=1000)
    kind: Literal["hit", "open", "accepted"] = "open"


class UsedTarget(Wire):
    target: str
    level: UsedLevel
    title: str
    strength: float
    touches: int
    last: str


class Usage(Wire):
    usage: list[UsedTarget]
    tracking: bool
    total: int


class UsageCleared(Wire):
    cleared: int


class WriteNotesRequest(Wire):
    """Nothing can be chosen."""


class ConceptNotesWritten(Wire):
    """`commit` is null where nothing changed, or while the commit waits (`queued`)."""

    written: int
    removed: int
    unchanged: int
    paths: list[str]
    commit: str | None = None
    queued: bool = False
    reason: str | None = None
