"""Markdown as a reader hears it: what a link shows, without where it leads. Pure.

Addresses take up a small model's window and blur an embedding, and say nothing that the words beside them do not.
Quotes are never made from this: they are verbatim.
"""

from __future__ import annotations

import re

_MARKDOWN_LINK = re.compile(
    r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500}){0,4}(?:\s+\"[^\"]{0,500}\")?\)"
)
_WIKILINK = re.compile(r"!?\[\[([^\[\]|]{1,500})(?:\|([^\[\]]{0,500}))?\]\]")
# What the Tasks plugin and Dataview write behind a task's words.
_TASK_FIELD = re.compile(
    r"\s*(?:[📅🗓📆⏳⌛🛫✅❌➕🔁🔺⏫🔼🔽⏬]\ufe0f?\s{0,3}(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?!\d))?)?"
    r"|[\[(][\w-]{1,40}::[^\[\]()]{0,200}[\])])"
)
_ADDRESS = re.compile(r"<?https?://(?:www\.)?([^/\s<>()]{1,253})[^\s<>()]*>?")


def hide_addresses(text: str) -> str:
    """`[words](https://…)` becomes `words`, `[[Note|alias]]` `alias`, a bare address its host."""
    text = _MARKDOWN_LINK.sub(r"\1", text)
    text = _WIKILINK.sub(lambda match: match.group(2) or match.group(1), text)
    return _ADDRESS.sub(r"\1", text)


def hide_task_fields(text: str) -> str:
    """`Pay the rent 📅 2026-07-01` becomes `Pay the rent`, and `[due:: 2026-07-01]` behind it goes too."""
    return _TASK_FIELD.sub("", text)
