"""Which language a text is in, by its function words, and which words of a question only ask. Pure.

Enough to choose a stemmer and to leave out words that say nothing: a language that is missing here is searched by its
words as they are. A word is of several languages' lists where it is a function word in each.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable

# Articles, pronouns, prepositions, conjunctions, auxiliaries and question words, by the name of the stemmer.
_FUNCTION_WORDS = {
    "english": """a about after all also am an and any are as at be because been but by can could did do does for from
        had has have he her him his how i if in into is it its just many me much my no nor not of on or our out over own
        s she should so some such t than that the their them then there these they this to too up versus very vs
        was we were what when where which who whom whose why will with would you your""",
    "german": """aber als am an auch auf aus bei bin bis bist da das dass dein dem den der des dessen die dies diese
        diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es euer für hab habe haben
        hat hatte hatten hier hinter ich ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden jeder jedes kann kein
        keine man mein meine mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so soll über um
        und uns unser unter viel viele vom von vor war waren warum was wann wegen weil welche welchem welchen welcher
        welches wem wen wenn wer werde werden wessen wie wieder wieviel wir wird wo woher wohin wodurch womit worin
        wurde wurden zu zum zur zwischen""",
    "french": """à ai as au aux avec avait avez avons avoir ce ces cet cette combien comment dans de des du elle elles
        en entre est et étaient était être eu fait il ils j je l la le les leur leurs lui ma mais me même mes moi mon
        n ne nos notre nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s
        sa sans se ses si son sont sous sur t ta te tes toi ton tu un une vos votre vous y""",
    "spanish": """a al ante aquel como cómo con cual cuál cuales cuáles cuando cuándo cuánta cuántas cuánto cuántos de
        del desde donde dónde durante e el ella ellos en entre era es esa ese eso esta está estaba este esto fue fueron
        ha había han hasta hay la las le les lo los más me mi mis muy nos o para pero por porque qué que quién quiénes
        se ser si sin sobre son su sus te tu tus un una unas uno unos y ya yo""",
    "italian": """a ai al alla alle anche c che chi ci come con cosa cui da dal dalla dei del della delle dello di dove
        e è era erano gli ha hanno ho i il in io l la le lo ma mi mia mio nei nel nella non o per perché più qual quale
        quali quando quanta quante quanti quanto questa questo se si sono sua suo sul sulla tra un una uno""",
    "portuguese": """a ao aos as à às com como da das de do dos e é ela ele em entre era eram essa esse esta este eu foi
        foram há isso mais mas me meu minha na nas não no nos o onde os ou para pela pelo por porque qual quais quando
        quanta quantas quanto quantos que quem se sem ser seu são sobre sua também te tem um uma você""",
    "dutch": """aan als bij dan dat de deze die dit door dus een en er had heb heeft hem het hij hoe hoeveel hun ik in
        is je kan maar me meer met mij mijn naar niet nog nu of om onder ons ook op over te tot uit van voor waar
        waarom wanneer waren was wat we wel welk welke werd wie wij worden zijn zo zou""",
    "swedish": """alla att av blev bli de dem den det dig där då efter ej eller en ett från för ha hade han har hon hur
        i inte jag kan man med men mig min mot mycket ni nu när och om oss på sig sin ska som så till under upp ut var
        varför vad vi vid vilka vilken vilket är över""",
    "danish": """af at blev da de dem den der det dig efter eller en er et for fra han har havde hun hvad hvem hvilke
        hvilken hvilket hvis hvor hvordan hvorfor hvornår i ikke ind jeg kan man med meget men mig min mod ned nogle nu
        når og også om op os over på sig sin skal som til ud under var ved vi vil være""",
    "norwegian": """av at ble bli da de dem den der det deg eller en er et etter for fra ha hadde han har hun hva hvem
        hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke jeg kan man med meg meget men min mot mye ned noe nå
        når og også om opp oss over på seg sin skal som så til under ut var ved vi vil være""",
    "finnish": """ei että hän ja jo jonka jos joka kanssa koska kuin kuinka kuka kun ketkä mikä miksi millainen milloin
        minä missä mistä mitä mitkä montako mutta myös ne niin nyt oli olla on ovat sekä se siitä sinä tai tämä vai
        vain""",
    "polish": """a aby ale bo był była było być by co czy dla do gdy gdzie i ich ile jak jaka jaki jakie jako jest jego
        jej już kiedy kto która które którego który lub ma mi mnie na nie o od oraz po pod przez przy się są ta tak
        tego ten to tym u w we z za że""",
    "czech": """a aby ale ani bude by byl byla bylo být co do i jak jaká jaké jaký jako je jeho jsem jsou k kde kdo kdy
        kolik která které který ma má na nebo není o od po pod podle pro proč při s se si ta tak ten to u v ve z za
        že""",
    "hungarian": """a az azt csak de egy ez ezt és hány hogy hogyan hol ki kell kik már meg mely melyik mennyi mi miért
        mikor milyen mit mondta nagy nem ő össze van vagy volt voltak""",
    "romanian": """a ai al ale am ar au ca care câte câți când ce cele cine cu cum cât de decât din este fi fost iar
        în între la lui mai nu o pe pentru prin sau și să sunt unde un una unei unui va""",
    "turkish": """ama bir bu çok da daha de en gibi hangi her için ile kaç kadar kim kimdir mi mı mu mü nasıl ne neden
        nedir nerede neyi niçin o olan olarak oldu olduğu onun sonra şu tarafından ve veya ya""",
    "indonesian": """ada adalah akan apa apakah atau bagaimana bahwa berapa dalam dan dapat dari dengan di dia ini itu
        juga kami kapan karena ke mana mengapa mereka oleh pada saya sebagai sebuah siapa tidak untuk yang""",
    "russian": """а без более бы был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть
        еще же за и из или им их к как какая какие каким каких какое какой какую когда кого кому которая которые
        который кто ли между мне может мой мы на над не него нее нет ни но о об он она они от по под почему при с
        сколько со так там то тот у уже чего чем что чтобы чья это этого этой этот я""",
    "greek": """αν από για δεν είναι ένα ένας εκ ενώ η ήταν θα και κατά με μετά μια μία να ο οι όπως ότι πόσα πόσες
        πόσο πόσοι ποια ποιά ποιες ποιο ποιος ποιός ποιοι ποιον πότε που πού προς πως πώς σε στα στη στην στις στο
        στον στους τα τη την της τι τις το τον του τους των ως""",
    "arabic": """أن أو أي أين إلى إن التي الذي الذين بعد بين ثم حتى على عن عند في قد كان كانت كل كم كما كيف لا لم لماذا
        لن ما ماذا متى مع من منذ هذا هذه هل هو هي و""",
    "hindi": """अपने आप इस इसके उन उनके उस उसके एक एवं और कब करने कहा कहाँ का कि कितना कितनी कितने किन किस किसने किसे
        की कुछ के को कौन कौनसा कौनसी क्या क्यों गया जब जो तक तो था थी थे द्वारा ने नहीं पर भी में यह या ये रहा लिए वह वे
        से हुआ हुई हुए है हैं हो होता होती""",
}


def _bare(word: str) -> str:
    """Without accents: questions are often typed without them."""
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(char for char in decomposed if not unicodedata.combining(char)) if decomposed[0] < "\u0250" else word


_BY_LANGUAGE = {
    name: frozenset(form for word in words.split() for form in (word, _bare(word)))
    for name, words in _FUNCTION_WORDS.items()
}
_LANGUAGES_OF: dict[str, tuple[str, ...]] = {
    word: tuple(name for name, words in _BY_LANGUAGE.items() if word in words)
    for words in _BY_LANGUAGE.values()
    for word in words
}
# Scripts that are one language's for us: its stemmer knows the others' words about as well.
_BY_SCRIPT = (
    (re.compile("[\u0400-\u04ff]"), "russian"),
    (re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), "greek"),
    (re.compile("[\u0600-\u06ff]"), "arabic"),
    (re.compile("[\u0900-\u097f]"), "hindi"),
    (re.compile("[\u0b80-\u0bff]"), "tamil"),
)


def guess_language(words: Iterable[str], among: Collection[str] = ()) -> str | None:
    """The language with the most function words among `words` (case-folded); of several with as many, one of `among`,
    then that which comes first in the table. None where there are none; one word alone is enough only for `among`."""
    counts: Counter[str] = Counter()
    for word in words:
        counts.update(_LANGUAGES_OF.get(word, ()))
    best = max(_BY_LANGUAGE, key=lambda name: (counts[name], name in among))
    return best if counts[best] > 1 or (counts[best] and best in among) else None


def language_of_script(word: str) -> str | None:
    """The language that we take a word of another script than Latin for."""
    return next((name for script, name in _BY_SCRIPT if script.match(word)), None)


def is_function_word(word: str, language: str | None) -> bool:
    return language is not None and word in _BY_LANGUAGE[language]
