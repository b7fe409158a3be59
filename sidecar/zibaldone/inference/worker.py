"""A model's process: `python -m zibaldone.inference.worker`, frames on stdin and stdout.

The main thread computes, one request at a time, in order. A reader thread takes the frames, so that a cancel is
seen while the main thread is inside of llama.cpp; when stdin ends (the parent closed it, or died) the process
is gone at once. llama.cpp lives in this process only: whatever it does, the sidecar survives it.
"""

from __future__ import annotations

import codecs
import os
import queue
import signal
import sys
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from zibaldone.errors import InvalidRequest, ModelFailed, ZibaldoneError
from zibaldone.inference.frames import BrokenFrame, Frame, encode_frame, read_frame
from zibaldone.inference.late_interaction import Tokens, score_passages
from zibaldone.inference.stops import StopFilter

if TYPE_CHECKING:
    from zibaldone.inference.native import ChatSession, EmbedSession, RankSession

_THINK_TAGS = ("<think>", "<thinking>")


class Worker:
    """Serves requests until stdin ends."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        from zibaldone.inference.native import AbortFlag

        self._requests = requests
        self._answers = answers
        self._waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._abort = AbortFlag()
        self._lock = threading.Lock()
        self._current = -1
        self._cancelled: set[int] = set()
        self._chat: ChatSession | None = None
        self._embedder: EmbedSession | None = None
        self._reranker: RankSession | None = None
        self._prefixes: Mapping[str, str] = {}

    def serve(self) -> None:
        threading.Thread(target=self._read_requests, name="requests", daemon=True).start()
        while True:
            self._answer(self._waiting.get())

    def _read_requests(self) -> None:
        """Ends the process with stdin, even while the main thread computes."""
        try:
            while (frame := read_frame(self._requests)) is not None:
                if frame.header.get("op") == "cancel":
                    self._cancel(frame.header["id"])
                else:
                    self._waiting.put(frame)
        except (BrokenFrame, OSError, KeyError) as error:
            print(f"worker: {error}", file=sys.stderr, flush=True)
        os._exit(0)

    def _cancel(self, request_id: int) -> None:
        with self._lock:
            self._cancelled.add(request_id)
            if request_id == self._current:
                self._abort.set()

    def _answer(self, frame: Frame) -> None:
        from zibaldone.inference.native import Aborted

        request = frame.header
        with self._lock:
            self._current = request["id"]
            self._abort.clear()
            if self._current in self._cancelled:
                self._abort.set()
        try:
            self._abort.check()
            answer, blob = self._run(request)
            self._send({"event": "done", **answer}, blob)
        except Aborted:
            self._send({"event": "cancelled"})
        except ZibaldoneError as error:
            self._send({"event": "error", "code": error.code, "message": error.message, "hint": error.hint})
        except Exception as error:  # noqa: BLE001 - a request must not end the worker
            text = f"{type(error).__name__}: {error}"
            self._send({"event": "error", "code": "model_failed", "message": text, "hint": ""})
        finally:
            with self._lock:
                self._cancelled.discard(self._current)
                self._current = -1

    def _run(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        match request["op"]:
            case "load":
                return self._load(request), b""
            case "count_tokens":
                return {"counts": self._count_tokens(request["texts"])}, b""
            case "generate":
                return self._generate(request), b""
            case "score_labels":
                return self._score_labels(request["messages"], request["labels"]), b""
            case "embed":
                return self._embed(request["kind"], request["texts"])
            case "read":
                return {"read": len(self._read(request["texts"]))}, b""
            case "compare":
                return {"scores": self._compare(request["query"], request["texts"])}, b""
            case "rank":
                reranker = self._loaded_reranker()
                return {"scores": [reranker.score(request["query"], text) for text in request["texts"]]}, b""
            case other:
                raise InvalidRequest(f"The worker knows no operation {other!r}.")

    def _load(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from zibaldone.inference.native import ChatSession, EmbedSession, RankSession

        path = Path(request["path"])
        threads = request["threads"]
        if request["role"] == "chat":
            self._chat = ChatSession(path, self._abort, context_tokens=request["context_tokens"], threads=threads)
            return {"context_tokens": self._chat.n_ctx}
        if request["role"] == "rerank":
            self._reranker = RankSession(path, self._abort, threads=threads)
            return {}
        self._embedder = EmbedSession(path, self._abort, threads=threads)
        self._prefixes = request["prefixes"]
        return {"dimensions": self._embedder.dimensions}

    def _count_tokens(self, texts: Sequence[str]) -> list[int]:
        model = self._chat or self._embedder
        if model is None:
            raise ModelFailed("No model is loaded.")
        counts = []
        for text in texts:
            self._abort.check()
            counts.append(len(model.tokenize(text)))
        return counts

    def _generate(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from zibaldone.inference.native import Sampler

        chat = self._loaded_chat()
        prompt = chat.render(request["messages"])
        sampler = Sampler(chat, request["temperature"], request.get("schema"))
        try:
            return self._stream(chat, prompt, sampler, request)
        finally:
            sampler.close()

    def _stream(self, chat: ChatSession, prompt: str, sampler: Any, request: Mapping[str, Any]) -> dict[str, Any]:
        tokens = chat.tokenize_prompt(prompt)
        cached = chat.evaluate_prompt(tokens)
        self._send({"event": "started", "thinking": prompt.rstrip().endswith(_THINK_TAGS)})
        limit = min(request["max_tokens"], chat.n_ctx - len(tokens))
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        stops = StopFilter(request["stop"])
        reason, count = "length", 0
        while count < limit:
            token = sampler.draw()
            if chat.ends(token):
                reason = "stop"
                break
            count += 1
            self._send_text(stops.feed(decoder.decode(chat.piece(token))))
            if stops.stopped:
                reason = "stop"
                break
            if count < limit:
                chat.extend([token])
        self._send_text(stops.feed(decoder.decode(b"", final=True)) + stops.finish())
        return {
            "reason": reason,
            "prompt_tokens": len(tokens),
            "completion_tokens": count,
            "cached_tokens": cached,
        }

    def _score_labels(self, messages: Sequence[Mapping[str, str]], labels: Sequence[str]) -> dict[str, Any]:
        chat = self._loaded_chat()
        firsts = [chat.tokenize(label)[:1] for label in labels]
        if not all(firsts):
            raise InvalidRequest("A label has no token.")
        tokens = chat.tokenize_prompt(chat.render(messages))
        cached = chat.evaluate_prompt(tokens)
        logits = chat.last_logits().astype(np.float64)
        peak = float(logits.max())
        total = peak + float(np.log(np.exp(logits - peak).sum()))
        return {
            "log_probabilities": [float(logits[first[0]]) - total for first in firsts],
            "prompt_tokens": len(tokens),
            "cached_tokens": cached,
        }

    def _read(self, texts: Sequence[str]) -> list[Tokens]:
        """Passages with their token vectors; the last ones are remembered."""
        embedder, prefix = self._loaded_embedder(), self._prefixes.get("passage", "")
        return [embedder.read_passage(prefix, unicodedata.normalize("NFC", text)) for text in texts]

    def _compare(self, query: str, texts: Sequence[str]) -> list[float]:
        prefix = self._prefixes.get("query", "")
        question = self._loaded_embedder().read_tokens(prefix, unicodedata.normalize("NFC", query))
        return score_passages(question, self._read(texts))

    def _embed(self, kind: str, texts: Sequence[str]) -> tuple[dict[str, Any], bytes]:
        embedder = self._loaded_embedder()
        prefix = self._prefixes.get(kind, "")
        # Composed, as the tokenizers' own normalisation has it (file names on macOS are decomposed).
        vectors = [embedder.embed(prefix, unicodedata.normalize("NFC", text)) for text in texts]
        rows = np.asarray(vectors, dtype="<f4").reshape(len(texts), embedder.dimensions)
        return {"rows": len(texts), "dimensions": embedder.dimensions}, rows.tobytes()

    def _loaded_embedder(self) -> EmbedSession:
        if self._embedder is None:
            raise ModelFailed("No embedding model is loaded.")
        return self._embedder

    def _loaded_chat(self) -> ChatSession:
        if self._chat is None:
            raise ModelFailed("No chat model is loaded.")
        return self._chat

    def _loaded_reranker(self) -> RankSession:
        if self._reranker is None:
            raise ModelFailed("No reranker is loaded.")
        return self._reranker

    def _send_text(self, text: str) -> None:
        if text:
            self._send({"event": "piece", "text": text})

    def _send(self, header: Mapping[str, Any], blob: bytes = b"") -> None:
        try:
            self._answers.write(encode_frame(Frame({"id": self._current, **header}, blob)))
            self._answers.flush()
        except OSError:
            os._exit(0)


def main() -> None:
    """Keep the real stdout for frames; whatever llama.cpp prints goes to stderr."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # ggml has a barrier after each of its nodes. Spinning there for long costs a whole time slice as soon as anything
    # else wants the core: with one busy neighbour on two cores a token took up to 3 s instead of 25 ms. Not spinning at
    # all costs a third of the speed where nothing else does (32 tokens a second, not 51). A thousand rounds, some
    # microseconds, are as fast as llama.cpp gets alone, and two thirds as fast as waiting passively beside a neighbour.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    Worker(requests, answers).serve()


if __name__ == "__main__":
    main()
