"""A note's text to what can be found in it: sections and their blocks, links, tags, tasks.

A scanner over lines, not markdown-it: citations need the exact lines on disk, and wikilinks, callouts, `%%`
comments, block ids and Templater are Obsidian's own and would each need a plugin. Two rules make it simple:

* Cleaning keeps the number of lines, so a line's index is its place on disk all the way through. What is not
  a reader's text goes, and leaves an empty line where that was all: comments, HTML tags (not what they enclose),
  query fences, Templater code, drawings, base64.
* Every step is linear. No pattern may begin to match inside its own repetition, so runs of `[` or backticks
  in a hostile note cost nothing.

What is left out on purpose: `dataview`, `dataviewjs`, `tasks`, `query`, `base` and similar fences (they are
questions to the vault, not knowledge), `<% ... %>`, and the compressed data of Excalidraw (its text elements
stay).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from zibaldone.domain.notes import Block, Link, ParsedNote, Section, Task
from zibaldone.ingest.dates import HEAD_LINES, stated_date
from zibaldone.ingest.frontmatter import read_frontmatter, split_lines
from zibaldone.ingest.properties import read_property_block

PARSER_VERSION = 3

MAX_HEADING_CHARS = 300  # a longer one is a paragraph with a hash before it, and is kept as text
_QUERY_FENCES = frozenset(
    "dataview dataviewjs tasks query base yaml:dbfolder foam-query foam-query-js expander templater"
    " compressed-json button meta-bind meta-bind-button meta-bind-embed meta-bind-js-view".split()
)

BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_FENCE = re.compile(r"([ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)")
_QUOTE_PREFIX = re.compile(r"[ \t]*(?:>[ \t]*)*")
_HTML = (
    "a abbr article audio b big blockquote br button center cite code dd del details div dl dt em embed figcaption"
    " figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label li main mark nav object ol p"
    " pre s section small source span strong sub summary sup table tbody td tfoot th thead tr u ul video"
)
_HIDING = re.compile(
    rf"`+|<!--|%%|<%|</?(?:{'|'.join(_HTML.split())})(?:\s[^<>=]{{0,60}}=[^<>]*|[\s/]{{0,3}})>", re.IGNORECASE
)
_CLOSERS = {"<!--": "-->", "%%": "%%", "<%": "%>"}
_DATA_IMAGE = re.compile(r"!\[([^\[\]]*)\]\(data:[^\s()]*\)")
_DATA_URI = re.compile(r"data:[\w/+.;=-]{0,100};base64,[A-Za-z0-9+/=%]*")
_DATA_TITLES = ("excalidraw data", "text elements", "embedded files", "element links")
_DATA_ID = re.compile(r"[\w-]{8,40}: ")
_LONG_RUN = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{201,}")
_CALLOUT = re.compile(r"([ \t]*(?:>[ \t]*)+)\[![^\[\]]{1,60}\][+-]?[ \t]*")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)(.*)")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+")
_TASK = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\][ \t]+(.*)")
_NOT_A_PARAGRAPH = re.compile(r"[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\|)")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]]+)\]\]")
_MD_LINK = re.compile(
    r"(!?)\[([^\[\]]*)\]\([ \t]?(<[^<>\[\]]*>|[^\s()<>\[\]]*(?:\([^\s()<>\[\]]*\)[^\s()<>\[\]]*)*)"
    r"""(?:[ \t](?:"[^"\[\]]*"|'[^'\[\]]*'))?[ \t]?\)"""
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_URL = re.compile(r"\b[a-z][a-z0-9+]{1,9}://\S+", re.IGNORECASE)
_CODE = re.compile(r"`+")
_TAG = re.compile(
    r"(?:(?<=\s)|(?<![\s\S]))#([^\s#!\"$%&'()*+,.:;<=>?@^`{|}~\[\]\\"
    r"\u2000-\u200b\u2010-\u206f\u2e00-\u2e7f\u3000-\u3003\u3008-\u3020\uff01-\uff0f\uff1a-\uff20]+)"
)
_EMPHASIS = re.compile(r"(?:\*{1,3}|~~|==)(?=\S)|(?<=\S)(?:\*{1,3}|~~|==)|</?[A-Za-z][^<>]{0,100}>")


class Decoded(NamedTuple):
    """A note's text, with sentences about what had to be replaced."""

    text: str
    problems: list[str]


@dataclass(frozen=True, slots=True)
class SkipReason:
    """Why a file is not a note that can be read."""

    reason: str


class _Line(NamedTuple):
    """A cleaned line. `unit` numbers the fence or formula that it belongs to; 0 is prose."""

    text: str
    unit: int = 0


def decode_note(data: bytes) -> Decoded | SkipReason:
    """Bytes to text: UTF-8, or UTF-16/32 where a byte order mark says so. Binary files are skipped."""
    mark, encoding = next((known for known in BYTE_ORDER_MARKS if data.startswith(known[0])), (b"", "utf-8"))
    text = data.removeprefix(mark).decode(encoding, errors="replace")
    if "\0" in text:
        return SkipReason("contains NUL bytes: it is not text")
    broken = text.count("\ufffd") - (data.count("\ufffd".encode()) if encoding == "utf-8" else 0)
    if broken * 10 > len(text) * 3:
        return SkipReason(f"is not {encoding.upper()} text")
    if broken > 0:
        return Decoded(text, [f"{broken} places are not valid {encoding.upper()} and were replaced."])
    return Decoded(text, [])


def parse_note(path: str, text: str, silent: Container[str] = ()) -> ParsedNote:
    """Read a note. Never raises for what it holds.

    Args:
        path: POSIX path in the vault; its stem is the title where the properties name none.
        text: the decoded text of the whole file.
        silent: properties that are no words of the note.
    """
    lines = split_lines(text)
    front = read_frontmatter(text)
    body = _cut_drawing(lines, front.body_line - 1, "excalidraw-plugin" in front.properties)
    cleaned = _clean_lines(body, front.body_line - 1)
    links, tags, tasks = _scan_inline(cleaned)
    property_links = _find_links(enumerate(lines[: front.body_line - 1], 1))
    stem = PurePosixPath(path).name.removesuffix(".md")
    head = [line.text for line in cleaned[front.body_line - 1 : front.body_line - 1 + HEAD_LINES]]
    return ParsedNote(
        title=_read_title(front.properties, stem),
        aliases=_unique(_read_list(front.properties, ("aliases", "alias"), r",")),
        tags=_unique([tag.lstrip("#") for tag in _read_list(front.properties, ("tags", "tag"), r"[,\s]")] + tags),
        properties=front.properties,
        stated_date=stated_date(front.properties, stem, head),
        sections=_with_properties(
            read_property_block(lines, front.body_line, silent),
            _read_sections([_drop_block_id(line) for line in cleaned]),
        ),
        links=(*property_links, *links),
        tasks=tuple(tasks),
        block_ids=_unique([found for line in cleaned if (found := _block_id(line))]),
        problems=(front.problem,) if front.problem else (),
    )


# --- cleaning: the same lines, without what is not a reader's text


@dataclass(slots=True)
class _Fence:
    marker: str
    quoted: bool
    hidden: bool
    unit: int


def _cut_drawing(lines: list[str], first: int, declared: bool) -> list[str]:
    """Excalidraw's notes without their data: its headings, banner, marks of a comment around the data, ids before
    embedded files, and all from `Drawing` on become empty. What the person wrote above the data stays as it is."""
    drawing = next(
        (i for i in range(first, len(lines)) if lines[i].lstrip("#").strip() == "Drawing" and lines[i][:1] == "#"), None
    )
    if not declared:
        after = [] if drawing is None else [line for line in lines[drawing + 1 : drawing + 4] if line.strip()]
        declared = bool(after) and after[0].startswith("```compressed-json")
    if not declared:
        return lines
    kept = lines[:drawing] + [""] * (len(lines) - len(lines[:drawing]))
    part, before = "", -1  # of the data: the title of the lines that are looked at; the last line with words
    for i in range(first, len(kept)):
        line, title = kept[i].strip(), kept[i].strip("# ").lower() if kept[i][:1] == "#" else ""
        if title in _DATA_TITLES:
            if not part and before >= 0 and kept[before].strip() == "%%":
                kept[before] = ""
            part, kept[i] = title, ""
        elif line.startswith("==⚠") or (part and line == "%%"):
            kept[i] = ""
        elif part in ("embedded files", "element links"):
            kept[i] = _DATA_ID.sub("", kept[i])
        before = i if line.strip("#") else before
    return kept


def _clean_lines(lines: Sequence[str], first: int) -> list[_Line]:
    """One cleaned line for each line of the file; those before index `first` (the properties) are empty.

    A comment hides only up to a closing mark that is really there: a stray `<!--` or `100%%` must not make
    the rest of a note disappear.
    """
    last = _last_positions(lines, first)
    cleaned = [_Line("")] * first
    fence: _Fence | None = None
    hidden = ""
    units = 0
    for number in range(first, len(lines)):
        line = lines[number]
        if fence and fence.quoted and not line.lstrip().startswith(">"):
            fence = None
        if fence:
            cleaned.append(_Line("" if fence.hidden else _strip_blobs(line), fence.unit))
            fence = None if _closes(line, fence) else fence
            continue
        if not hidden and (fence := _open_fence(line, number, last, units + 1)):
            units += 1
            cleaned.append(_Line("" if fence.hidden else line, fence.unit))
            continue
        text, hidden = _strip_hidden(line, number, hidden, last)
        if callout := _CALLOUT.match(text):
            text = callout[1] + text[callout.end() :]
        cleaned.append(_Line(_strip_blobs(text) if text.strip("> \t") else ""))
    return cleaned


def _last_positions(lines: Sequence[str], first: int) -> dict[str, tuple[int, int]]:
    """Where each closing mark stands last, as (line index, column)."""
    found = {}
    for mark in ("-->", "%%", "%>", "$$"):
        number = next((i for i in range(len(lines) - 1, first - 1, -1) if mark in lines[i]), -1)
        found[mark] = (number, lines[number].rfind(mark) if number >= 0 else -1)
    return found


def _open_fence(line: str, number: int, last: dict[str, tuple[int, int]], unit: int) -> _Fence | None:
    if (match := _FENCE.match(line)) and not (match[2][0] == "`" and "`" in match[3]):
        words = match[3].strip().lower().split(maxsplit=1)
        hidden = bool(words) and words[0].strip("{}") in _QUERY_FENCES
        return _Fence(match[2], ">" in match[1], hidden, unit)
    start = line.lstrip(" \t>")
    if start.startswith("$$") and "$$" not in start[2:] and last["$$"][0] > number:
        return _Fence("$$", ">" in line[: len(line) - len(start)], False, unit)
    return None


def _closes(line: str, fence: _Fence) -> bool:
    if fence.marker == "$$":
        return "$$" in line
    rest = line[_QUOTE_PREFIX.match(line).end() :] if fence.quoted else line  # type: ignore[union-attr]
    rest = rest.strip()
    return len(rest) >= len(fence.marker) and not rest.strip(fence.marker[0])


def _strip_hidden(line: str, number: int, hidden: str, last: dict[str, tuple[int, int]]) -> tuple[str, str]:
    """The line without comments, tags and Templater code; and the closing mark that is still awaited after it."""
    at = 0
    if hidden:
        at = line.find(hidden)
        if at < 0:
            return "", hidden
        at += len(hidden)
    elif line.strip() == "%%" and last["%%"] == (number, line.find("%%")):
        return "", ""
    kept: list[str] = []
    code_ends = _code_ends(line) if "`" in line else {}
    ends = {mark: line.rfind(mark) for mark in ("-->", "%%", "%>")}
    while match := _HIDING.search(line, at):
        mark = match[0]
        if mark[0] == "`":
            end = code_ends.get(match.start(), match.end())
            kept.append(line[at:end])
            at = end
            continue
        kept.append(line[at : match.start()])
        if mark not in _CLOSERS:
            kept.append(" " if mark[:3].lower() == "<br" else "")
            at = match.end()
            continue
        closer = _CLOSERS[mark]
        if ends[closer] >= match.end():
            at = line.find(closer, match.end()) + len(closer)
        elif last[closer][0] > number:
            return "".join(kept).rstrip(), closer
        else:
            kept.append(mark)
            at = match.end()
    kept.append(line[at:])
    return "".join(kept), ""


def _code_ends(line: str) -> dict[int, int]:
    """Start of each run of backticks that opens inline code -> end of the run of equal length that closes it."""
    ends: dict[int, int] = {}
    following: dict[int, re.Match[str]] = {}
    for run in reversed(list(_CODE.finditer(line))):
        if closing := following.get(len(run[0])):
            ends[run.start()] = closing.end()
        following[len(run[0])] = run
    return ends


def _strip_blobs(line: str) -> str:
    """Without embedded data. A run counts as base64 only where it mixes cases and digits as base64 does: a
    wall of one letter is odd, but it is text."""
    if len(line) < 100:
        return line
    if "data:" in line:
        line = _DATA_URI.sub("", _DATA_IMAGE.sub(r"\1", line))
    return _LONG_RUN.sub(lambda run: "" if _looks_encoded(run[0]) else run[0], line)


def _looks_encoded(run: str) -> bool:
    letters = set(run)
    return len(letters) > 20 and any(map(str.isdigit, letters)) and any(map(str.isupper, letters))


def _block_id(line: _Line) -> str:
    """The id at the end of a prose line (`^id`), without its caret."""
    if line.unit or "^" not in line.text:
        return ""
    last = line.text.rsplit(maxsplit=1)[-1]
    return last[1:] if _BLOCK_ID.fullmatch(last) else ""


def _drop_block_id(line: _Line) -> _Line:
    found = _block_id(line)
    return _Line(line.text.rstrip()[: -len(found) - 1].rstrip()) if found else line


# --- structure: sections and blocks


@dataclass(slots=True)
class _Open:
    """The section being read."""

    heading: tuple[str, ...]
    line_start: int
    blocks: list[Block]


def _with_properties(block: Block | None, sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The properties before the first words of the note."""
    if block is None:
        return sections
    if sections and not sections[0].heading:
        first = sections[0]
        return (Section((), first.line_start, first.line_end, (block, *first.blocks)), *sections[1:])
    return (Section((), 1, block.line_end, (block,)), *sections)


def _read_sections(lines: Sequence[_Line]) -> tuple[Section, ...]:
    sections: list[Section] = []
    levels: list[tuple[int, str]] = []
    current = _Open((), 1, [])
    run: list[tuple[int, _Line]] = []
    atomic = False

    def close_run() -> None:
        if any(line.text.strip() for _, line in run):
            text = "\n".join(line.text.rstrip() for _, line in run)
            current.blocks.append(Block(text, run[0][0], run[-1][0], atomic))
        run.clear()

    def close_section(end: int) -> None:
        if current.heading or current.blocks:
            sections.append(Section(current.heading, current.line_start, end, tuple(current.blocks)))

    for index, line in enumerate(lines):
        number = index + 1
        level, title = _heading(line, run, atomic)
        if level:
            if title and _is_underline(line.text):
                run.clear()
            close_run()
            atomic = False
            if title:
                start = number - 1 if _is_underline(line.text) else number
                close_section(start - 1)
                levels = [*(kept for kept in levels if kept[0] < level), (level, title)]
                current = _Open(tuple(name for _, name in levels), start, [])
            continue
        starts_table = not line.unit and _starts_table(lines, index) and not (run and atomic)
        starts_unit = line.unit != (run[-1][1].unit if run else 0)
        leaves_table = bool(run) and atomic and not line.unit and "|" not in line.text
        if starts_unit or starts_table or leaves_table or not (line.unit or line.text.strip()) or _is_rule(line):
            close_run()
            atomic = bool(line.unit) or starts_table
        if line.unit or (line.text.strip() and not _is_rule(line)):
            run.append((number, line))
    close_run()
    close_section(len(lines))
    return tuple(sections)


def _heading(line: _Line, run: Sequence[tuple[int, _Line]], atomic: bool) -> tuple[int, str]:
    """(level, plain text) of the heading that this line makes, (0, "") where it makes none.

    Underlined headings are read only for a paragraph of one line: under a longer one, `---` is nearly always
    a rule that lacks its empty line. An empty heading has a level and no text.
    """
    if line.unit:
        return 0, ""
    if match := _HEADING.match(line.text):
        written = match[2].strip()
        closed = written.rstrip("#")
        if closed != written and closed[-1:] in ("", " ", "\t"):
            written = closed
        title = plain_text(written)
        return (len(match[1]), title) if len(title) <= MAX_HEADING_CHARS else (0, "")
    if len(run) == 1 and not atomic and _is_underline(line.text):
        above = run[0][1].text
        title = plain_text(above)
        if 0 < len(title) <= MAX_HEADING_CHARS and not _NOT_A_PARAGRAPH.match(above):
            return (1 if line.text.strip()[0] == "=" else 2), title
    return 0, ""


def _is_underline(text: str) -> bool:
    stripped = text.strip()
    return len(stripped) > 1 and not text.startswith("    ") and (not stripped.strip("=") or not stripped.strip("-"))


def _is_rule(line: _Line) -> bool:
    marks = line.text.replace(" ", "").replace("\t", "")
    return not line.unit and len(marks) > 2 and marks[0] in "-*_" and not marks.strip(marks[0])


def _starts_table(lines: Sequence[_Line], index: int) -> bool:
    if index + 1 >= len(lines) or "|" not in lines[index].text or lines[index + 1].unit:
        return False
    return is_delimiter_row(lines[index + 1].text)


def is_delimiter_row(line: str) -> bool:
    """Whether a line is the `|---|:--:|` under a table's header."""
    return "|" in line and "-" in line and not line.strip("|:->\t ")


def plain_text(written: str) -> str:
    """A heading without its markup: links become what they show, emphasis and tags of HTML go."""
    text = _WIKILINK.sub(lambda link: link[2].replace("\\|", "|").rsplit("|", 1)[-1], written)
    text = _EMPHASIS.sub("", _MD_LINK.sub(r"\2", text)).replace("`", "")
    return " ".join(text.split())


# --- inline: links, tags, tasks


def _scan_inline(lines: Sequence[_Line]) -> tuple[list[Link], list[str], list[Task]]:
    prose = [(number, _blank_code(line.text)) for number, line in enumerate(lines, 1) if not line.unit and line.text]
    tags: list[str] = []
    tasks: list[Task] = []
    for number, text in prose:
        if "#" in text:
            bare = _URL.sub(" _", _MD_LINK.sub("_", _WIKILINK.sub("_", text)))
            tags.extend(tag for found in _TAG.findall(bare) if _is_tag(tag := found.strip("/")))
        if match := _TASK.match(lines[number - 1].text):
            tasks.append(Task(_drop_block_id(_Line(match[2])).text.strip(), match[1], number))
    return list(_find_links(prose)), tags, tasks


def _blank_code(text: str) -> str:
    if "`" not in text:
        return text
    ends = _code_ends(text)
    kept: list[str] = []
    at = 0
    for run in _CODE.finditer(text):
        if run.start() >= at and run.start() in ends:
            kept.append(text[at : run.start()])
            at = ends[run.start()]
            kept.append("_")
    return "".join(kept) + text[at:]


def _is_tag(tag: str) -> bool:
    return bool(tag) and not tag.replace("/", "").isdigit()


def _find_links(numbered: Iterable[tuple[int, str]]) -> Iterator[Link]:
    for number, text in numbered:
        if "[" not in text:
            continue
        found = [(match.start(), _wikilink(match, number)) for match in _WIKILINK.finditer(text)]
        found += [(m.start(), link) for m in _MD_LINK.finditer(text) if (link := _markdown_link(m, number))]
        yield from (link for _, link in sorted(found, key=lambda pair: pair[0]))


def _wikilink(match: re.Match[str], number: int) -> Link:
    address, _, alias = match[2].replace("\\|", "|").partition("|")
    return _link(address, number, alias.strip() or None, embed=bool(match[1]))


def _markdown_link(match: re.Match[str], number: int) -> Link | None:
    address = match[3].strip("<>")
    if not address or _SCHEME.match(address):
        return None
    return _link(unquote(address), number, match[2].strip() or None, embed=bool(match[1]))


def _link(address: str, number: int, alias: str | None, *, embed: bool) -> Link:
    """An empty target is the note itself (`[[#heading]]`)."""
    target, _, place = address.partition("#")
    heading, caret, block = place.partition("^")
    return Link(
        target=target.strip(),
        line=number,
        heading=heading.strip("# ") or None,
        block=block.strip() or None if caret else None,
        alias=alias,
        embed=embed,
    )


# --- properties


def _read_title(properties: dict[str, object], stem: str) -> str:
    title = next((value for key, value in properties.items() if key.lower() == "title"), None)
    if isinstance(title, bool) or not isinstance(title, str | int | float) or _is_placeholder(str(title)):
        return stem
    return " ".join(str(title).split()) or stem


def _read_list(properties: dict[str, object], names: tuple[str, ...], separators: str) -> list[str]:
    """Values of a list property, which people write as a list, or as one string with separators."""
    found: list[str] = []
    for key, value in properties.items():
        if key.strip().lower() not in names or value is None:
            continue
        if isinstance(value, list):
            found += [str(item) for item in value if item is not None and not isinstance(item, list | dict)]
        elif not isinstance(value, dict):
            found += re.split(separators, str(value))
    return [item.strip() for item in found if item.strip(" #") and not _is_placeholder(item)]


def _is_placeholder(value: str) -> bool:
    """A template's own `<% ... %>` or `{{...}}`, which stands for a value that is not there yet."""
    return "<%" in value or "{{" in value


def _unique(values: list[str]) -> tuple[str, ...]:
    """In order, without repeats that differ only in case, as Obsidian counts tags."""
    first: dict[str, str] = {}
    for value in values:
        first.setdefault(value.casefold(), value)
    return tuple(first.values())
