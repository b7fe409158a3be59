"""A concept's name by a model: what it is asked, and what of its answer is a name. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from zibaldone.hierarchy.naming import is_name, shorten

# As many of the most central titles as CrossModalRAG shows.
SHOWN = 8
TASK = (
    "You name a topic. You are given lines from somebody's notes that are about one thing. Answer with the topic's name"
    " alone: two to five words, a noun phrase, in the language of the lines."
)
EXAMPLES = (
    (
        (
            "Decided to feed the starter twice a day",
            "The rye loaf came out too dense",
            "Learned that a longer proof gives a better crumb",
        ),
        "Sourdough baking",
    ),
    (
        (
            "Angebot für die Wärmepumpe eingeholt",
            "Der Heizungsbauer kommt am Montag",
            "Förderung für den Heizungstausch beantragt",
        ),
        "Neue Heizung",
    ),
)


def show_titles(titles: Sequence[str]) -> str:
    return "\n".join(f"- {shorten(title)}" for title in titles[:SHOWN])


def read_name(answer: str, taken: Collection[str]) -> str | None:
    """The name in an answer; None where there is none, or another concept has it (`taken`, folded)."""
    line = answer.strip().splitlines()[0] if answer.strip() else ""
    name = " ".join(line.strip(" \"'“”„*`-.").split())
    return name if is_name(name, taken) else None
