"""The nightly run, step by step. Each step that fails is told, and leaves the memory as it was; the next run does it.

Review what was said since the last run, merge what says the same, settle what takes each other back, write to the pages
what was confirmed meanwhile, archive what faded, promote what proved stable to rules, note what works.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, time
from functools import partial

from zibaldone.agents.pattern.reflect import describe_pattern, pattern_path, write_pattern
from zibaldone.config.settings import Settings
from zibaldone.errors import InvalidRequest, ModelMissing, ZibaldoneError
from zibaldone.inference.roles import ChatModel
from zibaldone.profile.clauses import part_entry
from zibaldone.profile.consolidate import archive, is_allowed, settle
from zibaldone.profile.decay import has_expired
from zibaldone.profile.decide import Relation
from zibaldone.profile.notice import find_statements, part_message
from zibaldone.profile.probe import NEARNESS_PROBE, RELATION_PROBES, WORTH_PROBES, Probe, check_probe
from zibaldone.profile.relate import part_correction, says_the_same
from zibaldone.profile.rules import promote
from zibaldone.profile.schedule import due_slot, night_of
from zibaldone.profile.takeover import Change
from zibaldone.profile.worth import ASKED, confidence, is_doubtful, is_worth
from zibaldone.runtime.memory import MemoryKeeper, Statement, statement_hash
from zibaldone.runtime.memory_pages import Known
from zibaldone.runtime.memory_sense import ask_odds
from zibaldone.runtime.memory_turn import weigh_statement
from zibaldone.runtime.models import ModelSet
from zibaldone.runtime.rules import RuleBook
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.memory import MemoryEntry, MemoryRequest, PatternReport, PatternRequest, PatternStep
from zibaldone.store.memory import MemoryStore, Run
from zibaldone.store.state_db import Said, StateStore

log = logging.getLogger(__name__)

CHECK_EVERY_S = 300.0
# Messages that one run reviews, and pairs of entries that it compares: the next one goes on.
_MESSAGES, _PAIRS = 400, 60

# A step of a run; it adds what it does to the list.
_Work = Callable[[list[str]], Awaitable[None]]


class PatternRunner:
    """One run at a time.

    Args:
        wait_turn: returns when no question is being answered.
    """

    def __init__(
        self,
        keeper: MemoryKeeper,
        rules: RuleBook,
        writer: VaultWriter,
        state: StateStore,
        models: ModelSet,
        settings: Settings,
        clock: Callable[[], datetime],
        wait_turn: Callable[[], Awaitable[None]],
    ) -> None:
        self._keeper = keeper
        self._rules = rules
        self._writer = writer
        self._state = state
        self._store: MemoryStore = state.memory
        self._models = models
        self._settings = settings
        self._clock = clock
        self._wait_turn = wait_turn
        self._one_at_a_time = asyncio.Lock()

    async def run_nightly(self) -> None:
        """Look every few minutes whether a night's run is due; never returns."""
        while True:
            try:
                await self.run_if_due()
            except Exception:  # whatever it is, there is another night
                log.exception("The nightly run did not come about")
            await asyncio.sleep(CHECK_EVERY_S)

    async def run_if_due(self) -> PatternReport | None:
        """The run of the night that has begun last, unless it was; None where nothing is due."""
        memory = self._settings.memory
        if not memory.enabled or not memory.nightly or self._settings.read_only:
            return None
        now = self._clock()
        last = await asyncio.to_thread(self._store.last_night, now.date())
        slot = due_slot(now, time(memory.nightly_hour), last)
        return await self.run(PatternRequest(), slot) if slot else None

    async def run(self, request: PatternRequest, slot: date | None = None, *, in_turn: bool = False) -> PatternReport:
        """
        Args:
            in_turn: a question waits for this run, which therefore waits for none.

        Raises:
            InvalidRequest: the memory may not be written, or a turn asks while another run is under way.
        """
        if self._settings.read_only or not self._settings.memory.enabled:
            setting = "read_only" if self._settings.read_only else "memory.enabled"
            raise InvalidRequest(f"The memory is not tidied: the setting {setting} forbids it.", "`zib config show`.")
        if in_turn and self._one_at_a_time.locked():
            raise InvalidRequest("The memory is being tidied already.", "Ask again when that has ended.")
        async with self._one_at_a_time:
            started = self._clock()
            last = await asyncio.to_thread(self._store.last_run)
            reviewed = last.reviewed if last else 0
            said = await asyncio.to_thread(self._state.said_since, reviewed, _MESSAGES)
            dry = request.dry_run
            works: dict[str, _Work] = {
                "review": partial(self._review, said, dry),
                "consolidate": partial(self._consolidate, dry),
                "confirm": partial(self._flush, dry),
                "fade": partial(self._fade, started, dry),
                "rules": partial(self._promote, dry),
            }
            steps: list[PatternStep] = []
            for name, work in works.items():
                if not in_turn:
                    await self._wait_turn()
                steps.append(await _take_step(name, work))
            complete = steps[0].problem is None
            steps.append(await _take_step("reflect", partial(self._reflect, said if complete else [], dry)))
            report = PatternReport(
                started_at=started.isoformat(timespec="seconds"),
                ended_at=self._clock().isoformat(timespec="seconds"),
                state="partial" if any(step.problem for step in steps) else "complete",
                dry_run=dry,
                steps=steps,
            )
            if not dry:
                night = slot or night_of(started, time(self._settings.memory.nightly_hour))  # of one that was asked for
                upto = said[-1].id if said and complete else reviewed
                run = Run(night.isoformat(), started.isoformat(), upto, report.model_dump_json())
                await asyncio.to_thread(self._store.note_run, run)
            return report

    async def _review(self, said: Sequence[Said], dry: bool, told: list[str]) -> None:
        """Statements of the messages that were missed; a doubtful one counts when several conversations have it."""
        if not said:
            return
        chat = await self._require_models(WORTH_PROBES)
        for message in said:
            parts = part_message(message.text)
            statements = find_statements(parts.text)
            source = f"chat:{message.conversation_id}#{message.id}"
            taken = await self._taken_from(source)
            words = [*parts.explicit, *statements]
            if not all(any(_is_said(one, text) for text in words) for one in taken):
                continue  # it confirmed, or was merged into, what stands in other words
            for statement, kinds in zip(statements, await self._keeper.sense.classify(statements), strict=True):
                worth = 1 - kinds["none"]
                if worth < ASKED or any(_is_said(one, statement) for one in taken):
                    continue
                sure = await weigh_statement(statement, worth, chat)
                if sure is None:
                    continue
                at = datetime.fromisoformat(message.at).astimezone()
                given = Statement(statement, None, source, is_explicit=False, confidence=confidence(sure), at=at)
                try:
                    is_kept = await self._is_kept(statement, message, sure, dry=dry)
                    if not is_kept and not (is_doubtful(sure) and await self._keeper.takes_back(given)):
                        continue
                    done = await self._keeper.keep(given, dry=dry)
                except InvalidRequest as refused:
                    log.info("A statement is not kept: %s", refused)
                    continue
                told.append(f"{'confirmed' if done.already else 'noticed'}: {done.entry.content}")

    async def _is_kept(self, statement: str, message: Said, sure: float, *, dry: bool) -> bool:
        if is_worth(sure):
            return True
        if not is_doubtful(sure) or dry:
            return False
        doubts = await asyncio.to_thread(self._store.doubt, statement_hash(statement), message.conversation_id, sure)
        return len(doubts) > 1

    async def _taken_from(self, source: str) -> list[str]:
        """The words of all entries that came of a message, or were confirmed by it."""
        memory = await self._keeper.tell(MemoryRequest(all=True))
        return [entry.content for entry in [*memory.entries, *memory.expired] if source in entry.sources]

    async def _require_models(self, probes: Sequence[Probe]) -> ChatModel:
        """Raises: ModelMissing; ModelFailed (a model does not tell what is known)."""
        embedder, no_embedder = await asyncio.to_thread(self._models.find_embedder)
        chat, no_chat = await asyncio.to_thread(self._models.find_chat)
        if embedder is None or chat is None:
            raise no_embedder or no_chat or ModelMissing("A model is missing.", "`zib doctor` tells which.")
        cat, mia, post = await embedder.embed_passages(NEARNESS_PROBE)
        check_probe(float(cat @ mia), float(cat @ post))
        for probe in probes:
            check_probe(await ask_odds(chat, probe.likely), await ask_odds(chat, probe.unlikely))
        return chat

    async def _consolidate(self, dry: bool, told: list[str]) -> None:
        """Pairs that are near in meaning, one operation and one commit each."""
        known = await self._keeper.tell(MemoryRequest())
        pairs = await self._keeper.sense.neighbours(known.entries)
        new = [pair for pair in pairs if not await asyncio.to_thread(self._store.was_compared, _pair_hash(*pair))]
        if new:
            await self._require_models(RELATION_PROBES)
        for older, newer in new[:_PAIRS]:
            if (relation := await self._keeper.sense.relate(older, newer, known.entries)) is not None:
                changes = await self._keeper.apply(
                    f"remember: {relation.verdict}", partial(_settle, relation, newer.id), dry=dry
                )
                told += [f"{one.action}: {one.entry.content}" for one in changes if one.entry.state != "active"]
            if not dry:
                await asyncio.to_thread(self._store.note_compared, _pair_hash(older, newer))

    async def _flush(self, dry: bool, told: list[str]) -> None:
        """What changed only in the state (said again, confirmed) reaches the lines of the pages."""
        told += [f"confirmed: {entry.content}" for entry in await self._keeper.flush(dry=dry)]

    async def _fade(self, now: datetime, dry: bool, told: list[str]) -> None:
        known = await self._keeper.tell(MemoryRequest())
        before = await asyncio.to_thread(self._store.faded_before)
        changes = await self._keeper.apply(
            "remember: what has faded", lambda known, now: archive(known.active, now, before), dry=dry
        )
        if not dry:
            archived = {change.entry.id for change in changes}
            faded = [one.id for one in known.expired if has_expired(one, now) and one.id not in archived]
            await asyncio.to_thread(self._store.note_faded, faded)
        told += [f"archived: {change.entry.content}" for change in changes]

    async def _promote(self, dry: bool, told: list[str]) -> None:
        """A wish becomes a rule once: one that the person took out of the page, or reworded there, stays so."""
        memory = await self._keeper.tell(MemoryRequest(all=True))
        active = {one.id: one for one in [*memory.entries, *memory.expired] if one.state == "active"}
        gone = await asyncio.to_thread(self._rules.resting) - active.keys()
        promoted = await asyncio.to_thread(self._store.promoted)
        outdated = {id_: text for id_, text in promoted.items() if id_ in active and active[id_].content != text}
        now = self._clock()
        new = [rule for rule in promote([*active.values()], now) if promoted.get(rule.rests_on[0]) != rule.text]
        told += await asyncio.to_thread(self._rules.update, new, gone, outdated, now, dry=dry)
        if not dry:
            await asyncio.to_thread(self._store.note_promoted, [(rule.rests_on[0], rule.text) for rule in new])

    async def _reflect(self, said: Sequence[Said], dry: bool, told: list[str]) -> None:
        if not said or dry:
            return
        memory = await self._keeper.tell(MemoryRequest(all=True))
        body = describe_pattern([one.text for one in said], [*memory.entries, *memory.expired])
        path = pattern_path(self._settings.folder)

        def plan(read: Read) -> dict[str, bytes | None]:
            return {path: write_pattern(read(path), body)}

        await asyncio.to_thread(self._writer.change, "pattern", "pattern: what works", self._clock(), plan)


async def _take_step(name: str, work: _Work) -> PatternStep:
    """Whatever a model's output leads to, what was done is told, and the run goes on."""
    told: list[str] = []
    problem = None
    try:
        await work(told)
    except ZibaldoneError as error:
        problem = f"{error.message} {error.hint}".strip()
    except Exception as error:
        log.exception("A step of the nightly run failed")
        problem = f"Something unexpected failed ({type(error).__name__}: {error}). The log says more."
    return PatternStep(name=name, changes=told, problem=problem)


def _is_said(entry: str, statement: str) -> bool:
    return says_the_same(entry, part_correction(statement)[0])


def _pair_hash(older: MemoryEntry, newer: MemoryEntry) -> str:
    return statement_hash(f"{older.content}\n{newer.content}")


def _settle(relation: Relation, newer_id: str, known: Known, now: datetime) -> Sequence[Change]:
    """Of the two entries as they are now, if they still are."""
    there = {entry.id: entry for entry in known.active}
    older, newer = there.get(relation.entry.id), there.get(newer_id)
    if older is None or newer is None:
        return []
    taken = [entry.id for entry in known.entries]
    parted, relation = part_entry(relation._replace(entry=older), newer, now, taken)
    changes = [*parted, *settle(relation, newer, now)]
    return changes if is_allowed(changes, known.entries) else []
