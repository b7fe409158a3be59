"""The terms by which text is searched. Pure.

A word is indexed by its stem in the language of its note, without case, accents and width; a run of a script that is
written without spaces by its characters and pairs of them; a name (`foo_bar`, `RFC-2616`, `v1.2.3`, `C++`, `fooBar`)
whole and in parts. A question's word is asked for by its stem in each language of the vault.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

from zibaldone.domain.language import guess_language, is_function_word, language_of_script
from zibaldone.domain.words import UNSPACED, WORD, fold

# Korean has spaces, but its particles are written together with their word.
_RUNS = rf"{UNSPACED}\uac00-\ud7af"
_WORD = WORD.replace(UNSPACED, _RUNS)
# A run without spaces; or words that are joined to a name, with what `C++` and `C#` end in.
_NAME = re.compile(rf"(?P<run>[{_RUNS}]+)|{_WORD}(?:[-./'’]{_WORD})*(?:\+\+|#(?!\w))?")
_PART = re.compile(r"[-./'’_+#]+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[-./_]+(?=\d)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = (("++", "plusplus"), ("#", "sharp"))
_LEAST_HUMP, _LEAST_STEMMED, _LONGEST_NAME = 3, 3, 40
DEFAULT_LANGUAGE = "english"


class Asked(NamedTuple):
    """A word of a question by the terms that stand for it. `is_optional` where nothing is said by a vault that does not
    have it, such as the whole of a name whose parts are asked for as well."""

    forms: tuple[str, ...]
    is_optional: bool = False


def document_terms(text: str, language: str) -> list[str]:
    """Terms of a note's text, in order, repeats kept. `language` is the note's (see `text_language`)."""
    terms: list[str] = []
    for name in _NAME.finditer(_normal(text)):
        said = name[0]
        if name["run"]:
            terms.extend(said)
            terms.extend(_pairs(said))
            continue
        parts = _parts(said)
        terms.extend(_stem(part, language) for part in parts)
        if whole := _whole(said, parts):
            terms.append(whole)
        elif len(humps := _HUMP.split(said)) > 1 and min(map(len, humps)) >= _LEAST_HUMP:
            terms.extend(_stem(hump.casefold(), language) for hump in humps)
    return terms


def question_terms(text: str, languages: Collection[str]) -> list[Asked]:
    """What a question asks for, in order; words that only ask are left out, unless there are no others.

    `languages` are those of the vault.
    """
    names = list(_NAME.finditer(_normal(text)))
    shouted = text.isupper()
    plain = [name[0] for name in names if not name["run"] and (shouted or not _is_acronym(name[0]))]
    words = [part for said in plain for part in _parts(said)]
    language = guess_language(words, languages)
    spoken = dict.fromkeys([*languages, language or DEFAULT_LANGUAGE, DEFAULT_LANGUAGE])
    asked: dict[Asked, bool] = {}
    for name in names:
        if name["run"]:
            asked.update((Asked((pair,)), True) for pair in _pairs(name[0]) or [name[0]])
            continue
        parts = _parts(name[0])
        if whole := _whole(name[0], parts):
            asked[Asked((whole,), is_optional=True)] = True
        for part in parts:
            asks = name[0] in plain and is_function_word(part, language)
            asked.setdefault(Asked(_forms(part, spoken)), not asks)
    return [one for one, tells in asked.items() if tells] or list(asked)


def _forms(word: str, languages: Iterable[str]) -> tuple[str, ...]:
    """The stems of a word, without those that are function words ("not" for "note"), unless there is no other."""
    forms = dict.fromkeys(_stem(form, one) for one in languages for form in (word, fold(word)))
    telling = [form for form in forms if form == word or not any(is_function_word(form, one) for one in languages)]
    return tuple(telling or forms)


def text_language(text: str) -> str:
    """The language of a text by its function words, `DEFAULT_LANGUAGE` where it has none."""
    return guess_language(_normal(text).casefold().split()) or DEFAULT_LANGUAGE


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _parts(name: str) -> list[str]:
    """Case-folded, their accents kept: a stemmer looks at them."""
    folded = name.casefold()
    for ending, spelt in _ENDINGS:
        folded = folded.removesuffix(ending) + spelt if folded.endswith(ending) else folded
    return [part for part in _PART.split(folded) if part]


def _whole(name: str, parts: list[str]) -> str | None:
    """The name as one term, `F_1` and `f1` alike; where digits were apart, they stay so."""
    if len(parts) < 2 or "'" in name or "’" in name or len(name) > _LONGEST_NAME:
        return None
    return fold(_PART.sub("", _BETWEEN_DIGITS.sub("\0", name)).replace("\0", "_"))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


_STEMMERS: dict[str, snowballstemmer.stemmer] = {}
_STEMMING = threading.Lock()  # a stemmer keeps the word that it works on


@lru_cache(maxsize=1 << 17)
def _stem(word: str, language: str) -> str:
    """The stem of a case-folded word, its Latin accents dropped. A word of another script has its script's language."""
    if len(word) < _LEAST_STEMMED or not word[0].isalpha():
        return fold(word)
    language = language_of_script(word) or language
    with _STEMMING:
        if language not in _STEMMERS:
            _STEMMERS[language] = snowballstemmer.stemmer(language)
        return fold(_STEMMERS[language].stemWord(word))
