"""The parts of a question that asks for several things. Pure."""

from __future__ import annotations

import re

_ASKING = (
    "who|whom|whose|what|when|where|which|why|how|is|are|did|does|do|was|were|at what|in which|for how|to whom|by whom"
    "|wer|wen|wem|wessen|was|wann|wo|woher|wohin|welche[rnms]?|warum|wieso|wie|womit|wozu|wofür|ab wann|um wie|bis wann"
    "|quién|qué|cuándo|dónde|cuál|cuánto|cuántos|cómo|por qué|qui|que|quand|où|quel|quelle|combien|comment|pourquoi"
)
_JOINT = re.compile(
    rf"\?\s+(?=\S)|(?:,\s*|\s+)(?:and|und|sowie|y|e|et)\s+(?=(?:{_ASKING})\b)|,\s+(?=(?:{_ASKING})\b)", re.IGNORECASE
)
_ASKS = re.compile(rf"\W*(?:{_ASKING})\b", re.IGNORECASE)
_LEAST_WORDS = 2
MOST_PARTS = 4


_YES_OR_NO = re.compile(
    r"\W*(?:is|are|am|was|were|do|does|did|can|could|may|should|will|would|has|have|had"
    r"|ist|sind|bin|war|waren|hat|habe|haben|hatte|kann|können|darf|soll|sollte|wird|gibt|muss"
    r"|est-ce|es|son|hay|puede|tiene)\b",
    re.IGNORECASE,
)


def wants_yes_or_no(question: str) -> bool:
    """Whether a question begins as one does that yes or no answers."""
    return bool(_YES_OR_NO.match(question))


def split_question(question: str) -> list[str]:
    """The parts of a question in its own words; a single part where it asks for one thing.

    A part is cut only before a question word, so that "bees and wasps" stays whole, and what leads up to the first
    question word ("In the morning, when ...") stays with it. A remark after the question is no part.
    """
    pieces = [piece.strip(" ,;?") for piece in _JOINT.split(question)]
    if not _ASKS.match(pieces[0]):
        return [question]
    parts = [piece for piece in pieces if len(piece.split()) >= _LEAST_WORDS and not piece.endswith((".", "!"))]
    return parts[:MOST_PARTS] if len(parts) > 1 else [question]
