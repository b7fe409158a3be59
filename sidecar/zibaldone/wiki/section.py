"""What a turn leaves on a page: the question as a heading, below it each statement with the notes that hold it. Pure.

One statement is one list item, so that git tells who wrote which and a person can strike one out.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from zibaldone.errors import TargetAmbiguous, TargetMissing
from zibaldone.schemas.ask import Citation
from zibaldone.vault.cited import link_citation
from zibaldone.vault.edit.address import Section, locate
from zibaldone.vault.inert import make_inert_line

_HEADING_CHARS = 200
_STATEMENT_CHARS = 1000


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer, and the passages of notes that hold it."""

    text: str
    citations: tuple[Citation, ...]


def section_heading(question: str) -> str:
    """The question as a heading has it, without the `#`."""
    return make_inert_line(question, _HEADING_CHARS)


def render_statements(statements: Sequence[Statement]) -> str:
    """The body of a section."""
    return "\n".join(
        f"- {make_inert_line(one.text, _STATEMENT_CHARS)} ({'; '.join(map(link_citation, one.citations))})"
        for one in statements
    )


def render_section(question: str, statements: Sequence[Statement]) -> str:
    return f"## {section_heading(question)}\n\n{render_statements(statements)}"


def find_section(page: bytes, question: str) -> Section | None:
    """Where a page answers this very question already; of several sections the last."""
    wanted = Section((section_heading(question),))
    try:
        locate(page, wanted)
    except TargetMissing:
        return None
    except TargetAmbiguous:
        number = 2
        with suppress(TargetMissing):
            while locate(page, Section(wanted.heading_path, number + 1)):
                number += 1
        return Section(wanted.heading_path, number)
    return wanted
