"""How a place in a source is written."""

from __future__ import annotations


def line_locator(start: int, end: int) -> str:
    """`L12`, or `L12-L18` for several lines."""
    return f"L{start}" if start == end else f"L{start}-L{end}"


def commit_name(uri: str) -> str:
    """`main@3f2a91c04d5e` of the source URI of a commit."""
    repository, _, sha = uri.removeprefix("git:").rpartition("@")
    return f"{repository}@{sha[:12]}"


def file_locator(page: int | None, place: str) -> str:
    """Of a file that is no note: `p. 4`, or the place itself (`node=3f2a`); empty where the whole file is meant."""
    return place or (f"p. {page}" if page is not None else "")
