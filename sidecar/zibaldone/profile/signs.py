"""What the words of a statement tell without a model, whatever its language: of whom it is, what it counts, which names
it has, and whether it says that something has changed. Pure.

English, German, French, Spanish, Italian and Dutch; of other languages only names and figures in digits are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from zibaldone.domain.words import STOP_WORDS, fold

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]{2,}")

_INTRODUCED = re.compile(
    r"\b(?P<who>[^\W\d_]+)(?=,?\s+(?:(?:(?:is|are) (?:called|named)|named|called|is|heißt|heisst|namens|s'appelle"
    r"|se llama|llamad[oa]|si chiama|heet),?\s+)?(?P<name>[A-ZÀ-ÖØ-Þ][\w-]{2,}))"
)

# Whom or what a statement may be about beside the person, by any of its words (folded).
_WHO = {
    word: who
    for who, words in {
        "mother": "mother mum mom mama mamma mutter mutti mere maman madre moeder",
        "father": "father dad papa vater pere padre papa babbo vader",
        "parents": "parents eltern padres genitori ouders",
        "sister": "sister schwester sœur soeur hermana sorella zus",
        "brother": "brother bruder frere hermano fratello broer",
        "son": "son sohn fils hijo figlio zoon",
        "daughter": "daughter tochter fille hija figlia dochter",
        "children": "children kids kinder enfants hijos figli kinderen twins zwillinge",
        "partner": "wife husband partner girlfriend boyfriend frau mann ehemann ehefrau femme mari mujer marido moglie"
        " marito vrouw",
        "grandmother": "grandmother granny gran oma grossmutter abuela nonna",
        "grandfather": "grandfather grandpa opa grossvater abuelo nonno",
        "uncle": "uncle onkel oncle tio zio oom",
        "aunt": "aunt tante tia zia",
        "cousin": "cousin cousine primo cugina cugino",
        "in-law": "schwager schwagerin cunado cunada cognato cognata schwiegermutter schwiegervater schwiegereltern"
        " suegro suegra suocero suocera zwager schoonzus",
        "friend": "friend freund freundin ami amie amigo amiga amico amica vriend vriendin",
        "neighbour": "neighbour neighbours nachbar nachbarin nachbarn voisin voisine vecino vecina vicino",
        "boss": "boss chef chefin jefe jefa capo baas",
        "cat": "cat cats kitten katze katzen kater chats chatte gato gatos gata gatto gatti kat katten",
        "dog": "dog dogs puppy hund hunde hundin chien chiens chienne perro perros perra cane cani hond honden",
        "horse": "horse pferd cheval caballo cavallo paard",
    }.items()
    for word in words.split()
}
# Words that say that something is no longer as it was, has come about, or is over.
_CHANGED = re.compile(
    r"\b(?:now|nowadays|these days|no longer|any ?more|again|after all|used to|stopped|gave up|given up|quit|left|sold"
    r"|moved|switched|changed|finished|done|over|died|passed|born|cancell?ed|called off|postponed|put off|submitted"
    r"|handed in|signed|delivered|since (?:last|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|jetzt|inzwischen|mittlerweile|nicht mehr|keine? \w+ mehr|wieder|doch|aufgehort|aufgegeben|verkauft|umgezogen"
    r"|gezogen|gewechselt|gekundigt|fertig|vorbei|geschafft|gestorben|erledigt|bestanden|geboren|storniert|abgesagt"
    r"|verschoben|abgegeben|eingereicht|unterschrieben|geliefert"
    r"|maintenant|desormais|ne \w+ plus|n'\w+ plus|arrete|quitte|vendu|demenage|fini|mort|reussi|annule|reporte|livre"
    r"|ahora|ya|deje|dejado|vendido|mudado|cambiado|terminado|muerto|aprobado|cancelado|aplazado|entregado"
    r"|adesso|ormai|non \w+ piu|smesso|venduto|trasferito|finito|morto|superato|annullato|rimandato|consegnato"
    r"|niet meer|geen \w+ meer|gestopt|verkocht|verhuisd|klaar|overleden|geslaagd|afgezegd|uitgesteld|ingeleverd)\b"
)  # Words that say that it comes to what was said before.
_ADDS = re.compile(r"\b(?:also|too|as well|auch|ausserdem|zusatzlich|aussi|egalement|tambien|anche|pure|ook)\b")

_UNITS = {
    "english": "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen",
    "german": "zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn"
    " achtzehn neunzehn",
    "french": "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf",
    "spanish": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete"
    " dieciocho diecinueve",
    "italian": "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove",
    "dutch": "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien"
    " achttien negentien",
}
_TENS = {
    "english": "twenty thirty forty fifty sixty seventy eighty ninety",
    "german": "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
    "french": "vingt trente quarante cinquante soixante",
    "spanish": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "italian": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "dutch": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
}
_ONE = {"english": "one", "german": "ein", "french": "et un", "spanish": "uno", "italian": "uno", "dutch": "een"}
# How a unit is joined to a ten.
_JOINED = {
    "english": "{ten}-{unit}|{ten} {unit}",
    "german": "{unit}und{ten}",
    "french": "{ten}-{unit}|{ten} {unit}",
    "spanish": "{ten} y {unit}",
    "italian": "{ten}{unit}",
    "dutch": "{unit}en{ten}",
}


# Number words of one language that are other words of another: "once", "due", "sei".
_AMBIGUOUS = frozenset({"once", "due", "sei"})


@dataclass(frozen=True, slots=True)
class Signs:
    """`who` are the others that it is about, `figures` as written in digits, number words from two on too."""

    who: frozenset[str]
    figures: frozenset[str]
    names: frozenset[str]
    changed: bool
    adds: bool


def read_signs(text: str, people: Mapping[str, str] = {}) -> Signs:
    """`people`: of whom a statement tells that has a name (folded), see `find_people`."""
    folded = fold(text)
    names = frozenset(fold(name) for name in _NAME.findall(text) if fold(name) not in STOP_WORDS)
    return Signs(
        frozenset(_WHO[word] for word in _WORD.findall(folded) if word in _WHO)
        | frozenset(people[name] for name in names if name in people),
        all_figures(text),
        names,
        bool(_CHANGED.search(folded)),
        bool(_ADDS.search(folded)),
    )


def all_figures(text: str) -> frozenset[str]:
    """As digits, whether they are written so or in words."""
    folded = fold(text)
    pattern, values = _spelled()
    return frozenset([*_NUMBER.findall(folded), *(values[word] for word in pattern.findall(folded))])


def find_people(texts: Iterable[str]) -> dict[str, str]:
    """Who bears a name (folded), as the statements introduce them: "my sister Ada", "meine Tante heißt Ada"."""
    found = (match for text in texts for match in _INTRODUCED.finditer(text))
    return {fold(match["name"]): _WHO[fold(match["who"])] for match in found if fold(match["who"]) in _WHO}


def are_of_others(left: Signs, right: Signs) -> bool:
    """Whether each tells of somebody (a relative, a pet), and not of the same."""
    return bool(left.who and right.who) and not left.who & right.who


def is_of_somebody_else(left: Signs, right: Signs) -> bool:
    """Whether one alone tells of somebody, and no name stands in both."""
    return bool(left.who) != bool(right.who) and not left.names & right.names


def differ_in_figures(left: Signs, right: Signs) -> bool:
    """Where both have some."""
    return bool(left.figures and right.figures) and left.figures != right.figures


@cache
def _spelled() -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds number words, the longest first, and their values in digits."""
    numbers: dict[str, int] = {}
    for language, form in _JOINED.items():
        units = dict(zip(_UNITS[language].split(), range(2, 20), strict=True))
        tens = dict(zip(_TENS[language].split(), range(20, 100, 10), strict=False))
        numbers |= units | tens
        for (ten, value), (unit, more) in product(tens.items(), [(_ONE[language], 1), *units.items()]):
            if more < 10 or (language == "french" and value == 60):  # soixante-douze
                numbers |= {one.format(ten=ten, unit=unit): value + more for one in form.split("|")}
    values = {word: str(value) for word, value in numbers.items() if word not in _AMBIGUOUS}
    longest_first = sorted(values, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b"), values
