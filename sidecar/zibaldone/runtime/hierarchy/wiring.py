"""Putting the parts of the vault's memory together; the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime

from zibaldone.config.settings import Settings
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.models import open_chat
from zibaldone.inference.roles import ChatModel
from zibaldone.retrieval.union import PassageStore, SearchStore
from zibaldone.runtime.foreground import Foreground
from zibaldone.runtime.hierarchy.asking import BackgroundChat
from zibaldone.runtime.hierarchy.broad import BroadQuestions
from zibaldone.runtime.hierarchy.builder import Builder, FindEmbedder
from zibaldone.runtime.hierarchy.cards import CardBox
from zibaldone.runtime.hierarchy.chats import WithChats
from zibaldone.runtime.hierarchy.gate import CoreGate
from zibaldone.runtime.hierarchy.levels import LevelKeeper
from zibaldone.runtime.hierarchy.local import LocalVaultMemory
from zibaldone.runtime.hierarchy.node_search import NodeSearch
from zibaldone.runtime.hierarchy.notes import ConceptNotes
from zibaldone.runtime.hierarchy.reading import EventReader
from zibaldone.runtime.hierarchy.sources import SourceList, live_passages, note_links
from zibaldone.runtime.hierarchy.tell import Live
from zibaldone.runtime.hierarchy.use import UseKeeper
from zibaldone.runtime.hierarchy.vectors import TextVectors
from zibaldone.runtime.models import ModelSet
from zibaldone.runtime.writer import VaultWriter
from zibaldone.store.cache_db import ContentCache
from zibaldone.store.hierarchy import HierarchyStore
from zibaldone.store.identities import IdentityStore
from zibaldone.store.index_db import IndexStore
from zibaldone.store.state_db import Said
from zibaldone.vault.files import VaultFiles


def open_vault_memory(
    files: VaultFiles,
    writer: VaultWriter,
    settings: Settings,
    store: HierarchyStore,
    identities: IdentityStore,
    cache: ContentCache,
    index: IndexStore,
    everything: Callable[[], SearchStore],
    said: Callable[[], Sequence[Said]],
    read: Callable[[str], bytes],
    models: ModelSet,
    find_embedder: FindEmbedder,
    foreground: Foreground,
    catch_up: Callable[[], Awaitable[None]],
    clock: Callable[[], datetime],
) -> LocalVaultMemory:
    """
    Args:
        index: the vault's own; `everything` with those of the folders beside it.
        said: the messages of the person in kept conversations.
        read: the content of a note, of the vault or beside it.
    """
    root, wanted = files.root, settings.memory_of_vault

    def passages() -> PassageStore:
        return WithChats(everything(), said())

    def live(ids: Collection[str]) -> Live:
        return live_passages(passages(), root, ids)

    vectors = TextVectors(cache, foreground.wait_turn)
    asking = BackgroundChat(cache, foreground)
    broad = BroadQuestions(cache)
    keeper = LevelKeeper(store, identities, vectors, lambda: note_links(index, root), wanted)
    gate = CoreGate(store, keeper, cache, vectors, live, wanted)
    notes = ConceptNotes(files, writer, keeper, identities, live, settings)
    builder = Builder(
        SourceList(passages),
        EventReader(vectors, read),
        keeper,
        store,
        vectors,
        asking,
        foreground,
        broad,
        find_embedder,
        lambda name: models.find_chat() if name is None else _open_chat(settings, name),
        gate,
        notes if wanted.write and not settings.read_only else None,
        clock,
    )
    return LocalVaultMemory(
        builder,
        keeper,
        store,
        identities,
        cache,
        CardBox(identities, asking, clock),
        UseKeeper(store, identities, wanted, clock),
        gate,
        notes,
        NodeSearch(keeper, cache, gate, live, passages, wanted),
        broad,
        live,
        catch_up,
        find_embedder,
        models.find_chat,
        wanted,
        clock,
    )


def _open_chat(settings: Settings, name: str) -> tuple[ChatModel | None, ZibaldoneError | None]:
    """Another model than the one that is set, for one build."""
    models = settings.models.model_copy(update={"chat": name})
    try:
        return open_chat(settings.model_copy(update={"models": models})), None
    except ZibaldoneError as error:
        return None, error
