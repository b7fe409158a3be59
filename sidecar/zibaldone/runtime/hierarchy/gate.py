"""Measuring, for this vault, whether searches may read the stand-ins of nodes alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from zibaldone.config.settings import MemoryOfVaultSettings
from zibaldone.hierarchy.gate_probes import choose_probes, measure_gate
from zibaldone.inference.roles import Embedder
from zibaldone.runtime.hierarchy.chats import searched
from zibaldone.runtime.hierarchy.cores import choose_cores, passage_vectors, passages_of
from zibaldone.runtime.hierarchy.levels import LevelKeeper
from zibaldone.runtime.hierarchy.tell import Live, live_events
from zibaldone.runtime.hierarchy.vectors import TextVectors
from zibaldone.schemas.hierarchy import GateReport
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.hierarchy import HierarchyStore

_VERDICT = "gate"


class CoreGate:
    """`live` gives of passages (ids) those that are there now."""

    def __init__(
        self,
        store: HierarchyStore,
        keeper: LevelKeeper,
        cache: ContentCache,
        vectors: TextVectors,
        live: Callable[[Collection[str]], Live],
        settings: MemoryOfVaultSettings,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._cache = cache
        self._vectors = vectors
        self._live = live
        self._settings = settings

    def verdict(self) -> GateReport | None:
        """What the last measurement said; None where there was none."""
        stored = self._store.read_document(_VERDICT)
        return GateReport.model_validate_json(stored) if stored else None

    async def measure(self, embedder: Embedder) -> GateReport:
        """Raises what the embedder raises."""
        view = await asyncio.to_thread(self._keeper.read)
        live = searched(await asyncio.to_thread(self._live, {event.chunk_id for event in view.events}))
        concepts = {one.id: live_events(view, live, one.events) for one in view.levels.concepts}
        probes = choose_probes(concepts)
        asked = await self._vectors.embed([one.event.title for one in probes], embedder)

        def measure() -> GateReport:
            passages = {id_: its for id_, its in passages_of(view, live).items() if concepts.get(id_)}
            vectors = passage_vectors(live, self._cache, embedder)
            cores = choose_cores(passages, vectors, self._settings.core_ratio)
            sources = {id_: chunk.path for id_, chunk in live.items()}
            gate = measure_gate(probes, asked, passages, cores, vectors, sources, self._settings.core_loss)
            report = GateReport(
                is_open=gate.is_open, lost=round(gate.lost, 4), read=round(gate.read, 4), probes=len(probes)
            )
            self._store.put_document(_VERDICT, report.model_dump_json())
            return report

        return await asyncio.to_thread(measure)
