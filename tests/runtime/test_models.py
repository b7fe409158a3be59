"""Which reranker the settings ask for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from zibaldone.config.settings import ModelSettings, Settings
from zibaldone.errors import InvalidRequest, ModelMissing
from zibaldone.inference.llama import LlamaReranker
from zibaldone.retrieval.rerankers import LateInteraction, YesOrNo
from zibaldone.runtime.models import ModelSet

FILE = "bge-reranker-v2-m3-Q8_0.gguf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZIBALDONE_MODELS_DIR", str(tmp_path))
    return tmp_path


def models(rerank: str, embed: str = "fake-embed") -> ModelSet:
    return ModelSet(Settings(models=ModelSettings(chat="fake-chat", embed=embed, rerank=rerank)))


def test_the_embedding_model_unless_something_else_is_named() -> None:
    assert isinstance(models("").reranker(), LateInteraction)
    assert isinstance(models("chat").reranker(), YesOrNo)
    assert [role.role for role in models("chat").status()] == ["chat", "embed"]


async def test_a_cross_encoder_is_opened_once_and_has_a_status(folder: Path) -> None:
    (folder / FILE).touch()
    chosen = models("bge-reranker-v2-m3")
    reranker = await asyncio.to_thread(chosen.reranker)
    assert isinstance(reranker, LlamaReranker)
    assert await asyncio.to_thread(chosen.reranker) is reranker
    [_, _, status] = await asyncio.to_thread(chosen.status)
    assert (status.role, status.model, status.state) == ("rerank", "bge-reranker-v2-m3", "idle")
    await chosen.close()


def test_one_that_is_not_there_names_the_command() -> None:
    missing = models("bge-reranker-v2-m3")
    with pytest.raises(ModelMissing) as caught:
        missing.reranker()
    assert caught.value.hint == "zib models pull bge-reranker-v2-m3"
    reranker, error = missing.find_reranker()
    assert reranker is None
    assert isinstance(error, ModelMissing)
    assert missing.status()[2].hint == "zib models pull bge-reranker-v2-m3"
    with pytest.raises(InvalidRequest, match="a model for embed"):
        models("all-minilm-l6-v2").reranker()
    with pytest.raises(ModelMissing, match="multilingual-e5-small"):
        models("", embed="multilingual-e5-small").reranker()
