"""The day's log: what was asked, what was answered, and from where. Pure; bytes in, bytes out.

A log note only grows. What is in it stays as it is, byte for byte, and line endings follow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from zibaldone.schemas.ask import Citation
from zibaldone.vault.cited import link_citation, link_note
from zibaldone.vault.inert import make_inert, make_inert_line

_QUESTION_CHARS = 200
_QUOTE_CHARS = 300
_REASONS = {
    "weak_retrieval": "the notes that were found hardly speak of this",
    "llm_insufficient": "the passages that were found do not contain the answer",
    "unsupported": "what could be said was not supported by the notes",
}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One turn. `abstained` is the reason for which there is no answer (an `AbstentionReason` or a sentence),
    None where there is one. `page` is that which the answer went to. `at` is the person's local time."""

    at: datetime
    question: str
    answer: str
    citations: Sequence[Citation] = ()
    abstained: str | None = None
    page: str | None = None


def log_path(folder: str, day: date) -> str:
    """`Zibaldone/log/2026-03-02.md`."""
    return f"{folder}/log/{day:%Y-%m-%d}.md"


def append_log_entry(existing: bytes | None, entry: LogEntry) -> bytes:
    """The day's log with `entry` at its end; None: the note is new and gets its frontmatter."""
    text = "\n".join(_lines(entry)) + "\n"
    if existing is None:
        head = f"---\ntype: log\nwritten_by: Zibaldone\ndate: {entry.at:%Y-%m-%d}\n---\n\n"
        return (head + text).encode("utf-8", "replace")
    ending = b"\r\n" if b"\r\n" in existing else b"\n"
    if not existing:
        gap = b""
    elif existing.endswith(b"\n"):
        gap = b"" if existing.endswith(ending * 2) else ending
    else:
        gap = ending * 2
    return existing + gap + text.encode("utf-8", "replace").replace(b"\n", ending)


def _lines(entry: LogEntry) -> list[str]:
    lines = [f"## {entry.at:%H:%M} {make_inert_line(entry.question, _QUESTION_CHARS)}", ""]
    if entry.abstained is not None:
        reason = _REASONS.get(entry.abstained, entry.abstained)
        lines += [f"No answer: {make_inert_line(reason, _QUOTE_CHARS)}.", ""]
    if entry.answer.strip():
        lines += [f"> {line}".rstrip() for line in make_inert(entry.answer.strip()).split("\n")]
        lines.append("")
    lines += [_citation(citation) for citation in entry.citations]
    if entry.page is not None:
        lines += ["", f"On the page {link_note(entry.page)}."]
    return lines if lines[-1] else lines[:-1]


def _citation(citation: Citation) -> str:
    """The marker is escaped: `- [1]` would be a checkbox."""
    quote = make_inert_line(citation.quote, _QUOTE_CHARS)
    doubt = "" if citation.supported else " (not supported by the text)"
    return f'- \\[{citation.marker}\\] {link_citation(citation)}: "{quote}"{doubt}'
