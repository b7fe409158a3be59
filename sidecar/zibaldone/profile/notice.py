"""What a message says about its writer: the statements in it that may be worth keeping. Pure.

Only the person's own words of this message count. What they paste, quote or report is somebody's text, whatever it
says; a question is no statement. Which of the statements are kept is for `classify` to tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zibaldone.profile.classify import is_lasting

MOST_CHARS = 300
_LEAST_WORDS = 3
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Neither `!=` nor an embed or an image of Markdown.
_EXPLICIT = re.compile(r"[ \t]*[!！](?![!！=]|\[\[|\[[^\]]*\]\()[ \t]*(?P<text>.*\w.*)")
_LITERAL = re.compile(r"([ \t]*)[!！]([!！])")
_QUOTED_LINE = re.compile(r"[ \t]*(?:>|\|)")
# Quotations of more than three words.
_QUOTED = re.compile(r"[\"“„«»”]([^\"“”„«»]*)[\"“”«»]|(?<!\w)['‘‚]([^'’‘‚]*)['’‘](?!\w)|「([^」]*)」|『([^』]*)』")
# Not after the number of a day: "am 3. Mai".
_END = re.compile(
    r"(?<=[.!?。！？…])(?!(?<=\d\.)\s+(?:[a-zäöü]|(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober"
    r"|November|Dezember)\b))(?:\s+|(?<=[。！？]))|[;；]\s*|\s+[–—]\s+|\n+"
)
_FILLER = re.compile(
    r"(?:by the way|btw|oh|ah|also|well|so|ok(?:ay)?|übrigens|ach(?: ja)?|na ja|au fait|por cierto)"
    r"\b[,:]?\s+(?=\S)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\W*\Z")
# Where words are not set apart, each character counts as one.
# What shows a text to the assistant, how letters begin, and how they end.
_SHOWS = re.compile(
    r"\b(?:here(?:'s|’s| is| are| comes)|below is|see below|pasted|copied (?:from|below)|forwarded|word for word"
    r"|hier (?:ist|sind|kommt|mal|der|die|das|ein|eine)|siehe unten|abgetippt|kopiert|eingefügt|weitergeleitet|anbei"
    r"|im wortlaut|voici|ci-dessous|copié|aquí (?:está|va|tienes)|copiado|ecco|incollato|hieronder|geplakt)\b",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"[ \t]*(?:dear|liebe[rs]?|sehr geehrte[rs]?|hallo zusammen|cher|chère|estimad[oa]s?|querid[oa]s?|gentile|geachte)"
    r"\s+\w[^.!?]{0,60},",
    re.IGNORECASE,
)
_SIGNS = re.compile(
    r"[ \t]*(?:kind(?:est)? regards|(?:with )?best (?:regards|wishes)|yours (?:sincerely|faithfully|truly)"
    r"|mit (?:freundlichen|besten|herzlichen) gr[üu](?:ß|ss)en|(?:viele|liebe|beste|herzliche) gr[üu](?:ß|ss)e|mfg"
    r"|cordialement|bien à vous|saludos|atentamente|cordiali saluti|met vriendelijke groet)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]|\w+")
_INTRODUCES = re.compile(r"[:：]\W*\Z")


# What points back to the sentence before it.
_POINTS_BACK = re.compile(r"(?:that|this|das|dies|ça|esto|eso|questo|dat|dit)\b(?:'s)?\s", re.IGNORECASE)
# An order for the notes, which is for this once unless it says that it is to last.
_ORDER = re.compile(
    r"(?:(?:please|bitte|and|und|then|dann|now|jetzt|ok|okay)[,:]?\s+)*"
    r"(?:find|search|look|show|list|make me|give me|get me|read|translate|summari[sz]e|copy|draft|open|compare|check"
    r"|count|suche?|finde|zeige?|mach mir|gib mir|lies|fasse?|übersetze?|kopiere?|öffne|vergleiche?|schaue?|erstelle?"
    r"|liste|zähle?|cherche|trouve|montre|résume|traduis|donne-moi|busca|encuentra|muestra|resume|traduce|dame"
    r"|cerca|trova|mostra|riassumi|traduci|dammi|zoek|vind|toon|vat)\b",
    re.IGNORECASE,
)
# Before what a question asks about it, somebody may say why they ask.
_REASON = re.compile(
    r"(?P<said>.+?)(?:[:：]|\s[–—-]|,?\s+(?:so|also|daher|deshalb|darum|donc|alors|as[ií] que|quindi|dus|então))\s+"
    r"\S.*[?？]\W*\Z",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Message:
    """`explicit` are what the person wants remembered, `text` is the rest of the message, as it is to be answered."""

    explicit: tuple[str, ...]
    text: str


def part_message(message: str) -> Message:
    """Lines that start with `!` are orders to remember; `!!` stands for a `!`. Not in code, quotations or what was
    pasted: where a line introduces a text, an order counts only if nothing but orders follows it."""
    explicit: list[str] = []
    left: list[str] = []
    fenced = [(match.start(), match.end()) for match in _FENCE.finditer(message)]
    lines = message.splitlines(keepends=True)
    pasted = _pasted_from(lines)
    position = 0
    for number, line in enumerate(lines):
        inside = number >= pasted or any(start <= position < end for start, end in fenced)
        position += len(line)
        order = None if inside else _EXPLICIT.match(line)
        if order:
            explicit.append(order["text"].strip())
        else:
            left.append(line if inside else _LITERAL.sub(r"\1\2", line, count=1) if _LITERAL.match(line) else line)
    return Message(tuple(explicit), "".join(left).strip())


def own_words(text: str) -> str:
    """Without what was pasted: code, quotations, and all that follows a line that introduces it."""
    lines = _FENCE.sub("\n", text).splitlines()
    own = [line for line in lines[: _pasted_from(lines)] if not _QUOTED_LINE.match(line)]
    return _QUOTED.sub(lambda match: match[0] if len(_WORD.findall(match[0])) <= 3 else "…", "\n".join(own))


def find_statements(text: str) -> list[str]:
    """Sentences of the person's own that state something; of a question, what is said before it."""
    sentences: list[str] = []
    for part in filter(None, (part.strip(" \t-–—*•,") for part in _END.split(own_words(text)))):
        if sentences and _POINTS_BACK.match(part) and not _QUESTION.search(sentences[-1]):
            sentences[-1] += f" {part}"
        else:
            sentences.append(part)
    stated = (_stated(sentence) for sentence in sentences)
    return [
        sentence
        for sentence in stated
        if sentence
        and (is_lasting(sentence) or not _ORDER.match(sentence))
        and "…" not in sentence
        and len(_WORD.findall(sentence)) >= _LEAST_WORDS
        and len(sentence) <= MOST_CHARS
    ]


def _stated(sentence: str) -> str:
    if _QUESTION.search(sentence):
        reason = _REASON.match(sentence)
        return reason["said"].strip() if reason else ""
    if _INTRODUCES.search(sentence):
        return ""
    filler = _FILLER.match(sentence)
    return sentence[filler.end() :] if filler else sentence


def _pasted_from(lines: Sequence[str]) -> int:
    """The number of the first line that somebody else may have written: after one that introduces or shows a text, from
    a letter's greeting on, and in a message with a letter's end all but its first paragraph."""
    signed = any(_SIGNS.match(line) for line in lines)
    for number, line in enumerate(lines):
        if _GREETS.match(line) and (number or signed):
            return number
        rest = [one for one in lines[number + 1 :] if one.strip()]
        introduces = _INTRODUCES.search(line) or (_SHOWS.search(line) and rest)
        if introduces and not _EXPLICIT.match(line) and not all(_EXPLICIT.match(one) for one in rest):
            return number + 1
        if signed and not line.strip():
            return number
    return len(lines)
