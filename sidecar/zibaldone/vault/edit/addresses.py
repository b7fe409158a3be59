"""Addresses of links, written and plain. Pure.

Obsidian percent-encodes only what would end a Markdown link and leaves other scripts as they are; a link that already
spells them out byte by byte (`%C3%A9`) keeps doing so.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from zibaldone.errors import InvalidRequest

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENCODED = re.compile(r'[\x00-\x20\x7f"%()<>\\`|\[\]*]')
_SPELLED_OUT = re.compile("%[89A-Fa-f][0-9A-Fa-f]")
_NOT_IN_WIKI = re.compile(r"[\[\]|\x00-\x1f]")


def decode_markdown(written: str) -> str:
    """`a%20b.md` or `a\\_b.md` as the file's name."""
    return unquote(_ESCAPE.sub(r"\1", written), errors="replace")


def encode_markdown(address: str, written: str) -> str:
    """An address for a Markdown link, in the manner of the one that it replaces (`written`).

    It is percent-encoded between `<` and `>` too: both manners may be mixed, and one is enough to be right.
    """
    if " " in written and not _SPELLED_OUT.search(written):  # it stands in <...>, where a space may be a space
        return re.sub(r"[<>%\x00-\x1f\\]", lambda match: quote(match[0], safe=""), address)
    encoded = _ENCODED.sub(lambda match: quote(match[0], safe=""), address)
    return quote(encoded, safe="!#$%&'()*+,-./:;=?@_~") if _SPELLED_OUT.search(written) else encoded


def encode_wiki(address: str) -> str:
    """An address for a wikilink. Nothing can be escaped in one.

    Raises:
        InvalidRequest: it holds a bracket or a bar.
    """
    if _NOT_IN_WIKI.search(address) or address != address.strip():
        raise InvalidRequest(
            f"{address!r} cannot be the target of a wikilink", "take brackets, bars and spaces at the ends out of it"
        )
    return address
