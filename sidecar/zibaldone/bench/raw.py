"""The raw libraries, in a process of their own: `python -m zibaldone.bench.raw`, JSON lines on stdin and stdout.

Nothing of Zibaldone is imported here (that would be measuring it against itself): llama.cpp through the low-level
API of llama-cpp-python, SQLite's FTS5 and Chroma, each in the way that was fastest. Every answer carries `seconds` of
the work alone, by a monotonic clock; loading is never in it.
"""

from __future__ import annotations

import ctypes
import heapq
import json
import math
import os
import re
import sqlite3
import sys
import time
from collections import Counter
from typing import Any

_EMBED_TOKENS = 512
_BATCH = 512
_WORD = re.compile("[a-zA-Z0-9_]+")


class Llama:
    """A model and a context of llama.cpp, with flash attention and `threads` threads."""

    def __init__(self, path: str, threads: int, *, context_tokens: int, embeddings: bool) -> None:
        from llama_cpp import llama_cpp as api

        self.api = api
        self._quiet = api.llama_log_callback(lambda level, text, data: None)
        api.llama_log_set(self._quiet, None)
        api.llama_backend_init()
        self.model = api.llama_model_load_from_file(os.fsencode(path), api.llama_model_default_params())
        params = api.llama_context_default_params()
        params.n_ctx = context_tokens
        params.n_batch = params.n_ubatch = min(_BATCH, context_tokens)
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = api.LLAMA_FLASH_ATTN_TYPE_ENABLED
        params.embeddings = embeddings
        params.no_perf = True
        self.context = api.llama_init_from_model(self.model, params)
        if not self.model or not self.context:
            raise RuntimeError(f"llama.cpp cannot load {path}")
        self.vocab = api.llama_model_get_vocab(self.model)
        self.memory = api.llama_get_memory(self.context)

    def tokenize(self, text: str, *, special: bool) -> Any:
        content = text.encode()
        tokens = (self.api.llama_token * (len(content) + 16))()
        count = self.api.llama_tokenize(self.vocab, content, len(content), tokens, len(tokens), True, special)
        return (self.api.llama_token * count)(*tokens[:count])

    def decode(self, tokens: Any) -> None:
        code = self.api.llama_decode(self.context, self.api.llama_batch_get_one(tokens, len(tokens)))
        if code != 0:
            raise RuntimeError(f"llama_decode gave {code}")

    def embed(self, text: str) -> Any:
        """A text's pooled vector, and its number of tokens; what is beyond the window is cut off."""
        tokens = self.tokenize(text, special=False)
        tokens = (self.api.llama_token * min(len(tokens), _EMBED_TOKENS))(*tokens[:_EMBED_TOKENS])
        if self.memory:
            self.api.llama_memory_clear(self.memory, True)
        self.decode(tokens)
        pointer = self.api.llama_get_embeddings_seq(self.context, 0)
        size = self.api.llama_model_n_embd(self.model)
        return ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float * size)).contents, len(tokens)


def _count_words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _cosine(query: Counter[str], text: str) -> float:
    counts = _count_words(text)
    shared = sum(count * counts[word] for word, count in query.items())
    if not shared:
        return 0.0
    lengths = (sum(count * count for count in words.values()) for words in (query, counts))
    return shared / math.sqrt(math.prod(lengths))


class Raw:
    """One operation a line; see the methods."""

    def __init__(self) -> None:
        self._embedder: Llama | None = None
        self._chat: Llama | None = None
        self._database: sqlite3.Connection | None = None
        self._collection: Any = None

    def load_embedder(self, path: str, threads: int) -> dict[str, Any]:
        self._embedder = Llama(path, threads, context_tokens=_EMBED_TOKENS, embeddings=True)
        self._embedder.embed("warm")
        return {}

    def load_chat(self, path: str, threads: int, context_tokens: int) -> dict[str, Any]:
        self._chat = Llama(path, threads, context_tokens=context_tokens, embeddings=False)
        return {}

    def open_index(self, database: str, vectors: str) -> dict[str, Any]:
        """Both are copies that nothing else opens: Chroma may not be shared by two processes."""
        import chromadb
        from chromadb.config import Settings

        self._database = sqlite3.connect(database)
        client = chromadb.PersistentClient(path=vectors, settings=Settings(_env_file=None, anonymized_telemetry=False))
        self._collection = client.get_collection(client.list_collections()[0].name, embedding_function=None)
        return {"count": self._collection.count()}

    def embed(self, texts: list[str]) -> dict[str, Any]:
        assert self._embedder
        started = time.monotonic()
        tokens = sum(self._embedder.embed(text)[1] for text in texts)
        return {"seconds": time.monotonic() - started, "tokens": tokens}

    def search(self, text: str, match: str, limit: int) -> dict[str, Any]:
        """Embed the query, ask FTS5, ask Chroma."""
        assert self._embedder
        assert self._database
        started = time.monotonic()
        vector, _ = self._embedder.embed(text)
        worded = self._database.execute(
            "SELECT rowid, bm25(chunks_fts) AS score FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY score LIMIT ?",
            (match, limit),
        ).fetchall()
        near = self._collection.query(query_embeddings=[list(vector)], n_results=limit, include=["distances"])
        seconds = time.monotonic() - started
        return {"seconds": seconds, "worded": len(worded), "near": len(near["ids"][0])}

    def scan(self, text: str, limit: int) -> dict[str, Any]:
        """Without an index: cut every passage and its title into words, and compare their counts with the query's."""
        assert self._database
        started = time.monotonic()
        query = _count_words(text)
        rows = self._database.execute(
            "SELECT c.row, c.text, s.title FROM chunks c JOIN sources s ON s.id = c.source_id"
        )
        scored = ((_cosine(query, passage) + 0.05 * _cosine(query, title), row) for row, passage, title in rows)
        best = heapq.nlargest(limit, scored)
        return {"seconds": time.monotonic() - started, "found": len(best)}

    def generate(self, messages: list[dict[str, str]], tokens: int) -> dict[str, Any]:
        """`tokens` tokens, greedily; `seconds` run from the first to the last of them."""
        assert self._chat
        chat, api = self._chat, self._chat.api
        prompt = chat.tokenize(self._render(messages), special=True)
        api.llama_memory_clear(chat.memory, True)
        for start in range(0, len(prompt), _BATCH):
            part = prompt[start : start + _BATCH]
            chat.decode((api.llama_token * len(part))(*part))
        chain = api.llama_sampler_chain_init(api.llama_sampler_chain_default_params())
        api.llama_sampler_chain_add(chain, api.llama_sampler_init_greedy())
        token = api.llama_sampler_sample(chain, chat.context, -1)
        started = time.monotonic()
        for _ in range(tokens - 1):
            chat.decode((api.llama_token * 1)(token))
            token = api.llama_sampler_sample(chain, chat.context, -1)
        seconds = time.monotonic() - started
        api.llama_sampler_free(chain)
        return {"seconds": seconds, "prompt_tokens": len(prompt)}

    def _render(self, messages: list[dict[str, str]]) -> str:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        assert self._chat
        api, vocab = self._chat.api, self._chat.vocab
        template = api.llama_model_chat_template(self._chat.model, None).decode()
        ends = api.llama_vocab_get_text(vocab, api.llama_vocab_eos(vocab)).decode()
        begins = api.llama_vocab_bos(vocab)
        begins_text = api.llama_vocab_get_text(vocab, begins).decode() if begins >= 0 else ""
        prompt = Jinja2ChatFormatter(template, eos_token=ends, bos_token=begins_text)(messages=messages).prompt
        # Where the tokenizer puts the first token there by itself, the template's own one would be a second.
        return str(prompt).removeprefix(begins_text) if api.llama_vocab_get_add_bos(vocab) else str(prompt)


def main() -> None:
    """Answers go to the real stdout; whatever a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    raw = Raw()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(raw, request.pop("op"))(**request)
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
