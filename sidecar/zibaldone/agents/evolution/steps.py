"""Which edits are about the topic and say something else than before: the steps. Pure; likeness comes with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from zibaldone.agents.evolution.edits import Edit, Sentence, Version
from zibaldone.agents.relay.quote import Span, choose_quote, numbers_of

# Nearness to the topic of what is worth a step: not below `LEAST`, nor by more than `FALL` below the nearest of all. 0
# is nothing to do with it, 1 the same in meaning; words in common add up to a half.
LEAST = 0.5
FALL = 0.4
# The side of a change that is less about the topic: a new opinion often shares no word with it.
LEAST_OTHER = 0.35
# From here on two sentences say the same in other words: on the way from "alike" (0) to "identical" (1). Seen with e5
# on what `scripts/evolution.py` writes: changes of mind end at .1, rewordings begin at .5.
SAME = 0.3
# A sentence of which so many words stayed, and that lost or won one of these, is turned round.
STAYED = 0.5
_NEGATIONS = frozenset(
    "not no never none nothing don didn doesn won cannot nicht kein keine keinen keiner nie niemals nichts pas jamais"
    " rien nunca nada mai niente".split()
)
Near = Callable[[Sentence], float]
Alike = Callable[[Sentence, Sentence], float]


@dataclass(frozen=True, slots=True)
class Side:
    """A quote of a version; `sentence` is the one of it that is nearest to the topic."""

    version: Version
    quote: Span
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Step:
    """`near` is its nearness to the topic."""

    edit: Edit
    before: Side | None
    after: Side | None
    near: float


def find_steps(edits: Sequence[Edit], near: Near, alike: Alike) -> list[Step]:
    """The edits as steps, the oldest first.

    Args:
        near: how near a sentence is to the topic.
        alike: how alike two sentences are (see `SAME`).
    """
    best = max((near(one) for edit in edits for one in (*edit.before, *edit.after)), default=0.0)
    least = max(LEAST, best - FALL)
    steps: list[Step] = []
    for edit in _join_moved(edits):
        before = _side(edit.was, edit.before, near)
        after = _side(edit.now, edit.after, near)
        sides = [near(side.sentence) for side in (before, after) if side]
        if max(sides) < least:
            continue
        if min(sides) < LEAST_OTHER:  # what it gave way to is about something else
            before, after = [side if side and near(side.sentence) >= least else None for side in (before, after)]
        if before and after and says_the_same(before.sentence, after.sentence, alike):
            continue
        steps.append(Step(edit, before, after, max(sides)))
    return steps


def says_the_same(one: Sentence, other: Sentence, alike: Alike) -> bool:
    """Whether only the words differ: not where figures do, where all stayed but one thing in another's place, nor where
    a sentence became its contrary."""
    if numbers_of(one.span.text) != numbers_of(other.span.text):
        return False
    places = SequenceMatcher(None, one.key, other.key, autojunk=False).get_opcodes()
    if [kind for kind, *_ in places if kind != "equal"] == ["replace"] and len(places) > 1:
        return False
    stayed = 2 * (Counter(one.key) & Counter(other.key)).total() / (len(one.key) + len(other.key))
    if stayed >= STAYED and bool(_NEGATIONS & set(one.key)) != bool(_NEGATIONS & set(other.key)):
        return False
    return alike(one, other) >= SAME


def _join_moved(edits: Sequence[Edit]) -> Iterable[Edit]:
    """What went from one note and came in another in the same commit, both alone there, is one edit."""
    rest = list(edits)
    for edit in edits:
        if edit.after or edit not in rest:
            continue
        came = [
            other
            for other in rest
            if other.now.commit == edit.now.commit and not other.before and other.now.path != edit.now.path
        ]
        if len(came) == 1:
            rest[rest.index(came[0])] = Edit(edit.was, came[0].now, edit.before, came[0].after)
            rest.remove(edit)
    return rest


def _side(version: Version | None, sentences: Sequence[Sentence], near: Near) -> Side | None:
    if version is None or not sentences:
        return None
    scores = [near(one) for one in sentences]
    nearest = sentences[scores.index(max(scores))]
    section = [one for one in sentences if one.trail == nearest.trail]
    quote = choose_quote([one.span for one in section], [near(one) for one in section])
    assert quote is not None
    return Side(version, quote, nearest)
