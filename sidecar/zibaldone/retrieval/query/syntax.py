"""The operators of a search: `"exact phrase"`, `-word`, `tag:`, `path:`, `type:`, `before:`, `after:`. Pure.

Whatever is no operator is text, as it was typed. So is what only looks like one: a URL, `12:30`, a flag (`-m`,
`--all`), a number (`-5`), an unclosed quote, an operator without a value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from zibaldone.domain.words import fold

# Which filter an operator fills, synonyms included.
_FIELDS = {
    "tag": "tags",
    "path": "paths",
    "folder": "paths",
    "file": "paths",
    "type": "types",
    "before": "before",
    "after": "after",
}
_EXCLUDABLE = ("tags", "paths")
_DATES = ("before", "after")

_QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("「", "」"))
_SIGNS = "".join(map("".join, _QUOTES))
_QUOTED = "(?:" + "|".join(f"{a}[^{a}{b}]*{b}" for a, b in _QUOTES) + ")"
# The edge of a word; in scripts without spaces (from U+2E80 on) a word may begin and end anywhere.
_LETTER = r"[^\W\u2e80-\U0010ffff]"
_BEGIN, _END = f"(?<!{_LETTER})", f"(?!{_LETTER})"
# German leaves out half a word with the same sign: "Planung und -beratung".
_MINUS = r"(?<!\S)(?<!\bund\s)(?<!\boder\s)-"
_TOKEN = re.compile(
    rf"(?<!\S)(?P<minus>-?)(?P<name>{'|'.join(_FIELDS)})[:：](?!//)(?P<value>{_QUOTED}|(?![{_SIGNS}])\S+)"
    rf"|{_MINUS}(?P<unwanted>{_QUOTED}{_END}|[^\W\d_]\S+|[\u2e80-\U0010ffff])"
    rf"|{_BEGIN}(?P<phrase>{_QUOTED}){_END}",
    re.IGNORECASE,
)
# Punctuation that belongs to the sentence around a word.
_ENDS = ",;.!?"
_DAY = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?")


@dataclass(frozen=True, slots=True)
class Filters:
    """Which notes are searched: with all `tags`, below one of `paths`, of one of `types`, with none of the excluded.

    Tags, paths and types are folded (case, Unicode form); a tag includes those below it. A path is the beginning of a
    path in the vault, where `*` stands for any characters. A type is a modality (`text`, `pdf`) or an origin (`page`).
    `before` is exclusive, `after` inclusive: `after:2026-03 before:2026-04` is March.
    """

    tags: tuple[str, ...] = ()
    excluded_tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    excluded_paths: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    before: date | None = None
    after: date | None = None

    @property
    def is_empty(self) -> bool:
        return self == Filters()

    def admit(self, path: str, tags: Iterable[str] = (), types: Iterable[str] = (), day: date | None = None) -> bool:
        """Whether a note passes: its path, tags, all that counts as its type, and the day that it is about.

        A note without a day passes no filter of dates.
        """
        has = [_fold_tag(tag) for tag in tags]
        where = _fold_path(path)
        return (
            all(_is_tagged(has, tag) for tag in self.tags)
            and not any(_is_tagged(has, tag) for tag in self.excluded_tags)
            and (not self.paths or any(_is_below(where, prefix) for prefix in self.paths))
            and not any(_is_below(where, prefix) for prefix in self.excluded_paths)
            and (not self.types or not {_fold(kind) for kind in types}.isdisjoint(self.types))
            and (self.before is None or (day is not None and day < self.before))
            and (self.after is None or (day is not None and day >= self.after))
        )


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, read.

    `text` is what is embedded and searched: the free words and those of `phrases`; empty where there are only filters.
    Each of `phrases` has to stand in a passage, none of `excluded` (words and phrases) may. `notes` are sentences for
    the person about what could not be read.
    """

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    notes: tuple[str, ...] = ()

    def admit(self, passage: str) -> bool:
        """Whether a passage holds all phrases, word for word, and nothing excluded; case, accents, line breaks and
        markup between the words are no difference."""
        if not self.phrases and not self.excluded:
            return True
        folded = fold(passage)
        return all(_wording(one).search(folded) for one in self.phrases) and not any(
            _wording(one).search(folded) for one in self.excluded
        )


def parse_query(typed: str) -> Query:
    """Read a search as a person typed it. No text raises; without operators `text` is what was typed."""
    parts: dict[str, list[str]] = {}
    kept: list[str] = []
    position = 0
    for token in _TOKEN.finditer(typed):
        part, value = _read_token(token)
        if part:
            parts.setdefault(part, []).append(value)
        if part and part != "notes":
            kept += typed[position : token.start()], _unquote(token["phrase"] or "")
            position = token.end()
    read = {part: tuple(dict.fromkeys(values)) for part, values in parts.items()}
    return Query(
        text=" ".join("".join([*kept, typed[position:]]).split()) if kept else typed,
        phrases=read.get("phrases", ()),
        excluded=read.get("excluded", ()),
        filters=Filters(
            tags=read.get("tags", ()),
            excluded_tags=read.get("excluded_tags", ()),
            paths=read.get("paths", ()),
            excluded_paths=read.get("excluded_paths", ()),
            types=read.get("types", ()),
            before=min(map(date.fromisoformat, read.get("before", ())), default=None),
            after=max(map(date.fromisoformat, read.get("after", ())), default=None),
        ),
        notes=read.get("notes", ()),
    )


def _read_token(token: re.Match[str]) -> tuple[str, str]:
    """Which part of a query a token is, and its value: `notes` for what was meant as an operator and is none, nothing
    for text."""
    value = _unquote(token["value"] or token["unwanted"] or token["phrase"])
    if not value:
        return "", ""
    if token["phrase"]:
        return "phrases", value.rstrip(_ENDS) or value
    if token["unwanted"]:
        return ("", "") if len(token["unwanted"]) > 1 and len(value) == 1 and value.isascii() else ("excluded", value)
    name, part = token["name"].lower(), _FIELDS[token["name"].lower()]
    if token["minus"] and part not in _EXCLUDABLE:
        return "notes", f"-{name}: excludes nothing (words, tag: and path: can be excluded); it was searched as text."
    if part in _DATES:
        day = _read_day(value)
        said = f"{name}:{value} is no date such as 2026-03-01, 2026-03 or 2026; it was searched as text."
        return (part, day.isoformat()) if day else ("notes", said)
    fold_value = {"tags": _fold_tag, "paths": _fold_path, "types": _fold}[part]
    return f"excluded_{part}" if token["minus"] else part, fold_value(value)


def _unquote(value: str) -> str:
    """The words of a value; empty where there is not a letter or digit in it."""
    quoted = any(value[:1] == a and value[-1:] == b and len(value) > 1 for a, b in _QUOTES)
    words = " ".join(value[1:-1].split()) if quoted else value.rstrip(_ENDS)
    return words if any(map(str.isalnum, words)) else ""


def _read_day(value: str) -> date | None:
    """The day that a date names, or the first day of the month or year that it names."""
    if not (match := _DAY.fullmatch(value)):
        return None
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _fold_tag(tag: str) -> str:
    return _fold(tag).lstrip("#").rstrip("/")


def _fold_path(path: str) -> str:
    return _fold(path).replace("\\", "/").removeprefix("./").lstrip("/")


def _is_tagged(tags: Iterable[str], wanted: str) -> bool:
    return any(tag == wanted or tag.startswith(f"{wanted}/") for tag in tags)


def _is_below(path: str, prefix: str) -> bool:
    """Whether a path begins with a prefix whose stars stand for any characters."""
    first, *others = prefix.split("*")
    if not path.startswith(first):
        return False
    position = len(first)
    for part in others:
        found = path.find(part, position)
        if found < 0:
            return False
        position = found + len(part)
    return True


@lru_cache(maxsize=64)
def _wording(words: str) -> re.Pattern[str]:
    """What finds some words in folded text."""
    folded = fold(words).strip()
    begin = _BEGIN if re.match(_LETTER, folded) else ""
    end = _END if re.search(rf"{_LETTER}\Z", folded) else ""
    return re.compile(begin + r"[\W_]+".join(map(re.escape, folded.split())) + end)
