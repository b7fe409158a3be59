"""What the person said in kept conversations, as sources of events beside the notes.

A turn is a source of its own: its path is `//chat:CONVERSATION/MESSAGE`, which is no note's and no connector's, its uri
`chat:CONVERSATION#MESSAGE` as in the memory of the person, its day that on which it was said. Only the person's own
words count (`profile.notice`); what was pasted or quoted is somebody's text, a question tells of nothing, and an answer
is never evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from zibaldone.domain.notes import DateSource, Modality, Origin, Recorded
from zibaldone.ingest.chunk import estimate_tokens
from zibaldone.profile.notice import find_statements, own_words
from zibaldone.retrieval.union import PassageStore
from zibaldone.store.index_db import NoteRow, StoredChunk
from zibaldone.store.state_db import Said
from zibaldone.vault.outside import outside_path

_NAME = "chat:"


def is_turn_of(path: str, conversation_id: str) -> bool:
    return path.startswith(_path(conversation_id, ""))


def _path(conversation_id: str, message: str) -> str:
    return outside_path(f"{_NAME}{conversation_id}", message)


class WithChats:
    """The passages of `store`, and the turns that the person `said`. A turn is one passage, whose id is its path."""

    def __init__(self, store: PassageStore, said: Iterable[Said]) -> None:
        self._store = store
        self._turns = {turn.path: turn for turn in _turns(said)}

    def recorded(self) -> Mapping[str, Recorded]:
        return {**self._store.recorded(), **{path: _recorded(turn) for path, turn in self._turns.items()}}

    def notes(self) -> Sequence[NoteRow]:
        turns = self._turns.values()
        return [*self._store.notes(), *(NoteRow(0, one.path, (), one.origin, one.date, one.modality) for one in turns)]

    def chunks(self, chunk_ids: Sequence[str] = ()) -> dict[str, StoredChunk]:
        return self._store.chunks(chunk_ids) | {id_: self._turns[id_] for id_ in chunk_ids if id_ in self._turns}

    def chunk_ids_of(self, paths: Sequence[str]) -> list[str]:
        return [*self._store.chunk_ids_of(paths), *(path for path in paths if path in self._turns)]


def searched(live: Mapping[str, StoredChunk]) -> dict[str, StoredChunk]:
    """The passages that a search can find: the index has no turns."""
    return {id_: chunk for id_, chunk in live.items() if chunk.origin is not Origin.CHAT}


def _turns(said: Iterable[Said]) -> list[StoredChunk]:
    """Those that state something. What is in a copy of a conversation as well counts once."""
    first: dict[tuple[str, str], Said] = {}
    for one in said:
        first.setdefault((one.at, one.text), one)
    return [_turn(one) for one in first.values() if find_statements(one.text)]


def _turn(said: Said) -> StoredChunk:
    path = _path(said.conversation_id, str(said.id))
    text = _in_place(said.text)
    embedded = f"\n{text}"  # no heading stands over it
    return StoredChunk(
        row=0,
        id=path,
        path=path,
        uri=f"{_NAME}{said.conversation_id}#{said.id}",
        title="",
        aliases=(),
        origin=Origin.CHAT,
        date=datetime.fromisoformat(said.at).astimezone().date(),
        date_source=DateSource.NOTE,
        heading=(),
        line_start=1,
        line_end=text.count("\n") + 1,
        text=text,
        embed_text=embedded,
        embed_hash=sha256(embedded.encode()).hexdigest(),
        tokens=estimate_tokens(text),
        modality=Modality.TEXT,
        page=None,
        place="",
        confidence=None,
    )


def _in_place(text: str) -> str:
    """The lines that are the person's own, each where it was; the others are empty."""
    own = frozenset(own_words(text).splitlines())
    return "\n".join(line if line in own else "" for line in text.splitlines())


def _recorded(turn: StoredChunk) -> Recorded:
    digest = sha256(turn.text.encode()).hexdigest()
    at = datetime.combine(turn.date, datetime.min.time()).timestamp()
    stamp = (len(turn.text), int(at * 1e9), 0, 0)
    return Recorded(
        turn.path, turn.path, digest, *stamp, "", turn.date.isoformat(), turn.date_source, None, False, False, "text"
    )
