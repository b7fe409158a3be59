"""The grammar of a strategy: `a+b`, where each block is a leg of the search."""

from __future__ import annotations

from zibaldone.errors import InvalidRequest

BLOCKS = ("bm25", "semantic")


def parse_strategy(text: str) -> tuple[str, ...]:
    """The legs of a strategy such as `bm25+semantic`.

    Raises:
        InvalidRequest: naming the unknown block and the known ones.
    """
    legs = tuple(part.strip().lower() for part in text.split("+"))
    for leg in legs:
        if leg not in BLOCKS:
            raise InvalidRequest(
                f'"{leg}" in the strategy "{text}" is not a building block.',
                f"Use {', '.join(BLOCKS)}, or several of them joined with +.",
            )
    return tuple(dict.fromkeys(legs))
