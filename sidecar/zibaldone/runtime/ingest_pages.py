"""A page from a registered document: the sentences of it that matter, each with its lines in the copy.

Where they go is decided as for an answer (`runtime.compact`). What a newer version says takes the place of what the
page says from the older one. One document at a time, so that of two runs the second finds the page of the first.

Cost: the pages (for which of them rest on the document), and a few calls of the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from zibaldone.agents.ingest.choose import MOST_PORTIONS, choose_statements, pack_portions
from zibaldone.agents.ingest.find import find_sentences
from zibaldone.agents.ingest.prompt import MOST_TOKENS, STATEMENTS_SCHEMA, read_statements, statement_messages
from zibaldone.agents.relay.compact import choose_page, names_a_matter, says_already
from zibaldone.domain.locators import line_locator
from zibaldone.domain.markup import hide_addresses
from zibaldone.domain.notes import Chunk, ParsedNote
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder, Message, Piece, Sampling
from zibaldone.ingest.chunk import chunk_note
from zibaldone.ingest.derive import MAX_NOTE_BYTES
from zibaldone.ingest.parse import Decoded, decode_note, parse_note
from zibaldone.runtime.compact import Compactor, find_title
from zibaldone.runtime.sources import SourceShelf
from zibaldone.runtime.wiki import Vault, WikiDesk
from zibaldone.runtime.writer import Plan
from zibaldone.schemas.search import Components, Hit
from zibaldone.schemas.sources import IngestedFile, SourceInfo
from zibaldone.schemas.wiki import WikiChange, WikiChangeKind
from zibaldone.vault.edit.address import Section, locate
from zibaldone.vault.files import TooLarge
from zibaldone.vault.paths import is_markdown
from zibaldone.wiki.section import Statement, find_section
from zibaldone.wiki.slug import Slug, path_slug
from zibaldone.wiki.sources import is_text

FindReader = Callable[[], Awaitable["Reader"]]
Index = Callable[[Sequence[str]], Awaitable[None]]

# The model reads a portion of half of what a question may read: of more a small model tells only the beginning.
_PORTIONS_OF_BUDGET = 2
# Statements that a page without a title of its own is named after.
_TITLE_STATEMENTS = 3


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads. `chat` is None, with the reason in `no_chat`, where no model can."""

    chat: ChatModel | None
    no_chat: ZibaldoneError | None
    embedder: Embedder | None
    conventions: str = ""


@dataclass(frozen=True, slots=True)
class _Document:
    """The text of a copy. `is_named` tells that the title is its own and not that of its file."""

    source: SourceInfo
    lines: list[str]
    chunks: Sequence[Chunk]
    title: str
    is_named: bool


class SourcePages:
    """Writes pages from documents that are registered.

    Args:
        find_reader: who reads; asked where there is something to read, with the pages in the index.
        index: brings paths into the index, so that the next document finds the page of this one.
    """

    def __init__(
        self,
        vault: Vault,
        desk: WikiDesk,
        shelf: SourceShelf,
        compactor: Compactor,
        find_reader: FindReader,
        index: Index,
    ) -> None:
        self._vault = vault
        self._desk = desk
        self._shelf = shelf
        self._compactor = compactor
        self._find_reader = find_reader
        self._index = index
        self._one_at_a_time = asyncio.Lock()

    async def write(self, file: IngestedFile, prompt: str, now: datetime) -> IngestedFile:
        """What was told of a registered file, and of the page that was written from it. Never raises for what the
        document or the model is like: the document is registered in any case."""
        assert file.source is not None
        async with self._one_at_a_time:
            try:
                told = await self._write(file.source, prompt, now)
            except (OSError, ZibaldoneError) as error:
                told = {"no_page": f"No page was written: {error}"}
        return file.model_copy(update=told)

    async def _write(self, source: SourceInfo, prompt: str, now: datetime) -> dict[str, object]:
        resting = await asyncio.to_thread(self._shelf.resting_on, source.key)
        if (reason := await asyncio.to_thread(self._find_hindrance, source, resting)) is not None:
            return {"no_page": reason}
        reader = await self._find_reader()
        if reader.chat is None:
            why = f": {reader.no_chat.message} {reader.no_chat.hint}" if reader.no_chat else "."
            return {"no_page": f"No page was written{why}"}
        document = await asyncio.to_thread(self._read, source)
        if document is None or not document.chunks:
            return {"no_page": "No page was written: there is no text in it that can be read."}
        portions, left_out = await self._read_portions(document, prompt, reader.chat, reader)
        told: dict[str, object] = {"left_out": left_out}
        statements = choose_statements(portions)
        if not statements:
            return told | {"no_page": "No page was written: the model told nothing that stands in it."}
        before = [page for path, pages in resting.items() if path != source.path for page in pages]
        found = await self._place(document, statements, before, set(resting), reader, now)
        return told | ({"no_page": found} if isinstance(found, str) else {"pages": [found]})

    def _find_hindrance(self, source: SourceInfo, resting: dict[str, list[str]]) -> str | None:
        """Why nothing is to be written from it, as a sentence."""
        settings = self._vault.settings
        if pages := resting.get(source.path):
            return f"{pages[0]} rests on it already."
        if settings.writeback != "full":
            return f"No page was written: the setting `writeback = {settings.writeback}` forbids it."
        if source.superseded_by:
            return "No page was written: a newer version of it is registered."
        if not is_text(source.path):
            return "No page was written: of documents only Markdown and plain text are read so far."
        name = source.path.encode()
        for proposal in self._vault.proposals.list(only_open=True):
            if any(file.wanted and name in file.wanted for file in proposal.files.values()):
                return f"Its page waits for your approval: `zib proposals show {proposal.id}`."
        return None

    def _read(self, source: SourceInfo) -> _Document | None:
        data = self._vault.files.read_stable(source.path, MAX_NOTE_BYTES)
        decoded = None if isinstance(data, TooLarge) else decode_note(data)
        if not isinstance(decoded, Decoded):
            return None
        note = parse_note(source.path, decoded.text)
        chunks = chunk_note(source.path, note, self._vault.settings.chunking, "")
        lines = decoded.text.splitlines()
        title, is_named = _read_title(source.path, note, lines)
        return _Document(source, lines, chunks, title, is_named)

    async def _read_portions(
        self, document: _Document, prompt: str, chat: ChatModel, reader: Reader
    ) -> tuple[list[list[Statement]], str | None]:
        """The sentences of each portion that matter, and one of ours where not all of it was read."""
        texts = [hide_addresses(chunk.text) for chunk in document.chunks]
        room = self._vault.settings.retrieval.evidence_tokens // _PORTIONS_OF_BUDGET
        portions = pack_portions([chunk.tokens for chunk in document.chunks], room)
        found = []
        for portion in portions[:MOST_PORTIONS]:
            heading = document.chunks[portion.start].heading
            trail = " > ".join([document.title, *(part for part in heading if part != document.title)])
            text = "\n\n".join(texts[portion.start : portion.stop])
            output = await self._generate(statement_messages(trail, text, prompt, reader.conventions), chat)
            hits = [_evidence(document, chunk) for chunk in document.chunks[portion.start : portion.stop]]
            found.append(await find_sentences(read_statements(output), hits, document.lines, reader.embedder))
        if len(portions) <= MOST_PORTIONS:
            return found, None
        last = document.chunks[portions[MOST_PORTIONS].start].line_start - 1
        return found, f"Read up to line {last} of {len(document.lines)}: it is long."

    async def _generate(self, messages: Sequence[Message], chat: ChatModel) -> str:
        sampling = Sampling(
            max_tokens=MOST_TOKENS, schema=STATEMENTS_SCHEMA, deadline_s=self._vault.settings.models.deadline_s
        )
        output = ""
        async with aclosing(chat.generate(messages, sampling)) as deltas:
            async for delta in deltas:
                output += delta.text if isinstance(delta, Piece) else ""
        return output

    async def _place(
        self,
        document: _Document,
        statements: Sequence[Statement],
        before: Sequence[str],
        versions: set[str],
        reader: Reader,
        now: datetime,
    ) -> WikiChange | str:
        """Write the statements to a page, or say where they stand already.

        Args:
            before: paths of pages that rest on an older version.
            versions: paths of all versions of the document.
        """
        assert reader.chat is not None
        heading = document.source.key
        if (older := await asyncio.to_thread(self._find_older, before, heading)) is not None:
            plan = await asyncio.to_thread(self._compactor.plan_replacement, *older, statements, now)
            return await self._change("extend", older[0], plan, now)
        texts = [one.text for one in statements]
        near = await self._compactor.find_near(before, " ".join([document.title, *texts]), reader.embedder)
        chosen = choose_page(near, versions)
        if chosen is not None:
            page = await asyncio.to_thread(self._vault.read, chosen.path) or b""
            said = page.decode("utf-8", "replace").splitlines()
            statements = [one for one in statements if not says_already(said, [one])]
            if not statements:
                return f"No page was written: {chosen.path} says so already."
        title = document.title
        if chosen is None and not (document.is_named and names_a_matter(title)):
            title = await find_title(title, texts[:_TITLE_STATEMENTS], reader.chat)
        kind, slug, plan = await asyncio.to_thread(
            self._compactor.plan_section, chosen.slug if chosen else None, title, heading, statements, now
        )
        return await self._change(kind, slug, plan, now)

    def _find_older(self, before: Sequence[str], heading: str) -> tuple[Slug, Section] | None:
        """Where a page says what an older version said, as far as nobody else wrote there."""
        for path in before:
            slug, data = path_slug(path, self._vault.settings.folder), self._vault.read(path)
            section = None if data is None else find_section(data, heading)
            if slug is None or data is None or section is None:
                continue
            place = locate(data, section)
            if self._vault.writer.wrote(path, data[place.start : place.end].strip()):
                return slug, section
        return None

    async def _change(self, kind: WikiChangeKind, slug: Slug, plan: Plan, now: datetime) -> WikiChange:
        done = await asyncio.to_thread(self._desk.apply, kind, f"{kind}: {slug}", now, plan)
        if done.change is not None:
            await self._index(done.paths)
        return done.model_copy(update={"slug": slug})


def _read_title(path: str, note: ParsedNote, lines: Sequence[str]) -> tuple[str, bool]:
    """The title in the properties, or a first heading of the first level; else the file's name (and False)."""
    stem = PurePosixPath(path).stem
    if note.title not in (stem, PurePosixPath(path).name):
        return note.title, True
    first = next((section for section in note.sections if section.heading), None)
    if first is not None and lines[first.line_start - 1].startswith("# "):
        return first.heading[-1], True
    return stem.replace("_", " ").replace("-", " "), False


def _evidence(document: _Document, chunk: Chunk) -> Hit:
    """A passage of a document. Obsidian knows headings in notes only."""
    return Hit(
        rank=1,
        score=1.0,
        chunk_id=chunk.id,
        source_uri=f"note:{document.source.path}",
        path=document.source.path,
        title=document.title,
        heading=list(chunk.heading) if is_markdown(document.source.path) else [],
        locator=line_locator(chunk.line_start, chunk.line_end),
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        date=document.source.registered_at[:10],
        text=chunk.text,
        components=Components(),
    )
