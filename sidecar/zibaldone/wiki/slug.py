"""Slugs: `abx:penicillin` on the command line and in the API, `Zibaldone/pages/abx/penicillin.md` on disk. Pure.

A slug is made of letters, digits and the marks that belong to them, of any script, with `-` between words and `:`
between namespaces. Everything that some system cannot hold in a file name is left out rather than escaped, so a slug
is the same text in a link, in a path and in a shell:

* Obsidian: `# ^ [ ] |` end a link, `:` `\\` `/` are no part of a name (help, "Internal links").
* Windows: `< > : " / \\ | ? *`, control characters, a dot or space at the end, and the device names, with any extension
  (learn.microsoft.com, "Naming Files, Paths, and Namespaces").
* Length: a name of 255 bytes on most file systems, 143 on eCryptfs (Synology's encrypted folders). A segment has at
  most 120 bytes of UTF-8, which leaves room for `.md` and for the name of a temporary file.

Case and the two spellings of an accented letter are one on macOS and Windows and in Obsidian's links, so a slug is
case-folded and in NFC: two slugs are the same page if and only if they are equal. *Not folded*: full and half width.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from hashlib import sha256
from typing import NewType

from zibaldone.errors import InvalidRequest

Slug = NewType("Slug", str)

FOLDER = "Zibaldone"
PAGES = "pages"
MOST_SEGMENT_BYTES = 120
MOST_SLUG_BYTES = 400
MOST_SEGMENTS = 8

_RESERVED = re.compile(r"con|prn|aux|nul|conin|conout|(?:com|lpt)[0-9¹²³]")
# Letters and marks by category that nobody can see: they would make two names that look the same.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ](?=\w)")  # "don't" is one word
_PLUS = re.compile(r"(?<=\w)\++")  # C and C++ are two topics,
_SHARP = re.compile(r"(?<=\b[^\W\d_])[#♯](?!\w)")  # and so are C and C#
_DIGEST_CHARS = 8


def make_slug(title: str, namespace: str = "") -> Slug:
    """The slug for a page of this title, below `namespace` (`abx` or `abx:beta-lactams`).

    Never fails for what a title holds: one without a letter or digit gets a name from its hash. Titles that differ
    only in case, punctuation or spaces get the same slug; see `free_slug`.

    Raises:
        InvalidRequest: `namespace` is no slug.
    """
    words = _PLUS.sub(lambda plus: "-plus" * len(plus[0]) + "-", _SHARP.sub("-sharp", _APOSTROPHE.sub("", title)))
    name = _fold_segment(words) or f"page-{_digest(title)}"
    if _RESERVED.fullmatch(name):
        name += "-page"
    name = _shorten(name, MOST_SEGMENT_BYTES)
    return parse_slug(f"{parse_slug(namespace)}:{name}" if namespace else name)


def parse_slug(text: str) -> Slug:
    """`text` as a slug, case and accents folded as they are in every slug.

    Raises:
        InvalidRequest: it is none; the hint names the nearest one.
    """
    segments = [_fold_case(segment) for segment in text.strip().split(":")]
    if problem := _problem(segments):
        raise InvalidRequest(f"`{_shown(text)}` is not the name of a page: {problem}.", _hint(text))
    return Slug(":".join(segments))


def free_slug(wanted: Slug, taken: Container[str]) -> Slug:
    """`wanted`, or `wanted-2`, `wanted-3`, ...: the first that is not taken."""
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        head, _, name = wanted.rpartition(":")
        suffix = f"-{number}"
        name = _cut(name, MOST_SEGMENT_BYTES - len(suffix)) + suffix
        slug = Slug(f"{head}:{name}" if head else name)
    return slug


def page_path(slug: Slug, folder: str = FOLDER) -> str:
    """The page's path in the vault."""
    return f"{folder}/{PAGES}/{slug.replace(':', '/')}.md"


def path_slug(path: str, folder: str = FOLDER) -> Slug | None:
    """The slug of the page at `path`, None where that is no page: outside the pages folder, or a name that no slug has.

    Case and accents are folded: where a person renamed the file to `Abx/Penicillin.md` it is still `abx:penicillin`.
    """
    if not is_page_path(path, folder):
        return None
    head = len(unicodedata.normalize("NFC", folder)) + len(PAGES) + 2
    inner = unicodedata.normalize("NFC", path)[head:].removesuffix(".md").split("/")
    segments = [_fold_case(segment) for segment in inner]
    return None if _problem(segments) else Slug(":".join(segments))


def is_page_path(path: str, folder: str = FOLDER) -> bool:
    """Whether a note lies in the pages folder, whatever it is called."""
    pages = unicodedata.normalize("NFC", f"{folder}/{PAGES}/").casefold()
    return unicodedata.normalize("NFC", path).casefold().startswith(pages) and path.endswith(".md")


def namespace_of(slug: Slug) -> str:
    """`abx` of `abx:penicillin`, empty where there is none."""
    return slug.rpartition(":")[0]


def _problem(segments: list[str]) -> str | None:
    """Why these folded segments are no slug."""
    if len(segments) > MOST_SEGMENTS:
        return f"it has more than {MOST_SEGMENTS} parts"
    if len(":".join(segments).encode("utf-8", "replace")) > MOST_SLUG_BYTES:
        return f"it is longer than {MOST_SLUG_BYTES} bytes"
    for segment in segments:
        if not segment:
            return "a part of it is empty"
        if segment != _fold_segment(segment):
            return "it may only hold letters and digits, with `-` between words and `:` between namespaces"
        if _RESERVED.fullmatch(segment):
            return f"`{segment}` is the name of a device on Windows"
        if len(segment.encode()) > MOST_SEGMENT_BYTES:
            return f"a part of it is longer than {MOST_SEGMENT_BYTES} bytes"
    return None


def _fold_segment(text: str) -> str:
    """Words of letters, digits and marks, joined by `-`. Folding twice changes nothing."""
    kept: list[str] = []
    for char in _INVISIBLE.sub("", _fold_case(text)):
        category = unicodedata.category(char)
        if category == "Cf":
            continue  # zero-width joiners and marks of direction: inside words, and invisible
        if category[0] in "LN" or (category in ("Mn", "Mc") and kept and kept[-1] != "-"):
            kept.append(char)
        elif kept and kept[-1] != "-":
            kept.append("-")
    return _fold_case("".join(kept).strip("-"))


def _fold_case(text: str) -> str:
    """Case-folded NFC. Repeated, since composing can make a letter that folds again."""
    for _ in range(4):
        folded = unicodedata.normalize("NFC", text.casefold())
        if folded == text:
            break
        text = folded
    return text


def _shorten(name: str, most: int) -> str:
    """A name that is too long, cut, with a hash of all of it: two long titles that begin alike stay two."""
    if len(name.encode()) <= most:
        return name
    suffix = f"-{_digest(name)}"
    return _cut(name, most - len(suffix)) + suffix


def _cut(name: str, most: int) -> str:
    """At most `most` bytes of `name`, not between a letter and its marks, and not after a hyphen."""
    if len(name.encode()) <= most:
        return name
    head = name.encode()[:most].decode("utf-8", "ignore")
    end = len(head)
    while end and unicodedata.category(name[end])[0] == "M":
        end -= 1
    return (head[:end] or head).rstrip("-")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:_DIGEST_CHARS]


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _hint(text: str) -> str:
    parts = [segment for part in re.split(r"[:/\\]", text.strip())[:MOST_SEGMENTS] if (segment := _fold_segment(part))]
    safe = [_shorten(f"{part}-page" if _RESERVED.fullmatch(part) else part, MOST_SEGMENT_BYTES) for part in parts]
    if not safe or _problem(safe):
        return "Name it like `bees:varroa`, in any script."
    return f"Name it `{':'.join(safe)}`."
