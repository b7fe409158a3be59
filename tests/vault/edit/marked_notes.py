"""Notes whose places to edit are marked in their source, so that a test knows them without asking the program.

`⟦x` opens and `x⟧` closes a place: `s` the body of the section that is aimed at, `p` the lines of the property `zip`
(an empty one: where it would be added), `l` the address `Old` of a link. What looks like one of them and is not marked
is a decoy. The marks are taken out, and offsets counted in bytes.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import dataclass, field

_MARK = re.compile("(⟦[a-z]|[a-z]⟧)")
HEADING = "Tasks"
PROPERTY = "zip"
LINK = "Old"


@dataclass(frozen=True, slots=True)
class MarkedNote:
    """`refuses` names the edits (append, replace, set, link) that must be refused."""

    name: str
    data: bytes
    places: dict[str, list[tuple[int, int]]]
    heading: str = HEADING
    ordinal: int | None = None
    refuses: frozenset[str] = field(default_factory=frozenset)
    encoding: str = "utf-8"

    def place(self, label: str) -> tuple[int, int] | None:
        return self.places[label][0] if label in self.places else None


def marked(
    name: str,
    source: str,
    *,
    end: str = "\n",
    encoding: str = "utf-8",
    mark: bytes = b"",
    heading: str = HEADING,
    ordinal: int | None = None,
    refuses: str = "",
) -> MarkedNote:
    data = mark
    opened: dict[str, int] = {}
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for part in _MARK.split(source):
        if part[:1] == "⟦" and len(part) == 2:
            opened[part[1]] = len(data)
        elif part[1:] == "⟧":
            places[part[0]].append((opened.pop(part[0]), len(data)))
        else:
            data += part.replace("\n", end).encode(encoding)
    assert not opened, (name, opened)
    return MarkedNote(name, data, dict(places), heading, ordinal, frozenset(refuses.split()), encoding)


BODY = "# Home\n\nSee [[⟦lOldl⟧|the old one]].\n\n## Tasks\n⟦s\n- one\n- two\n\ns⟧## Next\n\nEnd.\n"

ODD_NOTES = [
    marked("plain", f'---\nup: "[[⟦lOldl⟧]]"\n⟦pzip: 00123\np⟧---\n{BODY}'),
    marked("byte order mark", f"---\n⟦pzip: 1\np⟧---\n{BODY}", mark=b"\xef\xbb\xbf"),
    marked("carriage returns", f"---\n# mine\n⟦pzip: '1'\np⟧b: 2\n---\n{BODY}", end="\r\n"),
    marked("lone carriage returns", f"---\n⟦pzip: 1\np⟧---\n{BODY}", end="\r"),
    marked("mixed endings", "---\r\n⟦pzip: 1\r\np⟧---\n# A\r\n## Tasks\n⟦s- x\r\n- y\ns⟧## B\r\n[[⟦lOldl⟧]]\n"),
    marked(
        "tabs", "---\nmap:\n  zip: 2\n⟦pzip:\t1\np⟧---\n#\tHome\n\n##\tTasks\t\n⟦s\t\n\tcode [[Old]]\n\n\ts⟧\n## B\n"
    ),
    marked("no final newline", f"{BODY[:-6]}## Last\n\n[[⟦lOldl⟧]]"),
    marked("unquoted wikilink", f"---\nup: [[⟦lOldl⟧]]\n⟦pzip: [[Old Home]]\np⟧---\n{BODY}"),
    marked(
        "comments", "---\n# zip: 0\n⟦pzip: 1 # zip\np⟧# [[Old]]\n---\n%%\n## Tasks\n[[Old]]\n%%\n## Tasks\n⟦sx\ns⟧# B\n"
    ),
    marked("duplicate keys", f"---\nzip: 1\nother: 2\nzip: 3\n---\n{BODY}", refuses="set"),
    marked("another key twice", f"---\na: 1\n⟦pzip: 1\np⟧a: 2\n---\n{BODY}"),
    marked("unparsable YAML", f"---\nbad: [1, 2\n⟦pzip: 00123\np⟧a: b: c\n\tq\n---\n{BODY}"),
    marked("unparsable YAML without the key", f'---\nbad: "x\na: b: c\n---\n{BODY}', refuses="set"),
    marked("NUL", f"---\n⟦pzip: 1\np⟧---\nA\0B\n{BODY}"),
    marked("code in the first line", f"```\n---\nzip: 1\n---\n## Tasks\n[[Old]]\n```\n{BODY}"),
    marked("emoji headings", "# 🌱 Home\n## 🧑‍💻 Tasks ✅\n⟦sx [[⟦lOldl⟧]]\ns⟧## é\n", heading="🧑‍💻 Tasks ✅"),
    marked("two of a name", "# A\n## Tasks\n- one\n\n# B\n## Tasks\n⟦s- two\n\ns⟧# C\n", ordinal=2),
    marked("two of a name, none said", "# A\n## Tasks\n- one\n# B\n## Tasks\n- two\n", refuses="replace section"),
    marked("underlined", "Home\n====\n\nTasks\n-----\n⟦s\nwords\n\ns⟧Next\n----\nmore [[⟦lOldl⟧]]\n"),
    marked(
        "nested fences",
        "````\n```\n## Tasks\n```\n[[Old]]\n````\n~~~ md\n## Tasks\n```\n~~~\n"
        "## Tasks\n⟦s```\n# x\n```\ns⟧## B\n[[⟦lOldl⟧]]\n",
    ),
    marked(
        "HTML",
        "<!--\n## Tasks\n[[Old]]\n-->\n<pre>\n## Tasks\n</pre>\n<div>\n## Tasks\n</div>\n\n## Tasks\n⟦sx\ns⟧# B\n",
    ),
    marked(
        "callouts and block ids",
        "> [!note] ## Tasks\n> ## Tasks\n> [[⟦lOldl⟧#^x]] ^y\n\n## Tasks ^id\n⟦sx ^z\n\ns⟧## B\n",
    ),
    marked("links in a table", "| a | b |\n|---|---|\n| [[⟦lOldl⟧\\|x]] | `[[Old]]` |\n\n## Tasks\n⟦s| c |\n|--|\ns⟧"),
    marked(
        "a very long line",
        f"{'word ' * 40_000}[[⟦lOldl⟧]] {'`' * 5_000}{'[' * 5_000}\n## Tasks\n⟦s{'x' * 99_999}\ns⟧## B\n",
    ),
    marked("empty", "⟦pp⟧"),
    marked("properties alone", "---\na: 1\n⟦pzip: 1\np⟧---"),
    marked("properties ended by dots", "---\nzip: 1\n...\n## Tasks\n⟦sx\ns⟧", refuses="set"),
    marked("a rule, not properties", "⟦pp⟧---\nwords\n\n---\n\n## Tasks\n⟦sx\ns⟧"),
    marked(
        "other scripts",
        "---\n⟦pzip: 日本\np⟧名: [[⟦lOldl⟧]]\n---\n# مرحبا\n## Tasks\n⟦sשלום\u200bעולם\ns⟧## \u200bTasks\n",
    ),
    marked("UTF-16", f"---\n⟦pzip: 1\np⟧---\n{BODY}日本\n", encoding="utf-16-le", mark=b"\xff\xfe"),
    marked("Windows-1252", f"---\n⟦pzip: é\np⟧---\n{BODY}Grüße\n", encoding="cp1252"),
    marked("UTF-16, unmarked", BODY, encoding="utf-16-le", refuses="append section replace set link"),
    marked("an open fence at the end", f"{BODY}```\n## Tasks\n", refuses="append"),
    marked(
        "maths and templates",
        "$$\n## Tasks\n$$\n<%\n## Tasks\n[[Old]]\n%>\n## Tasks ##\n⟦s$$x$$\n### \ns⟧## B\n[[⟦lOldl⟧]]\n",
    ),
    marked(
        "kinds of links",
        "![[⟦lOldl⟧]] [a](⟦lOldl⟧#h) ![b](<⟦lOldl⟧> 't') [![i](⟦lOldl⟧)](⟦lOldl⟧) [[ ⟦lOldl⟧ |x]] \\[[Old]]"
        " [u](https://Old) ``[[Old]] ` [a](Old)`` [[⟦lOldl⟧#^b|d]] %%[[Old]]%% [^1]: Old\n"
        "[r]: ⟦lOldl⟧ 'title'\n\n    [[Old]]\n- x\n\n    [[⟦lOldl⟧]]\n",
    ),
]


def generate_note(seed: int) -> MarkedNote:
    """A note put together at random from parts that are each a known difficulty."""
    pick = random.Random(seed)
    front, refuses = _front(pick)
    ordinal = pick.choice([None, None, 2])
    body = _blocks(pick, inside=bool(ordinal))
    if ordinal:
        body += "## Tasks\n\n- [ ] the other list\n\n" + _blocks(pick, inside=True)
    heading = pick.choice(["## Tasks\n", "## Tasks ##\n", "## **Tasks** ^a1\n", "Tasks\n---\n", "##   [[x|Tasks]]\n"])
    section = pick.choice(["", "\n"]) + _blocks(pick, inside=True) + pick.choice(["", "### Sub\nwords\n\n"])
    after = pick.choice(["# Next\n", "## Next\n", "Next one\n===\n"]) + _blocks(pick)
    if pick.random() < 0.2:
        after = ""
    source = f"{front}{body}{heading}⟦s{section}s⟧{after}"
    if source.count("%%") > 1:  # a stray mark would pair with the next comment's
        source = source.replace("100%%", "100%")
    if pick.random() < 0.2 and not source.endswith("⟧"):
        source = source.rstrip("\n")
    end = pick.choice(["\n", "\n", "\n", "\r\n", "\r"])
    if end == "\n" and pick.random() < 0.15:
        source = re.sub("\n", lambda _: pick.choice(["\n", "\r\n"]), source)
    mark = pick.choice([b"", b"", b"", b"\xef\xbb\xbf"])
    return marked(f"seed {seed}", source, end=end, mark=mark, ordinal=ordinal, refuses=refuses)


_OTHERS = [
    "# zip: comment, [[Old]]\n",
    'up: "[[⟦lOldl⟧]]"\n',
    "links:\n  - '[[⟦lOldl⟧|x]]'\n  # [[Old]]\n  - \"[t](⟦lOldl⟧)\" # [[Old]]\n",
    "tags: [a, \"b c\", 'd']\n",
    "aliases:\n- é\n- 日本\n",
    "text: |\n  zip: no\n\n  # no comment\n",
    "fold: >-\n  one\n  two\n",
    "map:\n  zip: 3\n  deep: {zip: 4}\n",
    "dup: 1\ndup: 2\n",
    "\n",
    "time: 12:30:45\n",
    "'q''t': \"a \\\" b\"\n",
    "anchor: &x v\nalias: *x\n",
    "empty:\n",
    "Ünï: -1\n",
]
_TARGETS = [
    "zip: 00123\n",
    "zip: '00123'   # a comment\n",
    "zip:\n",
    "zip: # only a comment\n",
    "zip:\n  - a # one\n  # between\n  - b\n",
    "zip:\n- a\n- b\n",
    "zip: [a, b,\n  c]\n",
    "zip: |\n  a\n\n  b\n",
    'zip: "a\n  b"\n',
    "zip: [[Home]]\n",
    "zip: {a: 1}\n",
    "zip:\n  a: 1\n  b:\n    - c\n",
    '"zip" : 1\n',
]
_BROKEN = ["bad: [1, 2\n", "bad: a: b\n", "\tbad: 1\n", 'bad: "x\n', "bad: %x\n", "*nope: 1\n"]


def _front(pick: random.Random) -> tuple[str, str]:
    """Properties, and which edits they make impossible."""
    if pick.random() < 0.25:
        return "⟦pp⟧", ""
    entries = pick.sample(_OTHERS, pick.randint(0, 5))
    broken = pick.random() < 0.2
    if broken:
        entries.append(pick.choice(_BROKEN))
    present = pick.random() < 0.7
    if present:
        entries.append(f"⟦p{pick.choice(_TARGETS)}p⟧")
    pick.shuffle(entries)
    if not any(":" in entry and entry[0] != "#" for entry in entries):
        entries.append("title: T\n")
    added = "" if present else "⟦pp⟧"
    return f"---\n{''.join(entries)}{added}---\n", "set" if broken and not present else ""


_BLOCKS = [
    "Words of a paragraph,\nand a second line with [[⟦lOldl⟧]].\n\n",
    "- item\n- [ ] task [[⟦lOldl⟧#Part|shown]]\n\t- nested ![[⟦lOldl⟧]]\n\n",
    "```md\n## Tasks\n[[Old]]\n```\n\n",
    "~~~\n---\nzip: 1\n## Tasks\n```\n~~~\n\n",
    "%%\n## Tasks\n[[Old]] a comment\n%%\n\n",
    "<!-- ## Tasks\n[[Old]]\n-->\n\n",
    "Inline `[[Old]]` and ``a ` [[Old]]`` and %%[[Old]]%% and \\[[Old]].\n\n",
    '> [!tip] ## Tasks\n> [a b](⟦lOldl⟧#h "title") [x](https://e.org/Old)\n\n',
    "| a | b |\n|---|---|\n| [[⟦lOldl⟧\\|x]] | 2 |\n\n",
    "$$\n## Tasks\n$$\n\n",
    "Déjà vu, 日本語, שלום, a\u200bb, 🧑‍💻.  \n\n",
    "# Other\n\n",
    "### Tasks and more\n\n",
    "[ref]: <⟦lOldl⟧> 'T'\n\n",
    "Example:\n\n    indented [[Old]]\n\n",
    "<div>\n## Tasks\n</div>\n\n",
    "100%% sure\x0bvertical\x0cform feed\u2028separator\n\n",
    "***\n\n",
    "\n\n",
]


def _blocks(pick: random.Random, *, inside: bool = False) -> str:
    """Blocks in any order; `inside` without a heading that would end the section, or be above it."""
    pool = [block for block in _BLOCKS if not (inside and block.startswith("# "))]
    return "".join(pick.sample(pool, pick.randint(0, 5)))
