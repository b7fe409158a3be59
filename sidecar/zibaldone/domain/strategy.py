"""The grammar of a strategy: `a`, `a+b`, `rerank(a+b)` or `rerank`, where each of a and b is a leg of the search."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zibaldone.errors import InvalidRequest

LEGS = ("lexical", "bm25", "semantic", "hyde")
BLOCKS = (*LEGS, "rerank")
# What `rerank` alone goes around.
_SHORTLIST = "bm25+semantic"
_AROUND = re.compile(r"rerank\((.*)\)")
_RERANK = re.compile(r"\brerank\b(\([^()]*\))?")


@dataclass(frozen=True, slots=True)
class Strategy:
    """The legs that search, in the order written, and whether the best of what they find is compared with the question
    once more."""

    legs: tuple[str, ...]
    rerank: bool = False

    @property
    def embeds(self) -> bool:
        """It needs the embedding model."""
        return self.rerank or "semantic" in self.legs or self.writes

    @property
    def writes(self) -> bool:
        """It needs the chat model, for what is searched for."""
        return "hyde" in self.legs


def parse_strategy(text: str) -> Strategy:
    """Read a strategy such as `bm25+semantic` or `rerank(bm25)`; spaces and case do not matter.

    Raises:
        InvalidRequest: naming the part that is wrong, and the blocks.
    """
    written = "".join(text.lower().split())
    if written == "rerank":
        written = f"rerank({_SHORTLIST})"
    if written.count("(") != written.count(")"):
        raise _wrong(text, "a parenthesis lacks its other half")
    around = _AROUND.fullmatch(written)
    legs = around[1] if around else written
    if misplaced := _RERANK.search(legs):
        raise _wrong(text, f'"{misplaced[0]}" stands where only a leg can')
    parts = tuple(legs.split("+"))
    for number, leg in enumerate(parts):
        if not leg:
            raise _wrong(text, f'a block is missing in "{legs}"')
        if leg not in LEGS:
            raise _wrong(text, f'"{leg}" is not a building block')
        if leg in parts[:number]:
            raise _wrong(text, f'"{leg}" comes twice')
    return Strategy(parts, rerank=around is not None)


def _wrong(text: str, why: str) -> InvalidRequest:
    return InvalidRequest(
        f'The strategy "{text}" cannot be read: {why}.',
        f"Use {', '.join(LEGS)}, several of them joined with +, or rerank(...) around them.",
    )
