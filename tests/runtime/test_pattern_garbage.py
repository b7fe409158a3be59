"""A model that answers with nothing of use, in every step of the nightly run: nothing changes, the next run does it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from support.nights import NO, YES, Nights, nights, problems, told
from support.vaults import Vault
from zibaldone.errors import DeadlineExceeded, ModelFailed
from zibaldone.inference.fake import FakeChat, FakeEmbedder
from zibaldone.inference.roles import Message, Vectors
from zibaldone.runtime.memory_sense import MemorySense


def too_late() -> Any:
    raise DeadlineExceeded("It did not finish within 120 s.", "Ask for less.")


def fallen() -> Any:
    raise ModelFailed("It fell over.", "Try again.")


def broken() -> Any:
    raise RuntimeError("a bug in a library")


def wavering(first: Sequence[float], second: Sequence[float]) -> Callable[[], Any]:
    asked = iter(range(1_000_000))
    return lambda: first if next(asked) % 2 else second


GARBAGE: dict[str, Callable[[], Any]] = {
    "empty": list,
    "one": lambda: [-0.1],
    "three": lambda: [-0.1, -2.0, -3.0],
    "nan": lambda: [math.nan, -1.0],
    "minus infinity": lambda: [-0.1, -math.inf],
    "infinity": lambda: [math.inf, -math.inf],
    "no log probabilities": lambda: [1e308, -1e308],
    "words": lambda: ["Yes", "No"],
    "nothing": lambda: [None, None],
    "always yes": lambda: YES,
    "always no": lambda: NO,
    "the wrong way round": wavering(YES, NO),  # No to each probe that wants a Yes, and Yes to the other
    "too late": too_late,
    "falls over": fallen,
    "a bug": broken,
}


async def prepare(night: Nights) -> None:
    """Something to review, to merge and to settle, and a conversation that talks of nothing."""
    await night.infer("I live in Ulm")
    await night.infer("Ulm is where I live")
    await night.say("I eat no meat")
    await night.say("I eat meat daily")
    night.judge.same = {("I live in Ulm", "Ulm is where I live")}
    night.judge.worth = {"My sister lives in Ghent.": 9.0}
    await night.write("My sister lives in Ghent. The weather is nice today.")


async def is_done_by_the_next(night: Nights) -> None:
    night.judge.garbage = None
    report = await night.run()
    assert (report.state, problems(report)) == ("complete", {})
    assert told(report) == ["noticed: My sister lives in Ghent.", "merged: Ulm is where I live"]
    before = await night.everything()
    assert told(await night.run()) == []
    assert await night.everything() == before


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
async def test_a_chat_model_that_answers_garbage_changes_nothing(vault: Vault, garbage: Callable[[], Any]) -> None:
    async with nights(vault) as night:
        await prepare(night)
        before = await night.everything()
        night.judge.garbage = garbage
        for _ in range(2):
            report = await night.run()
            assert (report.state, told(report)) == ("partial", [])
            assert set(problems(report)) == {"review", "consolidate"}
            assert all(len(problem) > 20 for problem in problems(report).values())
            assert await night.everything() == before
        await is_done_by_the_next(night)


@pytest.mark.parametrize("after", range(1, 12))
async def test_one_that_fails_in_the_middle_leaves_the_rest_to_the_next_run(vault: Vault, after: int) -> None:
    """What was done before it failed is whole, and told."""
    async with nights(vault) as night:
        await prepare(night)
        left = iter(range(after))

        def fail(messages: Sequence[Message], labels: Sequence[str]) -> Any:
            return fallen() if next(left, None) is None else night.judge(messages, labels)

        healthy = night.asking.engine._models._chat
        night.asking.engine._models._chat = FakeChat(scores=fail)
        done = told(await night.run())
        night.asking.engine._models._chat = healthy
        done += told(await night.run())
        assert sorted(done) == ["merged: Ulm is where I live", "noticed: My sister lives in Ghent."]
        before = await night.everything()
        assert told(await night.run()) == []
        assert await night.everything() == before


class Broken(FakeEmbedder):
    """Vectors by `make`, of a fingerprint of its own, so that none is in the cache."""

    def __init__(self, make: Callable[[Sequence[str]], Any]) -> None:
        self._make = make

    @property
    def fingerprint(self) -> str:
        return "broken-1"

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors: Vectors = self._make(texts)
        return vectors


VECTORS: dict[str, Callable[[Sequence[str]], Any]] = {
    "none": lambda texts: np.zeros((0, 256), np.float32),
    "too few": lambda texts: np.ones((max(0, len(texts) - 1), 256), np.float32),
    "nan": lambda texts: np.full((len(texts), 256), np.nan, np.float32),
    "zero": lambda texts: np.zeros((len(texts), 256), np.float32),
    "all the same": lambda texts: np.full((len(texts), 256), 1 / 16, np.float32),
    "falls over": lambda texts: fallen(),
    "too late": lambda texts: too_late(),
}


@pytest.mark.parametrize("make", VECTORS.values(), ids=VECTORS)
async def test_an_embedder_that_gives_garbage_changes_nothing(
    vault: Vault, make: Callable[[Sequence[str]], Any]
) -> None:
    async with nights(vault) as night:
        await prepare(night)
        before = await night.everything()
        models, sense = night.asking.engine._models, night.asking.engine.memory.keeper.sense
        healthy, scripted = models._embedder, sense.classify
        sense.classify = lambda texts: MemorySense.classify(sense, texts)  # type: ignore[method-assign]
        models._embedder = Broken(make)
        report = await night.run()
        assert (report.state, told(report)) == ("partial", [])
        assert "review" in problems(report)
        assert await night.everything() == before
        sense.classify = scripted  # type: ignore[method-assign]
        models._embedder = healthy
        await is_done_by_the_next(night)


async def test_without_models_nothing_is_done_and_said_so(vault: Vault) -> None:
    for missing in ("models.embed", "models.chat"):
        async with nights(vault, **{missing: "no-such-model"}) as night:
            night.judge.worth = {"My sister lives in Ghent.": 9.0}
            if missing == "models.chat":
                night.asking.engine._models._chat = None
            await night.write("My sister lives in Ghent.")
            report = await night.run()
            assert report.state == "partial"
            assert "no-such-model" in problems(report)["review"]
            assert await night.entries() == []
