"""The end of a turn in the wiki: its answer goes to a page, or is said there already. No model decides on it.

Cost: the passages of all pages (for the nearest), and the pages that come into question.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from zibaldone.agents.relay.compact import (
    ALIKE,
    MOST_STATEMENTS,
    NearPage,
    choose_page,
    names_a_matter,
    read_statements,
    says_already,
    subject_words,
)
from zibaldone.agents.relay.title import TITLE_SAMPLING, plain_title, read_title, title_messages
from zibaldone.domain.lexicon import document_terms, text_language
from zibaldone.domain.notes import Modality
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder, Piece, Vectors
from zibaldone.retrieval.answerable import scale_cosine
from zibaldone.runtime.wiki import Vault, WikiDesk, local_time
from zibaldone.runtime.wiki_similar import Neighbours
from zibaldone.runtime.wiki_sources import SourceDesk
from zibaldone.runtime.writer import Plan
from zibaldone.schemas.ask import Answer, Writeback
from zibaldone.store.index_db import IndexStore
from zibaldone.vault.cited import find_cited
from zibaldone.vault.edit.address import Section, WholeNote, locate
from zibaldone.vault.log import LogEntry
from zibaldone.vault.outside import is_outside
from zibaldone.wiki.change import append_to_page, replace_in_page, write_page
from zibaldone.wiki.page import Page, read_page
from zibaldone.wiki.provenance import Provenance
from zibaldone.wiki.section import Statement, find_section, render_section, render_statements
from zibaldone.wiki.slug import PAGES, Slug, make_slug, page_path, path_slug

log = logging.getLogger(__name__)

_Kind = Literal["compact", "extend", "append"]
# Pages near to an answer that are looked at.
_NEAREST = 5


class Compactor:
    """Brings the answers of turns to pages."""

    def __init__(
        self, vault: Vault, desk: WikiDesk, sources: SourceDesk, neighbours: Neighbours, store: IndexStore
    ) -> None:
        self._vault = vault
        self._store = store
        self._desk = desk
        self._sources = sources
        self._neighbours = neighbours
        self._folder = vault.settings.folder

    async def compact(
        self, answer: Answer, now: datetime, chat: ChatModel, embedder: Embedder | None
    ) -> Writeback | None:
        """Write the answer to its page, with the entry in the log; None where no page has to change.

        Raises what `WikiDesk` raises; then nothing is written.
        """
        pages, memory = f"{self._folder}/{PAGES}/", f"{self._folder}/memory/"
        cited_pages = list(dict.fromkeys(c.path for c in answer.citations if c.path.startswith(pages)))
        remembered = {c.path for c in answer.citations if c.path.startswith(memory)}  # is theirs, and no page's
        statements = read_statements(answer, {*cited_pages, *remembered})[:MOST_STATEMENTS]
        if not statements or not names_a_matter(answer.question):
            return None
        text = " ".join([answer.question, *(one.text for one in statements)])
        near = await self.find_near(cited_pages, text, embedder)
        for page in near:
            is_said, written = await asyncio.to_thread(self._amend, page, answer, statements, now)
            if is_said or written:
                return written
        chosen = choose_page(near, {c.path for one in statements for c in one.citations})
        title = "" if chosen else await find_title(answer.question, [one.text for one in statements], chat)
        return await asyncio.to_thread(self._add, chosen.slug if chosen else None, title, answer, statements, now)

    def reason_against(self, answer: Answer) -> str | None:
        """Why an answer should not become a page, as a sentence: of the question's words that notes are named after,
        the notes that it rests on do not have the rarest, so they are about something else; or it rests on what a page
        cannot point at by lines."""
        if others := [one for one in answer.citations if one.supported and one.modality != Modality.TEXT]:
            return f"{others[0].path} is no note, whose lines a page could rest on"
        words = subject_words(answer.question, self._store.languages())
        forms = [form for some in words.values() for form in some]
        titled, count = self._store.title_frequency(forms), self._store.document_frequency(forms)
        known = {
            word: sum(count[form] for form in some)
            for word, some in words.items()
            if any(titled[form] for form in some)
        }
        if not known:
            return None
        subject = min(known, key=lambda word: known[word])
        paths = {citation.path for citation in answer.citations if citation.supported}
        texts = [path if (data := self._read(path)) is None else f"{path} {data}" for path in paths]
        wanted = set(words[subject])
        if any(wanted.intersection(document_terms(text, text_language(text))) for text in texts):
            return None
        return f"what was cited does not speak of “{subject}”"

    def _read(self, path: str) -> str | None:
        data = None if is_outside(path) else self._vault.read(path)
        return None if data is None else data.decode("utf-8", "replace")

    async def find_near(self, cited: Sequence[str], text: str, embedder: Embedder | None) -> list[NearPage]:
        """Pages that may be about a text: those that it cites (paths), then those near in meaning."""
        vector = (await embedder.embed_passages([text]))[0] if embedder else None
        return await asyncio.to_thread(self._near, cited, vector, embedder)

    def plan_section(
        self, slug: Slug | None, title: str, heading: str, statements: Sequence[Statement], now: datetime
    ) -> tuple[_Kind, Slug, Plan]:
        """A section on the page, or a new page of this title; where it exists by now it is that one."""
        section, added, at = render_section(heading, statements), self._provenance(statements), local_time(now)
        slug = slug or make_slug(title)
        if self._vault.read(page_path(slug, self._folder)) is not None:
            return "append", slug, lambda read: append_to_page(read, slug, section, added, at, self._folder)
        page = Page(title, slug, section, provenance=added, created=at, updated=at)
        return "compact", slug, lambda read: write_page(read, slug, page, self._folder)

    def plan_replacement(self, slug: Slug, section: Section, statements: Sequence[Statement], now: datetime) -> Plan:
        """Other statements in a section of a page."""
        body, added, at = render_statements(statements), self._provenance(statements), local_time(now)
        return lambda read: replace_in_page(read, slug, section, body, added, at, self._folder)

    def _near(self, cited: Sequence[str], vector: Vectors | None, embedder: Embedder | None) -> list[NearPage]:
        likeness = dict.fromkeys(cited, ALIKE)
        if vector is not None and embedder is not None:
            found = self._neighbours.of_vector(vector, embedder, _NEAREST).pages
            likeness |= {page.path: scale_cosine(page.cosine, embedder.cosine_range) for page in found}
        pages = []
        for path, alike in likeness.items():
            slug, data = path_slug(path, self._folder), self._vault.read(path)
            page = None if slug is None or data is None else read_page(data)
            if slug is not None and data is not None and isinstance(page, Page):
                rests_on = {entry.path for entry in page.provenance}
                pages.append(NearPage(slug, path, alike, rests_on, len(page.body)))
        return pages

    def _amend(
        self, near: NearPage, answer: Answer, statements: Sequence[Statement], now: datetime
    ) -> tuple[bool, Writeback | None]:
        """Whether a page says all of it; a section that answers this very question otherwise is written anew."""
        data = self._vault.read(near.path)
        if data is None:
            return False, None
        section = find_section(data, answer.question)
        place = locate(data, section or WholeNote())
        if says_already(data[place.start : place.end].decode("utf-8", "replace").splitlines(), statements):
            return True, None
        if section is not None and not self._rests_alike(data[place.start : place.end], statements):
            return (
                True,
                None,
            )  # another answer to the same question, from other notes: which is right is not ours to say
        if section is None or not self._vault.writer.wrote(near.path, data[place.start : place.end].strip()):
            return False, None  # what a person wrote there stays
        return False, self._record(
            "extend", near.slug, self.plan_replacement(near.slug, section, statements, now), answer, now
        )

    def _rests_alike(self, section: bytes, statements: Sequence[Statement]) -> bool:
        """Whether some note that a section cites is cited by the new statements too."""
        before = {one.target for one in find_cited(section.decode("utf-8", "replace"))}
        now = {path for one in statements for c in one.citations for path in (c.path, c.path.removesuffix(".md"))}
        return not before or bool(before & now)

    def _add(
        self, slug: Slug | None, title: str, answer: Answer, statements: Sequence[Statement], now: datetime
    ) -> Writeback:
        kind, slug, plan = self.plan_section(slug, title, answer.question, statements, now)
        return self._record(kind, slug, plan, answer, now)

    def _record(self, kind: _Kind, slug: Slug, plan: Plan, answer: Answer, now: datetime) -> Writeback:
        path = page_path(slug, self._folder)
        done = self._desk.record_turn(kind, slug, plan, replace(log_entry(answer, now), page=path), now)
        if done.proposal is None:
            return Writeback(
                kind=kind,
                page=slug,
                path=path,
                commit=done.commit,
                queued=done.queued,
                reason=done.reason,
                change=done.change,
            )
        waits = f"The page {slug} waits for your approval: `zib proposals show {done.proposal}`."
        return Writeback(
            kind="log", path=done.paths[0], commit=done.commit, queued=done.queued, reason=waits, change=done.change
        )

    def _provenance(self, statements: Sequence[Statement]) -> tuple[Provenance, ...]:
        citations = [citation for statement in statements for citation in statement.citations]
        return self._sources.check([f"{one.path}:{one.line_start}-{one.line_end}" for one in citations])


async def find_title(question: str, statements: Sequence[str], chat: ChatModel) -> str:
    """The model's words for a new page where they fit, else those of the question."""
    output = ""
    try:
        async for delta in chat.generate(title_messages(question, statements), TITLE_SAMPLING):
            output += delta.text if isinstance(delta, Piece) else ""
    except ZibaldoneError as error:
        log.warning("a page is named without the model: %s", error.code)
        return plain_title(question)
    return read_title(output, question, statements)


def log_entry(answer: Answer, now: datetime) -> LogEntry:
    return LogEntry(now, answer.question, answer.answer, answer.citations, answer.abstention_reason)
