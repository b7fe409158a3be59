"""Names for groups of events: from their titles, or a model's where it is a name. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from math import log

from zibaldone.domain.language import guess_language, is_function_word
from zibaldone.domain.lexicon import DEFAULT_LANGUAGE, document_terms
from zibaldone.domain.words import STOP_WORDS, fold, index_terms

# The limits of CrossModalRAG's names.
MOST_WORDS, MOST_CHARS = 8, 80
_LONGEST_TITLE = 60
_SAID = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?", re.UNICODE)
_SENTENCE = re.compile(r"[.:!?;。：！？；\n]")
_OPENERS = frozenset(
    "it this these those that they he she we you here there es dies diese dieser dieses das sie wir".split()
)
_LEAST_WORD = 3
_NAMED = 3
# The part of a group's titles that has to have a word for the group to be named by it, and the part of all titles with
# that word that has to be the group's.
_LEAST_SPOKEN, _LEAST_OWN = 0.25, 1 / 3
_KEPT = 0.25


def name_groups(groups: Sequence[Sequence[str]], titles: Sequence[str]) -> list[str]:
    """A name for each group of titles (the most central first), by the words that tell it from all `titles`; by its
    most central title where there are no such words, as where words are not written apart."""
    spoken_of = Counter(word for title in titles for word in set(_words(title).values()))
    names = []
    for group in groups:
        words = _telling_words(group, spoken_of, len(titles))
        names.append(", ".join(words) or related_title(group[0], len(group) - 1))
    return names


def keeps_name(named_for: Collection[str], members: Collection[str]) -> bool:
    """Whether a group of events is still what it was when it was named: grown or shrunk to a quarter it is not."""
    here, then = set(members), set(named_for)
    return len(here & then) >= _KEPT * len(here | then)


def related_title(central: str, others: int) -> str:
    """The title of a group by its most central event, and how many it stands for, in no language: `title (+n)`."""
    return f"{shorten(central)} (+{others})" if others else shorten(central)


def _telling_words(titles: Sequence[str], spoken_of: Counter[str], total: int) -> list[str]:
    """As they are written, the most telling first. `spoken_of` counts those of `total` titles that have a word."""
    language = guess_language(word for title in titles for word in index_terms(title))
    counts: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for title in titles:
        for said, word in _words(title).items():
            if not _is_empty(word, language):
                counts[word] += 1
                written.setdefault(word, Counter())[said] += 1
    ranked = sorted(counts, key=lambda word: (-counts[word] * log((total + 1) / (spoken_of[word] + 0.5)), word))
    least = max(2, _LEAST_SPOKEN * len(titles))
    telling = [word for word in ranked if counts[word] >= max(least, _LEAST_OWN * spoken_of[word])]
    best = {_stem(word, language): word for word in reversed(telling)}
    named = sorted(best.values(), key=ranked.index)[:_NAMED]
    if len(named) == 1 and 2 * counts[named[0]] < len(titles):
        return []
    return [min(written[word], key=lambda said: (-written[word][said], said)) for word in named]


def _stem(word: str, language: str | None) -> str:
    return document_terms(word, language or DEFAULT_LANGUAGE)[0]


def _words(title: str) -> dict[str, str]:
    """Each word as it is written, with its folded form."""
    return {said: fold(said) for said in _SAID.findall(title) if index_terms(said) == [fold(said)]}


def _is_empty(word: str, language: str | None) -> bool:
    return len(word) < _LEAST_WORD or word in STOP_WORDS or is_function_word(word, language)


def shorten(title: str) -> str:
    """One line, cut between words where it is long."""
    line = " ".join(title.split())
    if len(line) <= _LONGEST_TITLE:
        return line
    head = line[:_LONGEST_TITLE]
    return f"{head.rpartition(' ')[0] or head}…"


def is_name(name: str, taken: Collection[str] = ()) -> bool:
    """Whether what a model said can be a concept's name: a few words, no sentence, none that another one has.

    `taken` are the folded names of the other concepts.
    """
    words = name.split()
    return (
        0 < len(words) <= MOST_WORDS
        and len(name) <= MOST_CHARS
        and not _SENTENCE.search(name)
        and fold(words[0]) not in _OPENERS
        and any(char.isalnum() for char in name)
        and fold(name) not in taken
    )
