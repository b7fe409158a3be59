"""The guard: what is not whole is found, in any language; what only looks like it passes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.wiki.guard import WITHHELD, ElisionKind, find_elisions

steady = settings(deadline=None, derandomize=True, max_examples=100)

NOTICES = [
    "(rest unchanged)",
    "... rest unchanged ...",
    "Rest unchanged.",
    "[The rest of the page remains unchanged]",
    "*remaining content omitted*",
    "Remaining sections omitted for brevity",
    "[content truncated]",
    "(omitted)",
    "[... truncated ...]",
    "... (unchanged)",
    "[keep the rest of the page as is]",
    "Rest unverändert",
    "(Der Rest der Seite bleibt unverändert.)",
    "[restlicher Inhalt gekürzt]",
    "*Übriger Text wie bisher*",
    "Aus Platzgründen gekürzt",
    "(le reste de la page est inchangé)",
    "Reste inchangé",
    "[el resto permanece igual]",
    "Resto sin cambios",
    "(il resto rimane invariato)",
    "[o resto permanece inalterado]",
    "(de rest blijft ongewijzigd)",
    "reszta bez zmian",
    "(остальное без изменений)",
    "其余内容保持不变",
    "（以下省略）",
    "（后续内容不变）",
    "以下略",
    "（残りは同じです）",
    "(나머지 생략)",
    "(بقية المحتوى دون تغيير)",
]


@pytest.mark.parametrize("line", NOTICES)
def test_a_notice_in_place_of_text_is_found(line: str) -> None:
    body = f"# Page\n\nSome text.\n\n{line}\n\nMore text.\n"
    [found] = find_elisions(body)
    assert (found.line, found.text) == (5, line)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("...", ElisionKind.ELLIPSIS),
        ("…", ElisionKind.ELLIPSIS),
        ("- ...", ElisionKind.ELLIPSIS),
        ("**…**", ElisionKind.ELLIPSIS),
        ("(...)", ElisionKind.ELLIPSIS),
        ("The dose is 3 g a day [...]", ElisionKind.BRACKETED),
        ("The dose is 3 g a day […]", ElisionKind.BRACKETED),
        (r"The dose is \[...\]", ElisionKind.BRACKETED),
        ("<!-- rest of the page unchanged -->", ElisionKind.COMMENT),
        ("<!-- ... -->", ElisionKind.COMMENT),
        ("Text. <!-- Inhalt gekürzt --> Mehr.", ElisionKind.COMMENT),
        ("%% remaining text omitted %%", ElisionKind.COMMENT),
        ("[tool output withheld]", ElisionKind.WITHHELD),
        ("[Old result cleared to save space]", ElisionKind.WITHHELD),
        ("<tool_result>", ElisionKind.WITHHELD),
        ("[123 lines omitted]", ElisionKind.WITHHELD),
        ("... 45 more lines", ElisionKind.WITHHELD),
        (f"    {WITHHELD}", ElisionKind.WITHHELD),
    ],
)
def test_every_kind_of_elision(line: str, kind: ElisionKind) -> None:
    [found] = find_elisions(f"Text.\n\n{line}\n\nText.\n")
    assert (found.kind, found.line) == (kind, 3)


@pytest.mark.parametrize(
    "body",
    [
        "The rest remains unchanged.",
        "The rest of the plan is unchanged.",
        "Everything else stays the same.",
        "Der Rest bleibt gleich.",
        "He waited... and waited...",
        "Wait for it...",
        "One must not omit the rest.",
        "Unchanged",
        "Omitted",
        'He said "it was [...] in the end".',
        "The rest of the pages unchanged since 1998 were burnt.",
        "> He said [...]\n> ...\n> (rest unchanged)",
        "```python\ndef f():\n    ...\n# rest unchanged\n```",
        "~~~\n...\n~~~",
        "> ```\n> ...\n> ```",
        "Text.\n\n    ...\n    [...]\n",
        "`...`",
        "`[...]`",
        "See [...](other.md)",
        "[[Rest unchanged]]",
        "$$\na_1 + \n...\n$$",
        "<!-- a comment about bees -->",
        "<!-- TODO: the remaining hives -->",
        "%%added 2026-03-02%%",
        "| a | b |\n|---|---|\n| ... | … |",
        "- [ ] continue the list ...",
        "1. first\n2. second",
        "一些内容省略了细节。",
        "Die Ausgabe wurde gekürzt, weil sie zu lang war.",
        "",
    ],
)
def test_legitimate_text_passes(body: str) -> None:
    assert find_elisions(body) == ()


@pytest.mark.parametrize("body", ["Text.\n\n```python\nprint(1)\n", "~~~~\na\n~~~\n", "- item\n  ```\n  a\n"])
def test_a_fence_that_nothing_closes_is_found(body: str) -> None:
    [found] = find_elisions(body)
    assert found.kind is ElisionKind.OPEN_FENCE


def test_a_quote_that_ends_closes_its_fence() -> None:
    assert find_elisions("> ```\n> a\n\nText.\n") == ()


@pytest.mark.parametrize(
    ("body", "cut"),
    [
        ("The colony had 14 mites a", True),
        ("The colony had 14 mites,", True),
        ("- one\n- two and", True),
        ("# Heading", True),
        ("", True),
        ("The colony had 14 mites.", False),
        ("蜂群有十四只螨虫。", False),
        ("Il a dit « non ! »", False),
        ("**Done.**", False),
        ("The end. ^abc123", False),
        ("| a | b |", False),
        ("```\ncode\n```", False),
        ("क्या यह ठीक है।", False),
    ],
)
def test_a_text_that_ran_out_of_tokens_has_to_end_a_sentence(body: str, cut: bool) -> None:
    kinds = [found.kind for found in find_elisions(body, stopped_by_length=True)]
    assert kinds == ([ElisionKind.CUT_OFF] if cut else [])
    assert find_elisions(body) == ()


@steady
@given(
    st.lists(st.from_regex(r"[A-Z][a-z]{1,9}( [a-z]{1,9}){0,6}\.", fullmatch=True), max_size=8),
    st.sampled_from(NOTICES[:6]),
)
def test_a_notice_is_found_wherever_it_stands_and_nowhere_else(sentences: list[str], notice: str) -> None:
    assert find_elisions("\n\n".join(sentences)) == ()
    at = len(sentences) // 2
    body = "\n\n".join([*sentences[:at], notice, *sentences[at:]])
    assert [found.line for found in find_elisions(body)] == [2 * at + 1]


@pytest.mark.parametrize("unit", ["<!--", "%%", "[", "`", "(", "![[", "> ", "...", "[...", "| ", "- ", "rest of the "])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    began = time.process_time()
    find_elisions(unit * 20_000 + "\n" + (unit + "\n") * 5_000)
    assert time.process_time() - began < 5
