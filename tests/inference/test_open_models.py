from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from zibaldone.config.settings import EndpointSettings, EndpointsSettings, ModelSettings, Settings
from zibaldone.errors import InvalidRequest, ModelMissing
from zibaldone.inference.endpoint import EndpointChat, EndpointEmbedder
from zibaldone.inference.fake import FakeChat, FakeEmbedder
from zibaldone.inference.llama import LlamaChat, LlamaEmbedder
from zibaldone.inference.models import open_chat, open_embedder
from zibaldone.inference.roles import Message, Sampling


@pytest.fixture
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZIBALDONE_MODELS_DIR", str(tmp_path))
    return tmp_path


def settings(**models: str) -> Settings:
    return Settings(models=ModelSettings.model_validate(models))


def test_a_missing_model_names_the_command(no_models: Path) -> None:
    with pytest.raises(ModelMissing) as caught:
        open_chat(settings())
    assert caught.value.hint == "zib models pull qwen2.5-coder-1.5b"
    with pytest.raises(ModelMissing) as caught:
        open_embedder(settings())
    assert caught.value.hint == "zib models pull multilingual-e5-small"


def test_a_file_that_is_there_is_opened_without_being_read(no_models: Path) -> None:
    (no_models / "smollm2-135m-instruct-q4_1.gguf").touch()
    (no_models / "multilingual-e5-small-q4_0.gguf").touch()
    chat = open_chat(settings(chat="smollm2-135m"))
    assert isinstance(chat, LlamaChat)
    assert (chat.name, chat.state) == ("smollm2-135m", "idle")
    embedder = open_embedder(settings())
    assert isinstance(embedder, LlamaEmbedder)
    assert embedder.cosine_range == (0.75, 0.9)


def test_fakes_and_endpoints(no_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_chat(settings(chat="fake-chat")), FakeChat)
    assert isinstance(open_embedder(settings(embed="fake-embed")), FakeEmbedder)
    monkeypatch.setenv("TEAM_KEY", "secret")
    server = EndpointSettings(url="http://127.0.0.1:1/v1", model="m", api_key_env="TEAM_KEY")
    both = Settings(endpoints=EndpointsSettings(chat=server, embed=server))
    chat, embedder = open_chat(both), open_embedder(both)
    assert isinstance(chat, EndpointChat)
    assert isinstance(embedder, EndpointEmbedder)
    assert chat.state == "endpoint"


async def test_the_fake_can_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIBALDONE_FAKE_PAUSE_S", "60")
    chat = open_chat(settings(chat="fake-chat"))
    answer = chat.generate([Message("user", "Anything?")], Sampling(deadline_s=600))
    first = asyncio.ensure_future(anext(answer))
    done, _ = await asyncio.wait([first], timeout=0.1)
    assert not done
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


def test_a_name_that_cannot_serve(no_models: Path) -> None:
    with pytest.raises(InvalidRequest, match="names nothing-like-it, which is no model"):
        open_chat(settings(chat="nothing-like-it"))
    with pytest.raises(InvalidRequest, match="a model for embed"):
        open_chat(settings(chat="all-minilm-l6-v2"))
