"""Hides a reasoning model's `<think>...</think>` from the stream. Pure; used for every kind of server."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator

from zibaldone.inference.roles import Delta, Piece

_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_LONGEST_TAG = len("</reasoning>")
_TAG_START = re.compile(r"</?[a-zA-Z]*$")


class ThinkingFilter:
    """Text in, text out, whatever way the stream is cut into pieces.

    Nested blocks are counted, a block that is never closed hides the rest, a closing tag without a block is
    dropped. White space at the very start of the answer is dropped once something was hidden.

    Args:
        inside: the prompt ended in an opening tag, so that the stream starts with thoughts.
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._depth = int(inside)
        self._held = ""
        self._hid = inside
        self._said = False

    def feed(self, text: str) -> str:
        """The visible part that is certain by now."""
        self._held += text
        shown: list[str] = []
        while match := _TAG.search(self._held):
            self._show(self._held[: match.start()], shown)
            self._held = self._held[match.end() :]
            self._depth = max(self._depth - 1, 0) if match[1] else self._depth + 1
            self._hid = True
        tail = _TAG_START.search(self._held[-_LONGEST_TAG:])
        cut = len(self._held) - (len(tail[0]) if tail else 0)
        self._show(self._held[:cut], shown)
        self._held = self._held[cut:]
        return "".join(shown)

    def finish(self) -> str:
        """What was held back at the end of the stream."""
        shown: list[str] = []
        self._show(self._held, shown)
        self._held = ""
        return "".join(shown)

    def _show(self, text: str, shown: list[str]) -> None:
        if self._depth:
            return
        if self._hid and not self._said:
            text = text.lstrip()
        self._said = self._said or bool(text.strip())
        shown.append(text)


async def hide_thinking(deltas: AsyncIterator[Delta], *, inside: bool = False) -> AsyncGenerator[Delta, None]:
    """The same stream without its thoughts; what was held back comes before `Finished`."""
    visible = ThinkingFilter(inside=inside)
    async for delta in deltas:
        shown = visible.feed(delta.text) if isinstance(delta, Piece) else visible.finish()
        if shown:
            yield Piece(shown)
        if not isinstance(delta, Piece):
            yield delta
