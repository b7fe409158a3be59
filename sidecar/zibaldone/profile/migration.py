"""What another assistant remembers of a person, read from its export as statements. Pure.

Read are JSON (outheis' documents, our own export, lists of strings or of objects with a text) and Markdown (outheis'
lines, lists, prose). Nothing that a file says is obeyed: its words are one-line statements, which somebody decides on.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from zibaldone.domain.words import fold
from zibaldone.errors import InvalidRequest
from zibaldone.profile.classify import Kind
from zibaldone.profile.page import MOST_CHARS
from zibaldone.profile.relate import gist
from zibaldone.schemas.memory import MEMORY_TYPES, MemoryType

MOST_BYTES = 2_000_000
# How much likelier a type is below a heading that names it.
_HINTED = 4.0
_MOST_NUMBER = 999_999
_MOST_SOURCES, _MOST_SOURCE_CHARS = 20, 500
_DEEPEST = 8

_TEXTS = ("content", "text", "memory", "fact", "value")
_LISTS = frozenset("entries memories memory items facts".split())
# Of headings, keys and types of others, folded: what they are likely to be about.
_HINTS: tuple[tuple[MemoryType, re.Pattern[str]], ...] = (
    ("feedback", re.compile(r"\b(?:preferenc|feedback|instruct|respon|style|communicat|how (?:to|you|i want)|vorliebe"
                            r"|wunsch|anweisung|antwort|stil\b|arbeitsweise|kommunikation)")),
    ("context", re.compile(r"\b(?:current|context|now\b|focus|project|goals?\b|aktuell|kontext|jetzt|zurzeit|derzeit"
                           r"|fokus|projekt|ziele?\b)")),
    ("user", re.compile(r"\b(?:about|user|person|profil|facts?\b|biogra|family|uber mich|fakten|familie|privat)")),
)  # fmt: skip
_ID = re.compile(r"[0-9a-z]{4,32}\Z")
# What changes the direction of text or cannot be seen; the two joiners are part of words and signs.
_JOINERS = "\u200c\u200d"
_UNSEEN = ("Cc", "Cf", "Cs")

_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})[ \t]+(?P<text>.*)")
_DATED = r"\[(?:(?P<day>\d{4}-\d{2}-\d{2})|unknown)\][ \t]*[-–—:]"
_ITEM = re.compile(rf"[ \t]*(?:(?:[-*+]|\d{{1,9}}[.)])(?:[ \t]+(?:\[.\](?:[ \t]+|$))?|$)|(?={_DATED}))(?P<text>.*)")
# Quotations, tables, rules; and fences: an assistant often puts all that it remembers into a block of code.
_OTHERS = re.compile(r"\s*(?:>|\||`{3}|~{3}|(?:[-*_][ \t]*){3,}$)")
_SAID_ON = re.compile(rf"{_DATED}\s*")
_COMMENT = re.compile(r"<!--(?P<html>.*?)(?:-->|$)|%%(?P<own>.*?)(?:%%|$)")
_DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_TYPED = re.compile(r"\s*\[(?P<type>user|feedback|context)\]\s*$", re.IGNORECASE)
_STRONG = re.compile(r"(\*\*|__)(?=\S)(?P<text>.{1,200}?)(?<=\S)\1")
_STRUCK = re.compile(r"~~.+~~\W?")
_INTRODUCES = re.compile(r"[:：]\W{0,4}\Z")
_BOX = re.compile(r"(?:accept|reject)\W*\Z", re.IGNORECASE)
# Not after a figure, a single letter or the commonest abbreviations, nor before a word that goes on in small letters.
_SENTENCE_END = re.compile(
    r"(?<![\d\s]\d\.)(?<!\b\w\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bSt\.)(?<!\bNr\.)(?<!\bca\.)(?<!\bbzw\.)"
    r"(?<=[.!?…])\s+(?![a-zäöü])|(?<=[。！？])"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A statement and what its source says of it (None: nothing). `hint` is what its heading suggests; `is_prose`: one
    sentence of a text, which may be about anything. `where` is `line 7` or `entry 3`."""

    text: str
    where: str
    type: MemoryType | None = None
    hint: MemoryType | None = None
    is_prose: bool = False
    created: datetime | None = None
    updated: datetime | None = None
    confidence: float | None = None
    source_count: int = 1
    decay_days: int | None = None
    is_explicit: bool = False
    pinned: bool = False
    id: str | None = None
    sources: tuple[str, ...] = ()


@dataclass
class Source:
    """What a file says. `problems` are sentences; `is_whole`: none of its statements was left out; `passed` is how many
    of its sentences were found not to be about the person."""

    found: list[Found] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    is_whole: bool = True
    passed: int = 0

    def add(self, text: str, where: str, **said: Any) -> None:
        line = clean_line(text)
        if not line:
            self.problems.append(f"{where}: it is empty.")
        elif len(line) > MOST_CHARS:
            self.leave_out(f"{where}: it has {len(line)} characters, and an entry at most {MOST_CHARS}: split it.")
        else:
            self.found.append(Found(line, where, **said))

    def leave_out(self, problem: str) -> None:
        self.problems.append(problem)
        self.is_whole = False


class Guess(NamedTuple):
    """The likeliest type, None where each is as likely as the next."""

    type: MemoryType | None
    sure: bool


def decode_source(name: str, data: bytes) -> str:
    """Raises `InvalidRequest` for what is too large, or no text in UTF-8."""
    if len(data) > MOST_BYTES:
        raise too_large(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRequest(f"{name} is not text in UTF-8.", "Save it in that encoding.") from None
    if "\0" in text:
        raise InvalidRequest(f"{name} is not a text.", "Take an export as JSON or Markdown.")
    return text


def too_large(name: str) -> InvalidRequest:
    return InvalidRequest(f"{name} is larger than {MOST_BYTES // 1_000_000} MB.", "Split it.")


def read_source(name: str, text: str, now: datetime) -> Source:
    """The statements of a file, in its order; times without a zone are in that of `now`, and none is after it. Its name
    says something too: lists in outheis' `user.md` are of that type, `preferences.json` is a hint.

    Raises:
        InvalidRequest: it is called `.json` and is none.
    """
    path = PurePosixPath(name)
    kind, hint = read_type(path.stem), find_hint(path.stem)
    if path.suffix.casefold() == ".json":
        return _read_json(name, text, kind, hint, now)
    return _read_markdown(text, kind, hint, now)


def clean_line(text: str) -> str:
    """One line, without characters that control, turn or cannot be seen."""
    shown = (char for char in text if char.isspace() or char in _JOINERS or unicodedata.category(char) not in _UNSEEN)
    return " ".join("".join(shown).split())


def statement_key(text: str) -> str:
    """By which a statement is known as one that was proposed before: of its words, and not to be read."""
    return sha256(repr([sorted(part) for part in gist(text)]).encode()).hexdigest()[:16]


def is_about_person(found: Found, kinds: Mapping[Kind, float]) -> bool:
    """Of prose by its meaning; what stands in a list is taken for what it is said to be."""
    return not found.is_prose or kinds["none"] < max(kinds[kind] for kind in MEMORY_TYPES)


def guess_type(found: Found, kinds: Mapping[Kind, float], least: float) -> Guess:
    """What the source says, else by the statement's meaning and its heading; sure from the probability `least` on."""
    if found.type is not None:
        return Guess(found.type, sure=True)
    weighed = {kind: kinds[kind] * (_HINTED if kind == found.hint else 1) for kind in MEMORY_TYPES}
    best = max(MEMORY_TYPES, key=lambda kind: weighed[kind])
    if list(weighed.values()).count(weighed[best]) > 1:
        return Guess(None, sure=False)
    return Guess(best, sure=weighed[best] / sum(weighed.values()) >= least)


# -- JSON ----------------------------------------------------------------------------------------------


def _read_json(name: str, text: str, kind: MemoryType | None, hint: MemoryType | None, now: datetime) -> Source:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"{name} is not valid JSON: it cannot be read from line {error.lineno} on."
        raise InvalidRequest(message, "Export it once more.") from None
    except (ValueError, RecursionError):
        raise InvalidRequest(f"{name} is JSON that nests too deep or names too large a number.") from None
    source = Source()
    _walk(document, kind, hint, now, source, 0)
    return source


def _walk(
    value: object, kind: MemoryType | None, hint: MemoryType | None, now: datetime, source: Source, depth: int
) -> None:
    where = f"entry {len(source.found) + len(source.problems) + 1}"
    if isinstance(value, str):
        source.add(value, where, type=kind, hint=hint)
    elif isinstance(value, list) and depth < _DEEPEST:
        for one in value:
            _walk(one, kind, hint, now, source, depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST:
        own = read_type(value.get("type"))
        kind, hint = own or kind, hint if own else find_hint(str(value.get("type", ""))) or hint
        text = next((value[key] for key in _TEXTS if isinstance(value.get(key), str)), None)
        if text is not None:
            source.add(text, where, type=kind, hint=hint, **_said(value, now))
            return
        lists = {
            key: one
            for key, one in value.items()
            if (key.casefold() in _LISTS and isinstance(one, list | dict)) or (find_hint(key) and isinstance(one, list))
        }
        if not lists:
            source.leave_out(f"{where}: no text is found in it.")
        for key, one in lists.items():
            _walk(one, read_type(key) or kind, find_hint(key) or hint, now, source, depth + 1)
    else:
        source.leave_out(f"{where}: it is no statement.")


def _said(entry: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    created = read_moment(entry.get("created_at"), now)
    updated = read_moment(entry.get("updated_at"), now) or created
    id_, sources = entry.get("id"), entry.get("sources")
    lines = [clean_line(one)[:_MOST_SOURCE_CHARS] for one in _as_list(sources) if isinstance(one, str)]
    confidence = _read_number(entry.get("confidence"))
    return {
        "created": created or updated,
        "updated": max(updated, created) if updated and created else updated,
        "confidence": confidence if confidence is not None and 0 <= confidence <= 1 else None,
        "source_count": _count(entry.get("source_count")) or 1,
        "decay_days": _count(entry.get("decay_days")),
        "is_explicit": entry.get("is_explicit") is True,
        "pinned": entry.get("pinned") is True,
        "id": id_ if isinstance(id_, str) and _ID.match(id_) else None,
        "sources": tuple(filter(None, lines))[:_MOST_SOURCES],
    }


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST_NUMBER else None


def _read_number(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < 1e15 else None


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def read_type(value: object) -> MemoryType | None:
    return next((kind for kind in MEMORY_TYPES if isinstance(value, str) and value.strip().casefold() == kind), None)


def find_hint(words: str) -> MemoryType | None:
    """What a heading, key or foreign type suggests."""
    folded = fold(words).replace("_", " ")
    return next((kind for kind, pattern in _HINTS if pattern.search(folded)), None)


def read_moment(value: object, now: datetime) -> datetime | None:
    """ISO 8601 or seconds (milliseconds) since 1970; a day is its noon. None where it is no time."""
    try:
        if isinstance(value, str):
            text = value.strip()
            day = date.fromisoformat(text) if len(text) == 10 else None
            moment = datetime.combine(day, time(12)) if day else datetime.fromisoformat(text)
        elif (seconds := _read_number(value)) is not None:
            moment = datetime.fromtimestamp(seconds / 1000 if seconds > 1e11 else seconds, now.tzinfo)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    return min(moment, now) if moment.year >= 1970 else None


# -- Markdown ------------------------------------------------------------------------------------------


@dataclass
class _Block:
    """Lines that belong together; `number` is the first one's, from 1."""

    number: int
    is_item: bool
    lines: list[str]


def _read_markdown(text: str, kind: MemoryType | None, hint: MemoryType | None, now: datetime) -> Source:
    source = Source()
    above = {0: hint}  # by the level of the heading
    block: _Block | None = None

    def end_block() -> None:
        nonlocal block, hint
        if block is not None:
            hint = _add_block(block, kind, hint, now, source) or hint
        block = None

    lines = text.splitlines()
    for number, line in enumerate(lines[_properties_end(lines) :], _properties_end(lines) + 1):
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if heading:
            end_block()
            level, title = len(heading["level"]), heading["text"].rstrip("# \t")
            above = {one: its for one, its in above.items() if one < level} | {level: find_hint(title)}
            hint = next((its for _, its in sorted(above.items(), reverse=True) if its), None)
        elif not line.strip() or _OTHERS.match(line):
            end_block()
        elif item:
            end_block()
            block = _Block(number, True, [item["text"]])
        elif block is None:
            block = _Block(number, False, [line])
        else:
            block.lines.append(line)
    end_block()
    return source


def _properties_end(lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((n for n, line in enumerate(lines[1:], 2) if line.rstrip() in ("---", "...")), 0)


def _add_block(
    block: _Block, kind: MemoryType | None, hint: MemoryType | None, now: datetime, source: Source
) -> MemoryType | None:
    """Its statements; where it only introduces what follows, the type that this suggests."""
    raw = " ".join(" ".join(block.lines).split())
    comments = " ".join(match["html"] or match["own"] or "" for match in _COMMENT.finditer(raw))
    text = _COMMENT.sub(" ", raw).strip()
    if typed := _TYPED.search(text):
        text = text[: typed.start()]
    if said_on := _SAID_ON.match(text):
        text = text[said_on.end() :]
    is_title = bool(_STRONG.fullmatch(text))
    text = _STRONG.sub(lambda match: match["text"], text)
    if _INTRODUCES.search(text) or (is_title and not block.is_item):
        return find_hint(text)
    if _STRUCK.fullmatch(text) or _BOX.match(text) or (not text and comments):
        return None
    day = _DAY.search((said_on and said_on["day"]) or comments)
    moment = read_moment(day[0], now) if day else None
    is_prose = not block.is_item and typed is None
    for part in _SENTENCE_END.split(text) if is_prose else [text]:
        source.add(
            part,
            f"line {block.number}",
            type=None if is_prose else read_type(typed["type"]) if typed else kind,
            hint=hint,
            is_prose=is_prose,
            created=moment,
            updated=moment,
        )
    return None
