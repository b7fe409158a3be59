"""The words of a few languages (English, German, French, Spanish, Italian, Dutch, ...) that `marks` compares, folded.

A table is a text: an entry on each line, of words between spaces, after its value where it has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zibaldone.domain.words import fold, index_terms

_LETTERS = re.compile(r"[^\W\d_]{2,}")


def _rows(table: str) -> list[tuple[str, list[str]]]:
    """The first word of each line, and the others."""
    return [(first, rest) for first, *rest in (line.split() for line in table.strip().splitlines())]


NUMBERS = {
    word: float(value)
    for value, words in _rows(
        """
2 two zwei deux dos due duas dois twee två
3 three drei trois tres tre drie três
4 four vier quatre cuatro quattro quatro fyra
5 five funf cinq cinco cinque vijf fem
6 six sechs seis sei zes sex
7 seven sieben sept siete sette sete zeven sju
8 eight acht huit ocho otto oito atta
9 nine neun neuf nueve nove negen nio
10 ten dix zehn diez dieci dez tien tio
11 eleven elf onze once undici elva
12 twelve zwolf douze doce dodici twaalf tolv dozen dutzend
13 thirteen dreizehn treize
14 fourteen vierzehn quatorze catorce
15 fifteen funfzehn quinze quince
16 sixteen sechzehn
17 seventeen siebzehn
18 eighteen achtzehn
19 nineteen neunzehn
20 twenty zwanzig vingt veinte venti
30 thirty dreissig trente treinta trenta
40 forty vierzig quarante cuarenta
50 fifty funfzig cinquante cincuenta
60 sixty sechzig soixante sesenta
70 seventy siebzig
80 eighty achtzig
90 ninety neunzig
100 hundred hundert cent cien
1000 thousand tausend mille mil
"""
    )
    for word in words
}
MONTHS = {
    word: int(number)
    for number, words in _rows(
        """
1 january jan januar janner janvier enero gennaio janeiro januari
2 february feb februar fevrier febrero febbraio fevereiro februari
3 march mar marz mars marzo marco maart
4 april apr avril abril aprile
5 may mai mayo maggio maio mei maj
6 june jun juni juin junio giugno junho
7 july jul juli juillet julio luglio julho
8 august aug aout agosto augustus augusti
9 september sep sept septembre septiembre settembre setembro
10 october oct oktober okt octobre octubre ottobre outubro
11 november nov novembre noviembre novembro
12 december dec dezember dez decembre diciembre dicembre dezembro
"""
    )
    for word in words
}
# Ordinary words too: months only with a capital or beside a figure.
SHORT_MONTHS = frozenset("may mar mars mai mei marco sept".split())
WEEKDAYS = {
    word + plural: int(number)
    for number, words in _rows(
        """
1 monday montag lundi lunes lunedi maandag
2 tuesday dienstag mardi martes martedi dinsdag
3 wednesday mittwoch mercredi miercoles mercoledi woensdag
4 thursday donnerstag jeudi jueves giovedi donderdag
5 friday freitag vendredi viernes venerdi vrijdag
6 saturday samstag sonnabend samedi sabado sabato zaterdag
7 sunday sonntag dimanche domingo domenica zondag
"""
    )
    for word in words
    for plural in ("", "s")
}
# A unit with its dimension and how many of the dimension's base unit it is.
UNITS = {
    word: (first.split("*")[0], float(first.split("*")[1]))
    for first, words in _rows(
        """
m*1000 km kilometre kilometer kilometres kilometers
m*1 m metre meter metres meters metros metri
m*0.01 cm centimetre centimeter centimetres centimeters zentimeter
m*0.001 mm millimetre millimeter millimetres millimeters
g*1000 kg kilo kilos kilogram kilograms kilogramm
g*1 g gram grams gramm
g*0.001 mg milligram milligrams milligramm
g*1e+06 t tonne tonnes tons tonnen
l*1 l litre liter litres liters litros litri
l*0.001 ml millilitre milliliter millilitres milliliters
s*1 s sec second seconds sekunde sekunden secondes segundos
s*60 min minute minutes minuten minutos minuti
s*3600 h hour hours stunde stunden heure heures horas ore
s*86400 day days tag tage tagen jour jours dia dias giorni
s*604800 week weeks woche wochen semaine semaines semanas settimane
eur*1 € eur euro euros
usd*1 $ dollar dollars
gbp*1 £ pound pounds
percent*1 % percent prozent procent
clock*1 uhr
degrees*1 ° degree degrees grad degres grados gradi
"""
    )
    for word in words
}
# What a number that is a year may stand behind with a capital, and what makes a number behind it a label.
YEAR_LEADS = frozenset(
    """
anfang anno annee ano autumn christmas circa easter ende fall fruhjahr fruhling herbst jahr jahre jahren mitte ostern
sommer spring summer weihnachten winter year years
""".split()
)
LABELS = frozenset(
    """
art artikel chapter figure fig kapitel no nr number num nummer page pages p pp s seite seiten section version vol
""".split()
)
NEGATIONS = frozenset(
    """
aldrig asla aucun aucune bez brak cannot degil değil ei geen ikke ingen inte jamais jamas kein keine keinem keinen
keiner keines mai nada nao neither nessun nessuna nessuno never nicht nichts nie niemals niemand niet nigdy ningun
ninguna ninguno no nobody non none nooit nor not nothing nunca ohne pas rien sans sem senza sin uden utan weder
without yok zonder без не нет ни никогда ない なし ません 不 无 未 沒 没 無 非 않다 없다
""".split()
)
# Sides of a pair are apart by a slash.
OPPOSITES = [
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        line.split("/")
        for line in """
open opened opens / close closed closes shut
on / off
hot warm / cold cool
grew higher increase increased increases risen rose / decrease decreased decreases down fallen falls fell lower shrank
accept accepted accepts approved / declined refused refuses rejected rejects
allowed allows may permitted / banned forbidden forbids prohibited
before / after
more / fewer less
left / right
north / south
east / west
earlier early / late later
always / rarely seldom
harmless safe / dangerous harmful poisonous toxic unsafe
alive living / dead died
correct right true / false incorrect wrong
with / without
passed succeeded success works / broke broken failed fails failure
active enabled running / disabled inactive stopped
public / private
full / empty
damp wet / dry
sweet / bitter sour
cheap cheaper / dearer expensive
fast faster quick / slow slower
present / absent missing
win wins won / lose loses lost
above / below
free / paid
old older / new newer young
big large larger / little small smaller
long longer / short shorter
strong / weak
enjoys likes loves / detests dislikes hates
shade-free sunny / shade shady
compulsory mandatory must required / optional voluntary
bought / sold
arrived / departed left
geoffnet offen / geschlossen zu
heiss warm / kalt kuhl
gestiegen hoher mehr steigt / gefallen gesunken niedriger sinkt weniger
darf erlaubt zulassig / untersagt verboten
vor / nach
links / rechts
immer / selten
sicher ungefahrlich / gefahrlich giftig
angenommen genehmigt zugestimmt / abgelehnt verweigert
gross grosser / klein kleiner
trocken / feucht nass
billig gunstig / teuer
liebt mag / hasst
bestanden / durchgefallen
mit / ohne
sonnig / schattig
ouvert ouverte / ferme fermee
chaud / froid
autorise permis / interdit
toujours / rarement
avant / apres
abierta abierto / cerrada cerrado
caliente / frio
permitido / prohibido
siempre / raramente
antes / despues
""".strip().splitlines()
    )
]
NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "des", "nicht")
# That something is no longer as it was.
CHANGE = frozenset(
    """
actualmente adesso agora ahora antes anymore autrefois became changed currently dal depuis desde desormais ehemals
formerly fruher inzwischen jetzt longer maintenant meanwhile mehr mittlerweile moved now nowadays nu nunmehr ora
previously seit since sinds switched ya
""".split()
)
# Function words that only German has; there nouns have a capital, and what has none is a verb or an adjective.
GERMAN = frozenset(
    "auch auf aus dem das der eine einen fur ich ist mit nicht noch sich und von wir wird zum zur".split()
)
# English words that notes on anything have: verbs with their usual forms, then other words.
COMMON = frozenset(
    form
    for verb in """
add agree allow answer appear arrive ask become begin believe belong bring build buy call carry cause change check
choose clean close collect come compare continue copy cost count cover cut decide describe discuss do draw drive drop
eat end enjoy enter expect explain fall feel fill find finish fit follow forget get give go grow happen hear help hold
hope include keep know last learn leave let lie like listen live look lose make mean meet mention miss mix move need
notice offer open order pay pick plan play point prefer prepare print pull push put reach read receive remain remember
remove repeat replace return run say see seem sell send serve set show sit sleep smell speak spend stand start stay stop
suggest take talk tell test think touch travel try turn understand use visit wait walk want wash watch wear work write
""".split()
    for stem in (verb.removesuffix("e"),)
    for form in (
        verb,
        f"{verb}s",
        f"{verb}es",
        f"{stem}ed",
        f"{stem}ing",
        f"{verb}{verb[-1]}ed",
        f"{verb}{verb[-1]}ing",
    )
) | frozenset(
    """
began begun bought brought built came chose chosen carried carries done drawn drew driven drove eaten fallen fell felt
forgot forgotten found gave given gone grew grown heard held kept knew known laid learnt left lost made meant paid said
sang sat saw seen sent shown slept sold spent spoke spoken stood taken taught think thought told took tried tries
understood went woke wore worn written wrote
able across again against ahead almost alone along already always another around away back badly beautiful behind below
best better between both bottom certain clear clearly close cold complete correct different difficult direct directly
done double down during each early easy else empty enough entire even ever every everything exact exactly
extra far fast fewer final finally fine first five four free fresh full further general good great half hard hardly
heavy here high however hundred important instead just kind large late later least less light likely little long longer
lower main many maybe middle minute more most much near nearly necessary never next nice nobody normal
nothing often once only other others outside over part people perhaps place possible present quick quickly quite rather
ready real really right round same second several short shortly side similar simple simply since slow slowly small
small smaller someone something sometimes soon special still strong sure there thing things third though three through
time times today together tomorrow toward towards under until upper useful usual usually very warm week weeks well wet
whole wide within without wrong yesterday young
""".split()
)


def german_words(sentences: Iterable[str]) -> set[str]:
    """The words without a capital of German sentences: verbs and the like, of which few name what a note is about."""
    german = (one for one in sentences if not GERMAN.isdisjoint(index_terms(one)))
    return {fold(word) for one in german for word in _LETTERS.findall(one) if word[0].islower()}
