"""Text from models and notes, made inert: in Obsidian it renders as the words that it is and does nothing.

Escaped is what Obsidian or a common plugin acts on: code (dataview, dataviewjs, inline queries), links, embeds,
images, tags, block ids, inline fields (`key:: value`), tasks, comments, maths, HTML, Templater and schemes
such as `javascript:` and `obsidian:`. Emphasis and lists stay. Pure.
"""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"([\\`\[\]!#$^~|])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", "%": "&#37;"}  # a backslash would leave `<%` as it is
_ENTITY = re.compile(r"<|&(?=#?\w{1,32};)|%(?=[%>])|(?<=[%<])%")
_SHOWN = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:amp|lt|#37);")
_SCHEME = re.compile(r"\b(?!https?:)([A-Za-z][A-Za-z0-9+.-]{2,}):(?=\S)")
_FIELD = re.compile("::")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_NEWLINE = re.compile("\r\n?")


def make_inert(text: str) -> str:
    """`text` over as many lines as it had, escaped. Control and direction-changing characters are dropped."""
    text = _CONTROL.sub("", _NEWLINE.sub("\n", text))
    text = _ESCAPED.sub(r"\\\1", text)
    text = _ENTITY.sub(lambda match: _ENTITIES[match[0]], text)
    text = _FIELD.sub(r"\\:\\:", text)
    return _SCHEME.sub(r"\1\\:", text)


def read_inert(text: str) -> str:
    """What a reader sees of such text; any other Markdown loses nothing but its escapes."""
    characters = {entity: character for character, entity in _ENTITIES.items()}
    return _SHOWN.sub(lambda match: match[1] or characters[match[0]], text)


def make_inert_line(text: str, most: int) -> str:
    """`text` as one line of at most `most` characters before escaping, with an ellipsis where it was cut."""
    line = " ".join(text.split())
    return make_inert(line if len(line) <= most else line[: most - 1].rstrip() + "…")
