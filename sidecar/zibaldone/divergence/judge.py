"""What the model is asked of two claims: whether both can be true. Pure.

Small models lean to one label whatever the pair, so the verdict is taken against what the same prompt gives for a pair
of sentences that have nothing to do with each other (Zhao et al., Calibrate before use, 2021).
"""

from __future__ import annotations

from collections.abc import Sequence

from zibaldone.divergence.contradict import Candidate, Claim
from zibaldone.domain.markup import hide_addresses
from zibaldone.inference.roles import Message

VERDICTS = ("Yes", "No")
# Log odds above those of the neutral pair at which a pair of alike sentences disagrees as likely as not, how much each
# one more counts, and how much the model may say against what code can see.
_EVEN, _WEIGHT, _MOST = 2.0, 1.5, 2.0

_SYSTEM = "You compare two statements from a person's notes. Answer Yes if they contradict each other, else No."
_EXAMPLES = (
    ("The bakery on Mill Street opens at 7.", "Mill Street's bakery does not open before 9.", "Yes"),
    ("Rosa keeps two goats behind the barn.", "There are a pair of goats at Rosa's farm.", "No"),
    ("Der Zug nach Bern fährt von Gleis 4.", "Gleis 11 ist das für den Zug nach Bern.", "Yes"),
    ("Pump A delivers 40 litres a minute.", "Pump B delivers 55 litres a minute.", "No"),
)
_NEUTRAL = ("It is so.", "It is so.")


def judge_messages(a: str, b: str) -> list[Message]:
    """To be continued by one of `VERDICTS`."""
    messages = [Message("system", _SYSTEM)]
    for first, second, verdict in _EXAMPLES:
        messages += [Message("user", _ask(first, second)), Message("assistant", verdict)]
    return [*messages, Message("user", _ask(a, b))]


def candidate_messages(candidate: Candidate) -> list[Message]:
    return judge_messages(_said(candidate.a), _said(candidate.b))


def neutral_messages() -> list[Message]:
    return judge_messages(*_NEUTRAL)


def read_verdict(scores: Sequence[float], neutral: Sequence[float]) -> float:
    """Log odds, bounded, that the two disagree.

    Args:
        scores: the model's log probabilities of `VERDICTS`; `neutral` are those for `neutral_messages`.
    """
    verdict = _WEIGHT * ((scores[0] - scores[1]) - (neutral[0] - neutral[1]) - _EVEN)
    return max(-_MOST, min(_MOST, verdict))


def _ask(a: str, b: str) -> str:
    return f"A: {a}\nB: {b}\nDo A and B contradict each other?"


def _said(claim: Claim) -> str:
    text = " ".join(hide_addresses(claim.sentence.text).split())[:400]
    return f"({claim.sentence.title}) {text}"
