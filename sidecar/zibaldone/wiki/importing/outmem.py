"""An outmem wiki (0.19): what lies where in it, and what becomes of it here. Pure.

    wiki/pages/<a>/<b>.md           slug a:b           -> Zibaldone/pages/<a>/<b>.md
    wiki/sources/[<into>/]<hash>/<f>  and `.sources.db`  -> Zibaldone/sources/, each with its record
    log/YYYY-MM-DD.md                                  -> Zibaldone/log/

A page keeps its bytes but for links and for the paths in its provenance, which there are relative to `wiki/`. The
index, caches and settings are not taken over. Neither is `sources-local/`, which its owner keeps out of git.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from zibaldone.errors import InvalidRequest, NotEditable, TargetAmbiguous, TargetMissing
from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.vault.edit.properties import set_property_lines
from zibaldone.wiki.page import Page
from zibaldone.wiki.provenance import entry_value
from zibaldone.wiki.slug import make_slug, page_path, parse_slug, path_slug
from zibaldone.wiki.yaml_text import property_lines

_PAGES = "wiki/pages/"
_SOURCES = "wiki/sources/"
_LOCAL = "wiki/sources-local/"
_LOG = re.compile(r"log/(\d{4}-\d{2}-\d{2}\.md)")
_SIGNS = ("wiki/index.md", "wiki/AGENTS.md", "config.yaml")
_OWN = {
    "wiki/index.md": "the index is kept by Zibaldone",
    "wiki/AGENTS.md": "the conventions of that wiki: copy into AGENTS.md here what you want to keep",
    "wiki/CONTRIBUTORS.md": "a list of that wiki",
    "CONTRIBUTORS.md": "a list of that wiki",
    "config.yaml": "settings of another program",
    "wikis.yaml": "settings of another program",
}


@dataclass(slots=True)
class WikiFiles:
    """The files of a wiki by what they are: each from its path there to its path here; `rest` are ordinary files."""

    pages: dict[str, str] = field(default_factory=dict)
    logs: dict[str, str] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def is_outmem(paths: Collection[str]) -> bool:
    """Whether these are the files of an outmem wiki."""
    return any(path.startswith(_PAGES) for path in paths) and any(sign in paths for sign in _SIGNS)


def sort_wiki(paths: Iterable[str], folder: str) -> WikiFiles:
    """What each file is."""
    files = WikiFiles()
    for path in paths:
        if path in _OWN:
            files.left_out.append((path, _OWN[path]))
        elif path.startswith(_PAGES) and path.endswith(".md"):
            files.pages[path] = _page_path(path, folder)
        elif log := _LOG.fullmatch(path):
            files.logs[path] = f"{folder}/log/{log[1]}"
        elif path.startswith(_SOURCES):
            files.sources.append(path)
        elif path.startswith(_LOCAL):
            files.left_out.append((path, "a local source, which was kept out of git: add it with `zib ingest`"))
        else:
            files.rest.append(path)
    return files


def source_place(path: str) -> tuple[str, str]:
    """The folder below `sources/` (without that of the hash) and the name of a source."""
    *folders, _hash, name = ["", *path.removeprefix(_SOURCES).split("/")]
    return "/".join(filter(None, folders)), name


def slug_paths(pages: Mapping[str, tuple[str, Page]]) -> dict[str, str]:
    """From each slug and alias, as links have them, to the page's path here. `pages`: old path to new path and page."""
    paths: dict[str, str] = {}
    for target, page in pages.values():
        for alias in page.aliases:
            paths.setdefault(alias.strip().casefold(), target)
    for source, (target, _) in pages.items():
        paths[source.removeprefix(_PAGES).removesuffix(".md").replace("/", ":").casefold()] = target
    return paths


def join_logs(existing: bytes | None, imported: bytes) -> bytes:
    """One day's log: what is there, then what is imported, without its properties. Importing it again adds nothing."""
    if existing is None:
        return imported
    text = imported.decode("utf-8", "surrogateescape")
    lines = text.splitlines(keepends=True)[read_frontmatter(text).body_line - 1 :]
    body = "".join(lines).strip("\r\n").encode("utf-8", "surrogateescape")
    if body in existing:
        return existing
    return existing.rstrip(b"\r\n") + b"\n\n" + body + b"\n"


def move_provenance(data: bytes, page: Page, moves: Mapping[str, str]) -> tuple[bytes, str]:
    """The page with the paths of its provenance as they are here, and why that could not be done (else empty)."""
    entries = tuple(replace(entry, path=_moved(entry.path, moves)) for entry in page.provenance)
    if entries == page.provenance:
        return data, ""
    if page.provenance_problems:
        return data, page.provenance_problems[0]
    try:
        lines = property_lines("provenance", [entry_value(entry) for entry in entries])
        return set_property_lines(data, "provenance", lines), ""
    except (NotEditable, InvalidRequest, TargetAmbiguous, TargetMissing) as error:
        return data, error.message


def _moved(path: str, moves: Mapping[str, str]) -> str:
    return next((moves[known] for known in (f"wiki/{path}", path) if known in moves), path)


def _page_path(path: str, folder: str) -> str:
    inner = path.removeprefix(_PAGES).removesuffix(".md")
    slug = path_slug(f"{folder}/pages/{inner}.md", folder)
    if slug is None:
        try:
            slug = parse_slug(":".join(make_slug(part) for part in inner.split("/")))
        except InvalidRequest:
            slug = make_slug(inner)
    return page_path(slug, folder)
