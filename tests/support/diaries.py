"""A small vault that tells what happened: two projects over spring and autumn, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

_BREAD = (
    (
        "2026-03-02",
        "Decided to feed the sourdough starter twice a day.",
        "Learned that rye makes the starter rise.",
    ),
    (
        "2026-03-03",
        "Fixed the oven thermostat, the sourdough loaf browns evenly now.",
        "We decided to bake on Fridays.",
    ),
    ("2026-05-11", "Learned that a cold proof of 14 hours gives the sourdough loaf a better crumb.", ""),
    ("2026-10-05", "Decided to give up the sourdough starter and to use yeast.", "Learned that yeast saves two hours."),
)
_HEATING = (
    ("2026-03-10", "Wir haben entschieden, eine Wärmepumpe zu kaufen.", "Treffen mit Herrn Brunner zur Wärmepumpe."),
    ("2026-03-11", "Angebot für die Wärmepumpe von Brunner eingeholt.", "Gelernt, dass die Wärmepumpe gefördert wird."),
    (
        "2026-10-20",
        "Die Wärmepumpe wurde repariert, der Fühler war defekt.",
        "Entschieden, sie nachts abzusenken.",
    ),
)


def diary_notes() -> Mapping[str, str]:
    """By path. `Pets.md` tells of nothing that happened."""
    notes = {f"Bread/{day}.md": _note("Bread", day, *said) for day, *said in _BREAD}
    notes |= {f"Heizung/{day}.md": _note("Heizung", day, *said) for day, *said in _HEATING}
    notes["Pets.md"] = "# Pets\n\nA cat is a small animal.\n"
    return notes


def _note(title: str, day: str, *said: str) -> str:
    body = "\n\n".join(sentence for sentence in said if sentence)
    return f"---\ndate: {day}\n---\n# {title} {day}\n\n{body}\n"
