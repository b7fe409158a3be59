"""Whether a sentence asks for the agenda: "was steht diese Woche an?", "what is due today?". Pure; by its words.

Only a sentence that is nothing but such a question counts. The time is taken out first, since it may stand anywhere;
what is left has to be one of the forms whole. So "what did I write about this week's meeting?", which asks for what
notes say, is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from zibaldone.domain.words import fold

Asked = Literal["today", "week", "overdue"]

_MOST_CHARS = 120


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns over folded text (no accents, no apostrophes, no punctuation). `timed` need a time beside them."""

    today: str
    week: str
    polite: str
    whole: str
    timed: str
    overdue: str


def _either(*forms: str) -> str:
    return "|".join(forms)


_EN = r"(?:tasks?|to-? ?dos?|appointments?|deadlines?|meetings?)"
_EN_LIST = rf"(?:agenda|schedule|calendar|to-? ?do list|task list|plans?|{_EN})"
_DE = r"(?:aufgaben?|to-? ?dos?|termine?|fristen|deadlines?|besprechungen|meetings?)"
_DE_LIST = rf"(?:agenda|kalender|(?:tages|wochen)?plan|aufgabenliste|to-? ?do-?liste|{_DE})"
_DE_FILL = r"(?: (?:denn|noch|alles|so|eigentlich|bei mir|fur mich|bei uns))*"
_FR = r"(?:taches|echeances|rendez-vous|reunions|choses)"
_ES = r"(?:tareas|citas|plazos|reuniones|pendientes)"
_IT = r"(?:compiti|attivita|appuntamenti|scadenze|riunioni|impegni)"

_LANGUAGES = {
    "en": _Forms(
        today=r"(?:for |until |by )?(?:todays?|tonight|my day|this (?:morning|afternoon|evening))",
        week=(
            r"(?:for |until |by |in |over |on )?(?:(?:this|the|my|the rest of (?:this|the)) week(?:end)?s?|tomorrows?"
            r"|the (?:next|coming) (?:few |couple of |seven |7 )?days)|soon"
        ),
        polite=r"(?:hey|hi|hello|ok|okay|so|and|please|now|can you tell me|tell me|for me|exactly|still|else)",
        whole=_either(
            r"what(?: is|s| comes)? (?:due|coming up|next on my agenda|on (?:my|the) (?:agenda|plate|list))",
            rf"(?:what|which) (?:are (?:my|the) )?{_EN}(?: are)?(?: due| open| coming up| left)?",
            rf"(?:what|which) (?:are (?:my|the) )?(?:upcoming|open|next) {_EN}",
            rf"(?:what|which) {_EN} (?:do i have|are there)(?: open| left)?",
            r"(?:is|are) there (?:anything|something) due|(?:is )?anything due",
            rf"(?:show|give|list)(?: me)? (?:my |the |all )*(?:upcoming |open )?{_EN_LIST}",
            r"(?:whats|what is|show me|show) (?:on )?my (?:agenda|to-? ?do list|task list)|(?:my )?agenda",
        ),
        timed=_either(
            r"what(?: is|s) (?:on(?: (?:my|the) (?:calendar|schedule))?|up|planned|scheduled|to be done)",
            r"what(?: is|s) (?:left |there )?to do",
            r"what (?:do|must|should|shall) i(?: have| need)?(?: to)?(?: do| finish| get done| take care of)?(?: on)?",
            r"what have i got(?: on| planned| to do)?|what am i doing",
            rf"(?:do i have (?:anything|something|any {_EN}|{_EN})|any {_EN})(?: due| planned| on| to do)?",
            rf"(?:my |the )?{_EN_LIST}(?: due)?",
            r"(?:what|how) does(?: my (?:agenda|schedule|calendar))? look(?: like)?|what needs (?:to be done|doing)",
        ),
        overdue=_either(
            r"(?:what|whats|what is|(?:is )?(?:there )?anything|what am i) (?:overdue|late|late on|behind on)",
            rf"(?:what|which) (?:of my )?{_EN} (?:are|is) (?:overdue|late)",
            rf"(?:do i have|are there|show me|show|list|what are)? ?(?:any|my|all|the)? ?overdue {_EN}",
        ),
    ),
    "de": _Forms(
        today=r"(?:fur |bis )?(?:heute(?: (?:fruh|(?:vor|nach)?mittag|morgen|abend))?|(?:den heutigen|mein) tag)",
        week=(
            r"(?:fur |bis |in )?(?:diese[rn]? woche|(?:die|der|meine) woche|den rest der woche|morgen|ubermorgen"
            r"|(?:die|den) (?:nachsten|kommenden) (?:paar |sieben |7 )?tagen?|(?:am|dieses) wochenende)|bald|demnachst"
        ),
        polite=r"(?:hey|hallo|ok|okay|also|und|bitte|mal|kannst du mir sagen|sag mir|nun)",
        whole=_either(
            rf"was (?:steht|liegt){_DE_FILL}(?: als nachstes)? an",
            rf"was (?:ist|wird|ware){_DE_FILL} (?:fallig|zu erledigen|offen)",
            rf"was kommt{_DE_FILL} auf mich zu|was steht{_DE_FILL} auf (?:dem|meinem) (?:plan|programm|zettel)",
            rf"(?:was|welche) sind (?:meine|die) (?:nachsten |offenen |anstehenden )?{_DE}",
            rf"welche (?:offenen |anstehenden )?{_DE} (?:habe ich|gibt es|stehen|sind|liegen){_DE_FILL}"
            r"(?: (?:an|fallig|offen|vor mir))?",
            rf"(?:zeig|zeige|nenn|nenne|gib|liste)(?: mir)?(?: (?:bitte|mal|meine|meinen|die|den|alle|was))* ?"
            rf"(?:nachsten |offenen |anstehenden )?{_DE_LIST}(?: an| auf)?",
            rf"(?:meine )?agenda|was steht{_DE_FILL} (?:auf|in) meine[rm]? (?:agenda|kalender|liste)",
        ),
        timed=_either(
            rf"was (?:steht|gibt es|ist){_DE_FILL} (?:zu tun|geplant|los|angesetzt|im kalender)",
            rf"was (?:muss|soll|sollte|darf) ich{_DE_FILL} (?:tun|machen|erledigen|schaffen|fertig machen)",
            rf"was hab[e]? ich{_DE_FILL}(?: (?:vor|zu tun|zu erledigen|geplant|auf dem (?:plan|zettel)|an terminen"
            r"|fur termine))",
            rf"hab[e]? ich{_DE_FILL}(?: (?:irgendwelche|irgendwas|etwas|was|einen))?"
            rf"(?: (?:{_DE}|vor|zu tun|fallig|fallige {_DE}))",
            rf"(?:stehen|liegen|gibt es|sind){_DE_FILL} {_DE}(?: (?:an|fallig))?|(?:meine |mein |die )?{_DE_LIST}",
            r"wie sieht(?: (?:mein|meine) (?:plan|kalender|agenda))? aus",
        ),
        overdue=_either(
            rf"was (?:ist|ware){_DE_FILL} (?:uberfallig|liegen ?geblieben|zu spat)",
            rf"(?:welche|was fur) (?:meiner |von meinen )?{_DE} sind{_DE_FILL} uberfallig",
            rf"(?:(?:gibt es|habe ich|zeige? mir|liste){_DE_FILL} )?(?:meine |alle |die )?uberfalligen? {_DE}(?: auf)?",
        ),
    ),
    "fr": _Forms(
        today=r"(?:pour )?(?:aujourdhui|ce (?:matin|soir)|cet apres-midi)",
        week=r"(?:pour |de )?(?:cette semaine|la semaine|demain|ce week-end)|(?:dans les|ces) prochains jours|bientot",
        polite=r"(?:bonjour|salut|et|alors|sil te plait|sil vous plait|svp|dis-moi)",
        whole=_either(
            r"quest-ce qui (?:est|arrive) (?:a faire|du|a echeance|au programme)|quoi au programme",
            rf"quelles? sont (?:mes|les) (?:prochaine?s )?{_FR}|quels sont (?:mes|les) (?:prochaine?s )?{_FR}",
            rf"(?:montre|montre-moi|liste) (?:mes|les|mon|lagenda) ?(?:agenda|{_FR})?|(?:mon )?agenda",
        ),
        timed=_either(
            r"quest-ce qui est prevu|(?:quest-ce que jai|quai-je)(?: a faire| de prevu)?|que dois-je faire",
            rf"(?:mes|mon) (?:agenda|programme|{_FR})|quest-ce que je dois faire",
        ),
        overdue=rf"quest-ce qui est en retard|(?:quelles|quels) (?:{_FR}) sont en retard|(?:mes )?{_FR} en retard",
    ),
    "es": _Forms(
        today=r"(?:para )?(?:hoy|esta (?:manana|tarde|noche))",
        week=r"(?:para |en )?(?:esta semana|la semana|manana|este fin de semana|los proximos dias)|pronto",
        polite=r"(?:hola|y|por favor|dime)",
        whole=_either(
            r"que (?:vence|hay pendiente|tengo pendiente|esta pendiente)",
            rf"(?:que|cuales son (?:mis|las)|muestrame (?:mis|las)) (?:proximas )?{_ES}(?: tengo| hay)?|(?:mi )?agenda",
        ),
        timed=rf"que (?:(?:tengo|hay)(?: que hacer)?|debo hacer|esta previsto|toca)|(?:mis|mi) (?:agenda|{_ES})",
        overdue=rf"que (?:esta|tengo) (?:atrasado|vencido)|(?:que |mis |cuales son mis )?{_ES} (?:atrasad|vencid)[ao]s",
    ),
    "it": _Forms(
        today=r"(?:per |di )?(?:oggi|stamattina|stasera|questo pomeriggio)",
        week=r"(?:per |in |di )?(?:(?:questa|la) settimana|domani|questo fine settimana|i prossimi giorni)|presto",
        polite=r"(?:ciao|e|per favore|dimmi)",
        whole=_either(
            r"cosa (?:scade|ce in scadenza|e in scadenza|ce in programma)",
            rf"(?:quali sono (?:i miei|le mie)|mostrami (?:i miei|le mie|i|le)) {_IT}|che {_IT} ho|(?:la mia )?agenda",
        ),
        timed=rf"(?:che )?cosa (?:devo fare|(?:ho|ce) da fare|ho in programma|e previsto)|(?:i miei |le mie )?{_IT}",
        overdue=rf"cosa e (?:in ritardo|scaduto)|(?:i miei |le mie |quali )?{_IT} (?:sono )?(?:scadut[ie]|in ritardo)",
    ),
}
_APOSTROPHES = re.compile(r"['’‘`]")
_PUNCTUATION = re.compile(r"[^\w\s-]+")


def find_agenda_question(text: str, languages: Sequence[str] | None = None) -> Asked | None:
    """Which part of the agenda a sentence asks for; None where it asks something else. Without a time it is the week.

    Args:
        languages: those that are tried, of `en`, `de`, `fr`, `es` and `it`; None: all.
    """
    if len(text) > _MOST_CHARS or "\n" in text.strip():
        return None
    folded = _PUNCTUATION.sub(" ", _APOSTROPHES.sub("", fold(text)))
    for language in _LANGUAGES if languages is None else languages:
        if (forms := _LANGUAGES.get(language)) and (asked := _read(" ".join(folded.split()), forms)):
            return asked
    return None


def _read(text: str, forms: _Forms) -> Asked | None:
    bare, today = re.subn(rf"(?<![\w-])(?:{forms.today})(?![\w-])", " ", text)
    bare, week = re.subn(rf"(?<![\w-])(?:{forms.week})(?![\w-])", " ", bare)
    bare = " ".join(bare.split())
    polite = rf"(?:{forms.polite} )*"
    closing = rf"(?: {forms.polite})*"

    def asks(pattern: str) -> bool:
        return re.fullmatch(rf"{polite}(?:{pattern}){closing}", bare) is not None

    if asks(forms.overdue):
        return "overdue"
    if asks(forms.whole) or ((today or week) and asks(forms.timed)):
        return "today" if today and not week else "week"
    return None
