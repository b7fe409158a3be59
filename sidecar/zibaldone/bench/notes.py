"""A vault of any size, the same for the same seed: projects with people, places, sums and dates, linked to each other.

Every note states facts in sentences of its own, so that searching and answering have something to find; what is in
them means nothing. Used by `zib bench` and by tests that want a large vault. Long notes are for searching alone: their
words are as rare and as common as those of a language, which the projects' are not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

_NAMES = (
    "Ada Bruno Chiara Dmitri Elif Farah Goran Hanna Ines Jonas Kofi Lena Marek Nadia Oskar Priya Rosa Selim".split()
)
_THINGS = (
    "kiln weir orchard ferry archive lantern beehive workshop quarry greenhouse cellar bridge chapel mill harbour "
    "observatory press loom garden stable bakery canal depot meadow tannery foundry library aviary"
).split()
_PLACES = (
    "Tallinn Porto Ghent Lucca Bergen Graz Tartu Malmö Brno Cork Ronda Trento Split Uppsala Vilnius Zadar Évora Łódź"
).split()
_SYLLABLES = "ka re mi to lu sen dor vel na pi gra ston hel mar quin bas ter ol fen ri".split()
_TASKS = (
    "repair the roof before the first frost",
    "order new bricks from the yard by the river",
    "ask the council for a permit",
    "measure the humidity every second morning",
    "copy the old drawings and keep them dry",
    "replace the pump that failed in spring",
    "train two volunteers for the summer season",
    "paint the shutters in the colour that the archive names",
)
_LESSONS = (
    "The mortar needs three days when it rains, so the schedule has to leave room for the weather",
    "Visitors come in the late afternoon, and the morning is free for work that makes noise",
    "The cheapest offer was not the best one, because the transport was not part of it",
    "What was agreed by telephone has to be written down on the same day",
    "Two people with a cart move more in an hour than four without one",
    "The water stands highest in the second week of April and nobody should plan to dig then",
)
_FIRST_DAY = date(2021, 1, 4)


def write_notes(folder: Path, count: int, seed: int = 1) -> list[str]:
    """Write `count` notes under `folder`; their vault-relative paths, in order of writing."""
    paths = []
    for path, text in generate_notes(count, seed):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def generate_notes(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Path and text of each note. The first notes are the same whatever `count` is."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    titles: list[str] = []
    for number in range(count):
        title = _make_title(chance, number)
        day = _FIRST_DAY + timedelta(days=chance.randrange(1800))
        yield f"{day.year}/{title}.md", _write_note(chance, title, day, titles[-40:])
        titles.append(title)


SECTIONS = 10  # of a long note; each is one chunk
_VOCABULARY = 20_000
# They tell which language the notes are in.
_COMMONEST = "the of and to in is was for that with on as by it at".split()
_SENTENCES, _WORDS = (4, 5), (8, 11)
# Headings are of words that are neither in every note nor in hardly any.
_HEADING_RANKS = range(60, 6000)


def write_long_notes(folder: Path, count: int, seed: int = 1) -> None:
    """Write `count` notes of `SECTIONS` headings with a paragraph each under `folder`."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    words = _make_words(chance)
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))  # Zipf's law, as Mandelbrot has it
    for number in range(count):
        title = _make_title(chance, number)
        lines = [f"# {title}"]
        for _ in range(SECTIONS):
            heading = " ".join(words[rank] for rank in chance.sample(_HEADING_RANKS, 3))
            sentences = (
                " ".join(chance.choices(words, cum_weights=weights, k=chance.randint(*_WORDS))).capitalize()
                for _ in range(chance.randint(*_SENTENCES))
            )
            lines += ["", f"## {heading.capitalize()}", f"{'. '.join(sentences)}."]
        target = folder / f"{number // 500}" / f"{title}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _make_words(chance: random.Random) -> list[str]:
    """The commonest first; they are the short ones."""
    made = {"".join(chance.choices(_SYLLABLES, k=chance.choice((2, 3, 3, 4)))) for _ in range(3 * _VOCABULARY)}
    return [*_COMMONEST, *sorted(made, key=lambda word: (len(word) // 3, word))][:_VOCABULARY]


def _make_title(chance: random.Random, number: int) -> str:
    """Unique by its number, which is written in syllables."""
    name = "".join(_SYLLABLES[digit] for digit in _digits(number, len(_SYLLABLES)))
    return f"{name.capitalize()} {chance.choice(_THINGS)}"


def _digits(number: int, base: int) -> list[int]:
    digits = [number % base]
    while number := number // base:
        digits.append(number % base)
    return [*digits, 0] if len(digits) == 1 else digits


def _write_note(chance: random.Random, title: str, day: date, known: list[str]) -> str:
    lead, helper = chance.sample(_NAMES, 2)
    lines = [
        "---",
        f"date: {day.isoformat()}",
        f"tags: [project, {chance.choice(_THINGS)}]",
        "---",
        f"# {title}",
        "",
        f"The {title} stands near {chance.choice(_PLACES)}. {lead} leads the work and {helper} keeps the accounts.",
        "",
        "## Budget",
        f"The budget of the {title} is {chance.randrange(20, 990) * 100} euro, of which "
        f"{chance.randrange(5, 60)} percent go to materials.",
    ]
    if chance.random() < 0.5:
        due = day + timedelta(days=chance.randrange(30, 400))
        lines += ["", "## Next steps", f"- {chance.choice(_TASKS)}", f"- {lead} has to finish by {due.isoformat()}"]
    if chance.random() < 0.4:
        lines += ["", "## Lessons", f"{chance.choice(_LESSONS)}. {helper} noticed it at the {title}."]
    if known and chance.random() < 0.6:
        lines += ["", f"See also [[{chance.choice(known)}]]."]
    return "\n".join(lines) + "\n"
