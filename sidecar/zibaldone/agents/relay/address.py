"""Whom a message is for, where it is not the conversation itself. Pure.

`@agenda this week`, `@data ...` and so on name one; a question about what is due is the agenda's, "memory migrate" that
of the memory, whoever is named.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zibaldone.agents.agenda.asked import find_agenda_question
from zibaldone.domain.words import fold

_NAMED = re.compile(r"\s*@(?P<agent>relay|data|agenda|action|pattern)\b[:,]?\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_MIGRATE = re.compile(
    r"\W*(?:memory migrate|migrate (?:the |my )?memory|(?:mein )?gedachtnis (?:migrieren|ubernehmen))\W*\Z"
)

# "@agenda today" names a time alone.
_AS_QUESTION = ("{}", "what is due {}", "what is {}", "was ist {} fällig", "was ist {}")


class Address(NamedTuple):
    """`agent` is whom it is for, `rest` the message without the name."""

    agent: str
    rest: str


def find_address(message: str) -> Address:
    """`relay` where nobody else is meant. What is said to `data` is a question for the notes, whatever it says."""
    named = _NAMED.fullmatch(message)
    agent, rest = (named["agent"].casefold(), named["rest"].strip()) if named else ("relay", message)
    if agent == "relay" and _MIGRATE.match(fold(rest)):
        return Address("migrate", rest)
    if agent == "relay" and (span := find_agenda_question(rest)) is not None:
        return Address("agenda", span)
    if agent == "agenda":
        spans = (find_agenda_question(form.format(rest)) for form in _AS_QUESTION)
        return Address("agenda", next(filter(None, spans), "week"))
    return Address(agent, rest)
