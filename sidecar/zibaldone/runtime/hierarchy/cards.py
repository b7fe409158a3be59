"""Recall cards: made for what is forgotten soonest, kept with their schedule, graded by the person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime

from zibaldone.domain.hierarchy import Card, Event
from zibaldone.errors import NotFound, ZibaldoneError
from zibaldone.hierarchy.card_text import EXAMPLES, TASK, CardText, plain_card, read_card, show_evidence
from zibaldone.hierarchy.cards import Grade, due_at, follow_cards, grade_card, new_card, order_due
from zibaldone.hierarchy.forgetting import Risk
from zibaldone.inference.roles import ChatModel, Message, Sampling
from zibaldone.runtime.hierarchy.asking import BackgroundChat
from zibaldone.runtime.hierarchy.levels import VaultLevels
from zibaldone.runtime.hierarchy.reading import NO_MODEL
from zibaldone.runtime.hierarchy.tell import Live, live_events, node_members
from zibaldone.schemas.hierarchy import RecallRequest
from zibaldone.store.identities import IdentityStore

# The most central events of a node are what its card is about.
_EVENTS = 5
_WRITING = Sampling(max_tokens=120, deadline_s=180.0)


class CardBox:
    """`clock` carries the person's own time zone."""

    def __init__(self, identities: IdentityStore, asking: BackgroundChat, clock: Callable[[], datetime]) -> None:
        self._identities = identities
        self._asking = asking
        self._clock = clock

    async def due(
        self, view: VaultLevels, live: Live, risks: Sequence[Risk], request: RecallRequest, chat: ChatModel | None
    ) -> list[Card]:
        """The cards that are due, of what is forgotten soonest first; new ones where there are fewer than asked for.

        Cards of nodes that are gone go too; those whose passages changed get another text and keep their schedule.
        """
        members = node_members(view)
        risk = {one.id: one.risk for one in risks}
        events = {one.id: live_events(view, live, members[one.id]) for one in risks}
        hashes = {
            id_: {live[event.chunk_id].embed_hash for event in its}
            for id_, its in ((id_, live_events(view, live, its)) for id_, its in members.items())
            if its
        }
        cards = await asyncio.to_thread(self._identities.cards)
        followed = follow_cards(cards, {}, hashes)
        await asyncio.to_thread(self._identities.drop_cards, [one.id for one in followed.orphaned])
        kept = list(followed.kept)
        stale = list(followed.outdated)
        if request.regenerate:
            kept, stale = [], [*kept, *stale]
        for card in stale:
            its = events.get(card.node_id) or live_events(view, live, members[card.node_id])
            kept.append(await self._write(card, view, its, live, chat))
        now = self._clock()
        with_card = {card.node_id for card in kept}
        shown = [card for card in kept if card.node_id in risk]
        missing = request.top - len(shown if request.all else order_due(shown, now, risk))
        for one in risks:
            if missing <= 0:
                break
            if one.id not in with_card and events[one.id]:
                made = await self._make(one.id, view, events[one.id], live, chat, now)
                kept.append(made)
                shown.append(made)
                missing -= 1
        await asyncio.to_thread(self._identities.put_cards, kept)
        if request.all:
            return sorted(shown, key=lambda card: (due_at(card), -risk[card.node_id], card.id))
        return list(order_due(shown, now, risk))

    def grade(self, id_: str, grade: Grade) -> Card:
        """Raises: NotFound."""
        card = next((one for one in self._identities.cards() if one.id == id_), None)
        if card is None:
            raise NotFound(f"There is no recall card {id_}.", "`zib recall --all` lists them.")
        graded = grade_card(card, grade, self._clock())
        self._identities.put_cards([graded])
        return graded

    async def _make(
        self, node: str, view: VaultLevels, events: Sequence[Event], live: Live, chat: ChatModel | None, now: datetime
    ) -> Card:
        text, by = await self._ask(_title(view, node), events, live, chat)
        return new_card(node, _evidence(events, live), text.question, text.answer, by, now)

    async def _write(
        self, card: Card, view: VaultLevels, events: Sequence[Event], live: Live, chat: ChatModel | None
    ) -> Card:
        """The card with a text of its node's evidence as it is now."""
        text, by = await self._ask(_title(view, card.node_id), events, live, chat)
        evidence = tuple(sorted(_evidence(events, live)))
        return Card(card.id, card.node_id, evidence, text.question, text.answer, by, card.schedule)

    async def _ask(
        self, title: str, events: Sequence[Event], live: Live, chat: ChatModel | None
    ) -> tuple[CardText, str]:
        """A card's text, and who wrote it."""
        chosen = events[:_EVENTS]
        passages = list(dict.fromkeys(live[event.chunk_id].text for event in chosen))
        if chat is not None:
            try:
                answer = await self._asking.ask(chat, _messages(show_evidence(title, passages)), _WRITING)
            except ZibaldoneError:  # then without it
                answer = ""
            if text := read_card(answer, passages):
                return text, chat.name
        return plain_card(title, [event.quote for event in chosen]), NO_MODEL


def _evidence(events: Sequence[Event], live: Live) -> set[str]:
    return {live[event.chunk_id].embed_hash for event in events[:_EVENTS]}


def _title(view: VaultLevels, node: str) -> str:
    return next(one.title for one in view.groups if one.id == node)


def _messages(shown: str) -> list[Message]:
    messages = [Message("system", TASK)]
    for evidence, card in EXAMPLES:
        messages += [Message("user", evidence), Message("assistant", card)]
    return [*messages, Message("user", shown)]
