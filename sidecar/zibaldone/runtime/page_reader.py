"""What a passage of a page rests on: the links with lines in it, held against the page's provenance and the index.

Cost: the pages among the hits and the notes that they cite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from zibaldone.agents.relay.pages import PagePassage
from zibaldone.domain.locators import line_locator
from zibaldone.domain.notes import Recorded
from zibaldone.errors import NotFound, PathOutsideVault
from zibaldone.retrieval.pipeline import recall_hits
from zibaldone.schemas.search import Hit
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.cited import CitedLines, find_cited
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.slug import PAGES


class PageReader:
    """`read` gives the content of a note, or raises `NotFound`."""

    def __init__(self, read: Callable[[str], bytes], store: IndexStore, folder: str) -> None:
        self._read = read
        self._store = store
        self._pages = f"{folder}/{PAGES}/"

    def read(self, hits: Sequence[Hit]) -> dict[str, PagePassage]:
        """By chunk id, for the hits that are passages of pages."""
        on_pages = [hit for hit in hits if hit.path.startswith(self._pages)]
        if not on_pages:
            return {}
        recorded = self._store.recorded()
        return {hit.chunk_id: self._passage(hit, recorded) for hit in on_pages}

    def _passage(self, hit: Hit, recorded: Mapping[str, Recorded]) -> PagePassage:
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
            path = _resolve(cited.target, recorded)
            if path is None or recorded[path].held:
                changed.append(f"{cited.target} is gone")
            elif not _is_as_read(path, page, recorded[path]):
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


def _resolve(target: str, recorded: Mapping[str, Recorded]) -> str | None:
    """The note that a link leads to: a path from the root, or the end of one where just one note has it."""
    if f"{target}.md" in recorded:
        return f"{target}.md"
    ending = f"/{target}.md"
    found = [path for path in recorded if path.endswith(ending)]
    return found[0] if len(found) == 1 else None


def _is_as_read(path: str, page: Page, now: Recorded) -> bool:
    """Whether a note is what the page says that it rests on; what the page says nothing about is taken as it is."""
    said = {entry.sha256 for entry in page.provenance if entry.path in (path, path.removesuffix(".md"))}
    known = {digest for digest in said if digest}
    return not known or now.sha256 in known
