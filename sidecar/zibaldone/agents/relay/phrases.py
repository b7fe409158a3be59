"""The few fixed sentences of an answer, in the language of the question where we have it."""

from __future__ import annotations

from zibaldone.domain.words import fold

_GERMAN = frozenset(
    fold(
        "der die das und ist sind ich du wir mich mir dich dir mein meine dein deine wie was wo wann wer warum welche"
        " welcher welches wieviel nicht mit von für zum zur im den dem ein eine einen hat habe haben weißt wird werden"
        " über auf aus bei oder nach soll kann an am es diese dieser diesem diesen dieses heute morgen"
    ).split()
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
    "remembered": {"en": "Remembered:", "de": "Gemerkt:"},
    "known": {"en": "I know that already:", "de": "Das weiß ich schon:"},
    "instead": {"en": "instead of", "de": "statt"},
    "conflict": {
        "en": "It contradicts what you told me expressly, so both stay until you say which is right:",
        "de": "Das widerspricht dem, was du ausdrücklich gesagt hast; beides bleibt, bis du sagst, was stimmt:",
    },
    "unsure_user": {
        "en": "I took it as a fact about you; say so if it is something else.",
        "de": "Ich nehme es als Tatsache über dich; sag Bescheid, wenn es etwas anderes ist.",
    },
    "unsure_feedback": {
        "en": "I took it as a wish for how I answer; say so if it is something else.",
        "de": "Ich nehme es als Wunsch, wie ich antworten soll; sag Bescheid, wenn es etwas anderes ist.",
    },
    "unsure_context": {
        "en": "I took it as what you are at now, which fades in two weeks; say so if it is to stay.",
        "de": "Ich nehme es als das, was dich gerade beschäftigt; in zwei Wochen verblasst es, wenn du nichts sagst.",
    },
    "kind_user": {"en": "About you", "de": "Über dich"},
    "kind_feedback": {"en": "How you like things done", "de": "Wie du es gern hast"},
    "kind_context": {"en": "What you are at", "de": "Was dich gerade beschäftigt"},
    "know_nothing": {
        "en": "I remember nothing about you yet. Begin a line with ! to have me remember it.",
        "de": "Ich habe mir noch nichts über dich gemerkt. Beginne eine Zeile mit !, dann merke ich sie mir.",
    },
    "waiting": {"en": "This waits for your approval:", "de": "Das wartet auf deine Zustimmung:"},
    "nothing_waits": {"en": "Nothing waits for your approval.", "de": "Nichts wartet auf deine Zustimmung."},
    "run_done": {"en": "I went through my memory of you:", "de": "Ich bin mein Gedächtnis durchgegangen:"},
    "run_nothing": {
        "en": "The memory is in order; nothing changed.",
        "de": "Das Gedächtnis ist in Ordnung; nichts geändert.",
    },
    "run_partial": {"en": "Left for the next run:", "de": "Für den nächsten Lauf bleibt:"},
    "overview": {
        "en": "From the memory of your vault, in your own words:",
        "de": "Aus dem Gedächtnis deines Vaults, mit deinen eigenen Worten:",
    },
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
