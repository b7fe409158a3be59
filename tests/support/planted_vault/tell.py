"""The words of a happening, by the templates of `phrasings.toml`."""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from support.planted_vault.plan import Happening
from zibaldone.domain.moment import NAMES

Half = Literal["tuned", "held"]
_FIELDS = {
    "decision": ("do",),
    "learning": ("that", "stmt"),
    "fix": ("problem", "cure"),
    "task": ("do",),
    "change": ("what", "old", "new"),
    "meeting": ("topic",),
}


@dataclass(frozen=True)
class Told:
    """`day` is what the text says or, where it says none, the day of its note; `who` are the names in it."""

    text: str
    day: date
    is_stated: bool
    who: tuple[str, ...]

    @property
    def is_item(self) -> bool:
        """Whether it is a task in a list."""
        return self.text.startswith(("- [", "* ["))

    @property
    def is_sentence(self) -> bool:
        return self.text.endswith(".")


@cache
def read_phrasings() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("phrasings.toml").read_text(encoding="utf-8"))


def tell(
    happening: Happening, subject: dict[str, Any], written: date, earliest: date, half: Half, draw: random.Random
) -> Told:
    """As told on the day `written`: of a day since `earliest`, or for the next day where something is to be done."""
    language = subject["language"]
    template = draw.choice(read_phrasings()[half][language][happening.kind])
    who = draw.choice(subject["people"])
    is_ahead = happening.kind == "task" and "[x]" not in template
    day = written + timedelta(1) if is_ahead else max(earliest, written - timedelta(draw.randrange(2)))
    values = dict(zip(_FIELDS[happening.kind], _parts(happening), strict=False))
    values.setdefault("stmt", values.get("that", ""))
    values |= {name.capitalize(): value[:1].upper() + value[1:] for name, value in values.items()}
    words = _day_words(day, language, draw)
    text = template.format(
        **values, who=who.split()[-1] if "@{who}" in template else who, day=words, iso=day.isoformat()
    )
    stated = "{day}" in template or "{iso}" in template
    return Told(text, day if stated else written, stated, (who,) if "{who}" in template else ())


def _parts(happening: Happening) -> list[str]:
    return [part.strip() for part in happening.content.split("|")]


def _day_words(day: date, language: str, draw: random.Random) -> str:
    """In one of the ways that people write it; weekdays are unambiguous, since told within two days."""
    month, weekday = NAMES[language].months[day.month - 1], NAMES[language].weekdays[day.weekday()]
    if language == "de":
        return draw.choice(
            (f"{day.day}. {month}", f"{day.day}. {month} {day.year}", f"{day.day}.{day.month}.{day.year}", weekday)
        )
    return draw.choice((f"{day.day} {month}", f"{month} {day.day}, {day.year}", day.isoformat(), weekday))
