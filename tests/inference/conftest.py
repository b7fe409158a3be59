"""Models for the tests that run the real llama.cpp: the small pair, pulled by our own pull where absent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from zibaldone.config.places import models_dir
from zibaldone.inference.catalogue import catalogue
from zibaldone.inference.llama import LlamaChat, LlamaEmbedder
from zibaldone.inference.pull import pull_model


def _pulled(name: str) -> Path:
    entry = catalogue()[name]
    path = entry.path_in(models_dir())
    if not path.exists():
        pull_model(entry, models_dir())
    return path


@pytest.fixture(scope="session")
def chat_path() -> Path:
    return _pulled("smollm2-135m")


@pytest.fixture(scope="session")
def embed_path() -> Path:
    return _pulled("all-minilm-l6-v2")


@pytest.fixture
async def chat(chat_path: Path) -> AsyncIterator[LlamaChat]:
    model = LlamaChat(chat_path, "smollm2-135m", context_tokens=2048, threads=1)
    yield model
    await model.close()


@pytest.fixture
async def embedder(embed_path: Path) -> AsyncIterator[LlamaEmbedder]:
    model = LlamaEmbedder(embed_path, "all-minilm-l6-v2", threads=1)
    yield model
    await model.close()
