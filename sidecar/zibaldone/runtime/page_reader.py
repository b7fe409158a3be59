"""What a passage of a page rests on: the links with lines in it, held against the page's provenance and the index.

Cost: the pages among the hits and the notes that they cite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from zibaldone.agents.relay.pages import PagePassage
from zibaldone.domain.locators import line_locator
from zibaldone.domain.notes import Recorded
from zibaldone.errors import NotFound, PathOutsideVault, VaultChanged
from zibaldone.ingest.derive import note_uri
from zibaldone.ingest.parse import Decoded, decode_note
from zibaldone.retrieval.pipeline import recall_hits
from zibaldone.retrieval.union import SearchStore
from zibaldone.runtime.wiki_sources import ReadSources
from zibaldone.schemas.search import Components, Hit
from zibaldone.vault.cited import CitedLines, find_cited
from zibaldone.vault.files import sha256_hex
from zibaldone.vault.outside import is_outside
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.provenance import Registry, Superseded, check_entry
from zibaldone.wiki.slug import PAGES
from zibaldone.wiki.sources import SOURCES


class PageReader:
    """`read` gives the content of a note, or raises `NotFound`.

    Args:
        folders: the agent's folder, in the vault (which has the base "") and in each vault beside it (`//NAME/`).
        sources: the documents that are registered in the vault.
    """

    def __init__(
        self, read: Callable[[str], bytes], store: SearchStore, folders: Mapping[str, str], sources: ReadSources = dict
    ) -> None:
        self._read = read
        self._store = store
        self._pages = {f"{base}{folder}/{PAGES}/": base for base, folder in folders.items()}
        self._copies = {base: f"{folder}/{SOURCES}/" for base, folder in folders.items()}
        self._sources = sources

    def read(self, hits: Sequence[Hit]) -> dict[str, PagePassage]:
        """By chunk id, for the hits that are passages of pages."""
        on_pages = [(hit, base) for hit in hits for pages, base in self._pages.items() if hit.path.startswith(pages)]
        if not on_pages:
            return {}
        recorded = self._store.recorded()
        return {hit.chunk_id: self._passage(hit, base, recorded) for hit, base in on_pages}

    def _passage(self, hit: Hit, base: str, recorded: Mapping[str, Recorded]) -> PagePassage:
        try:
            data = self._read(hit.path)
        except (NotFound, PathOutsideVault, OSError):
            return PagePassage(changed=(f"{hit.path} is gone",))
        page = read_page(data)
        if not isinstance(page, Page):
            return PagePassage(changed=(f"{hit.path} cannot be read",))
        lines = data.decode("utf-8-sig", "replace").splitlines()[hit.line_start - 1 : hit.line_end]
        sources: list[Hit] = []
        changed: list[str] = []
        for cited in dict.fromkeys(find_cited("\n".join(lines))):
            if cited.target.startswith(self._copies[base]):
                copy = self._read_copy(cited, base, page)
                if isinstance(copy, str):
                    changed.append(copy)
                else:
                    sources.append(copy)
                continue
            if is_outside(cited.target):
                # Folders are named on each machine for itself: what is not known here says nothing about the page.
                path = cited.target if cited.target in recorded and not base else None
                if path is None:
                    continue
            else:
                path = _resolve(cited.target, base, recorded)
            if path is None or recorded[path].held:
                changed.append(f"{cited.target} is gone")
            elif not _is_as_read(path.removeprefix(base), page, recorded[path]):
                changed.append(f"{path} has changed")
            else:
                sources.extend(self._source(path, cited))
        return PagePassage(tuple(sources), tuple(dict.fromkeys(changed)))

    def _source(self, path: str, cited: CitedLines) -> Iterator[Hit]:
        """The cited lines as a hit, with the heading of the passage that they stand in."""
        for hit in recall_hits(self._store.chunk_ids_of([path]), self._store):
            if hit.line_start <= cited.line_end and cited.line_start <= hit.line_end:
                first, last = cited.line_start, cited.line_end
                yield hit.model_copy(
                    update={"line_start": first, "line_end": last, "locator": line_locator(first, last)}
                )
                return

    def _read_copy(self, cited: CitedLines, base: str, page: Page) -> Hit | str:
        """The cited lines of a registered document, which is not indexed; or what has happened to it."""
        for path in (f"{cited.target}.md", cited.target):
            with suppress(NotFound, PathOutsideVault, VaultChanged, OSError):
                data = self._read(base + path)
                break
        else:
            return f"{cited.target} is gone"
        said = [entry for entry in page.provenance if entry.path == path]
        known = {entry.sha256 for entry in said if entry.sha256}
        decoded = decode_note(data)
        if not isinstance(decoded, Decoded) or (known and sha256_hex(data) not in known):
            return f"{path} has changed"
        registry = Registry({} if base else self._sources())
        if any(isinstance(check_entry(entry, registry), Superseded) for entry in said):
            return f"{path} was superseded"
        return Hit(
            rank=1,
            score=0.0,
            chunk_id="",
            source_uri=note_uri(base + path),
            path=base + path,
            title=PurePosixPath(path).stem,
            heading=[],
            locator=line_locator(cited.line_start, cited.line_end),
            line_start=cited.line_start,
            line_end=cited.line_end,
            date="",
            text="\n".join(decoded.text.splitlines()[cited.line_start - 1 : cited.line_end]),
            components=Components(),
        )


def _resolve(target: str, base: str, recorded: Mapping[str, Recorded]) -> str | None:
    """The note that a link leads to: a path from the root, or the end of one where just one note has it."""
    if f"{base}{target}.md" in recorded:
        return f"{base}{target}.md"
    ending = f"/{target}.md"
    here = (path for path in recorded if path.startswith(base) and is_outside(path) == is_outside(base))
    found = [path for path in here if path.endswith(ending)]
    return found[0] if len(found) == 1 else None


def _is_as_read(path: str, page: Page, now: Recorded) -> bool:
    """Whether a note is what the page says that it rests on; what the page says nothing about is taken as it is."""
    said = {entry.sha256 for entry in page.provenance if entry.path in (path, path.removesuffix(".md"))}
    known = {digest for digest in said if digest}
    return not known or now.sha256 in known
