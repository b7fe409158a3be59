"""What a question of a conversation leans on, and the text by which it is searched. Pure; words decide, never a model.

"And what does it cost?" finds nothing by itself: the words of what was spoken of before are added to it. "What about
Marlin?" asks the question before once more, about Marlin. A question that says itself what it is about is never
changed, and of what was said before, the last two turns count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath
from typing import NamedTuple

from zibaldone.domain.language import guess_language, is_function_word
from zibaldone.domain.words import UNSPACED, fold
from zibaldone.retrieval.query.named import find_times
from zibaldone.retrieval.query.syntax import parse_query
from zibaldone.retrieval.query.vocabulary import Table, languages, whole
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.history import Message

# How many turns before the question count.
TURNS = 2
# A question with so many words of its own says what it is about: with a name among them, or where it only begins with
# "and"; and so many are enough in any case, pronouns or not.
_ENOUGH, _MANY = 3, 5
# Words that are added at most: of the question before, of the notes that it cited, of its answer.
_OF_QUESTION, _OF_TITLES, _OF_ANSWER = 4, 4, 3
# Words of a question such as "how expensive?".
_FRAGMENT = 4
_LEAST_STEM = 3
_LONG = 300  # characters: a longer question says enough
_LONGEST = 4000  # characters of a search

_WORD = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+(?:[-'’.][^\W_{UNSPACED}]+)*")
_IS_UNSPACED = re.compile(rf"[{UNSPACED}]")
_KANA = re.compile("[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
_ADJECTIVE = re.compile(r"e[mnrs]?\Z")
_CLAUSE_END = re.compile(r"[,;:.!?，；：。！？](?=\s|\Z)|[，；：。！？]")
_FULL_STOP = re.compile(r"(?<=[^\W\d]{2})[.?!](?=\s)|[。？！]")
_MARKER = re.compile(r"\[\d+\]")
_AROUND = ' \t\n?.!,;:¿¡？！。，；：…"“”„«»'


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A question as it was typed, its answer, and where that was cited from: none where there was no answer."""

    question: str
    answer: str = ""
    citations: tuple[Citation, ...] = ()


def last_turns(messages: Sequence[Message]) -> list[PastTurn]:
    """The last turns of a conversation that count, the latest first."""
    turns = zip(messages[-2::-2], messages[-1::-2], strict=False)
    return [PastTurn(asked.text, said.text, tuple(said.citations)) for asked, said in islice(turns, TURNS)]


def resolve_question(question: str, before: Sequence[PastTurn]) -> str:
    """The question as it is searched: as it was typed, unless it leans on one of the turns `before` (latest first).

    A turn without an answer is passed over where the one before it has one.
    """
    if not before or len(question) > _LONG:
        return question
    at = next((number for number, turn in enumerate(before) if turn.citations), 0)
    turn = before[at]
    asked = resolve_question(parse_query(turn.question).text, before[at + 1 :])
    grammar = _choose_grammar(question, asked)
    if grammar is None:
        return question
    spoken = _choose_grammar(asked, "") or grammar
    body = _strip_leading(question, grammar)
    other = _find_other(body, question, grammar)
    if other and _is_matter(other, grammar):
        return _swap(asked, other, turn, spoken)[:_LONGEST]
    if other or _leans(body, grammar, led=body != question):
        words = _antecedent(asked, turn, question, spoken)
        return f"{question} – {' '.join(words)}"[:_LONGEST] if words else question
    return question


class _Grammar(NamedTuple):
    """How a language goes on from a question; the patterns are those of its table."""

    language: str | None  # none where words have no spaces between them
    swap: tuple[re.Pattern[str], ...]
    leading: re.Pattern[str]
    more: re.Pattern[str]
    refers: re.Pattern[str]
    owns: re.Pattern[str]
    empty: re.Pattern[str]
    joins: re.Pattern[str]
    nouns: re.Pattern[str]
    before: re.Pattern[str]
    articles: re.Pattern[str]
    asks: re.Pattern[str]
    verbs: re.Pattern[str]
    me: re.Pattern[str]
    fillers: re.Pattern[str]


@lru_cache(maxsize=1)
def _grammars() -> dict[str, _Grammar]:
    return {code: _grammar(table) for code, table in languages().items()}


def _grammar(table: Table) -> _Grammar:
    spaced, patterns = table.get("spaced", True), table["followup"]

    def find(key: str) -> re.Pattern[str]:
        return re.compile(whole(patterns.get(key, "(?!)"), spaced), re.IGNORECASE)

    single = [key for key in _Grammar._fields if key not in ("language", "swap")]
    swap = [whole(one, spaced).replace("{x}", r"(?P<x>\S.{0,80})") for one in patterns["swap"]]
    return _Grammar(
        patterns.get("language"),
        tuple(re.compile(one, re.IGNORECASE) for one in swap),
        **{key: find(key) for key in single},
    )


def _choose_grammar(question: str, before: str) -> _Grammar | None:
    """That of the question's language; where its words do not tell, that of the question before."""
    if _IS_UNSPACED.search(question):
        return _grammars()["ja" if _KANA.search(question) else "zh"]
    if "¿" in question:
        return _grammars()["es"]
    words = [word[0].casefold() for word in _WORD.finditer(question)]
    usual = guess_language(word[0].casefold() for word in _WORD.finditer(before))
    known = {grammar.language: grammar for grammar in _grammars().values() if grammar.language}
    name = guess_language(words, [usual] if usual else []) or guess_language(words, known) or usual
    return known.get(name) if name else None


# -- whether a question leans on what was said -------------------------------------------------------------


def _leans(body: str, grammar: _Grammar, *, led: bool) -> bool:
    """Whether a question, without the "and" that `led` to it, does not say what it is about."""
    if grammar.more.fullmatch(body.strip(_AROUND)):
        return True
    count, named = _count(body, grammar), bool(_names(body, grammar))
    if count >= _MANY or (named and count >= _ENOUGH):
        return False
    text = grammar.empty.sub(" ", body)
    if any(not _is_named(text[: word.start()], grammar, clause=True) for word in grammar.refers.finditer(text)):
        return True
    if any(not _is_named(text[: word.start()], grammar, clause=False) for word in grammar.owns.finditer(text)):
        return True
    if led:
        return count < _ENOUGH and not named
    if not grammar.asks.search(body) or grammar.me.search(body):
        return False
    short = len(_WORD.findall(body)) <= _FRAGMENT
    return count == 0 or (count == 1 and short and not named and not grammar.verbs.search(body))


def _is_named(before: str, grammar: _Grammar, *, clause: bool) -> bool:
    """Whether what a pronoun stands for is in the text before it; `clause`: in an earlier clause, as "he" and "it"
    want, while "his" and "its" are content with the same one."""
    if grammar.language is None:
        return _count(before, grammar) > 0
    if clause:
        ends = [end.start() for pattern in (grammar.joins, _CLAUSE_END) for end in pattern.finditer(before)]
        before = before[: max(ends, default=0)]
    words = list(_WORD.finditer(before))
    # "The budget for its launch" is no budget's launch.
    if not clause and len(words) > 2 and grammar.before.fullmatch(words[-1][0]) and _follows(words, -2, grammar):
        words = words[:-2]
    return any(
        _is_content(word[0], grammar)
        and (_is_capital(word, before) or _follows(words, number, grammar) or (clause and number == 0))
        for number, word in enumerate(words)
    )


def _follows(words: Sequence[re.Match[str]], number: int, grammar: _Grammar) -> bool:
    """Whether a word stands behind one that a noun follows."""
    number %= len(words)
    return number > 0 and bool(grammar.nouns.fullmatch(words[number - 1][0]))


def _strip_leading(question: str, grammar: _Grammar) -> str:
    """Without an "and" at its beginning; as it is where there is none, or nothing else."""
    text = question.lstrip(_AROUND)
    leading = grammar.leading.match(text)
    rest = text[leading.end() :].lstrip(_AROUND) if leading else ""
    return rest or question


# -- "what about ...?" -------------------------------------------------------------------------------------


def _find_other(body: str, question: str, grammar: _Grammar) -> str | None:
    """What alone is named: X of "what about X?" and "and X?"."""
    asked = question.strip(_AROUND)
    found = next((match["x"] for pattern in grammar.swap if (match := pattern.fullmatch(asked))), None)
    other = (found or (body if body != question else "")).strip(_AROUND)
    if not other or grammar.asks.search(other) or (found is None and grammar.verbs.search(other)):
        return None
    if grammar.refers.search(other) or not 0 < _count(other, grammar) < _ENOUGH:
        return None
    if grammar.language == "german" and not other.split()[-1][:1].isupper():  # "was ist mit X verbunden"
        return None
    return other


def _is_matter(other: str, grammar: _Grammar) -> bool:
    """Whether it is another matter ("Marlin", "the Marlin project"), and not a part of the same ("the deposit")."""
    return not grammar.articles.match(other) or bool(_names(other, grammar))


def _swap(asked: str, other: str, turn: PastTurn, grammar: _Grammar) -> str:
    """The question before, its subject replaced: the last name in it, rather one that a cited note has in its title."""
    titles = [fold(word) for word in _title_words(turn.citations)]
    words = [word for word in _WORD.finditer(asked) if _is_content(word[0], grammar)]
    titled = {word.start() for word in words if any(_is_alike(fold(word[0]), title) for title in titles)}
    named = {word.start() for word in _names(asked, grammar)}
    subject = (titled & named) or named or titled
    if not subject:
        return f"{other} {' '.join(word[0] for word in words[:_OF_QUESTION])}"
    ends = {word.start(): word.end() for word in words}
    begin = max(subject)
    stop = ends[begin]
    while (earlier := next((at for at in subject if asked[ends[at] : begin].isspace()), None)) is not None:
        begin = earlier
    return asked[:begin] + other + asked[stop:]


def _is_alike(word: str, title: str) -> bool:
    """Whether they are the same but for an ending."""
    short, long = sorted((word, title), key=len)
    return long == short or (len(short) >= _LEAST_STEM and long.startswith(short) and len(long) - len(short) < 3)


# -- the words that are added ------------------------------------------------------------------------------


def _antecedent(asked: str, turn: PastTurn, known: str, grammar: _Grammar) -> list[str]:
    """What was spoken of, in the words of the question before, of the titles of its sources and of its answer's first
    sentence; without those that are `known`."""
    seen = {fold(word[0]) for word in _WORD.finditer(known)}

    def new(words: Iterable[str], most: int) -> Iterator[str]:
        for word in islice((word for word in words if fold(word) not in seen), most):
            seen.add(fold(word))
            yield word

    names = [word[0] for word in _WORD.finditer(asked) if _is_content(word[0], grammar) and _is_capital(word, asked)]
    return [
        *new(names or _content(asked, grammar), _OF_QUESTION),
        *new(_title_words(turn.citations), _OF_TITLES),
        *new((word[0] for word in _names(_first_sentence(turn.answer), grammar)), _OF_ANSWER),
    ]


def _title_words(citations: Sequence[Citation]) -> list[str]:
    """Of the notes' titles, then of the headings: these name rather a part of the matter."""
    titles = [PurePosixPath(citation.path).stem for citation in citations]
    titles += [heading for citation in citations for heading in citation.heading]
    words = (word[0] for title in titles for word in _WORD.finditer(title))
    spoken = [grammar.language for grammar in _grammars().values()]
    return [
        word
        for word in dict.fromkeys(words)
        if _LETTER.search(word) and not any(is_function_word(word.casefold(), language) for language in spoken)
    ]


def _first_sentence(answer: str) -> str:
    """The first that is cited; as a clause, so that a name that it begins with counts."""
    marker = _MARKER.search(answer)
    if marker is None:
        return ""
    line = answer[: marker.start()].rstrip().rpartition("\n")[2]
    return ", " + _FULL_STOP.split(line, maxsplit=1)[0]


# -- words -------------------------------------------------------------------------------------------------


def _content(text: str, grammar: _Grammar) -> list[str]:
    """The words that say something."""
    return [word[0] for word in _WORD.finditer(grammar.fillers.sub(" ", text)) if _is_content(word[0], grammar)]


def _count(text: str, grammar: _Grammar) -> int:
    """How many they are; two characters of a script without spaces are one."""
    return sum((len(word) + 1) // 2 if _IS_UNSPACED.match(word) else 1 for word in _content(text, grammar))


def _is_content(word: str, grammar: _Grammar) -> bool:
    acronym = len(word) > 1 and word.isupper()  # IT
    return acronym or not is_function_word(word.casefold(), grammar.language)


def _names(text: str, grammar: _Grammar) -> list[re.Match[str]]:
    """The names in a text, as far as capitals tell; no months and weekdays. Of the nouns of German those without an
    article."""
    times = [(time.begin, time.stop) for time in find_times(text)]
    words = list(_WORD.finditer(text))
    return [
        word
        for number, word in enumerate(words)
        if _is_content(word[0], grammar)
        and _is_capital(word, text)
        and not any(begin <= word.start() < stop for begin, stop in times)
        and not (grammar.language == "german" and number and _determines(words[number - 1][0], grammar))
    ]


def _determines(word: str, grammar: _Grammar) -> bool:
    """Whether a German word is an article, or may be an adjective."""
    return bool(grammar.articles.fullmatch(word)) or (_is_content(word, grammar) and bool(_ADJECTIVE.search(word)))


def _is_capital(word: re.Match[str], text: str) -> bool:
    """Whether a word is written as names are, and not because a sentence begins; among Han and kana each Latin word."""
    if _IS_UNSPACED.search(text):
        return not _IS_UNSPACED.match(word[0]) and bool(_LETTER.match(word[0]))
    if not _LETTER.search(word[0]) or len(word[0]) < 2:
        return False
    if any(letter.isupper() or letter.isdigit() for letter in word[0][1:]):
        return True
    before = text[: word.start()].strip(" ¿¡\"“„«'(")
    return word[0][0].isupper() and bool(before) and before[-1] not in ".?!:"
