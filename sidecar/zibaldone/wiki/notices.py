"""How models say, in place of a text, that they left it out: "rest unchanged", "Rest unverändert", 以下省略. Pure.

A notice fills its line. With a verb it is also an ordinary sentence ("The rest remains unchanged."), so it counts only
where it is marked as an aside: in brackets, in italics, in a comment, beside an ellipsis. A single word ("unchanged")
counts only so. No pattern can begin to match inside its own repetition; a line longer than a notice is not looked at.
"""

from __future__ import annotations

import re

MOST_CHARS = 160

_WRAPPERS = " \t*_~()[]{}<>（）［］【】「」《》〈〉\"'“”„«».。…⋯!,;:-–—=/#%|"
_ASIDE = re.compile(r"^[\s>#]*(?:[(\[{<*_（［【「…⋯]|\.{2}|//|--|%%)|(?:[)\]}>*_）］】」…⋯]|\.{3})[\s.。]*$")
_SENTENCES = (
    # English
    r"(?:the )?(?:rest|remainder|remaining \w+|everything else|(?:all )?other \w+|(?:previous|existing) \w+)"
    r"(?: of (?:the|this)(?: (?!is |are |was |were |remain|stay)\w+){1,3})? "
    r"(?P<verb>(?:is|are|was|were|has been|have been|remains?|stays?|left|kept)(?: (?:left|kept))? )?"
    r"(?:unchanged|unmodified|as before|as is|as above|the same|the same as before|omitted|truncated|skipped|elided|"
    r"not shown|abbreviated|cut)(?: here)?(?: for (?:brevity|length|space|clarity))?",
    r"(?:\w+ )?(?:omitted|truncated|abbreviated|shortened) for (?:brevity|length|space|clarity)",
    r"(?:content|text|output|section|body|page|note|message|response) (?:omitted|truncated|elided|cut off|unchanged)",
    r"(?:keep|insert|add|include) (?:the )?(?:rest|remaining \w+|existing \w+|previous \w+)(?: of .{1,40})?"
    r"(?: here| as is| unchanged)",
    r"no (?:other |further )?changes (?:below|above|here)",
    # German
    r"(?:der |die |das )?(?:rest|übrige[nrs]?(?: \w+)?|restliche[nrs]? \w+|alles (?:andere|übrige|weitere)|"
    r"weitere[nrs]? \w+)(?: (?:des|der|dieser|dieses) \w+)? (?P<verb>(?:bleib(?:t|en)|ist|sind|wurden?) )?(?:hier )?"
    r"(?:unverändert|unveraendert|gleich|wie (?:bisher|zuvor|oben|gehabt)|ausgelassen|weggelassen|gekürzt|entfällt|"
    r"nicht (?:gezeigt|dargestellt))(?: aus platzgründen| der kürze halber)?",
    r"(?:inhalt|text|ausgabe|abschnitt|seite) (?:gekürzt|ausgelassen|weggelassen|abgeschnitten|unverändert)",
    r"(?:aus platzgründen|der kürze halber) (?:gekürzt|ausgelassen|weggelassen)",
    # French, Spanish, Italian, Portuguese
    r"(?:le )?(?:reste|(?:contenu|texte) restant)(?: (?:du|de la|de cette) \w+)? (?P<verb>(?:est|reste|demeure) )?"
    r"(?:inchangée?|identique|omise?|tronquée?|sans changement)(?: pour plus de \w+)?",
    r"(?:el )?(?:resto|(?:contenido|texto) restante)(?: (?:del|de la) \w+)? "
    r"(?P<verb>(?:es|está|queda|sigue|permanece) )?(?:sin cambios|igual|omitido|truncado|inalterado)(?: por brevedad)?",
    r"(?:il )?(?:resto|(?:contenuto|testo) rimanente)(?: (?:del|della|di questa) \w+)? (?P<verb>(?:è|resta|rimane) )?"
    r"(?:invariato|immutato|omesso|troncato|uguale)(?: per brevità)?",
    r"(?:o )?(?:resto|(?:conteúdo|texto) restante)(?: (?:do|da) \w+)? (?P<verb>(?:fica|continua|permanece) )?"
    r"(?:inalterado|omitido|truncado|sem alterações)(?: por brevidade)?",
    # Dutch, Polish, Russian
    r"(?:de )?rest(?: van (?:de|het) \w+)? (?P<verb>(?:is|blijft) )?(?:ongewijzigd|onveranderd|hetzelfde|weggelaten)",
    r"(?:reszta|pozostała (?:część|treść))(?: \w+)? (?P<verb>(?:jest|pozostaje) )?(?:bez zmian|niezmieniona|pominięta)",
    r"(?:остальное|остальной текст|остальная часть|остальные разделы)(?: \w+)? "
    r"(?P<verb>(?:остаётся|остается|остаются) )?(?:без изменений|опущено|опущен|опущена|пропущено)",
    # Chinese, Japanese, Korean, Arabic: without spaces, or with the verb at the end
    r"(?:其余|其他|剩余|余下|后续|以下|其餘|剩餘|後續)(?:的)?(?:内容|部分|文本|章节|正文|內容|章節)?(?:均|都)?(?:保持)?"
    r"(?:不变|不變|未变|未更改|省略|已省略|从略|略|同上|同前)",
    r"(?:以下|以降|残り(?:の(?:内容|部分|文章))?は?)(?:、)?(?:省略|略|同じ|同様|変更なし|変更ありません|そのまま)"
    r"(?:します|しました|です)?",
    r"(?:中略|後略|以下略)",
    r"(?:나머지|이하)(?: ?(?:내용|부분))?(?:은|는)? ?(?:생략|동일|변경 없음|그대로)(?:함|됨|합니다|됩니다)?",
    r"(?:بقية|باقي) (?:المحتوى|النص|الصفحة) (?:دون تغيير|بدون تغيير|كما هو|كما هي|محذوف|محذوفة)",
)
_WORDS = re.compile(
    r"unchanged|omitted|truncated|elided|snip|snipped|continued|continues|unverändert|gekürzt|ausgelassen|weggelassen|"
    r"fortsetzung folgt|inchangé|omis|tronqué|sin cambios|omitido|truncado|invariato|omesso|省略|略|"
    r"不变|생략|без изменений"
)
_IN_COMMENT = re.compile(
    r"\b(?:omitted|truncated|unchanged|elided|continues (?:below|here|as)|(?:rest|remainder) of (?:the|this)|"
    r"ausgelassen|weggelassen|gekürzt|abgeschnitten|unverändert|inchangé|tronqué|omitido|truncado|invariato|omesso)\b"
    r"|省略|不变|생략|без изменений|опущено"
)
_NOTICES = tuple(re.compile(pattern) for pattern in _SENTENCES)


def is_notice(line: str) -> bool:
    """Whether this line only says that something was left out or stays as it was."""
    if len(line) > MOST_CHARS:
        return False
    words = _words(line)
    if not words:
        return False
    aside = bool(_ASIDE.search(line))
    if aside and _WORDS.fullmatch(words):
        return True
    for pattern in _NOTICES:
        if match := pattern.fullmatch(words):
            return aside or not match.groupdict().get("verb")
    return False


def is_notice_in_comment(comment: str) -> bool:
    """Whether a comment says so; nobody writes a comment of these words for a reader."""
    words = _words(comment[: MOST_CHARS * 2])
    return bool(_IN_COMMENT.search(words)) or any(pattern.fullmatch(words) for pattern in _NOTICES)


def _words(text: str) -> str:
    return " ".join(text.strip(_WRAPPERS).casefold().split())
