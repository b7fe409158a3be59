"""Search: request, hit, response."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire

Profile = Literal["balanced", "relevant", "recent", "usage"]
Level = Literal["event", "episode", "concept"]


class SearchRequest(Wire):
    query: str = Field(min_length=1, max_length=4000, pattern=r"\S")
    k: int = Field(default=8, ge=1, le=100)
    strategy: str | None = None
    profile: Profile | None = None
    modality: list[str] = []
    paths: list[str] = Field(default=[], description="limit the search to these notes")
    within: list[str] = Field(
        default=[],
        description="limit the search to what is in any of these: notes (`PATH`), folders (`PATH/`), tags (`#TAG`)",
    )
    explain: bool = False
    level: Level | None = Field(
        default=None, description="find events, episodes or concepts, and search their evidence"
    )


class Components(Wire):
    """What each leg contributed to a hit's score, each in 0..1."""

    lexical: float = 0.0
    bm25: float = 0.0
    semantic: float = 0.0
    recency: float = 0.0
    title: float = 0.0
    usage: float = 0.0
    rerank: float = 0.0


class Hit(Wire):
    rank: int
    score: float
    chunk_id: str
    source_uri: str
    path: str
    title: str
    heading: list[str]
    locator: str
    line_start: int
    line_end: int
    page: int | None = None
    modality: str = Field(default="text", description="text, code, pdf, image, canvas or document")
    confidence: float | None = Field(
        default=None, description="how sure the characters are, where they were recognised"
    )
    origin: str = "person"
    date: str
    date_source: Literal["note", "git", "mtime"] = "mtime"
    text: str
    components: Components
    subquery: str | None = Field(default=None, description="the side of a comparison that it was found for")
    also: list[str] = Field(default=[], description="other notes with a passage of nearly the same words")
    commit: str | None = Field(default=None, description="the commit that it was read at; null: as it is now")


class Explanation(Wire):
    """Why a search found what it found. `words` are the question's, by the terms that stand for each, with the number
    of passages that hold one; the more of them the best passage holds (`coverage`) and the less the nearest stands out
    (`standout`), the more words count beside meaning (`semantic_weight`)."""

    searched: str
    words: dict[str, int] = {}
    semantic_weight: float = 0.0
    coverage: float = 0.0
    standout: float = 0.0
    time: str | None = None
    latest: bool = False
    subqueries: list[str] = []
    candidates: int = 0
    left_out: list[str] = []


class NodeComponents(Wire):
    """What made a node match, each in 0..1."""

    semantic: float = 0.0
    lexical: float = 0.0
    recency: float = 0.0
    centrality: float = 0.0


class MatchedNode(Wire):
    """A node that the question is about: `passages` are those of its evidence that were searched."""

    node_id: str
    level: Level
    title: str
    score: float
    components: NodeComponents
    events: int
    passages: int


class SearchTiming(Wire):
    total_ms: float
    embed_ms: float
    lexical_ms: float
    vector_ms: float


class SearchResponse(Wire):
    query: str
    strategy: str
    profile: Profile
    abstain: bool
    top_score: float
    hits: list[Hit]
    notes: list[str] = []
    matched_nodes: list[MatchedNode] = []
    explanation: Explanation | None = None
    timing: SearchTiming
