"""The agenda of one vault: what the index knows of days, read by the day of the person who asks."""

from __future__ import annotations

from datetime import date, datetime

from zibaldone.agents.agenda.line import add_line, read_when, task_line
from zibaldone.agents.agenda.plan import last_day, plan_agenda
from zibaldone.errors import NotFound, PathOutsideVault
from zibaldone.runtime.proposals import ProposalDesk
from zibaldone.schemas.agenda import Agenda, AgendaAddRequest, AgendaRequest
from zibaldone.schemas.proposals import Proposal
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.daily import DailyNotes, fill_template, read_daily_notes
from zibaldone.vault.files import VaultFiles

_REASON = "A task that was added with the agenda."


class AgendaKeeper:
    """Both calls block for the disk. `now` carries the person's own time zone."""

    def __init__(self, files: VaultFiles, store: IndexStore, desk: ProposalDesk) -> None:
        self._files = files
        self._store = store
        self._desk = desk

    def look(self, request: AgendaRequest, now: datetime) -> Agenda:
        """What is due. No note is read: days of daily notes follow from their names, the rest is in the index."""
        today = now.date()
        until = last_day(request.span, today)
        notes = read_daily_notes(self._files.root)
        days = {path: day for path in self._store.paths_of_undated_entries() if (day := notes.day_of(path))}
        entries = [
            *self._store.dated_entries(until),
            *self._store.undated_entries([path for path, day in days.items() if day <= until]),
        ]
        there = {path for path in {one.path for one in entries} if self._is_there(path) and not notes.is_template(path)}
        return plan_agenda((one for one in entries if one.path in there), days, request.span, today)

    def propose(self, request: AgendaAddRequest, now: datetime) -> Proposal:
        """A task for a day's daily note, as a proposal; what still waits for the same note is joined with it.

        Raises:
            InvalidRequest: no day, or no text.
            NotEditable: the daily note cannot be added to.
        """
        line = task_line(request.text)
        day = read_when(request.day, now.date())
        notes = read_daily_notes(self._files.root)
        path = notes.path_of(day, self._store.recorded())
        for waiting in self._desk.list(only_open=True):
            content = waiting.files.get(path)
            if waiting.reason == _REASON and content and content.wanted is not None:
                return self._desk.amend(waiting, {path: add_line(content.wanted, line)})
        base = self._read(path)
        note = self._begin(notes, path, day, now) if base is None else base
        made = self._desk.propose(f"Add to {path}", _REASON, {path: add_line(note, line)}, now, based_on={path: base})
        assert made is not None  # a line more is a difference
        return made

    def _begin(self, notes: DailyNotes, path: str, day: date, now: datetime) -> bytes:
        """What a new daily note begins as: the template's text, unless another program has to fill it in."""
        template = (self._read(notes.template) or b"") if notes.template else b""
        text = template.decode("utf-8-sig", "replace")
        title = path.rpartition("/")[2].removesuffix(".md")
        return b"" if "<%" in text else fill_template(text, title, day, now).encode()

    def _is_there(self, path: str) -> bool:
        return (self._files.root / path).is_file()

    def _read(self, path: str) -> bytes | None:
        try:
            return self._files.read_stable(path)
        except (NotFound, PathOutsideVault):
            return None
