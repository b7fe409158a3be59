"""Daily notes and templates, as Obsidian is set to keep them. Text of the settings syncs: it can only name notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from zibaldone.domain.moment import NAMES, read_name, says_the_day, write_name, write_time
from zibaldone.vault.obsidian import read_settings
from zibaldone.vault.paths import is_hidden, nfc, path_problem

DEFAULT_FORMAT = "YYYY-MM-DD"
_CORE, _PERIODIC, _TEMPLATES, _TEMPLATER = (
    "daily-notes.json",
    "plugins/periodic-notes/data.json",
    "templates.json",
    "plugins/templater-obsidian/data.json",
)
_PLACEHOLDER = re.compile(r"\{\{\s*(date|time|title)\s*(?::([^{}]{1,100}))?\}\}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """Where daily notes are, and which notes are templates.

    Args:
        folder: vault-relative, "" for the vault itself; None where Obsidian is set to nothing: then a note is known by
            its name, wherever it lies.
        template: the path of the note that a new one begins as, "" for none.
        template_folders: what lies there is text to be filled in.
    """

    folder: str | None = None
    format: str = DEFAULT_FORMAT
    template: str = ""
    template_folders: tuple[str, ...] = ()

    def day_of(self, path: str) -> date | None:
        """The day of the daily note at a path; None for any other note."""
        stem, suffix = nfc(path[:-3]), path[-3:]
        if suffix.lower() != ".md" or self.is_template(path):
            return None
        if self.folder is None:
            return read_name(stem.rpartition("/")[2], self.format)
        below = f"{self.folder}/" if self.folder else ""
        return read_name(stem.removeprefix(below), self.format) if stem.startswith(below) else None

    def path_of(self, day: date, known: Iterable[str]) -> str:
        """The path of a day's note: that of the one that is there, else the one that Obsidian would make.

        Args:
            known: paths of notes; they also tell in which language names of months are, and without settings in which
                folder daily notes lie.
        """
        days = {path: found for path in known if (found := self.day_of(path))}
        for path in sorted(days):
            if days[path] == day:
                return path
        last = max(days, key=lambda path: (days[path], path), default=None)
        folder = self.folder if self.folder is not None else (last or "").rpartition("/")[0]
        names = [f"{name}.md" for name in (self._name(day, language) for language in NAMES)]
        if last and names[0] != names[-1]:  # as the last one was named
            spelt = [last.endswith(f"{self._name(days[last], language)}.md") for language in NAMES]
            names = [name for name, fits in zip(names, spelt, strict=True) if fits] or names
        return f"{folder}/{names[0]}" if folder else names[0]

    def is_template(self, path: str) -> bool:
        return path == self.template or any(path.startswith(f"{folder}/") for folder in self.template_folders)

    def _name(self, day: date, language: str) -> str:
        return write_name(day, self.format, language)


def read_daily_notes(root: Path) -> DailyNotes:
    """By Obsidian's own settings or, where they are switched on there, those of Periodic Notes."""
    periodic = read_settings(root, _PERIODIC).get("daily")
    own = read_settings(root, _CORE)
    chosen = periodic if isinstance(periodic, dict) and periodic.get("enabled") is True else own
    wanted = _text(chosen, "format") or DEFAULT_FORMAT
    folders = (
        _folder(read_settings(root, _TEMPLATES), "folder"),
        _folder(read_settings(root, _TEMPLATER), "templates_folder"),
    )
    template = _folder(chosen, "template")
    return DailyNotes(
        folder=_folder(chosen, "folder") if chosen else None,
        format=wanted if says_the_day(wanted) else DEFAULT_FORMAT,
        template=f"{template.removesuffix('.md')}.md" if template else "",
        template_folders=tuple(folder for folder in folders if folder),
    )


def fill_template(template: str, title: str, day: date, now: datetime, language: str = "en") -> str:
    """What Obsidian makes of a template: `{{date}}`, `{{time}}` and `{{title}}`, with a format of their own or not."""

    def fill(found: re.Match[str]) -> str:
        match found[1].lower():
            case "title":
                return title
            case "time":
                return write_time(now, found[2] or "HH:mm")
            case _:
                return write_name(day, found[2] or DEFAULT_FORMAT, language)

    return _PLACEHOLDER.sub(fill, template)


def _text(settings: Mapping[str, object], key: str) -> str:
    value = settings.get(key)
    return value.strip() if isinstance(value, str) else ""


def _folder(settings: Mapping[str, object], key: str) -> str:
    """A path of the vault as it is set; "" where it is none."""
    path = nfc(_text(settings, key).strip("/"))
    return "" if not path or path_problem(path) or is_hidden(path) else path
