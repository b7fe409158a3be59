"""The agenda as a short answer in Markdown, each line with a link to its note. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby

from zibaldone.domain.moment import write_name
from zibaldone.schemas.agenda import Agenda, AgendaItem

_MOST_OVERDUE = 8
_UNLINKABLE = frozenset("[]|#^")

_WORDS = {
    "en": {
        "overdue": "Overdue",
        "since": "{days} days late",
        "since_one": "one day late",
        "more": "and {count} more",
        "today": "Today, {day}",
        "day": "dddd, D MMMM",
        "due": "due {day}",
        "appointment": "appointment",
        "deadline": "deadline",
        "highest": "highest priority",
        "high": "high priority",
        "none_ahead": "Nothing is due today or in the seven days after.",
        "none_today": "Nothing is due today.",
        "none_week": "Nothing is due until {until}.",
        "none_overdue": "Nothing is overdue.",
    },
    "de": {
        "overdue": "Überfällig",
        "since": "seit {days} Tagen",
        "since_one": "seit gestern",
        "more": "und {count} weitere",
        "today": "Heute, {day}",
        "day": "dddd, D. MMMM",
        "due": "fällig am {day}",
        "appointment": "Termin",
        "deadline": "Frist",
        "highest": "höchste Priorität",
        "high": "hohe Priorität",
        "none_ahead": "Heute und in den sieben Tagen danach steht nichts an.",
        "none_today": "Heute steht nichts an.",
        "none_week": "Bis {until} steht nichts an.",
        "none_overdue": "Nichts ist überfällig.",
    },
}


def describe_agenda(agenda: Agenda, language: str) -> str:
    """What is due, as Markdown with wikilinks, in German or (for any other language) in English."""
    language = language if language in _WORDS else "en"
    return "\n".join(_lines(agenda, language))


def _lines(agenda: Agenda, language: str) -> Iterator[str]:
    say = _WORDS[language]
    late = [item for item in agenda.items if item.state == "overdue"]
    if late:
        yield f"**{say['overdue']}**"
        for item in late[:_MOST_OVERDUE]:
            since = say["since_one"] if item.overdue_days == 1 else say["since"].format(days=item.overdue_days)
            yield _line(item, language, since)
        if len(late) > _MOST_OVERDUE:
            yield f"- {say['more'].format(count=len(late) - _MOST_OVERDUE)}"
        yield ""
    to_come = [item for item in agenda.items if item.state != "overdue"]
    for day, items in groupby(to_come, key=lambda item: item.day):
        name = _name(day, language)
        yield f"**{say['today'].format(day=name) if day == agenda.today else name}**"
        yield from (_line(item, language) for item in items)
        yield ""
    if not to_come and (agenda.span != "overdue" or not late):
        yield say[f"none_{agenda.span}"].format(until=_name(agenda.until, language))


def _line(item: AgendaItem, language: str, since: str = "") -> str:
    say = _WORDS[language]
    due = say["due"].format(day=_name(item.due, language)) if item.due and item.due > item.day else ""
    said = [since, say.get(item.kind, ""), say.get(item.priority or "", ""), due]
    marks = ", ".join(mark for mark in said if mark)
    when = f"{item.time} " if item.time else ""
    return f"- {when}{item.text}{f' ({marks})' if marks else ''} {_link(item)}"


def _link(item: AgendaItem) -> str:
    """A wikilink; a path that Obsidian could not link to is told as code."""
    target = item.path.removesuffix(".md")
    if _UNLINKABLE & set(target):
        return f"`{item.path}`"
    shown = "".join(" " if char in _UNLINKABLE else char for char in item.title).strip()
    return f"[[{target}|{shown or target}]]"


def _name(day: str, language: str) -> str:
    return write_name(date.fromisoformat(day), _WORDS[language]["day"], language)
