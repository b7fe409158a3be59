"""The memory of the person: what is taken in, how it stands to what is known, and what is told of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from hashlib import sha256

from zibaldone.config.settings import Settings
from zibaldone.domain.words import fold
from zibaldone.errors import InvalidRequest, ZibaldoneError
from zibaldone.profile.clauses import part_clauses, part_entry
from zibaldone.profile.decay import has_expired, with_expiry
from zibaldone.profile.decide import Relation, decide
from zibaldone.profile.page import MOST_CHARS
from zibaldone.profile.relate import (
    holds,
    part_correction,
    says_the_same,
)
from zibaldone.profile.signs import read_signs
from zibaldone.profile.takeover import CLEARED, DELETED, STRUCK, Change, default_decay, new_id, retire
from zibaldone.runtime.forgetting import Eraser
from zibaldone.runtime.memory_pages import Known, MemoryPages
from zibaldone.runtime.memory_sense import MemorySense, text_hash
from zibaldone.runtime.models import ModelSet
from zibaldone.runtime.writer import Written
from zibaldone.schemas.memory import (
    MEMORY_TYPES,
    Cleared,
    ClearRequest,
    EditMemoryRequest,
    ForgetRequest,
    Forgotten,
    KeepRequest,
    Memory,
    MemoryEntry,
    MemoryEvent,
    MemoryHistory,
    MemoryRequest,
    MemoryType,
    PageProblem,
    Remembered,
    RememberRequest,
)
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.memory import MemoryStore

log = logging.getLogger(__name__)

# Below this probability the type of a statement is asked about.
SURE = 0.7
_TAKEN_BACK = (DELETED, STRUCK, CLEARED)


@dataclass(frozen=True, slots=True)
class Statement:
    """What somebody said about the person: `type` None is told by its meaning, `source` says where it stands; `at`
    is when they said so (None: now)."""

    text: str
    type: MemoryType | None
    source: str
    is_explicit: bool
    confidence: float = 1.0
    at: datetime | None = None


class MemoryKeeper:
    """One use at a time; what takes long (a model) is asked outside of the event loop's way.

    Args:
        settle: index again the paths that changed.
        clock: the time, with the person's zone.
    """

    def __init__(
        self,
        pages: MemoryPages,
        store: MemoryStore,
        settings: Settings,
        models: ModelSet,
        cache: ContentCache,
        eraser: Eraser,
        settle: Callable[[Sequence[str]], Awaitable[None]],
        clock: Callable[[], datetime],
    ) -> None:
        self._pages = pages
        self._store = store
        self._settings = settings
        self._cache = cache
        self.sense = MemorySense(models, cache)
        self._eraser = eraser
        self._settle = settle
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()

    # -- what is known ---------------------------------------------------------------------------------

    async def tell(self, request: MemoryRequest) -> Memory:
        """Raises: InvalidRequest."""
        now = self._clock()
        async with self._one_at_a_time:
            known = await asyncio.to_thread(self._pages.read, now)
            entries, at = known.entries, now
            if request.as_of is not None:
                at = _read_moment(request.as_of, now)
                entries = await asyncio.to_thread(self._store.entries, at)
        active = {entry.id for entry in entries if entry.state == "active"}
        told = [with_expiry(_among(entry, active)) for entry in entries if request.all or entry.id in active]
        told.sort(key=lambda entry: MEMORY_TYPES.index(entry.type))
        faded = [entry for entry in told if entry.state == "active" and has_expired(entry, at)]
        return Memory(
            entries=[entry for entry in told if entry not in faded],
            expired=faded,
            problems=[PageProblem(path=path, line=one.line, message=one.message) for path, one in known.problems],
        )

    async def history(self, id_: str | None) -> MemoryHistory:
        """Raises: NotFound."""
        async with self._one_at_a_time:
            known = await asyncio.to_thread(self._pages.read, self._clock())
            chain = _chain(self._pages.require(id_, known.entries), known.entries) if id_ else ()
            events = await asyncio.to_thread(self._store.history, chain)
        return MemoryHistory(
            events=[
                MemoryEvent(at=one.at.astimezone().isoformat(timespec="seconds"), action=one.action, entry=one.entry)
                for one in events
            ]
        )

    # -- taking in -------------------------------------------------------------------------------------

    async def remember(self, request: RememberRequest, source: str = "cli") -> Remembered:
        """Keep what the person asked to be remembered.

        Raises:
            InvalidRequest: the statement is too long, or nothing may be written or remembered.
            GitUnavailable: nothing can be committed.
            VaultChanged: a page is being written to by somebody else.
        """
        where = _note_source(request) or source
        return await self.keep(Statement(request.text, request.type, where, is_explicit=True))

    async def keep(self, statement: Statement, *, dry: bool = False) -> Remembered:
        """With `dry` nothing is written. Raises as `remember`, and where what is only inferred was taken
        back by the person, or is older than what is known."""
        self._require_writable()
        text, denied = part_correction(" ".join(statement.text.split()))
        _check_length(text)
        kind, sure = (statement.type, 1.0) if statement.type else await self._find_type(text)
        async with self._one_at_a_time:
            now = self._clock()
            known = await asyncio.to_thread(self._pages.read, now)
            new = self._entry(text, kind, statement, now, known)
            await asyncio.to_thread(self._refuse_unwanted, new, known)
            of_type = (one for one in known.active if _is_compared(one, new))
            beside = [one for one in of_type if not has_expired(one, now) or says_the_same(one.content, text)]
            relations = await self._relate(new, denied, beside)
            # "I'm 36, not 35" of somebody of whom we believe that they are 35: they say expressly what is wrong.
            if denied is not None and any(one.verdict == "contradicts" for one in relations):
                new = new.model_copy(update={"is_explicit": True, "confidence": 1.0})
            # Confidence is that of being worth it: what is said to have changed is worth as much as what was.
            before = [one.entry.confidence for one in relations if one.verdict == "contradicts"]
            if not new.is_explicit and read_signs(text).changed:
                new = new.model_copy(update={"confidence": min(0.99, max([new.confidence, *before]))})
            self._refuse_outdated(statement, relations)
            parted, relations = self._part(relations, new, now, known)
            changes = [*parted, *decide(new, relations, _said_at(statement, relations, now))]
            written = None
            if not dry:
                written = await asyncio.to_thread(self._pages.change, changes, f"remember: {_short(text)}", now)
                if new.is_explicit:
                    await asyncio.to_thread(self._store.bring_back, statement_hash(text))
        entry = with_expiry(changes[-1].entry)
        after = {change.entry.id: change.entry for change in changes}
        return Remembered(
            entry=entry,
            path=self._pages.path(entry.type),
            commit=written.commit if written else None,
            change_id=written.change_id if written else None,
            queued=written.queued if written else False,
            already=changes[-1].action == "confirmed",
            unsure=sure < SURE,
            retired=[one for one in after.values() if one.state == "retired"],
            conflicts=[one for one in known.active if one.id in entry.conflicts_with],
            reason=written.reason if written else None,
        )

    async def takes_back(self, statement: Statement) -> bool:
        """Whether it says that something has changed, and ends or contradicts an entry: then it is worth knowing, even
        where it would not be by itself. Raises as `keep`."""
        if not read_signs(statement.text).changed:
            return False
        would = await self.keep(statement, dry=True)
        return bool(would.retired or would.conflicts)

    async def edit(self, id_: str, request: EditMemoryRequest) -> Remembered:
        """As the person wants it: what they change is explicit. Raises: NotFound, InvalidRequest, GitUnavailable."""
        self._require_writable()
        _check_length(" ".join((request.content or "").split()))
        async with self._one_at_a_time:
            now = self._clock()
            known = await asyncio.to_thread(self._pages.read, now)
            before = self._pages.require(id_, known.active)
            update: dict[str, object] = {"updated_at": now.isoformat()}
            if request.content is not None:
                update |= {"content": " ".join(request.content.split()), "is_explicit": True, "confidence": 1.0}
            if request.type is not None and request.type != before.type:
                update |= {"type": request.type, "decay_days": default_decay(request.type)}
            if request.pinned is not None:
                update["pinned"] = request.pinned
            after = before.model_copy(update=update)
            written = await asyncio.to_thread(
                self._pages.change, [Change("edited", after)], f"remember: {_short(after.content)}", now
            )
        return Remembered(
            entry=with_expiry(after),
            path=self._pages.path(after.type),
            commit=written.commit if written else None,
            change_id=written.change_id if written else None,
            queued=written.queued if written else False,
            reason=written.reason if written else None,
        )

    async def prevail(self, id_: str, request: KeepRequest) -> Remembered:
        """Settle a conflict: the entry stays, and what it does not go together with is retired, with a pointer to it.

        Raises:
            InvalidRequest: it is in no conflict, or not with what is named.
            NotFound, GitUnavailable, VaultChanged: as `edit`.
        """
        self._require_writable()
        async with self._one_at_a_time:
            now = self._clock()
            known = await asyncio.to_thread(self._pages.read, now)
            kept = self._pages.require(id_, known.active)
            chosen = {self._pages.require(one, known.active).id for one in request.over}
            against = [one for one in known.active if one.id != kept.id and _in_conflict(one, kept)]
            beaten = [one for one in against if not chosen or one.id in chosen]
            if not beaten or len(beaten) < len(chosen):
                raise InvalidRequest("These entries do not contradict each other.", "`zib memory` shows what does.")
            changes = [Change("replaced", retire(one, f"replaced by {kept.id}", now)) for one in beaten]
            ids = [one.id for one in beaten]
            kept = kept.model_copy(
                update={
                    "updated_at": now.isoformat(),
                    "replaces": [*kept.replaces, *(id_ for id_ in ids if id_ not in kept.replaces)],
                    "conflicts_with": [one for one in kept.conflicts_with if one not in ids],
                }
            )
            message = f"remember: {_short(kept.content)}"
            written = await asyncio.to_thread(self._pages.change, [*changes, Change("kept", kept)], message, now)
        return Remembered(
            entry=with_expiry(kept),
            path=self._pages.path(kept.type),
            commit=written.commit if written else None,
            change_id=written.change_id if written else None,
            queued=written.queued if written else False,
            retired=[change.entry for change in changes],
            reason=written.reason if written else None,
        )

    async def clear(self, request: ClearRequest) -> Cleared:
        """Retire all entries of a type; the archive page has them. Raises as `edit`."""
        self._require_writable()
        async with self._one_at_a_time:
            now = self._clock()
            known = await asyncio.to_thread(self._pages.read, now)
            gone = [Change(CLEARED, retire(one, CLEARED, now)) for one in known.active if one.type == request.type]
            message = f"remember: clear {request.type}"
            written = await asyncio.to_thread(self._pages.change, gone, message, now) if gone else None
        return Cleared(type=request.type, entries=len(gone), commit=written.commit if written else None)

    async def forget(self, request: ForgetRequest) -> Forgotten:
        """Take entries, what they replaced, and every mention of their words out of all that is kept, but for a hash.

        Raises:
            NotFound: no such entry.
            GitUnavailable, VaultChanged: as `remember`.
        """
        self._require_writable()
        async with self._one_at_a_time:
            now = self._clock()
            known = await asyncio.to_thread(self._pages.read, now)
            chosen = [self._pages.require(id_, known.entries) for id_ in request.ids]
            ids = list(dict.fromkeys(id_ for one in chosen for id_ in _chain(one, known.entries)))
            events = await asyncio.to_thread(self._store.history, ids)
            texts = list(dict.fromkeys(event.entry.content for event in events))
            hashes = [statement_hash(text) for text in texts]
            pages, cleaned = await asyncio.to_thread(self._eraser.erase, texts, ids, now)
            await asyncio.to_thread(self._store.forget, ids, hashes, now)
            await asyncio.to_thread(self._cache.drop, [text_hash(text) for text in texts])
            await asyncio.to_thread(self._pages.note_read)
        await self._settle(pages)
        await asyncio.to_thread(self._eraser.settle)
        return Forgotten(
            entries=ids,
            places=[*pages, *cleaned],
            history=await asyncio.to_thread(self._eraser.in_history, texts),
            notes=await asyncio.to_thread(self._eraser.in_notes, texts),
        )

    async def apply(
        self,
        message: str,
        make: Callable[[Known, datetime], Sequence[Change]],
        *,
        dry: bool = False,
    ) -> Sequence[Change]:
        """Do what `make` wants of what is known, in one commit; what that was."""
        changes, _ = await self.change(message, make, dry=dry)
        return changes

    async def change(
        self,
        message: str,
        make: Callable[[Known, datetime], Sequence[Change]],
        *,
        dry: bool = False,
    ) -> tuple[Sequence[Change], Written | None]:
        """As `apply`, and what was written for it."""
        self._require_writable()
        async with self._one_at_a_time:
            now = self._clock()
            known = await asyncio.to_thread(self._pages.read, now)
            changes = await asyncio.to_thread(make, known, now)
            written = None
            if changes and not dry:
                written = await asyncio.to_thread(self._pages.change, changes, message, now)
        return changes, written

    async def flush(self, *, dry: bool = False) -> list[MemoryEntry]:
        """See `MemoryPages.flush`."""
        self._require_writable()
        async with self._one_at_a_time:
            return await asyncio.to_thread(self._pages.flush, self._clock(), dry=dry)

    def path(self, kind: MemoryType) -> str:
        return self._pages.path(kind)

    # -- steps -----------------------------------------------------------------------------------------

    def _entry(self, text: str, kind: MemoryType, statement: Statement, now: datetime, known: Known) -> MemoryEntry:
        return MemoryEntry(
            id=new_id(kind, text, now, [entry.id for entry in known.entries]),
            type=kind,
            content=text,
            created_at=(statement.at or now).isoformat(),
            updated_at=(statement.at or now).isoformat(),
            confidence=1.0 if statement.is_explicit else round(min(0.99, statement.confidence), 2),
            decay_days=default_decay(kind),
            is_explicit=statement.is_explicit,
            sources=[statement.source],
        )

    def _refuse_unwanted(self, new: MemoryEntry, known: Known) -> None:
        """What the person deleted, struck out or had forgotten comes back only when they say so."""
        if new.is_explicit:
            return
        taken_back = (one for one in known.entries if one.state == "retired" and one.why in _TAKEN_BACK)
        if any(says_the_same(one.content, new.content) for one in taken_back) or self._store.is_forgotten(
            statement_hash(new.content)
        ):
            raise InvalidRequest("Not remembered: you took this out of the memory.", "`! ...` puts it back.")

    @staticmethod
    def _refuse_outdated(statement: Statement, relations: Sequence[Relation]) -> None:
        """What was said before what contradicts it is no news."""
        against = (one.entry for one in relations if one.verdict == "contradicts")
        if statement.at is not None and any(datetime.fromisoformat(old.updated_at) > statement.at for old in against):
            raise InvalidRequest("Not remembered: something newer says otherwise.", "`zib memory` shows it.")

    async def _find_type(self, text: str) -> tuple[MemoryType, float]:
        """The likeliest type of a statement that is to be kept, and how probable it is among the three."""
        [found] = await self.sense.classify([text])
        total = sum(found[kind] for kind in MEMORY_TYPES)
        best = max(MEMORY_TYPES, key=lambda kind: found[kind])
        return best, found[best] / total if total > 0 else 0.0

    async def _relate(self, new: MemoryEntry, denied: str | None, active: Sequence[MemoryEntry]) -> list[Relation]:
        """How the new statement stands to what is known: by words, else by the chat model, of the nearest few."""
        said_again = [Relation(one, "same") for one in active if says_the_same(one.content, new.content)]
        if said_again:
            return said_again[:1]
        near = await self.sense.nearest(new, active)
        relations = [_denial(one, denied) for one in near if denied is not None and holds(one.content, denied)]
        settled = {one.entry.id for one in relations}
        for old in (one for one in near if one.id not in settled):
            try:
                relation = await self.sense.relate(old, new, active)
            except ZibaldoneError as error:
                log.info("How two statements stand to each other is not known: %s", error)
                break
            if relation is not None and relation.verdict == "same":
                return [relation, *relations]
            # What the person is at is over by what they are at then, or fades.
            if relation is not None and (old.type == new.type or old.type == "user"):
                relations.append(relation)
        return relations

    @staticmethod
    def _part(
        relations: Sequence[Relation], new: MemoryEntry, now: datetime, known: Known
    ) -> tuple[list[Change], list[Relation]]:
        """See `part_entry`."""
        taken = {new.id, *(entry.id for entry in known.entries)}
        parts = [part_entry(relation, new, now, taken) for relation in relations]
        return [change for changes, _ in parts for change in changes], [relation for _, relation in parts]

    def _require_writable(self) -> None:
        if self._settings.read_only or not self._settings.memory.enabled:
            setting = "read_only" if self._settings.read_only else "memory.enabled"
            raise InvalidRequest(f"Not remembered: the setting {setting} forbids it.", "`zib config show` says where.")


def _denial(old: MemoryEntry, denied: str) -> Relation:
    """Of an entry that has what is denied."""
    clauses = part_clauses(old.content)
    clause = next((one for one in clauses if holds(one, denied)), None)
    return Relation(old, "contradicts", clause if len(clauses) > 1 else None)


def _said_at(statement: Statement, relations: Sequence[Relation], now: datetime) -> datetime:
    """When it was said last, by this statement or by what says the same."""
    if statement.at is None:
        return now
    before = (datetime.fromisoformat(one.entry.updated_at) for one in relations if one.verdict == "same")
    return max([statement.at, *(at for at in before if at <= now)])


def _among(entry: MemoryEntry, active: Collection[str]) -> MemoryEntry:
    """Without conflicts with what is no longer so."""
    return entry.model_copy(update={"conflicts_with": [id_ for id_ in entry.conflicts_with if id_ in active]})


def _is_compared(old: MemoryEntry, new: MemoryEntry) -> bool:
    """Whether the new one is of its type; of what is only inferred, it may be a fact of the other type as well."""
    facts = old.type != "feedback" and new.type != "feedback"
    return old.type == new.type or (facts and not old.is_explicit and not new.is_explicit)


def _in_conflict(one: MemoryEntry, other: MemoryEntry) -> bool:
    return other.id in one.conflicts_with or one.id in other.conflicts_with


def _check_length(text: str) -> None:
    if len(text) > MOST_CHARS:
        raise InvalidRequest(
            f"The statement has {len(text)} characters, and an entry at most {MOST_CHARS}.", "Select one statement."
        )


def statement_hash(text: str) -> str:
    """By which a forgotten statement is known again, and not read."""
    return sha256(" ".join(fold(text).split()).encode()).hexdigest()


def _chain(entry: MemoryEntry, entries: Sequence[MemoryEntry]) -> list[str]:
    """The entry and all that it replaced, directly or not."""
    by_id = {one.id: one for one in entries}
    chain: list[str] = []
    waiting = [entry.id]
    while waiting:
        id_ = waiting.pop()
        if id_ not in chain:
            chain.append(id_)
            waiting.extend(by_id[id_].replaces if id_ in by_id else ())
    return chain


def _read_moment(text: str, now: datetime) -> datetime:
    """A day (its end) or a moment, in the person's zone where it names none."""
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), time.max, now.tzinfo)
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(
            f"“{text}” is not a day or time.", "Write it like 2026-03-01 or 2026-03-01T18:00."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _note_source(request: RememberRequest) -> str | None:
    """`note:Daily/2026-03-02.md:14-16`."""
    if request.note_path is None:
        return None
    if request.line_start is None:
        return f"note:{request.note_path}"
    last = request.line_end or request.line_start
    lines = f"{request.line_start}" if last == request.line_start else f"{request.line_start}-{last}"
    return f"note:{request.note_path}:{lines}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"
