"""Link targets change in place; what only looks like a link stays."""

from __future__ import annotations

import time

import pytest

from zibaldone.errors import InvalidRequest, NotEditable
from zibaldone.vault.edit.links import LinkTarget, rewrite_links


def rename(text: str, new: str = "New", old: str = "Old") -> str:
    """`text` with links to `old` leading to `new`; headings kept."""
    return rewrite_links(
        text.encode(), lambda link: new + link.place if link.path in (old, f"{old}.md") else None
    ).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[Old]]", "[[New]]"),
        ("[[Old|a [b|c]]", "[[Old|a [b|c]]"),
        ("[[ Old#H^x |shown ]]", "[[ New#H^x |shown ]]"),
        ("![[Old#^id|300x200]]", "![[New#^id|300x200]]"),
        ("[a](Old.md)", "[a](New)"),
        ("[a](<Old.md> 'T')", "[a](<New> 'T')"),
        ("[a *b* `c`](Old#x)", "[a *b* `c`](New#x)"),
        ("[![i](Old)](Old)", "[![i](New)](New)"),
        ("[a]( Old )", "[a]( New )"),
        ("| [[Old\\|x]] |", "| [[New\\|x]] |"),
        ("[x]: Old.md 'T'", "[x]: New 'T'"),
        ("[x]: <Old>", "[x]: <New>"),
        ("[^x]: Old", "[^x]: Old"),
        ("\\[[Old]] [\\[Old]]", "\\[[Old]] [\\[Old]]"),
        ("\\\\[[Old]] \\![[Old]]", "\\\\[[New]] \\![[New]]"),
        ("`[[Old]]` ``[a](Old)``", "`[[Old]]` ``[a](Old)``"),
        ("` [[Old]] and no code", "` [[New]] and no code"),
        ("[[Older]] [[old]] [[X/Old]]", "[[Older]] [[old]] [[X/Old]]"),
        ("[a](https://e.org/Old) [b](//Old)", "[a](https://e.org/Old) [b](//Old)"),
        ("no](Old) link", "no](Old) link"),
        ("[ ](Old) [](Old)", "[ ](New) [](New)"),
        ("%%[[Old]]%% <!--[[Old]]--> [[Old]]", "%%[[Old]]%% <!--[[Old]]--> [[New]]"),
        ("50%% of [[Old]]", "50%% of [[New]]"),
        ("<% [[Old]] %>", "<% [[Old]] %>"),
        ("field:: [[Old]]", "field:: [[New]]"),
        ("> [!q] [[Old]]\n> ```\n> [[Old]]\n[[Old]]", "> [!q] [[New]]\n> ```\n> [[Old]]\n[[New]]"),
        ("1. x\n\n       [[Old]]", "1. x\n\n       [[New]]"),
        ("a\n\n\t[[Old]]\n\n    [[Old]]\n[[Old]]", "a\n\n\t[[Old]]\n\n    [[Old]]\n[[New]]"),
    ],
)
def test_in_the_body(before: str, after: str) -> None:
    assert rename(before) == after


@pytest.mark.parametrize(
    ("written", "old", "new", "after"),
    [
        ("a%20b.md", "a b.md", "c d.md", "c%20d.md"),
        ("a%20b.md", "a b.md", "日本 (x).md", "日本%20%28x%29.md"),
        ("%C3%A9.md", "é.md", "ü ñ.md", "%C3%BC%20%C3%B1.md"),
        ("<a b.md>", "a b.md", "c d%.md", "<c d%25.md>"),
        ("a\\_b.md", "a_b.md", "c_d.md", "c_d.md"),
        ("100%.md", "100%.md", "x.md", "x.md"),
        ("a(b).md", "a(b).md", "c(d.md", "c%28d.md"),
    ],
)
def test_addresses_in_markdown(written: str, old: str, new: str, after: str) -> None:
    seen: list[LinkTarget] = []

    def change(link: LinkTarget) -> str:
        seen.append(link)
        return new

    assert rewrite_links(f"[t]({written})".encode(), change) == f"[t]({after})".encode()
    assert [link.address for link in seen] == [old]
    seen.clear()
    rewrite_links(f"[t]({after})".encode(), change)
    assert [link.address for link in seen] == [new], "what was written reads as what was meant"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('up: "[[Old|x]]" # [[Old]]', 'up: "[[It\'s #1|x]]" # [[Old]]'),
        ("up: '[[Old]]'", "up: '[[It''s #1]]'"),
        ("a:\n  - '[[Old]]'\n  # [[Old]]\n  - \"see [t](Old)\"", None),
        ("# [[Old]]\nx: 1", "# [[Old]]\nx: 1"),
        ("up: ['[[Old]]', \"[[Old]]\"]", "up: ['[[It''s #1]]', \"[[It's #1]]\"]"),
        ("text: |\n  see [[Old]] # here", "text: |\n  see [[It's #1]] # here"),
    ],
)
def test_in_properties(before: str, after: str | None) -> None:
    if after is None:
        after = before.replace("'[[Old]]'", "'[[It''s #1]]'").replace("(Old)", "(It's%20#1)")
    assert rename(f"---\n{before}\n---\n", new="It's #1") == f"---\n{after}\n---\n"


def test_unquoted_in_properties() -> None:
    assert rename("---\nup: [[Old]]\n---\n") == "---\nup: [[New]]\n---\n"
    assert rename('---\nbad: a: b\nup: "[[Old]]"\n---\n') == '---\nbad: a: b\nup: "[[New]]"\n---\n'
    for new in ("A, B", "A: B", "A #b", "'A"):
        with pytest.raises(NotEditable, match="read differently"):
            rename("---\nup: [[Old]]\n---\n", new=new)
    with pytest.raises(NotEditable):
        rename("---\nup: See [[Old]] there\n---\n", new="A #b")


@pytest.mark.parametrize("new", ["a|b", "a]]b", "a\nb", "", " a"])
def test_addresses_that_a_wikilink_cannot_hold(new: str) -> None:
    with pytest.raises(InvalidRequest):
        rewrite_links(b"[[Old]]", lambda _: new)


def test_what_is_told_about_a_link() -> None:
    seen: list[LinkTarget] = []
    data = b"---\nup: '[[A#h]]'\n---\n![[B.png]] [x](c%20d.md#e%20f) [[#here]]\n"
    rewrite_links(data, seen.append)  # type: ignore[arg-type,func-returns-value]
    assert [(link.path, link.place, link.kind.value, link.embed, link.line) for link in seen] == [
        ("A", "#h", "wiki", False, 2),
        ("B.png", "", "wiki", True, 4),
        ("c d.md", "#e f", "markdown", False, 4),
        ("", "#here", "wiki", False, 4),
    ]


@pytest.mark.parametrize(
    "part", ["[", "[[", "[[a|", "](", "[a](", "[a](<", '[a](b "', "![[a]]", "\\", "`[", "[a](b(", "%%", "<%", "[a]:"]
)
def test_hostile_lines_take_linear_time(part: str) -> None:
    def seconds(count: int) -> float:
        line = (part * count).encode()
        started = time.perf_counter()
        rewrite_links(line, lambda _: None)
        return time.perf_counter() - started

    seconds(1_000)
    assert seconds(40_000) < 5
