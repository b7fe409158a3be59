"""The pure filters over the stream: thoughts and stop strings."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.inference.roles import Delta, Finished, Piece
from zibaldone.inference.stops import StopFilter
from zibaldone.inference.thinking import ThinkingFilter, hide_thinking

fragments = st.sampled_from(
    ["<think>", "</think>", "<thinking>", "</thinking>", "<THINK>", "<", "</", "think>", "a < b", " ", "\n", "x", "ü🎉"]
)


def cut(text: str, cuts: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(at % (len(text) + 1) for at in cuts)})
    return [text[a:b] for a, b in itertools.pairwise(edges)]


def show(pieces: list[str], *, inside: bool = False) -> str:
    visible = ThinkingFilter(inside=inside)
    return "".join(map(visible.feed, pieces)) + visible.finish()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("<think>why</think>\n\nbecause", "because"),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("<think>never closed", ""),
        ("stray</think> tag", "stray tag"),
        ("a<think>b</thinking>c", "ac"),
        ("a < b <b> </b> <thin", "a < b <b> </b> <thin"),
        ("<Reasoning>x</reasoning>y", "y"),
        ("  kept where nothing was hidden", "  kept where nothing was hidden"),
    ],
)
def test_thinking(text: str, shown: str) -> None:
    assert show([text]) == shown


def test_thinking_that_the_prompt_opened() -> None:
    assert show(["hm, well", "</thi", "nk>\nyes"], inside=True) == "yes"


@given(st.lists(fragments, max_size=20).map("".join), st.lists(st.integers(0, 200), max_size=20), st.booleans())
def test_the_cut_does_not_matter(text: str, cuts: list[int], inside: bool) -> None:
    assert show(cut(text, cuts), inside=inside) == show([text], inside=inside)


@given(st.lists(st.sampled_from(["secret ", "<think>", "</think>"]), max_size=12), st.lists(st.integers(0, 99)))
def test_nothing_hidden_is_shown(parts: list[str], cuts: list[int]) -> None:
    depth, expected = 0, 0
    for part in parts:
        depth = depth + 1 if part == "<think>" else max(0, depth - 1) if part == "</think>" else depth
        expected += part == "secret " and depth == 0
    assert show(cut("".join(parts), cuts)).count("secret") == expected


async def test_held_back_text_comes_before_the_end() -> None:
    async def deltas() -> AsyncIterator[Delta]:
        yield Piece("a <th")
        yield Finished("stop", 1, 1)

    shown = [delta async for delta in hide_thinking(deltas())]
    assert shown == [Piece("a "), Piece("<th"), Finished("stop", 1, 1)]


@given(
    st.text("abc", max_size=40),
    st.lists(st.text("abc", min_size=1, max_size=4), max_size=3),
    st.lists(st.integers(0, 60), max_size=20),
)
def test_stop_strings(text: str, stops: list[str], cuts: list[int]) -> None:
    """However it is cut, what passes ends where one of the stop strings begins, as early as it is known."""
    stop = StopFilter(stops)
    passed = "".join(map(stop.feed, cut(text, cuts))) + stop.finish()
    found = [text.find(s) for s in stops if s in text]
    assert stop.stopped == bool(found)
    assert text.startswith(passed)
    if not found:
        assert passed == text
    elif len(stops) == 1:
        assert passed == text[: found[0]]
    else:
        assert all(s not in passed for s in stops)
