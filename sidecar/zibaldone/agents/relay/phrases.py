"""The few fixed sentences of an answer, in the language of the question where we have it."""

from __future__ import annotations

from zibaldone.domain.words import fold

_GERMAN = frozenset(
    "der die das und ist sind ich wir mein meine wie was wo wann wer warum welche welcher welches wieviel nicht mit von"
    " für zum zur im den dem ein eine einen hat habe haben wird werden über auf aus bei oder nach soll kann".split()
)
_ENGLISH = frozenset(
    "the and is are i we my how what where when who why which not with of for to in a an has have will on from by or"
    " after should can does did do it was were that this".split()
)

_PHRASES = {
    "nothing": {
        "en": "I found nothing in your notes that answers this.",
        "de": "In deinen Notizen habe ich nichts gefunden, das diese Frage beantwortet.",
    },
    "insufficient": {
        "en": "Your notes touch on this, but none of the passages that I read holds the answer.",
        "de": "Deine Notizen berühren das Thema, aber keine der gelesenen Stellen enthält die Antwort.",
    },
    "unsupported": {
        "en": "I could not back an answer by the words of your notes, so I give none.",
        "de": "Eine Antwort ließ sich nicht mit dem Wortlaut deiner Notizen belegen, deshalb gebe ich keine.",
    },
    "closest": {"en": "The closest passages:", "de": "Am nächsten kommen:"},
    "passages": {"en": "The best passages from your notes:", "de": "Die besten Stellen aus deinen Notizen:"},
}


def say(phrase: str, language: str) -> str:
    return _PHRASES[phrase][language]


def guess_language(text: str) -> str:
    """`de` or `en`, by function words; English where neither speaks for itself."""
    words = fold(text).replace("?", " ").split()
    german = sum(word in _GERMAN for word in words)
    english = sum(word in _ENGLISH for word in words)
    return "de" if german > english else "en"
