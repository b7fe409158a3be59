"""Questions that no single passage answers: what something is about, what happened in a time, how a view changed. Pure;
told by their words, never by a model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from zibaldone.schemas.search import Level

BroadKind = Literal["themes", "period", "change"]
LEVELS: dict[BroadKind, Level] = {"themes": "concept", "period": "episode", "change": "concept"}

_THEME = (
    r"(?:(?:main|big|common|central|recurring|key|important|current|overarching|biggest|broad|general) )*"
    r"(?:themes|topics|concepts|subjects|threads|big ideas)"
)
_THEMA = (
    r"(?:(?:wichtigsten?|wichtigste|großen?|zentralen?|häufigsten?|wiederkehrenden?|aktuellen?|roten?) )*"
    r"(?:themen|konzepte|schwerpunkte|fäden)"
)
_OWN = r"(?:my|our|the|all|these|this|meine[rnms]?|unsere[rnms]?|der|den|dem|die|das|all(?:er|en)?) "
_KEPT = r"(?:notes?|vault|writing|journal|diary|notebooks?|life|notizen|tagebuch|aufzeichnungen|leben|texte[nr]?)"
_VIEW = (
    r"(?:view|views|opinion|opinions|thinking|mind|stance|take|understanding|attitude|approach|beliefs?|thoughts?"
    r"|sicht|blick|ansicht|meinung|haltung|denken|einstellung|verständnis|überzeugung)"
)
_OF = r"(?:of|on|about|towards?|to|regarding)"
_AUF = r"(?:auf|von|über|zu|zum|zur|bezüglich)"
_THEMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bwhat (?:are|were|is|was) (?:{_OWN})?{_THEME}\b(?P<rest>.*)",
        rf"\b(?:which|what) {_THEME} (?:do|does|did|are|run|come|keep|occupy|have|appear|show|recur)\b(?P<rest>.*)",
        rf"\b(?:list|name|summari[sz]e|show|give) (?:me )?(?:{_OWN})?{_THEME}\b(?P<rest>.*)",
        r"\bwhat (?:have i been|am i|was i|are we|have we been) (?:mostly |mainly )?(?:thinking|writing)"
        r"(?: mostly| mainly)? about\b(?P<rest>.*)",
        rf"\bwhat (?:is|are) (?:all )?(?:my|our|these) {_KEPT} (?:all |mostly |mainly )?about\b(?P<rest>.*)",
        rf"\b(?:was|welche[s]?) (?:sind|waren|ist|war) (?:{_OWN})?{_THEMA}\b(?P<rest>.*)",
        rf"\b(?:welche|was für) {_THEMA} (?:gibt|kommen|ziehen|beschäftigen|tauchen|habe|hat|stehen|prägen)\b"
        r"(?P<rest>.*)",
        rf"\b(?:nenne?|zeige?|liste?) (?:mir )?(?:{_OWN})?{_THEMA}\b(?P<rest>.*)",
        rf"\bworum (?:geht|ging) es (?:in|bei) (?:{_OWN})?{_KEPT}(?P<rest>.*)",
        r"\b(?:worüber|was) (?:habe|hatte) ich (?:am meisten |viel )?(?:nachgedacht|geschrieben)\b(?P<rest>.*)",
        r"\bwomit (?:habe|hatte|haben|hatten) (?:ich mich|wir uns) (?:vor allem |am meisten |viel |hauptsächlich )?"
        r"(?:beschäftigt|befasst)\b(?P<rest>.*)",
    )
)
_PERIOD = re.compile(
    r"\bwhat (?:did|have|had) (?:i|we) (?:do|done|did|work(?:ed)? on|get done|finish(?:ed)?|achieved?"
    r"|decide[d]?|learn(?:ed|t)?)\b|\bwhat (?:happened|went on|was going on)\b"
    r"|\bwhat was (?:i|we) (?:doing|working on|up to|busy with)\b|\bsummari[sz]e what (?:i|we) (?:did|have done)\b"
    r"|\bwhat were we (?:doing|working on|up to)\b"
    r"|\bwas (?:habe ich|haben wir|hab ich)\b.*"
    r"\b(?:gemacht|getan|geschafft|erledigt|gearbeitet|entschieden|gelernt|erreicht)\b"
    r"|\bwomit (?:war ich|waren wir)\b.*\bbeschäftigt\b"
    r"|\bwas (?:ist|war) .*\b(?:passiert|geschehen|los)\b|\bwas (?:machte ich|machten wir|passierte|geschah)\b"
    r"|\bworan (?:habe ich|haben wir) .*gearbeitet\b",
    re.IGNORECASE,
)
_CHANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bwhat (?:has |have |had )?changed (?:in|about|with) (?:my|our) {_VIEW} {_OF} (?P<topic>.+)",
        rf"\bhow (?:has|have|did) (?:my|our) {_VIEW} {_OF} (?P<topic>.+?) "
        r"(?:changed?|evolved?|developed?|shift(?:ed)?|moved?)\b",
        rf"\bhow (?:has|have|did) (?:my|our) {_VIEW} (?:changed?|evolved?|developed?|shift(?:ed)?|moved?) "
        r"{_OF} (?P<topic>.+)",
        r"\b(?:did|have) (?:i|we) changed? (?:my|our) minds? (?:on|about) (?P<topic>.+)",
        r"\bwhat do (?:i|we) (?:see|think) differently (?:about|of|on) (?P<topic>.+?)(?: now| today| these days)?\W*\Z",
        r"\bwas (?:sehe|denke|sehen|denken) (?:ich|wir) (?:bei|über|zu) (?P<topic>.+?)"
        r" (?:heute |jetzt |inzwischen )?anders\b",
        r"\b(?:habe ich|haben wir) (?:meine|unsere) (?:meinung|ansicht) (?:zu|zum|zur|über) (?P<topic>.+?)"
        r" (?:geändert|gewechselt)\b",
        rf"\bwas hat sich an (?:meiner|unserer|meinem|unserem) {_VIEW} {_AUF} (?P<topic>.+?)"
        r" (?:geändert|verändert|gewandelt)\b",
        rf"\bwie hat sich (?:meine?|unsere?) {_VIEW} {_AUF} (?P<topic>.+?)"
        r" (?:geändert|verändert|gewandelt|entwickelt)\b",
    )
)
# Words between "themes" and what they are of, and such as only say "of all".
_FILLER = frozenset(
    """
    of in from about on for within across throughout running run through over up come comes do did does are is there i
    we
    me us write wrote written think thought work worked keep keeps occupy most often lately recently now currently
    von in im aus bei zu zum zur durch über vor auf es gibt kommen ziehen sich ich wir mich mir uns habe haben hat
    gerade zurzeit derzeit immer wieder am meisten the my our all these this der die das den dem meine meinen meiner
    meinem
    unsere unseren notes note vault vaults writing journal diary notebook notebooks life notizen tagebuch aufzeichnungen
    leben texte texten
    """.split()
)
_OUTER = " \t?!.,;:\"'“”„«»"


@dataclass(frozen=True, slots=True)
class Broad:
    """`topic` is what it is about, in its own words; empty: everything."""

    kind: BroadKind
    topic: str = ""

    @property
    def level(self) -> Level:
        return LEVELS[self.kind]


def find_broad(question: str, *, has_time: bool) -> Broad | None:
    """The question comes without the days that it names, if it does (`has_time`): without them "what did I do" asks for
    something in particular."""
    text = " ".join(question.split())
    for pattern in _CHANGES:
        if match := pattern.search(text):
            return Broad("change", match["topic"].strip(_OUTER))
    for pattern in _THEMES:
        if match := pattern.search(text):
            return Broad("themes", _topic(match["rest"]))
    if has_time and _PERIOD.search(text):
        return Broad("period")
    return None


def _topic(rest: str) -> str:
    """What the themes are asked of; nothing where that is the notes as a whole."""
    words = rest.strip(_OUTER).split()
    while words and words[0].casefold().strip(_OUTER) in _FILLER:
        words.pop(0)
    while words and words[-1].casefold().strip(_OUTER) in _FILLER:
        words.pop()
    return " ".join(words).strip(_OUTER)
