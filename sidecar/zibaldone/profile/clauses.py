"""The statements that one sentence joins: "I'm 35 and I live in Ulm". Pure.

An entry stays in the words in which it was said until one of its statements is over: then that one is parted from it.
Only what has a subject of its own in the first person can stand alone ("my wife and my son", "when I was six, I ..."
are not parted), and nothing that points at what stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime

from zibaldone.profile.decide import Relation, is_beaten
from zibaldone.profile.takeover import Change, new_id
from zibaldone.schemas.memory import MemoryEntry

_SUBJECT = r"(?:(?:I|we|ich|wir|je|nous|yo|nosotr[oa]s|io|noi|ik|wij)\b|j['’])"
_JOINT = re.compile(rf"[,;]?\s+(?:and|but|und|aber|et|mais|y|pero|e|ma|en|maar)\s+(?={_SUBJECT})", re.IGNORECASE)
_STANDS_ALONE = re.compile(_SUBJECT, re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:it|them|him|her|that|there|so|too|es|ihn|ihm|ihr|dort|damit|davon|dafür|daran|auch|cela|ça|aussi|ello"
    r"|también|ciò|anche|dat|er|ook)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_LEAST_WORDS = 3


def part_clauses(text: str) -> list[str]:
    """Its statements, each as it stands there; the text alone where it is not several."""
    clauses = _JOINT.split(text.strip())
    stand_alone = all(
        _STANDS_ALONE.match(clause) and len(_WORD.findall(clause)) >= _LEAST_WORDS for clause in clauses
    ) and not any(_POINTS_BACK.search(clause) for clause in clauses[1:])
    return clauses if len(clauses) > 1 and stand_alone else [text]


def part_entry(
    relation: Relation, new: MemoryEntry, now: datetime, taken: Collection[str]
) -> tuple[list[Change], Relation]:
    """Where a new entry ends one statement of an older one: that older one with what is left of it, and how the new one
    stands to the statement, which is an entry of its own then. Else no change, and the relation as it is.

    Args:
        taken: ids that entries have.
    """
    old, clause = relation.entry, relation.clause
    outdone = new.is_explicit and not old.is_explicit
    ends = is_beaten(old, new) and (new.is_explicit or not old.is_explicit)
    if clause is None or not (outdone if relation.verdict == "same" else ends):
        return [], relation
    left = ", ".join(one for one in part_clauses(old.content) if one != clause)
    ended = old.model_copy(update={"id": new_id(old.type, clause, now, taken), "content": clause, "conflicts_with": []})
    return [Change("parted", old.model_copy(update={"content": left}))], Relation(ended, "contradicts")
