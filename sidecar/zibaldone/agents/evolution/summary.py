"""How the thinking moved, in one line: what each quote says in the model's words, in the order that the commits have.

The model only ever sees one quote, and what it makes of that is checked against it, word by word: both are of one
language, so likeness in meaning, which a wrong gloss has too, does not count. Asked for the whole movement, a
model of 1.5B told it the wrong way round ("at first SQLite, then Postgres"), with citations that held each half.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from zibaldone.agents.relay.cite import cite_claims
from zibaldone.agents.relay.draft import Claim, read_draft
from zibaldone.inference.roles import ChatModel, Message, Piece, Sampling
from zibaldone.schemas.ask import Citation
from zibaldone.schemas.evolution import PastPassage
from zibaldone.schemas.search import Components, Hit

_SYSTEM = "You help a person with their own notes."
_ASK = 'In one short sentence, in the language of the note: what do I say there about "{topic}"?'
# Between two dates, in any language.
_THEN = " → "


def statement_messages(topic: str, passage: PastPassage) -> list[Message]:
    """Asks for what a quote says about the topic."""
    note = f'From "{" > ".join(passage.heading)}":\n{passage.quote}'
    return [Message("system", _SYSTEM), Message("user", f"Note:\n{note}\n\n{_ASK.format(topic=topic)}")]


async def summarise(
    topic: str, passages: Sequence[PastPassage], chat: ChatModel, sampling: Sampling
) -> tuple[str, list[Citation]]:
    """`2026-01-05: ... [1] → 2026-03-02: ... [2]`, with citations that name their commits. Where the model's words are
    not held by a quote, the quote itself stands.

    Args:
        passages: from the oldest to the newest.
    """
    said: list[str] = []
    citations: list[Citation] = []
    for marker, passage in enumerate(passages, 1):
        statement = await _state(topic, passage, chat, sampling)
        said.append(f"{passage.date}: {statement} [{marker}]")
        citations.append(_cite(marker, passage))
    return _THEN.join(said), citations


async def _state(topic: str, passage: PastPassage, chat: ChatModel, sampling: Sampling) -> str:
    output = ""
    async with aclosing(chat.generate(statement_messages(topic, passage), sampling)) as deltas:
        async for delta in deltas:
            output += delta.text if isinstance(delta, Piece) else ""
    claims = [Claim(claim.text, (1,)) for claim in read_draft(output, 1).claims[:1]]

    async def read_lines(path: str, first: int, last: int) -> list[str]:
        return passage.quote.splitlines()

    cited = await cite_claims(claims, topic, [_evidence(passage)], read_lines, None)
    return cited[0].claim.text if cited and cited[0].supported else " ".join(passage.quote.split())


def _evidence(passage: PastPassage) -> Hit:
    return Hit(
        rank=1,
        score=1.0,
        chunk_id="",
        source_uri=f"note:{passage.path}",
        path=passage.path,
        title=passage.heading[0],
        heading=passage.heading,
        locator=passage.locator,
        line_start=passage.line_start,
        line_end=passage.line_end,
        date=passage.date,
        text=passage.quote,
        components=Components(),
        commit=passage.commit,
    )


def _cite(marker: int, passage: PastPassage) -> Citation:
    return Citation(
        marker=marker,
        path=passage.path,
        source_uri=f"note:{passage.path}",
        heading=passage.heading,
        locator=passage.locator,
        line_start=passage.line_start,
        line_end=passage.line_end,
        quote=passage.quote,
        supported=True,
        commit=passage.commit,
    )
