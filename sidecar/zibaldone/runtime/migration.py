"""Taking over what another assistant remembers: by a note of proposals that the person decides on, or at once.

A file is never moved, renamed or changed. It is done when every statement of it was proposed, or is known, or was
rejected; whatever fails before that (a model, the disk) leaves it to the next run, which proposes nothing twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from zibaldone.errors import InvalidRequest, ModelMissing, NotFound, ZibaldoneError
from zibaldone.inference.roles import Embedder
from zibaldone.profile.classify import Kind
from zibaldone.profile.decay import with_expiry
from zibaldone.profile.exchange import Chosen, add_entries, imported_from
from zibaldone.profile.migration import (
    MOST_BYTES,
    Found,
    Guess,
    Source,
    decode_source,
    guess_type,
    is_about_person,
    read_source,
    statement_key,
    too_large,
)
from zibaldone.profile.migration_note import FOLDER, NOTE, Block, Proposal, accept_proposals, edit_note, read_note
from zibaldone.runtime.memory import SURE, MemoryKeeper, statement_hash
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.memory import (
    ImportedFile,
    ImportMemoryRequest,
    MemoryImported,
    MemoryRequest,
    Migrated,
    MigratedSource,
    MigrateRequest,
)
from zibaldone.store.memory import MemoryStore
from zibaldone.vault.files import TooLarge, VaultFiles, sha256_hex
from zibaldone.vault.listing import list_files

# More than a person decides on in one note: the rest is proposed by later runs.
_MOST_PROPOSED = 1_000
_CLASSIFIED_AT_ONCE = 32
_MOST_SUBJECT = 100
_READ = (".json", ".md")

FindEmbedder = Callable[[], tuple[Embedder | None, ZibaldoneError | None]]


@dataclass
class _Run:
    """Keys of what is `known` and of what was proposed `earlier` (rejected too), and the hashes of the files that were
    `read`; what this run adds to them."""

    known: frozenset[str]
    earlier: set[str]
    read: frozenset[str]
    proposals: list[Proposal] = field(default_factory=list)
    done: list[str] = field(default_factory=list)


class Migrator:
    """One run at a time."""

    def __init__(
        self,
        keeper: MemoryKeeper,
        store: MemoryStore,
        files: VaultFiles,
        writer: VaultWriter,
        find_embedder: FindEmbedder,
        clock: Callable[[], datetime],
    ) -> None:
        self._keeper = keeper
        self._store = store
        self._files = files
        self._writer = writer
        self._find_embedder = find_embedder
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()

    async def migrate(self, request: MigrateRequest) -> Migrated:
        """Do what was decided in the note, then propose in it what the files have to say.

        Raises:
            InvalidRequest: nothing may be written or remembered.
            GitUnavailable: nothing can be committed.
            VaultChanged: a page, or the note, is being written to by somebody else.
        """
        async with self._one_at_a_time:
            now, dry = self._clock(), request.dry_run
            note = await asyncio.to_thread(self._read_note)
            blocks, problems = read_note(note or b"")
            accepted = [block for block in blocks if block.decision == "accept"]
            rejected = [block for block in blocks if block.decision == "reject"]
            kept, written = await self._keeper.change(
                "remember: what was accepted",
                lambda known, now: accept_proposals([block.proposal for block in accepted], known.entries, now),
                dry=dry,
            )
            if not dry:
                await asyncio.to_thread(self._settle, accepted, rejected)
            run = await self._begin(blocks, is_new=note is None)
            sources = [await self._propose(name, run, now) for name in await asyncio.to_thread(self._names)]
            if not dry:
                await asyncio.to_thread(self._finish, run, [*accepted, *rejected], now, is_new=note is None)
        return Migrated(
            path=NOTE,
            dry_run=dry,
            accepted=[with_expiry(change.entry) for change in kept],
            rejected=len(rejected),
            undecided=len(blocks) - len(accepted) - len(rejected) + len(run.proposals),
            sources=sources,
            problems=problems,
            commit=written.commit if written else None,
            change_id=written.change_id if written else None,
            queued=written.queued if written else False,
            reason=written.reason if written else None,
        )

    async def import_entries(self, request: ImportMemoryRequest) -> MemoryImported:
        """Keep at once what files say, in one change. What a file calls explicit is; any other statement is as sure as
        the file says. What the person had forgotten stays so.

        Raises:
            InvalidRequest: nothing may be written or remembered, or two files have one name.
            GitUnavailable, VaultChanged: as `migrate`.
        """
        now = self._clock()
        names = [file.name for file in request.files]
        if len({*names}) < len(names):
            raise InvalidRequest("Two of the files have the same name.", "Import them one by one.")
        chosen: list[Chosen] = []
        unsure: set[str] = set()
        sources: dict[str, Source] = {}
        for file in request.files:
            sources[file.name], guessed = await self._read_import(file, now)
            chosen += [Chosen(found, guess.type, file.name) for found, guess in guessed if guess.type]
            unsure |= {found.text for found, guess in guessed if not guess.sure}
        changes, written = await self._keeper.change(
            f"remember: import {', '.join(names)}"[:_MOST_SUBJECT],
            lambda known, now: add_entries(chosen, known.entries, now),
            dry=request.dry_run,
        )
        said, added = Counter(one.name for one in chosen), Counter(change.action for change in changes)
        return MemoryImported(
            dry_run=request.dry_run,
            added=[with_expiry(change.entry) for change in changes],
            unsure=[change.entry.id for change in changes if change.entry.content in unsure],
            sources=[
                _told(name, source, proposed=(new := added[imported_from(name)]), known=said[name] - new)
                for name, source in sources.items()
            ],
            commit=written.commit if written else None,
            change_id=written.change_id if written else None,
            queued=written.queued if written else False,
            reason=written.reason if written else None,
        )

    # -- steps -----------------------------------------------------------------------------------------

    def _settle(self, accepted: Sequence[Block], rejected: Sequence[Block]) -> None:
        for block in accepted:  # the person says it once more themselves
            self._store.bring_back(statement_hash(block.proposal.text))
        self._store.note_rejected(block.proposal.key for block in rejected)

    async def _begin(self, blocks: Sequence[Block], *, is_new: bool) -> _Run:
        """Where the note is gone the person begins anew: of what was proposed only the rejected counts."""
        memory = await self._keeper.tell(MemoryRequest())
        known = [entry.content for entry in [*memory.entries, *memory.expired]]
        known += [block.proposal.text for block in blocks if block.decision == "accept"]
        earlier = await asyncio.to_thread(self._store.proposed, rejected=is_new)
        read = frozenset() if is_new else await asyncio.to_thread(self._store.migrated)
        return _Run(frozenset(map(statement_key, known)), {*earlier, *(one.proposal.key for one in blocks)}, read)

    def _names(self) -> list[str]:
        """Of the files in the folder, relative to it."""
        paths = list_files(self._files.root, FOLDER)
        of_ours = (path for path in paths if path != NOTE and PurePosixPath(path).suffix.casefold() in _READ)
        return [path.removeprefix(f"{FOLDER}/") for path in of_ours]

    async def _propose(self, name: str, run: _Run, now: datetime) -> MigratedSource:
        """Add to the run what a file says that is new; nothing of one that cannot be read or classified."""
        try:
            data = await asyncio.to_thread(self._read, name)
            if (sha := sha256_hex(data)) in run.read:
                return MigratedSource(name=name, state="done")
            source = await asyncio.to_thread(read_source, name, decode_source(name, data), now)
        except (ZibaldoneError, OSError) as error:
            return MigratedSource(name=name, state="waiting", problems=[_sentence(name, error)])
        keys = [statement_key(found.text) for found in source.found]
        new: dict[str, Found] = {}
        for key, found in zip(keys, source.found, strict=True):
            if key not in run.known and key not in run.earlier:
                new.setdefault(key, found)
        fresh = await asyncio.to_thread(self._without_forgotten, list(new.values()))
        known = sum(key in run.known for key in keys)
        earlier = sum(key in run.earlier and key not in run.known for key in keys)
        guessed = await self._guess(name, fresh, source)
        room = _MOST_PROPOSED - len(run.proposals)
        if len(guessed) > room:
            source.leave_out(f"{len(guessed) - room} more statements wait for the next run.")
        for found, guess in guessed[:room]:
            day = found.created.astimezone(now.tzinfo).date() if found.created else None
            key = statement_key(found.text)
            run.proposals.append(Proposal(key, found.text, guess.type, guess.sure, name, day))
            run.earlier.add(key)
        if source.is_whole:
            run.done.append(sha)
        return _told(name, source, proposed=len(guessed[:room]), known=known, earlier=earlier)

    def _finish(self, run: _Run, decided: Sequence[Block], now: datetime, *, is_new: bool) -> None:
        """Write the note first: what is in it is not proposed again, whatever is noted of it."""

        def plan(read: Read) -> dict[str, bytes | None]:
            return {NOTE: edit_note(read(NOTE), decided, run.proposals)}

        told = f"{len(run.proposals)} proposals" if run.proposals else "what was decided"
        self._writer.change("migrate", f"migrate: {told}", now, plan)
        if is_new:
            self._store.forget_proposed()
        self._store.note_proposed((one.key for one in run.proposals), run.done)

    async def _read_import(self, file: ImportedFile, now: datetime) -> tuple[Source, list[tuple[Found, Guess]]]:
        source = Source()
        try:
            text = decode_source(file.name, file.content.encode("utf-8", "replace"))
            source = await asyncio.to_thread(read_source, file.name, text, now)
        except ZibaldoneError as error:
            source.leave_out(_sentence(file.name, error))
        found = await asyncio.to_thread(self._without_forgotten, source.found)
        if len(found) < len(source.found):
            source.problems.append("What you had forgotten stays so.")
        guessed = await self._guess(file.name, found, source)
        if any(guess.type is None for _, guess in guessed):
            source.leave_out(_sentence(file.name, await self._missing()))
            return source, []
        return source, guessed

    async def _guess(self, name: str, found: Sequence[Found], source: Source) -> list[tuple[Found, Guess]]:
        """Each with its type, without the prose that is not about the person. Where a model fails it is nothing of the
        file, and the source says so."""
        untold = [one.text for one in found if one.type is None]
        kinds: list[dict[Kind, float]] = []
        try:
            if any(one.is_prose for one in found) and (await asyncio.to_thread(self._find_embedder))[0] is None:
                raise await self._missing()
            for start in range(0, len(untold), _CLASSIFIED_AT_ONCE):
                kinds += await self._keeper.sense.classify(untold[start : start + _CLASSIFIED_AT_ONCE])
        except ZibaldoneError as error:
            source.leave_out(_sentence(name, error))
            return []
        by_text = dict(zip(untold, kinds, strict=True))
        about = [one for one in found if one.type is not None or is_about_person(one, by_text[one.text])]
        source.passed = len(found) - len(about)
        return [(one, guess_type(one, by_text.get(one.text, {}), SURE)) for one in about]

    async def _missing(self) -> ZibaldoneError:
        """Why no model tells what a statement is about."""
        _, missing = await asyncio.to_thread(self._find_embedder)
        return missing or ModelMissing("The type of a statement cannot be told.", "Write [user] or another after it.")

    def _without_forgotten(self, found: Sequence[Found]) -> list[Found]:
        return [one for one in found if not self._store.is_forgotten(statement_hash(one.text))]

    def _read_note(self) -> bytes | None:
        try:
            return self._files.read_stable(NOTE)
        except NotFound:
            return None

    def _read(self, name: str) -> bytes:
        data = self._files.read_stable(f"{FOLDER}/{name}", MOST_BYTES)
        if isinstance(data, TooLarge):
            raise too_large(name)
        return data


def _told(name: str, source: Source, *, proposed: int, known: int, earlier: int = 0) -> MigratedSource:
    return MigratedSource(
        name=name,
        state="done" if source.is_whole else "waiting",
        proposed=proposed,
        known=known,
        earlier=earlier,
        passed=source.passed,
        problems=source.problems,
    )


def _sentence(name: str, error: ZibaldoneError | OSError) -> str:
    """One that names the file."""
    if isinstance(error, OSError):
        return f"{name} cannot be read: {error.strerror or error}."
    said = f"{error.message} {error.hint}".strip()
    return said if name in said else f"{name}: {said}"
