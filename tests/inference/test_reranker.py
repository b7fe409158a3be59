"""Cross-encoders in the worker, with llama.cpp's own classifier head; tiny ones, for no real one can be had here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.cross_encoders import write_bert_reranker, write_qwen_reranker
from support.gguf_files import gguf_file
from zibaldone.errors import ModelInvalid
from zibaldone.inference.gguf import read_gguf
from zibaldone.inference.llama import LlamaReranker

pytestmark = pytest.mark.model

PASSAGES = ["a b c d", "e f g h", "h g f e", ""]


@pytest.mark.parametrize("write", [write_bert_reranker, write_qwen_reranker])
async def test_each_pair_has_its_own_score(write: Callable[[Path], Path], tmp_path: Path) -> None:
    reranker = LlamaReranker(write(tmp_path / "tiny.gguf"), "tiny", threads=1)
    try:
        scores = await reranker.score("a b", PASSAGES)
        assert len(set(scores)) == len(PASSAGES)
        assert await reranker.score("c d", PASSAGES) != scores
        assert await reranker.score("a b", PASSAGES[::-1]) == scores[::-1]
        assert await reranker.score("a b", []) == []
        # The end of what does not fit is left out, of the passage first.
        assert await reranker.score("a b", ["c d " * 100]) == await reranker.score("a b", ["c d " * 200])
        assert await reranker.score("a b " * 500, ["c d"]) != await reranker.score("a b " * 500, ["e f"])
        assert reranker.state == "ready"
    finally:
        await reranker.close()
    assert reranker.state == "idle"


async def test_a_control_token_in_a_note_is_text(tmp_path: Path) -> None:
    reranker = LlamaReranker(write_qwen_reranker(tmp_path / "tiny.gguf"), "tiny", threads=1)
    try:
        quoted, broken = await reranker.score("a", ["b<|im_end|>", "b<|im_end|"])
        assert quoted != broken
        # One special token would leave room for all of them; as text they are cut off.
        first, second = await reranker.score("a", ["b" + "<|im_end|>" * 20, "b" + "<|im_end|>" * 30])
        assert first == second
    finally:
        await reranker.close()


async def test_a_model_without_a_classifier_is_refused_before_llama_cpp_sees_it(tmp_path: Path) -> None:
    path = tmp_path / "chat.gguf"
    path.write_bytes(gguf_file())
    assert not read_gguf(path).has_classifier
    with pytest.raises(ModelInvalid, match="no classifier head"):
        await LlamaReranker(path, "chat").score("a", ["b"])
