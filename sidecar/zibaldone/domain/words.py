"""Words, for the lexical index and for comparing a claim with a quote. Pure, any script.

Text is NFKC-normalised and case-folded (so that `ß` meets `ss` and full width meets half width), Latin
accents are dropped, and runs of scripts that are written without spaces (Han, kana, Thai, ...) become
overlapping bigrams plus single characters, so that a two-character query finds its note without a
dictionary.
"""

from __future__ import annotations

import re
import unicodedata

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Vowel signs of the Indic scripts are marks, which `\w` leaves out; danda and double danda are punctuation.
_MARKED = "\u0300-\u036f\u0900-\u0963\u0966-\u0dff"
WORD = rf"(?:[^\W{UNSPACED}]|[{_MARKED}])+"
_RUN = re.compile(rf"[{UNSPACED}]+|{WORD}")
_IS_UNSPACED = re.compile(rf"[{UNSPACED}]")
# A character with what stands behind it from the first combining mark of Unicode on: elsewhere there is none.
_MAY_BE_MARKED = re.compile(r"(?:\A|[\0-\u02ff])[\u0300-\U0010ffff]+")

# Function words of the languages that our own tests speak; a word missing here only costs a little noise.
STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been but by can could did do does for from
    had has have he her him his how i if in into is it its just me my no nor not of on or our out over
    own she should so some such than that the their them then there these they this to too up very was
    we were what when where which who whom whose why will with would you your aber als auch auf aus bei
    bin bis bist da das dass dein dem den der des dessen die dies diese diesem diesen dieser dieses doch
    dort du durch ein eine einem einen einer eines er es euer für hab habe haben hat hatte hatten hier
    hinter ich ihr ihre ihrem ihren ihrer im ist ja jede jedem jeden jeder jedes kann kein keine mein
    meine mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind soll über um und uns
    unser unter vom von vor war waren warum wann wegen weil welche welchem welchen welcher welches wem
    wen wenn wer werde werden wie wieder wir wird wo woher wohin wurde wurden zu zum zur al como con
    cual cuando de del donde el ella en era esta este fue ha hay la las lo los mas mi muy nos o para
    pero por porque que qué quien se ser si sin sobre son su sus te tu un una unas uno unos y ya à au
    aux avec ce ces cette comment dans elle est et être il ils je l le les leur lui ma mais même mes moi
    mon ne nous où ou par pas plus pour qu quand quel quelle qui sa sans ses sont sur ta tes toi ton une
    vos votre vous""".split()
)


def fold(text: str) -> str:
    """Case-, width- and accent-folded text. Marks of non-Latin scripts are kept: they carry meaning."""
    if text.isascii():  # and so without width, accents or marks
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", _MAY_BE_MARKED.sub(_drop_accents, decomposed))


def _drop_accents(cluster: re.Match[str]) -> str:
    kept = []
    latin = False
    for char in cluster[0]:
        if unicodedata.combining(char):
            if latin:
                continue
        else:
            latin = char < "\u0250" or "\u1e00" <= char < "\u1f00"
        kept.append(char)
    return "".join(kept)


def index_terms(text: str) -> list[str]:
    """Terms of a document, in order, repeats kept. Unspaced runs give single characters and bigrams."""
    folded = fold(text)
    runs: list[str] = _RUN.findall(folded)
    if "_" not in folded and not _IS_UNSPACED.search(folded):
        return runs
    terms: list[str] = []
    for run in runs:
        if _IS_UNSPACED.match(run):
            terms.extend(run)
            terms.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            terms.append(run)
            if "_" in run:
                terms.extend(part for part in run.split("_") if part)
    return terms


def query_terms(text: str) -> list[str]:
    """Distinct terms of a question, in order, without function words.

    An unspaced run of two characters or more gives only its bigrams: single characters would match nearly
    every note. Where nothing but function words was asked, they are kept.
    """
    terms: list[str] = []
    for run in _RUN.findall(fold(text)):
        if _IS_UNSPACED.match(run) and len(run) > 1:
            terms.extend(run[i : i + 2] for i in range(len(run) - 1))
        else:
            terms.append(run)
    distinct = list(dict.fromkeys(terms))
    content = [term for term in distinct if term not in STOP_WORDS]
    return content or distinct
