"""A page of the wiki: a normal note with a few properties. Pure; bytes in, bytes out.

`render_page` writes a *new* page. A page that is there is never read and written again as a whole: what should change
is said as `PageChange`s, which `vault.edit` turns into edits of a few lines, so all that a person wrote stays byte for
byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from zibaldone.errors import InvalidRequest
from zibaldone.ingest.frontmatter import MAX_CHARS, Frontmatter, read_frontmatter, split_lines
from zibaldone.ingest.parse import SkipReason, decode_note
from zibaldone.wiki.provenance import Provenance, entry_value, merge_provenance, read_provenance
from zibaldone.wiki.yaml_text import Value, property_lines

MOST_TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Page:
    """`slug` is what the page's own properties say, empty where they say nothing: its path is its address.

    `created` and `updated` are the person's local time, to the second (Obsidian's "Date & time" has no zone).
    `problems` are sentences about properties that could not be read.
    """

    title: str
    slug: str
    body: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    created: datetime | None = None
    updated: datetime | None = None
    problems: tuple[str, ...] = ()
    provenance_problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AppendToPage:
    """Markdown to be added at the end of the section at this heading path (of several the one with this number, from
    1), or of the page."""

    text: str
    section: tuple[str, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class ReplaceSection:
    """Markdown in place of what stands below a heading."""

    section: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class SetProperty:
    """A property to be set; `lines` is it as YAML, key included, for a writer that replaces lines."""

    key: str
    value: Value

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(property_lines(self.key, self.value))


PageChange = AppendToPage | ReplaceSection | SetProperty


def render_page(page: Page) -> bytes:
    """A new page: UTF-8, LF, a newline at the end. The same page gives the same bytes.

    Raises:
        InvalidRequest: its title is empty, or its properties are longer than any reader takes.
    """
    title = clean_title(page.title)
    if not title:
        raise InvalidRequest("A page needs a title.", "Say in a few words what the page is about.")
    properties: dict[str, Value] = {
        "title": title,
        "slug": page.slug,
        "aliases": page.aliases,
        "tags": page.tags,
        "provenance": [entry_value(entry) for entry in page.provenance],
    }
    lines = [line for key, value in properties.items() if value for line in property_lines(key, value)]
    times = {"created": page.created, "updated": page.updated}
    lines += [f"{key}: {time_text(time)}" for key, time in times.items() if time is not None]
    if len("\n".join(lines)) > MAX_CHARS:
        raise InvalidRequest(
            f"The properties of the page `{page.slug}` would be longer than {MAX_CHARS} characters.",
            "Name fewer sources: whole documents instead of single spans.",
        )
    body = "\n".join(split_lines(page.body)).strip("\n")
    text = "\n".join(["---", *lines, "---", "", *([body, ""] if body else [])])
    return text.encode("utf-8", "replace")


def read_page(data: bytes) -> Page | SkipReason:
    """A page as it is on disk, whatever a person made of it; `SkipReason` where it is not text."""
    decoded = decode_note(data)
    if isinstance(decoded, SkipReason):
        return decoded
    front = read_frontmatter(decoded.text)
    known = {key.strip().casefold(): value for key, value in front.properties.items()}
    provenance = read_provenance(known.get("provenance"))
    return Page(
        title=clean_title(_scalar(known.get("title"))),
        slug=_scalar(known.get("slug")),
        body=_body(decoded.text, front),
        aliases=_list(known.get("aliases", known.get("alias"))),
        tags=tuple(tag.lstrip("#") for tag in _list(known.get("tags", known.get("tag")))),
        provenance=provenance.entries,
        created=_time(known.get("created")),
        updated=_time(known.get("updated")),
        problems=tuple(problem for problem in (*decoded.problems, front.problem) if problem),
        provenance_problems=provenance.problems,
    )


def rests_on(page: Page, added: Sequence[Provenance], at: datetime) -> tuple[PageChange, ...]:
    """The properties that change when text resting on `added` is written into the page."""
    merged = merge_provenance(page.provenance, tuple(added))
    changes: list[PageChange] = []
    if merged != page.provenance:
        changes.append(SetProperty("provenance", [entry_value(entry) for entry in merged]))
    return (*changes, SetProperty("updated", time_text(at)))


def renamed(page: Page, slug: str, title: str, at: datetime) -> tuple[PageChange, ...]:
    """The properties that change with the name; what the page was called before stays as an alias."""
    named = replace(page, title=clean_title(title), slug=slug)
    old = [name for name in (page.title, page.slug) if name and name not in (named.title, named.slug)]
    aliases = list(dict.fromkeys([*page.aliases, *old]))
    changes = [SetProperty("title", named.title), SetProperty("slug", named.slug)]
    if aliases != list(page.aliases):
        changes.append(SetProperty("aliases", aliases))
    return (*changes, SetProperty("updated", time_text(at)))


def clean_title(text: str) -> str:
    """One line, without what cannot be seen, of a length that fits a heading."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= MOST_TITLE_CHARS else line[: MOST_TITLE_CHARS - 1].rstrip() + "…"


def time_text(at: datetime) -> str:
    """As Obsidian writes its "Date & time" properties. A time with a zone is written in UTC."""
    return (at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at).isoformat(timespec="seconds")


def _body(text: str, front: Frontmatter) -> str:
    lines = split_lines(text)[front.body_line - 1 :]
    return "\n".join(lines).strip("\n")


def _scalar(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict | bool) else str(value).strip()


def _list(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for item in items if (text := _scalar(item))))


def _time(value: object) -> datetime | None:
    """A date, or a date and time with or without a zone, as local time. Anything else is not a time."""
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)  # noqa: DTZ001 - the person's local time
    try:
        at = datetime.fromisoformat(str(value or "").strip())
    except ValueError:
        return None
    return at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
