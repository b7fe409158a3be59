"""A task as a line of a daily note. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta

from zibaldone.errors import InvalidRequest, TargetAmbiguous, TargetMissing
from zibaldone.vault.edit.address import Section, WholeNote
from zibaldone.vault.edit.append import append

_MARKER = re.compile(r"(?:(?:[-*+] )?\[.\]|[-*+])(?: |$)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_HEADINGS = ("Tasks", "Aufgaben", "To-do", "To do", "Todo", "Todos", "To-dos", "Tareas", "Tâches", "Attività", "任务")


def read_when(text: str, today: date) -> date:
    """`today`, `tomorrow` or a date.

    Raises:
        InvalidRequest: it is none of these.
    """
    word = text.strip().casefold()
    if word in ("today", "tomorrow"):
        return today + timedelta(word == "tomorrow")
    try:
        if _DAY.fullmatch(word):
            return date.fromisoformat(word)
    except ValueError:
        pass
    raise InvalidRequest(f"{text!r} is no day.", "Write today, tomorrow or a date such as 2026-03-05.")


def task_line(text: str) -> str:
    """An open task. Line breaks become spaces, a checkbox that was typed is not doubled.

    Raises:
        InvalidRequest: there is nothing to be done in it.
    """
    words = " ".join(text.split())
    if marker := _MARKER.match(words):
        words = words[marker.end() :]
    if not words:
        raise InvalidRequest("There is no text to add.", "Say what is to be done.")
    return f"- [ ] {words}"


def add_line(note: bytes, line: str) -> bytes:
    """The daily note with the line under its heading for tasks, or at its end where it has none.

    Raises:
        NotEditable: the note cannot be added to.
    """
    for heading in _HEADINGS:
        try:
            return append(note, Section((heading,)), f"{line}\n")
        except (TargetMissing, TargetAmbiguous):
            continue
    return append(note, WholeNote(), f"{line}\n")
