"""What a recall card asks and answers: a model's where that stands in the evidence, or else without one. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from zibaldone.domain.language import is_function_word
from zibaldone.domain.lexicon import DEFAULT_LANGUAGE, document_terms, text_language
from zibaldone.domain.words import STOP_WORDS, index_terms

# CrossModalRAG's: characters of evidence that a model is shown, and of the excerpt without one.
SHOWN_CHARS, EXCERPT_CHARS = 4000, 220
TASK = (
    "You write one flash card from somebody's own notes, in the language of the notes. First a question that can be"
    " answered from the notes, naming what it is about; then the answer, one sentence, in the words of the notes."
)
EXAMPLES = (
    (
        "Topic: Sourdough baking\n\nThe rye loaf came out too dense. Learned that 14 hours of cold proof give a better"
        " crumb than 8.",
        "Question: How long should the rye loaf proof in the cold?\nAnswer: 14 hours of cold proof give a better crumb"
        " than 8.",
    ),
    (
        "Topic: Neue Heizung\n\nWir haben uns für die Wärmepumpe von Brunner entschieden, weil sie leiser ist.",
        "Question: Für welche Wärmepumpe haben wir uns entschieden, und warum?\nAnswer: Wir haben uns für die"
        " Wärmepumpe von Brunner entschieden, weil sie leiser ist.",
    ),
)
_FORM = re.compile(r"\s*Question:\s*(?P<question>[^\n]{8,200}[?？])\s*\n\s*Answer:\s*(?P<answer>[^\n]{4,300})")
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
# What a card asks without a model, by the language of the notes; English for others.
_ASKED = {
    "german": "Woran erinnerst du dich bei: {title}?",
    "english": "What do you remember about: {title}?",
    "spanish": "¿Qué recuerdas de: {title}?",
    "french": "De quoi te souviens-tu au sujet de : {title} ?",
    "italian": "Che cosa ricordi di: {title}?",
    "dutch": "Wat herinner je je over: {title}?",
    "portuguese": "O que você lembra sobre: {title}?",
}
# The part of the answer's own words that have to stand in the evidence.
_LEAST_HELD = 0.85


class CardText(NamedTuple):
    question: str
    answer: str


def show_evidence(title: str, passages: Sequence[str]) -> str:
    """What a model is shown: the passages, the first of them first, cut at `SHOWN_CHARS`."""
    body = "\n\n".join(passage.strip() for passage in passages)
    return f"Topic: {title}\n\n{body[:SHOWN_CHARS]}"


def read_card(output: str, passages: Sequence[str]) -> CardText | None:
    """None where the form is another one, or the answer says what the passages do not."""
    match = _FORM.match(output)
    if match is None:
        return None
    card = CardText(" ".join(match["question"].split()), " ".join(match["answer"].split()))
    return card if is_held(card.answer, "\n".join(passages)) else None


def is_held(answer: str, evidence: str) -> bool:
    """Whether all figures of an answer and nearly all of its words stand in the evidence."""
    if not {*_FIGURE.findall(answer)} <= {*_FIGURE.findall(evidence)}:
        return False
    language = text_language(evidence)
    known = {*document_terms(evidence, language), *index_terms(evidence)}
    words = [word for word in index_terms(answer) if word not in STOP_WORDS and not is_function_word(word, language)]
    held = sum(word in known or not known.isdisjoint(document_terms(word, language)) for word in words)
    return bool(words) and held >= _LEAST_HELD * len(words)


def plain_card(title: str, quotes: Sequence[str]) -> CardText:
    """Without a model: what is remembered of it, and the beginning of what stands there, verbatim."""
    excerpt = " ".join(" ".join(quote.split()) for quote in quotes)
    if len(excerpt) > EXCERPT_CHARS:
        head = excerpt[:EXCERPT_CHARS]
        excerpt = f"{head.rpartition(' ')[0] or head}…"
    asked = _ASKED.get(text_language(excerpt), _ASKED[DEFAULT_LANGUAGE])
    return CardText(asked.format(title=title), excerpt)
