"""What the chat model may be asked of a sentence about which the examples leave doubt: if it tells of an event. Pure.

Its answer is not written but weighed: the probabilities of Yes and No as the next word, as log odds added to those of
the examples. So nothing that it returns can be unreadable or invented, and it cannot overrule what is clear. Which kind
of event it is, the examples tell better (figures in ARCHITECTURE.md, "Events").
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from zibaldone.hierarchy.events.classify import Opinion
from zibaldone.hierarchy.events.sentences import Sentence
from zibaldone.hierarchy.events.shapes import NONE
from zibaldone.inference.roles import Message

LABELS = ("Yes", "No")
# Part of the key under which an opinion is kept: another prompt is another opinion.
PROMPT_VERSION = 1
# Probabilities of an event between which a sentence is in doubt.
_DOUBT = (0.15, 0.9)
# How much the model's log odds count: by the doubtful ones of the examples, each judged by the others.
_WEIGHT = 0.3
_MOST_CHARS = 400

_SYSTEM = (
    "You read one line of a person's notes. Answer Yes if it tells of one particular thing that was decided, learned,"
    " repaired, changed or talked over, or that somebody has to do. Answer No if it is a general statement, a rule, an"
    " instruction to anybody, a question, a list item, a mood or a hope."
)
_EXAMPLES = (
    ("We are taking the flat in Mill Street.", "Yes"),
    ("Most readers skip the second page.", "No"),
    ("Beim Umtopfen gemerkt, dass die Wurzeln faulen.", "Yes"),
    ("A decision needs a date.", "No"),
    ("The radio plays again, it was the fuse.", "Yes"),
    ("Milch und Eier", "No"),
    ("Rechnung an Herrn Sommer schicken", "Yes"),
    ("If it rains, the match is moved to the hall.", "No"),
    ("Der Chor probt jetzt dienstags statt freitags.", "Yes"),
    ("Man könnte die Wand auch streichen.", "No"),
    ("Ruth was here, we looked at the plans.", "Yes"),
    ("Replace the battery once a year.", "No"),
)


def is_doubtful(opinion: Opinion) -> bool:
    return _DOUBT[0] <= 1 - opinion[NONE] < _DOUBT[1]


def event_messages(sentence: Sentence) -> list[Message]:
    """To be continued by one of `LABELS`."""
    messages = [Message("system", _SYSTEM)]
    for example, verdict in _EXAMPLES:
        messages += [Message("user", example), Message("assistant", verdict)]
    return [*messages, Message("user", sentence.said[:_MOST_CHARS])]


def weigh_verdict(opinion: Opinion, scores: Sequence[float]) -> Opinion:
    """The opinion with the model's; the kinds keep their shares.

    Args:
        scores: the model's log probabilities of `LABELS`.
    """
    told = 1 - opinion[NONE]
    odds = math.log(told / opinion[NONE]) + _WEIGHT * (scores[0] - scores[1])
    share = 1 / (1 + math.exp(-odds))
    return {kind: 1 - share if kind == NONE else value * share / told for kind, value in opinion.items()}
