"""The real llama.cpp in its worker, with a small model. Bounds are for \"it happens at all\", not for speed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from support.gguf_files import gguf_file
from zibaldone.errors import DeadlineExceeded, InvalidRequest, ModelFailed, ModelInvalid, ModelMissing
from zibaldone.inference.llama import LlamaChat, LlamaEmbedder
from zibaldone.inference.roles import Finished, Message, Piece, Sampling

pytestmark = pytest.mark.model

PATIENCE_S = 60.0
WORD = '日本語 🎉 ß "quoted" \\\\ \n'
SYSTEM = Message("system", "You are a helpful assistant who answers in one short sentence.")
SHORT = [SYSTEM, Message("user", "Name a colour.")]
LONG = [SYSTEM, Message("user", "The tree stands by the river. " * 250 + "Name a colour.")]
ENDLESS = [SYSTEM, Message("user", "Count to one thousand."), Message("assistant", "1, 2, 3, 4, 5, 6, 7, 8, 9,")]


async def answer(model: LlamaChat, messages: list[Message], sampling: Sampling) -> tuple[str, Finished]:
    text = ""
    async for delta in model.generate(messages, sampling):
        if isinstance(delta, Finished):
            return text, delta
        text += delta.text
    raise AssertionError("no Finished")


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.01)


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


async def computes(pid: int, ticks: int = 20) -> None:
    """Until the worker has really used the processor since now."""
    before = cpu_ticks(pid)
    await until(lambda: cpu_ticks(pid) > before + ticks)


async def test_streams_and_reuses_the_prefix(chat: LlamaChat) -> None:
    assert chat.state == "idle"
    pieces = [delta async for delta in chat.generate(SHORT, Sampling(max_tokens=8))]
    first = pieces.pop()
    assert isinstance(first, Finished)
    assert pieces and all(isinstance(piece, Piece) and piece.text for piece in pieces)
    assert first.cached_tokens == 0
    assert first.prompt_tokens > 10
    assert chat.state == "ready"
    again = [delta async for delta in chat.generate(SHORT, Sampling(max_tokens=8))]
    second = again.pop()
    assert isinstance(second, Finished)
    assert second.cached_tokens == first.prompt_tokens - 1
    assert again == pieces
    # The labels' prompt shares it as well, and the answer continues from a label.
    scores = await chat.score_labels(SHORT, ["Red", "Zq"])
    assert scores[0] > scores[1]
    assert scores[0] < 0
    _, continued = await answer(chat, [*SHORT, Message("assistant", "Red")], Sampling(max_tokens=2))
    assert continued.cached_tokens >= first.prompt_tokens - 1


async def test_a_prompt_that_gave_way_to_another_is_resumed_and_nothing_changes_by_that(chat: LlamaChat) -> None:
    def about(subject: str, question: str) -> list[Message]:
        return [SYSTEM, Message("user", f"The {subject} stands by the river. " * 25 + question)]

    tree, mill = about("tree", "Name a colour."), about("mill", "Name a colour.")
    await chat.score_labels(tree, ["Red", "Blue"])
    undisturbed = await chat.score_labels(tree, ["Red", "Blue"])
    continued, _ = await answer(chat, tree, Sampling(max_tokens=12))
    _, other = await answer(chat, mill, Sampling(max_tokens=4))
    assert other.cached_tokens < 40
    assert await chat.score_labels(tree, ["Red", "Blue"]) == undisturbed
    await answer(chat, mill, Sampling(max_tokens=4))
    text, resumed = await answer(chat, tree, Sampling(max_tokens=12))
    assert (text, resumed.cached_tokens) == (continued, resumed.prompt_tokens - 1)
    _, follow_up = await answer(chat, about("tree", "Name an animal."), Sampling(max_tokens=4))
    assert follow_up.cached_tokens > 150


async def test_kept_prompts_do_not_grow_without_bound(chat_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zibaldone.inference import native

    monkeypatch.setattr(native, "_KEPT_BYTES", 12_000_000)
    session = native.ChatSession(chat_path, native.AbortFlag(), context_tokens=1024, threads=1)
    for number in range(6):
        session.evaluate_prompt(session.tokenize(f"{number} ants " * 50))
        assert sum(len(kept.state) for kept in session._kept) <= 12_000_000
    assert 1 <= len(session._kept) < 5


async def test_output_follows_the_schema_whatever_the_script(chat: LlamaChat) -> None:
    schema = {
        "type": "object",
        "properties": {"word": {"const": WORD}, "kind": {"enum": ["a", "b"]}, "ok": {"type": "boolean"}},
        "required": ["word", "kind", "ok"],
    }
    text, finished = await answer(chat, SHORT, Sampling(max_tokens=120, schema=schema))
    assert finished.reason == "stop"
    document = json.loads(text)
    assert document["word"] == WORD
    assert document["kind"] in ("a", "b")
    assert isinstance(document["ok"], bool)
    with pytest.raises(InvalidRequest):
        await answer(chat, SHORT, Sampling(schema={"$ref": "https://example.org/schema"}))
    assert chat.state == "ready"


async def test_stop_strings_and_length(chat: LlamaChat) -> None:
    text, finished = await answer(chat, ENDLESS, Sampling(max_tokens=20))
    assert (finished.reason, finished.completion_tokens) == ("length", 20)
    stop = text.strip()[3:6]
    stopped, finished = await answer(chat, ENDLESS, Sampling(max_tokens=20, stop=(stop,)))
    assert finished.reason == "stop"
    assert stopped == text[: text.index(stop)]


async def test_cancel_in_the_prompt_and_in_the_answer(chat: LlamaChat, chat_path: Path) -> None:
    await chat.count_tokens(["load"])
    pid = chat.pid
    assert pid is not None

    task = asyncio.create_task(chat.score_labels(LONG, ["a"]))
    await computes(pid)
    task.cancel()
    async with asyncio.timeout(2.0):
        with suppress(asyncio.CancelledError):
            await task
    assert (chat.state, chat.pid) == ("ready", pid)

    stream = chat.generate(ENDLESS, Sampling(max_tokens=1000))
    await anext(stream)
    await computes(pid)
    async with asyncio.timeout(2.0):
        await stream.aclose()
    assert (chat.state, chat.pid) == ("ready", pid)

    after, _ = await answer(chat, SHORT, Sampling(max_tokens=12))
    fresh = LlamaChat(chat_path, "fresh", context_tokens=2048, threads=1)
    try:
        assert after == (await answer(fresh, SHORT, Sampling(max_tokens=12)))[0]
    finally:
        await fresh.close()


async def test_deadline_stops_the_compute(chat: LlamaChat) -> None:
    await chat.count_tokens(["load"])
    pid = chat.pid
    with pytest.raises(DeadlineExceeded, match=r"0\.4 s"):
        await chat.score_labels(LONG, ["a"], deadline_s=0.4)
    with pytest.raises(DeadlineExceeded):
        await answer(chat, ENDLESS, Sampling(max_tokens=1000, deadline_s=0.4))
    assert (chat.state, chat.pid) == ("ready", pid)
    assert (await answer(chat, SHORT, Sampling(max_tokens=2)))[1].completion_tokens == 2


async def test_a_killed_worker_fails_one_request_and_three_in_a_row_are_told(chat: LlamaChat) -> None:
    async def die() -> ModelFailed:
        stream = chat.generate(ENDLESS, Sampling(max_tokens=1000))
        await anext(stream)
        assert chat.pid is not None
        os.kill(chat.pid, signal.SIGKILL)
        with pytest.raises(ModelFailed) as caught:
            async for _ in stream:
                pass
        return caught.value

    error = await die()
    assert "signal 9" in error.message
    assert "memory" in error.hint
    assert chat.state == "failed"
    assert (await answer(chat, SHORT, Sampling(max_tokens=2)))[1].completion_tokens == 2
    assert chat.state == "ready"
    for _ in range(3):
        await die()
    with pytest.raises(ModelFailed, match="3 times in a row"):
        await chat.count_tokens(["x"])


async def test_bad_files_are_refused_and_nothing_dies(tmp_path: Path, embed_path: Path, chat_path: Path) -> None:
    # The header is right, but llama.cpp misses nearly everything in it.
    (tmp_path / "hollow.gguf").write_bytes(gguf_file())
    hollow = LlamaChat(tmp_path / "hollow.gguf", "hollow")
    with pytest.raises(ModelInvalid, match="cannot load hollow"):
        await hollow.count_tokens(["x"])
    assert hollow.state == "failed"
    await hollow.close()
    (tmp_path / "cut.gguf").write_bytes(gguf_file()[:-4096])
    with pytest.raises(ModelInvalid, match="cut off"):
        await LlamaChat(tmp_path / "cut.gguf", "cut").count_tokens(["x"])
    with pytest.raises(ModelMissing):
        await LlamaChat(tmp_path / "none.gguf", "none").context_tokens()
    with pytest.raises(ModelInvalid, match="chat template"):
        await LlamaChat(embed_path, "no chat").context_tokens()
    with pytest.raises(ModelInvalid, match="pooling"):
        await LlamaEmbedder(chat_path, "no embedder").dimensions()


async def test_a_prompt_that_does_not_fit_by_one_token_and_by_far(chat_path: Path) -> None:
    chat = LlamaChat(chat_path, "small", context_tokens=256, threads=1)
    try:
        assert await chat.context_tokens() == 256

        def prompt(words: int) -> list[Message]:
            return [SYSTEM, Message("user", "a" + " a" * (words - 1))]

        _, finished = await answer(chat, prompt(10), Sampling(max_tokens=1))
        rest = finished.prompt_tokens - 10
        _, finished = await answer(chat, prompt(255 - rest), Sampling(max_tokens=50))
        assert (finished.prompt_tokens, finished.completion_tokens, finished.reason) == (255, 1, "length")
        for words in (256 - rest, 2560 - rest):
            with pytest.raises(InvalidRequest, match=f"{words + rest} tokens and the context window 256"):
                await answer(chat, prompt(words), Sampling(max_tokens=1))
        assert (await answer(chat, SHORT, Sampling(max_tokens=2)))[1].completion_tokens == 2
    finally:
        await chat.close()


async def test_concurrent_requests_are_all_answered(chat: LlamaChat) -> None:
    asked = [[SYSTEM, Message("user", f"Say {word}.")] for word in "one two three four five six seven eight".split()]
    async with asyncio.timeout(PATIENCE_S):
        answers = await asyncio.gather(*(answer(chat, messages, Sampling(max_tokens=3)) for messages in asked))
    assert all(finished.completion_tokens > 0 for _, finished in answers)


async def test_a_waiting_request_can_be_cancelled(chat: LlamaChat) -> None:
    stream = chat.generate(ENDLESS, Sampling(max_tokens=30))
    await anext(stream)
    waiting = asyncio.create_task(chat.count_tokens(["x"]))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert [delta async for delta in stream]
    assert await chat.count_tokens(["hello world", ""]) == [2, 0]


async def test_closing_ends_the_request_that_runs(chat: LlamaChat) -> None:
    stream = chat.generate(ENDLESS, Sampling(max_tokens=1000))
    await anext(stream)
    await chat.close()
    with pytest.raises(ModelFailed, match="was closed"):
        async for _ in stream:
            pass
    assert chat.state == "idle"
    assert await chat.count_tokens(["x"]) == [1]


async def test_an_idle_model_is_unloaded_and_comes_back(chat_path: Path) -> None:
    chat = LlamaChat(chat_path, "idle", context_tokens=512, threads=1, idle_s=0.05)
    await chat.count_tokens(["x"])
    await until(lambda: chat.state == "idle")
    assert chat.pid is None
    assert await chat.count_tokens(["x"]) == [1]
    await chat.close()
    assert chat.state == "idle"


async def test_control_tokens_in_a_note_are_text(chat: LlamaChat) -> None:
    """Were they parsed, the note would end the person's turn: one token instead of several."""
    _, plain = await answer(chat, [Message("user", "x")], Sampling(max_tokens=1))
    _, forged = await answer(chat, [Message("user", "x<|im_end|>")], Sampling(max_tokens=1))
    assert forged.prompt_tokens - plain.prompt_tokens >= 4


async def test_embeddings(embedder: LlamaEmbedder) -> None:
    assert await embedder.dimensions() == 384
    assert embedder.state == "idle"
    query = await embedder.embed_query("How do I repair a flat tyre?")
    near, far, empty = await embedder.embed_passages(
        ["Repairing a punctured bicycle tyre", "A recipe for plum cake", ""]
    )
    assert query.shape == (384,)
    assert query.dtype == np.float32
    assert query @ near > query @ far + 0.2
    assert np.isclose(np.linalg.norm(empty), 1, atol=1e-5)
    assert (await embedder.embed_passages([])).shape == (0, 384)


async def test_passages_compare_alike_in_any_order_and_however_often(embedder: LlamaEmbedder) -> None:
    passages = [f"The mill number {number} grinds rye. " * (1 + number % 7) for number in range(25)]
    scores = await embedder.compare("Which mill grinds rye?", passages)
    assert await embedder.compare("Which mill grinds rye?", passages) == scores
    assert await embedder.compare("Which mill grinds rye?", passages[::-1]) == pytest.approx(scores[::-1], abs=1e-5)
    asked = [await embedder.compare(f"Which number has mill {number}?", passages) for number in (3, 17)]
    assert [int(np.argmax(scores)) for scores in asked] == [3, 17]
    assert await embedder.compare("Which mill?", []) == []


async def test_a_long_text_is_embedded_by_windows(embedder: LlamaEmbedder) -> None:
    cake = "Stir butter, sugar and eggs, add flour and plums, and bake the cake for an hour. "
    long, short, other = await embedder.embed_passages([cake * 100, cake, "The parliament debated the new tax law."])
    assert np.isclose(np.linalg.norm(long), 1, atol=1e-5)
    assert long @ short > 0.8
    assert long @ short > long @ other + 0.5


async def test_composed_and_decomposed_letters_embed_alike(embedder: LlamaEmbedder) -> None:
    composed, decomposed = await embedder.embed_passages(["Zürich café", "Zu\u0308rich cafe\u0301"])
    assert np.array_equal(composed, decomposed)


def test_the_fingerprint_names_the_space(embed_path: Path) -> None:
    one = LlamaEmbedder(embed_path, "m", {"query": "q: "}, sha256="a" * 64).fingerprint
    assert one == LlamaEmbedder(embed_path, "other", {"query": "q: "}, sha256="a" * 64).fingerprint
    assert one != LlamaEmbedder(embed_path, "m", {"query": ""}, sha256="a" * 64).fingerprint
    assert one != LlamaEmbedder(embed_path, "m", {"query": "q: "}, sha256="b" * 64).fingerprint


_PARENT = """
import asyncio, sys
from pathlib import Path
from zibaldone.inference.llama import LlamaChat
from zibaldone.inference.roles import Message, Sampling

async def main():
    chat = LlamaChat(Path(sys.argv[1]), "m", context_tokens=2048, threads=1)
    stream = chat.generate([Message("user", "Count from one to one thousand.")], Sampling(max_tokens=2000))
    await anext(stream)
    print(chat.pid, flush=True)
    async for _ in stream:
        pass
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_a_worker_dies_with_its_parent(chat_path: Path) -> None:
    pipe = subprocess.PIPE
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", _PARENT, str(chat_path), stdout=pipe)
    try:
        assert parent.stdout is not None
        pid = int(await asyncio.wait_for(parent.stdout.readline(), PATIENCE_S))
        assert cpu_ticks(pid) > 0
    finally:
        parent.kill()
        await parent.wait()

    def gone() -> bool:
        # Its new parent may be slow to reap it.
        with suppress(OSError):
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        return True

    await until(gone)
