"""Paths inside the vault, as text: POSIX, relative, and what they may not contain. Pure."""

from __future__ import annotations

import re
import sys
import unicodedata

TEMP_SUFFIX = ".zibtmp"
_DRIVE = re.compile(r"[A-Za-z]:(/|$)")
# Whatever `path_problem` finds fault with has one of these: most paths have none and are asked no further.
_SUSPECT = re.compile(r"[\0\\:\ud800-\udfff]|(?:^|/)\.{0,2}(?:/|$)")


def path_problem(rel: str) -> str | None:
    """Why `rel` cannot be the path of a file in the vault, or None."""
    if not _SUSPECT.search(rel):
        return None
    if not rel:
        return "is empty"
    if "\0" in rel:
        return "contains a NUL"
    if "\\" in rel:
        return "contains a backslash"
    if any("\ud800" <= char <= "\udfff" for char in rel):
        return "is not valid UTF-8"
    if rel.startswith("/") or _DRIVE.match(rel) or (sys.platform == "win32" and ":" in rel):
        return "is not relative to the vault"
    parts = rel.split("/")
    if ".." in parts:
        return "leads out of its folder with '..'"
    if "" in parts or "." in parts:
        return "has an empty part"
    return None


def is_hidden(rel: str) -> bool:
    """Whether a part of the path begins with a dot: `.obsidian`, `.git`, `.trash`, our temporary files."""
    return rel.startswith(".") or "/." in rel


def is_temporary(name: str) -> bool:
    """Whether `name` (or path) is a temporary file of ours."""
    last = name.rpartition("/")[2]
    return last.startswith(".") and last.endswith(TEMP_SUFFIX)


def is_markdown(name: str) -> bool:
    return name.lower().endswith(".md")


def nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def printable(name: str) -> str:
    """`name` with bytes that are not UTF-8 replaced, so that it can be shown and written as JSON."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
