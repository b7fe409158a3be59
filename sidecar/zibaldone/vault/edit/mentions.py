"""Where a note names other notes without a link, and the links that could stand there. Pure.

Only prose is looked at: no heading, code, link, tag or address. A name of one word has to be written as the note's name
is, a longer one in whatever case; each note is linked once, where it is named first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from zibaldone.domain.words import fold
from zibaldone.vault.edit.lines import Note, Splice
from zibaldone.vault.edit.prose import HIDDEN, mask_prose

_WORD = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
_TAKEN = re.compile(
    r"`+[^`]*`+|!?\[\[[^\]]*\]\]|!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?|<[^>]*>|\w+://\S+|www\.\S+|[#@][^\s#]+|^\s*[\w-]+::"
)
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_MOST_WORDS = 8
_SHORTEST = 3  # characters of a name


def name_key(name: str) -> str:
    """By which a name is looked up."""
    return " ".join(fold(name).split())


def is_telling(name: str) -> bool:
    """Whether a mention of `name` can be meant for a note: no number, no date, no two letters."""
    return len(name) >= _SHORTEST and any(part.isalpha() and len(part) >= _SHORTEST for part in _WORD.findall(name))


def find_mentions(note: Note, names: Mapping[str, tuple[str, str]], linked: Collection[str]) -> Iterator[Splice]:
    """The links that could be made.

    Args:
        names: from the key of a name to the name as it is written, and what a link to its note says.
        linked: what links to notes that need none say: the note's own, and those that it links to already.
    """
    done = set(linked)
    lines = note.contents()
    for number, masked in enumerate(mask_prose(lines, note.body).lines):
        if masked.unit or masked.html or _HEADING.match(masked.text) or number < note.body:
            continue
        text = _TAKEN.sub(lambda found: HIDDEN * len(found[0]), masked.text)
        for start, end, link in _mentions(text, names):
            said = lines[number][start:end]
            shown = link if link == said else f"{link}|{said}"
            if link in done or ("|" in shown and "|" in masked.text):  # in a table the bar would end the cell
                continue
            done.add(link)
            at = note.lines[number].start
            yield Splice(at + start, at + end, f"[[{shown}]]")


def _mentions(text: str, names: Mapping[str, tuple[str, str]]) -> Iterator[tuple[int, int, str]]:
    """The longest names, from left to right."""
    words = list(_WORD.finditer(text))
    at = 0
    while at < len(words):
        for last in range(min(at + _MOST_WORDS, len(words)) - 1, at - 1, -1):
            start, end = words[at].start(), words[last].end()
            said = text[start:end]
            found = None if HIDDEN in said else names.get(name_key(said))
            if found and (last > at or said == found[0]):
                yield start, end, found[1]
                at = last
                break
        at += 1
