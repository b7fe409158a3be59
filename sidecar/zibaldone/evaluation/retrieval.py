"""A set through the product's own chunking, index and search, in a store that is thrown away."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from zibaldone.config.settings import Settings
from zibaldone.domain.notes import FileStamp, Origin
from zibaldone.evaluation.metrics import measure
from zibaldone.evaluation.ranking import PASSAGES, Show, measure_rankings
from zibaldone.evaluation.sets import Document, RetrievalSet
from zibaldone.index.vectors import VectorIndex
from zibaldone.inference.roles import Embedder
from zibaldone.ingest.derive import derive_note
from zibaldone.ingest.publish import no_turn, publish_vectors
from zibaldone.retrieval.fuse import weigh_topical
from zibaldone.retrieval.language_bias import LanguageBiases
from zibaldone.retrieval.pipeline import search
from zibaldone.retrieval.rank import SearchIndex
from zibaldone.runtime.models import ModelSet
from zibaldone.schemas.evaluation import RetrievalReport
from zibaldone.schemas.search import Hit, Profile, SearchRequest
from zibaldone.schemas.sync import Progress
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.index_db import IndexStore

_NO_STAMP = FileStamp(0, 0, 0, 0)

# The fusion whose ceiling is looked for, and the weights of meaning that are tried.
FUSED = "bm25+semantic"
SHARES = tuple(number / 20 for number in range(21))


class SetIndex:
    """The documents of one scope, indexed as notes. Made by `index_documents`."""

    def __init__(self, folder: Path, documents: Sequence[Document], cache: ContentCache, settings: Settings) -> None:
        self._folder = folder
        self._cache = cache
        self._biases = LanguageBiases(cache)
        self.store = IndexStore(folder / "index.db")
        self.vectors: VectorIndex | None = None
        self._ids: dict[str, str] = {}
        for number, document in enumerate(documents):
            path = f"{number:07}.md"
            self._ids[path] = document.id
            derived = derive_note(
                path,
                _as_note(document),
                _NO_STAMP,
                source_id=path,
                origin=Origin.PERSON,
                first_commit=document.date,
                settings=settings.chunking,
            )
            self.store.put_source(derived.source, derived.chunks, derived.links)

    async def embed(self, embedder: Embedder, show: Show) -> None:
        self.vectors = VectorIndex(self._folder / "vectors", embedder.fingerprint)
        await publish_vectors(
            self.store,
            self._cache,
            self.vectors,
            embedder,
            report=lambda done, total: show(Progress(stage="embedding", done=done, total=total, unit="chunks")),
            wait_turn=no_turn,
        )

    async def search(
        self, request: SearchRequest, embedder: Embedder | None, models: ModelSet, settings: Settings, today: date
    ) -> list[Hit]:
        index = SearchIndex(self.store, self._cache, self.vectors, embedder, models, biases=self._biases)
        return (await search(request, index, settings.retrieval, today)).hits

    def documents(self, hits: Iterable[Hit]) -> list[str]:
        """Their documents' ids, each once."""
        return list(dict.fromkeys(self._ids[path] for hit in hits for path in (hit.path, *hit.also)))

    def close(self) -> None:
        if self.vectors is not None:
            self.vectors.close()
        self.store.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class Evaluation:
    """One set, indexed once and ranked by as many strategies as are asked for. Made by `open_evaluation`."""

    def __init__(
        self,
        given: RetrievalSet,
        settings: Settings,
        cache: ContentCache,
        embedder: Embedder | None,
        models: ModelSet,
    ) -> None:
        self._set = given
        self._settings = settings
        self._cache = cache
        self._embedder = embedder
        self._models = models
        self._place = TemporaryDirectory(prefix="zibaldone-eval-")
        self._indexes: dict[str | None, SetIndex] = {}
        self._index_seconds = 0.0
        self._today = max((one.date for one in given.documents if one.date), default=datetime.now(UTC).date())

    async def index(self, show: Show) -> None:
        """Raises `ModelFailed`."""
        started = time.monotonic()
        for number, (scope, documents) in enumerate(_by_scope(self._set.documents).items()):
            folder = Path(self._place.name) / str(number)
            await asyncio.to_thread(folder.mkdir)
            index = await asyncio.to_thread(SetIndex, folder, documents, self._cache, self._settings)
            self._indexes[scope] = index
            if self._embedder is not None:
                await index.embed(self._embedder, show)
        self._index_seconds = time.monotonic() - started

    async def run(
        self,
        strategy: str,
        profile: Profile | None,
        cuts: Sequence[int],
        prefix: str,
        show: Show,
        *,
        modality: Sequence[str] = (),
    ) -> tuple[RetrievalReport, dict[str, dict[str, float]]]:
        """The means, and what they are means of, by query. Raises `InvalidRequest` for an unknown strategy."""
        queries = {query.id: query for query in self._set.queries}

        async def rank(id_: str) -> list[str]:
            query = queries[id_]
            request = SearchRequest(
                query=prefix + query.text, k=PASSAGES, strategy=strategy, profile=profile, modality=list(modality)
            )
            index = self._indexes.get(query.scope)
            return index.documents(await self._search(index, request)) if index else []

        measured = await measure_rankings({id_: self._set.grades[id_] for id_ in queries}, rank, cuts, show)
        report = RetrievalReport(
            set=self._set.name,
            docs=len(self._set.documents),
            queries=len(queries),
            strategy=strategy,
            metrics=measured.means,
            latency_ms=measured.latency_ms,
            index_seconds=round(self._index_seconds, 2),
        )
        return report, measured.by_query

    async def find_ceiling(self, cuts: Sequence[int]) -> dict[str, dict[str, float]]:
        """What fusing words and meaning could reach that knew the best weight of each question: of each query the
        measures, each at the weight that is best for it. Every weight ranks the same candidates."""
        best: dict[str, dict[str, float]] = {}
        for query in self._set.queries:
            index = self._indexes.get(query.scope)
            request = SearchRequest(query=query.text, k=PASSAGES, strategy=FUSED)
            hits = await self._search(index, request) if index else []
            grades = self._set.grades[query.id]
            rankings = [index.documents(weigh_hits(hits, share)) if index else [] for share in SHARES]
            measured = [measure(ranking, grades, cuts) for ranking in rankings]
            best[query.id] = {name: max(one[name] for one in measured) for name in measured[0]}
        return best

    async def _search(self, index: SetIndex, request: SearchRequest) -> list[Hit]:
        return await index.search(request, self._embedder, self._models, self._settings, self._today)

    def close(self) -> None:
        for index in self._indexes.values():
            index.close()
        self._place.cleanup()


@asynccontextmanager
async def open_evaluation(
    given: RetrievalSet, settings: Settings, cache: Path, *, vectors: bool
) -> AsyncGenerator[Evaluation, None]:
    """Args:
        cache: of embeddings, so that a set is embedded once.
        vectors: whether the strategies need the embedding model.

    Raises:
        ModelMissing, ModelInvalid: they do, and there is none that can be used.
    """
    models = ModelSet(settings)
    embeddings = await asyncio.to_thread(ContentCache, cache)
    try:
        embedder = await asyncio.to_thread(models.embedder) if vectors else None
        evaluation = Evaluation(given, settings, embeddings, embedder, models)
        try:
            yield evaluation
        finally:
            await asyncio.to_thread(evaluation.close)
    finally:
        await models.close()
        embeddings.close()


def weigh_hits(hits: Sequence[Hit], share: float) -> list[Hit]:
    """Hits of `FUSED` as they would be ranked with a weight (0..1) of meaning; recency is left out."""

    def weigh(hit: Hit) -> float:
        parts = hit.components
        return weigh_topical(parts.bm25, parts.semantic, parts.title, share)

    return sorted(hits, key=weigh, reverse=True)


def _as_note(document: Document) -> bytes:
    heading = " ".join(document.title.split())
    title = f"# {heading}\n\n" if heading else ""
    stated = f"---\ndate: {document.date.isoformat()}\n---\n" if document.date else ""
    return f"{stated}{title}{document.text}\n".encode("utf-8", "replace")


def _by_scope(documents: Iterable[Document]) -> Mapping[str | None, list[Document]]:
    scopes: dict[str | None, list[Document]] = {}
    for document in documents:
        scopes.setdefault(document.scope, []).append(document)
    return scopes
