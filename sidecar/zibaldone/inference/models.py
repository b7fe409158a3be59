"""Open the model that serves a role, as the settings say. Never downloads anything."""

from __future__ import annotations

import os
from pathlib import Path

from zibaldone.config.places import models_dir
from zibaldone.config.settings import EndpointSettings, Settings
from zibaldone.errors import InvalidRequest, ModelMissing
from zibaldone.inference.catalogue import FAKE_CHAT, FAKE_EMBED, ModelEntry, ModelRole, all_models
from zibaldone.inference.endpoint import EndpointChat, EndpointEmbedder, Server
from zibaldone.inference.fake import FakeChat, FakeEmbedder
from zibaldone.inference.llama import LlamaChat, LlamaEmbedder, LlamaReranker
from zibaldone.inference.roles import ChatModel, Embedder


def open_chat(settings: Settings) -> ChatModel:
    """The model of the role `chat`; nothing is started or connected before the first request.

    Raises:
        ModelMissing: it is not on this machine; the hint has the command that brings it.
        InvalidRequest: the name is that of no model, or of one for another role.
    """
    endpoint = settings.endpoints.chat
    if endpoint.url:
        return EndpointChat(_server(endpoint), context_tokens=endpoint.context_tokens)
    models = settings.models
    if models.chat == FAKE_CHAT:
        return FakeChat(pause_s=_fake_pause_s())
    entry, path = _find(models.chat, "chat")
    return LlamaChat(
        path,
        entry.name,
        context_tokens=models.context_tokens,
        threads=models.threads,
        idle_s=models.idle_s,
    )


def open_embedder(settings: Settings) -> Embedder:
    """The model of the role `embed`. Raises what `open_chat` raises."""
    endpoint = settings.endpoints.embed
    if endpoint.url:
        return EndpointEmbedder(_server(endpoint))
    models = settings.models
    if models.embed == FAKE_EMBED:
        return FakeEmbedder()
    entry, path = _find(models.embed, "embed")
    return LlamaEmbedder(
        path,
        entry.name,
        entry.prefixes,
        cosine_range=entry.cosine_range,
        sha256=entry.known_sha256(models_dir()),
        threads=models.threads,
        idle_s=models.idle_s,
    )


def open_reranker(settings: Settings) -> LlamaReranker:
    """The model that `models.rerank` names. Raises what `open_chat` raises."""
    models = settings.models
    entry, path = _find(models.rerank, "rerank")
    return LlamaReranker(path, entry.name, threads=models.threads, idle_s=models.idle_s)


def _find(name: str, role: ModelRole) -> tuple[ModelEntry, Path]:
    folder = models_dir()
    known = all_models(folder)
    if name not in known:
        raise InvalidRequest(
            f"models.{role} names {name}, which is no model.", "`zib models list` shows what there is."
        )
    entry = known[name]
    if entry.role != role:
        raise InvalidRequest(
            f"models.{role} names {name}, which is a model for {entry.role}.",
            f"`zib models use {role} NAME` chooses another one.",
        )
    path = entry.path_in(folder)
    if not path.is_file():
        if entry.source.kind == "added":
            raise ModelMissing(f"{path}, the file of {name}, is gone.", f"zib models remove {name}")
        raise ModelMissing(f"The model {name} ({role}) is not on this machine.", f"zib models pull {name}")
    return entry, path


def _fake_pause_s() -> float:
    """`$ZIBALDONE_FAKE_PAUSE_S` makes the fake chat model as slow as a real one, for tests of streaming."""
    return float(os.environ.get("ZIBALDONE_FAKE_PAUSE_S") or 0)


def _server(settings: EndpointSettings) -> Server:
    key = os.environ.get(settings.api_key_env, "") if settings.api_key_env else ""
    return Server(settings.url, settings.model, key)
