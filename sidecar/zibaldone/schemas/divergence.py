"""The divergent questions: what disagrees, what is absent, where associations lead, what lies between two areas."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.base import Wire

Verdict = Literal["contradicts", "changed", "unjudged"]
MarkKind = Literal["figure", "date", "negation", "opposite", "value", "claim"]
GapKind = Literal["unanswered", "unresolved_link", "unlinked", "missing_section", "missing_property"]
TieKind = Literal["link", "term", "tag", "date", "meaning"]


class Quote(Wire):
    """Words of a note, verbatim, from `line_start` to `line_end`."""

    path: str
    title: str
    line_start: int
    line_end: int
    text: str


class ContradictionsRequest(Wire):
    """`use_llm` false: the candidates as they are, unjudged."""

    top: int = Field(default=10, ge=1, le=200)
    use_llm: bool = True


class Contradiction(Wire):
    """Two claims that disagree. `changed`: the same fact at the two `dates`. `probability` is null where unjudged."""

    verdict: Verdict
    kind: MarkKind
    reason: str
    probability: float | None
    quotes: list[Quote]
    dates: list[str | None]


class Contradictions(Wire):
    """The surest first. `judged` is how many pairs the model looked at. `notes` are sentences for the person."""

    contradictions: list[Contradiction]
    judged: int
    notes: list[str] = []


class GapsRequest(Wire):
    """`topic`: a note, a folder, a tag, or words."""

    topic: str = Field(min_length=1)
    top: int = Field(default=10, ge=1, le=200)


class Gap(Wire):
    """Something that one would expect and that is absent: `subject`, with what makes one expect it in `quotes`."""

    kind: GapKind
    subject: str
    reason: str
    quotes: list[Quote]


class Gaps(Wire):
    """`area` are the notes that the topic is taken to be."""

    area: list[str]
    gaps: list[Gap]
    notes: list[str] = []


class WalkRequest(Wire):
    """From a note, by its path or as a link names it. Each step is one of the `top` strongest that are left."""

    note: str = Field(min_length=1)
    steps: int = Field(default=5, ge=1, le=100)
    seed: int = 0
    top: int = Field(default=3, ge=1, le=50)


class Step(Wire):
    """From one note to another, and why: one quote of each."""

    kind: TieKind
    reason: str
    source: str
    target: str
    quotes: list[Quote]


class Walk(Wire):
    start: str
    seed: int
    steps: list[Step]
    notes: list[str] = []


class BridgesRequest(Wire):
    """`a` and `b` are notes, folders, tags or words; `top` is how many different chains."""

    a: str = Field(min_length=1)
    b: str = Field(min_length=1)
    top: int = Field(default=1, ge=1, le=20)


class Chain(Wire):
    """`cost` is lower for stronger ties."""

    cost: float
    steps: list[Step]


class Bridges(Wire):
    """`a` and `b` are the notes of the two areas. No chain: nothing connects them."""

    a: list[str]
    b: list[str]
    chains: list[Chain]
    notes: list[str] = []
