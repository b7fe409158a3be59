"""The grammar of a strategy: `a`, `a+b`, or `rerank(a+b)`, where each block is a leg of the search."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zibaldone.errors import InvalidRequest

BLOCKS = ("bm25", "semantic")
_RERANK = re.compile(r"rerank\((.*)\)")


@dataclass(frozen=True, slots=True)
class Strategy:
    """The legs that search, and whether the best of what they find is compared with the question once more."""

    legs: tuple[str, ...]
    rerank: bool = False


def parse_strategy(text: str) -> Strategy:
    """Read a strategy such as `bm25+semantic` or `rerank(bm25)`.

    Raises:
        InvalidRequest: naming the unknown block and the known ones.
    """
    written = "".join(text.lower().split())
    reranked = _RERANK.fullmatch(written)
    legs = tuple((reranked[1] if reranked else written).split("+"))
    for leg in legs:
        if leg not in BLOCKS:
            raise InvalidRequest(
                f'"{leg}" in the strategy "{text}" is not a building block.',
                f"Use {', '.join(BLOCKS)}, several of them joined with +, or rerank(...) around them.",
            )
    return Strategy(tuple(dict.fromkeys(legs)), rerank=reranked is not None)
