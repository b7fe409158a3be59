"""The note in which statements of another assistant are proposed, each with a box to accept and one to reject. Pure.

    - Leo is eight [user]
      from outheis.json, 2026-03-28 %%proposal 3f9a1c2047ab56de%%
      - [ ] Accept
      - [ ] Reject

The person may change the words and the type, write what they like around the blocks, or delete one. A block is taken
out when exactly one of its boxes is ticked and was heeded; every other byte stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise
from typing import Literal

from zibaldone.profile.decide import Relation, decide
from zibaldone.profile.migration import clean_line, read_type
from zibaldone.profile.page import MOST_CHARS
from zibaldone.profile.relate import gist
from zibaldone.profile.takeover import Change, default_decay, new_id
from zibaldone.schemas.memory import MemoryEntry, MemoryType, Migrated, PageProblem
from zibaldone.vault.inert import make_inert_line, read_inert

FOLDER = "Migration"
NOTE = f"{FOLDER}/Migration.md"
_MOST_NAME = 200
_HEAD = """---
type: migration
written_by: Zibaldone
---

# Migration

Below is what another assistant remembers about you. Tick Accept or Reject; the words and the type are yours to change:
[user] is a fact about you, [feedback] how you like things done, [context] what you are at now (it fades after two
weeks). A type with a question mark is a guess, which Accept takes as it is. Then run `zib memory migrate` once more.
What has no tick stays here, and a block that you delete is neither kept nor proposed again.

"""
_WORDS = {
    "en": {
        "proposed": "{n} proposed in {note}: tick Accept or Reject there, then write “memory migrate” again.",
        "accepted": "{n} kept in your memory.",
        "rejected": "{n} dropped, and not proposed again.",
        "undecided": "{n} wait for a tick in {note}.",
        "waiting": "Not read to the end:",
        "nothing": "There is nothing new. Put the export of another assistant (.json or .md) into the folder "
        "`Migration/`.",
        "dry_run": "Nothing was written; this is what would be:",
        "more": "and {n} more",
    },
    "de": {
        "proposed": "{n} vorgeschlagen in {note}: dort Accept oder Reject ankreuzen, dann noch einmal „memory migrate“ "
        "schreiben.",
        "accepted": "{n} ins Gedächtnis übernommen.",
        "rejected": "{n} verworfen; sie werden nicht wieder vorgeschlagen.",
        "undecided": "{n} warten auf ein Kreuz in {note}.",
        "waiting": "Nicht zu Ende gelesen:",
        "nothing": "Es gibt nichts Neues. Lege den Export eines anderen Assistenten (.json oder .md) in den Ordner "
        "`Migration/`.",
        "dry_run": "Es wurde nichts geschrieben; geschehen würde dies:",
        "more": "und {n} weitere",
    },
}
_TOLD = 5
_MARK = re.compile(r"%%\s*proposal (?P<key>[0-9a-f]{16})\s*%%")
_ORIGIN = re.compile(r"\s*from (?P<name>.+?)(?:, (?P<day>\d{4}-\d{2}-\d{2}))?\s*%%")
_CONFLICT = re.compile(r"(?:<{7}|>{7})(?:\s|$)")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?P<text>.*)")
_BOX = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(?P<tick>.)\][ \t]+(?P<name>accept|reject)\b", re.IGNORECASE)
_TYPE = re.compile(r"\s*\[(?P<type>user|feedback|context)?\??\]\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement that is to be decided on. `type` None: it could not be told; `name` is its file's, `day` when it was
    said there."""

    key: str
    text: str
    type: MemoryType | None
    sure: bool
    name: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A proposal as it stands in the note. `numbers` are its lines', from 0, and `raw` what they hold."""

    proposal: Proposal
    decision: Literal["accept", "reject"] | None
    numbers: tuple[int, ...]
    raw: tuple[bytes, ...]


def read_note(data: bytes) -> tuple[list[Block], list[PageProblem]]:
    """The blocks, and what is wrong with those that somebody tried to decide on: these are undecided."""
    raw = data.splitlines(keepends=True)
    lines = [line.decode("utf-8", "replace").rstrip("\r\n") for line in raw]
    marks = [number for number, line in enumerate(lines) if _MARK.search(line)]
    torn = next((number for number, line in enumerate(lines) if _CONFLICT.match(line)), None)
    blocks: list[Block] = []
    problems: list[PageProblem] = []
    for mark, until in pairwise([*marks, len(lines)]):
        start = _find_start(lines, mark)
        ticks, boxes = _find_boxes(lines, mark + 1, until)
        proposal = _read_proposal(lines, start if start is not None else mark, mark)
        decision: Literal["accept", "reject"] | None = None
        if torn is not None:
            pass
        elif ticks == {"reject"}:
            decision = "reject"
        elif ticks and (problem := _problem(proposal, ticks, start)):
            problems.append(PageProblem(path=NOTE, line=mark + 1, message=problem))
        elif ticks:
            decision = "accept"
        numbers = (*range(mark if start is None else start, mark + 1), *boxes)
        blocks.append(Block(proposal, decision, numbers, tuple(raw[number] for number in numbers)))
    if torn is not None:
        message = "A merge left its marks here. Choose one side, then it is read."
        problems.append(PageProblem(path=NOTE, line=torn + 1, message=message))
    return blocks, problems


def edit_note(existing: bytes | None, gone: Collection[Block], new: Sequence[Proposal]) -> bytes | None:
    """Without the blocks that are `gone` (unless they were changed since), and with the new proposals at the end, but
    for those that stand there. None where there was no note and is to be none."""
    blocks, _ = read_note(existing or b"")
    done = {(block.proposal.key, block.raw) for block in gone}
    there = {block.proposal.key for block in blocks}
    raw = (existing or b"").splitlines(keepends=True)
    out: set[int] = set()
    for block in blocks:
        if (block.proposal.key, block.raw) in done:
            out |= {*block.numbers}
            after = block.numbers[-1] + 1
            out |= {after} if after < len(raw) and not raw[after].strip() else set()
    kept = b"".join(line for number, line in enumerate(raw) if number not in out)
    added = "\n".join(_write(proposal) for proposal in new if proposal.key not in there)
    if existing is None and not added:
        return None
    ending = "\r\n" if b"\r\n" in kept else "\n"
    if added and kept:
        ends = kept.endswith((b"\n", b"\r"))
        blank = ends and kept.splitlines()[-1].strip() == b""
        added = ("" if blank else "\n" if ends else "\n\n") + added
    return kept + ((_HEAD if existing is None else "") + added).replace("\n", ending).encode()


def accept_proposals(proposals: Sequence[Proposal], known: Sequence[MemoryEntry], now: datetime) -> list[Change]:
    """Accepting is saying it oneself: the entries are explicit. What is known is confirmed; contradictions are left to
    the nightly run, since a chat model cannot compare hundreds at once.

    Args:
        known: all entries there ever were.
    """
    there = {(entry.type, gist(entry.content)): entry for entry in known if entry.state == "active"}
    taken = {entry.id for entry in known}
    changes: list[Change] = []
    done: set[object] = set()
    for one in proposals:
        said = (one.type, gist(one.text))
        if one.type is None or said in done:
            continue
        done.add(said)
        created = datetime.combine(one.day, time(12), now.tzinfo) if one.day else now
        entry = MemoryEntry(
            id=new_id(one.type, one.text, created, taken),
            type=one.type,
            content=one.text,
            created_at=min(created, now).isoformat(),
            updated_at=now.isoformat(),
            decay_days=default_decay(one.type),
            is_explicit=True,
            sources=[f"import:{one.name}"],
        )
        taken.add(entry.id)
        changes += decide(entry, [Relation(there[said], "same")] if said in there else [], now)
    return changes


def describe_migration(done: Migrated, language: str) -> str:
    """What a run did, as Markdown, in German or (for any other language) in English."""
    say = _WORDS.get(language, _WORDS["en"])
    note = f"[[{done.path.removesuffix('.md')}]]"
    proposed = sum(source.proposed for source in done.sources)
    counts = {
        "accepted": len(done.accepted),
        "rejected": done.rejected,
        "proposed": proposed,
        "undecided": done.undecided if not proposed else 0,
    }
    lines = [say[key].format(n=count, note=note) for key, count in counts.items() if count]
    told = [f"{note}, {problem.line}: {problem.message}" for problem in done.problems]
    told += [
        make_inert_line(f"{source.name}: {problem}", _MOST_NAME)
        for source in done.sources
        for problem in source.problems
        if source.state == "waiting"
    ]
    if told:
        more = len(told) - _TOLD
        lines += [say["waiting"], *(f"- {one}" for one in told[:_TOLD])]
        lines += [f"- {say['more'].format(n=more)}"] if more > 0 else []
    return "\n".join([*([say["dry_run"]] if done.dry_run and lines else []), *(lines or [say["nothing"]])])


def _find_start(lines: Sequence[str], mark: int) -> int | None:
    """The line on which the statement begins: an item of a list, not set apart from its mark."""
    for number in range(mark, -1, -1):
        if not lines[number].strip() or _BOX.match(lines[number]):
            return None
        if _ITEM.match(lines[number]):
            return number if number < mark else None
    return None


def _find_boxes(lines: Sequence[str], start: int, until: int) -> tuple[set[str], list[int]]:
    """Which are ticked, and where the first of each is."""
    boxes: dict[str, int] = {}
    ticks: set[str] = set()
    for number in range(start, until):
        if (box := _BOX.match(lines[number])) and boxes.setdefault(name := box["name"].casefold(), number) == number:
            ticks |= {name} if box["tick"] in "xX" else set()
    return ticks, sorted(boxes.values())


def _read_proposal(lines: Sequence[str], start: int, mark: int) -> Proposal:
    text = " ".join(" ".join(lines[start:mark]).split())
    item = _ITEM.match(text)
    text = item["text"] if item else text
    typed = _TYPE.search(text)
    text = clean_line(read_inert(text[: typed.start()] if typed else text))
    kind = read_type(typed["type"]) if typed else None
    key, origin = _MARK.search(lines[mark]), _ORIGIN.match(lines[mark])
    assert key is not None
    name = read_inert(origin["name"]) if origin else NOTE
    return Proposal(key["key"], text, kind, True, name, _day(origin["day"]) if origin else None)


def _problem(proposal: Proposal, ticks: Collection[str], start: int | None) -> str | None:
    if len(ticks) > 1:
        return "Accept and Reject are both ticked: choose one."
    if start is None or not proposal.text:
        return "The statement is not there any more: it stands in the line above, as an item of a list."
    if proposal.type is None:
        return "Write the type after the statement: [user], [feedback] or [context]."
    if len(proposal.text) > MOST_CHARS:
        return f"It has {len(proposal.text)} characters, and an entry at most {MOST_CHARS}: shorten it."
    return None


def _write(proposal: Proposal) -> str:
    kind = f"{proposal.type or ''}{'' if proposal.sure else '?'}"
    name = make_inert_line(proposal.name, _MOST_NAME)
    day = f", {proposal.day.isoformat()}" if proposal.day else ""
    return (
        f"- {make_inert_line(proposal.text, MOST_CHARS)} [{kind}]\n"
        f"  from {name}{day} %%proposal {proposal.key}%%\n"
        "  - [ ] Accept\n  - [ ] Reject\n"
    )


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None
