"""Whether a statement is worth keeping for months, by its vector and by what a chat model thinks. Pure.

Both are unsure of much that the other is sure of: their log odds are added (figures in ARCHITECTURE.md, "The memory of
the person").
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite, log

from zibaldone.errors import ModelFailed
from zibaldone.inference.roles import Message

VERDICTS = ("Yes", "No")
# Below this probability by the vector alone nobody is asked; from this one on it is kept where nobody can be asked.
ASKED, SURE = 0.1, 0.9
# What the model's log odds weigh beside the vector's, and the sum from which a statement is kept. One that was doubtful
# (`DOUBTFUL`) is kept when it was said in several conversations.
_MODEL, _KEPT, DOUBTFUL = 2.0, 0.0, -1.0
_CLEAR = 0.001

_SYSTEM = (
    "A person writes to the assistant of their notes. Some sentences are worth keeping for months: facts about the "
    "person and their family, how they want every answer to be, what they are working on these weeks. Orders for this "
    "once, questions, moods, jokes and remarks are not."
)
_SHOTS = (
    ("My sister lives in Oslo.", True),
    ("Shorten the second paragraph, please.", False),
    ("Bitte antworte künftig auf Deutsch.", True),
    ("Ich bin heute so müde.", False),
    ("I'm preparing a talk for May.", True),
    ("haha, good one", False),
    ("Wir haben kein Auto.", True),
    ("Only the dates, no text.", False),
)


def ask_worth(statement: str) -> list[Message]:
    """To be continued by Yes or No."""
    messages = [Message("system", _SYSTEM)]
    for text, answer in _SHOTS:
        messages += [Message("user", text), Message("assistant", VERDICTS[0 if answer else 1])]
    return [*messages, Message("user", statement)]


def log_odds(scores: Sequence[float]) -> float:
    """Of Yes over No.

    Raises:
        ModelFailed: the model gave something else than the log probabilities of two answers.
    """
    if len(scores) != len(VERDICTS) or not all(isfinite(score) and score < _CLEAR for score in scores):
        raise ModelFailed("The chat model gave no usable answer.", "`zib models list` shows others.")
    return scores[0] - scores[1]


def weigh(probability: float, model: float) -> float:
    """Log odds that it is worth keeping; `model` are the chat model's."""
    bounded = min(1 - _CLEAR, max(_CLEAR, probability))
    return log(bounded / (1 - bounded)) + _MODEL * model


def is_worth(log_odds: float) -> bool:
    return log_odds >= _KEPT


def is_doubtful(log_odds: float) -> bool:
    return DOUBTFUL <= log_odds < _KEPT


def confidence(log_odds: float) -> float:
    """What an entry is given: as sure as it was to be kept, and never quite."""
    return min(0.95, max(0.5, 1 / (1 + exp(-log_odds))))
