"""Whether a model can be asked at all: pairs of questions whose answers are known. Pure.

A model that says Yes to everything, or anything at random, would keep chatter and merge what has nothing to do with
each other. Only which of two it thinks likelier is looked at, so that a lean of the model is no matter. (Whether two
statements can both hold is not probed: a small model that is right about the other two may be wrong about that.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zibaldone.errors import ModelFailed
from zibaldone.inference.roles import Message
from zibaldone.profile.relate import ask_relation
from zibaldone.profile.worth import ask_worth


class Probe(NamedTuple):
    """Two prompts; Yes is the answer to the first, No to the second."""

    likely: Sequence[Message]
    unlikely: Sequence[Message]


WORTH_PROBES = (Probe(ask_worth("My brother lives in Ghent."), ask_worth("haha, thanks a lot!")),)

_CAT, _MIA, _POST = "I have a cat called Mia.", "My cat is called Mia.", "I work at the post office."
RELATION_PROBES = (
    Probe(ask_relation(_CAT, _MIA).same, ask_relation(_CAT, _POST).same),
    Probe(
        ask_relation("I live in Ghent.", "I have moved from Ghent to Lyon.").untrue, ask_relation(_CAT, _POST).untrue
    ),
)


# The second is nearer to the first than the third is.
NEARNESS_PROBE = (_CAT, _MIA, _POST)


def check_probe(likely: float, unlikely: float) -> None:
    """
    Args:
        likely: log odds of Yes to a probe's first prompt, and `unlikely` to its second; or how near two texts are.

    Raises:
        ModelFailed: the model does not tell them apart.
    """
    if not likely > unlikely:
        raise ModelFailed(
            "The model does not tell statements apart that have nothing to do with each other.",
            "`zib models list` shows others.",
        )
