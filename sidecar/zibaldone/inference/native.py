"""llama.cpp, as the worker uses it: a model with one context, synchronous, for one thread.

Written against the C API of llama-cpp-python 0.3.36 (`llama_cpp.llama_cpp`, comments of `llama.h`) rather than
its class `Llama`, which can neither abort a prompt nor read the last logits without keeping all of them.
Only `worker` imports this module; importing it loads llama.cpp.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
from llama_cpp import llama_cpp as api
from llama_cpp.llama_chat_format import Jinja2ChatFormatter
from llama_cpp.llama_grammar import SchemaConverter
from numpy.typing import NDArray

from zibaldone.domain.language import guess_language
from zibaldone.domain.vectors import unit
from zibaldone.errors import InvalidRequest, ModelFailed, ModelInvalid
from zibaldone.inference.late_interaction import Tokens

_ABORTED = 2
_BATCH = 512
_EMBED_CONTEXT = 512
# Prompts that gave way to another one are kept up to this size; a thousand tokens of a 1.5B model are 29 MB. Fewer
# tokens than the second number are evaluated sooner than a prompt is kept and brought back.
_KEPT_BYTES, _WORTH_KEEPING = 256_000_000, 64
# Passages that were compared, with their token vectors; with a hundred tokens of 384 dimensions each 40 MB.
_KEPT_PASSAGES = 256
_TOP_K, _TOP_P, _MIN_P = 40, 0.95, 0.05

_LOG_WARNING, _LOG_ERROR = 3, 4  # ggml.h, enum ggml_log_level


@api.llama_log_callback  # type: ignore[untyped-decorator]
def _log(level: int, text: bytes, _: object) -> None:
    """Warnings and errors only; llama-cpp-python's own callback reads the levels by an old table."""
    if level in (_LOG_WARNING, _LOG_ERROR):
        sys.stderr.write(text.decode("utf-8", "replace"))
        sys.stderr.flush()


api.llama_log_set(_log, None)


class Aborted(Exception):
    """The abort flag was raised; the context is consistent."""


class AbortFlag:
    """Set by one thread, seen by llama.cpp between two nodes of its graph.

    The callback is the C library's `strlen` over a two-byte buffer: 0 while the first byte is 0, else 1, of
    which llama.cpp reads the low byte as its `bool`. A Python callback would take the interpreter's lock about
    a thousand times for every token.
    """

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(2)
        library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
        self.callback = ctypes.cast(library.strlen, api.ggml_abort_callback)
        self.data = ctypes.cast(self._buffer, ctypes.c_void_p)

    def set(self) -> None:
        self._buffer[0] = b"\x01"

    def clear(self) -> None:
        self._buffer[0] = b"\x00"

    def check(self) -> None:
        """Raises Aborted when the flag is set."""
        if self._buffer[0] != b"\x00":
            raise Aborted


class _Model:
    """Weights, vocabulary and one context."""

    def __init__(self, path: Path, params: Any, abort: AbortFlag) -> None:
        api.llama_backend_init()
        self._abort = abort
        self.model = api.llama_model_load_from_file(os.fsencode(path), api.llama_model_default_params())
        if not self.model:
            raise ModelInvalid(f"llama.cpp cannot load {path.name}.", "Pull or add the model again.")
        self.vocab = api.llama_model_get_vocab(self.model)
        train = api.llama_model_n_ctx_train(self.model)
        params.n_ctx = min(params.n_ctx, train) if train > 0 else params.n_ctx
        params.n_batch = params.n_ubatch = min(_BATCH, params.n_ctx)
        params.flash_attn_type = api.LLAMA_FLASH_ATTN_TYPE_ENABLED
        params.abort_callback = abort.callback
        params.abort_callback_data = abort.data
        self.context = api.llama_init_from_model(self.model, params)
        if not self.context:
            raise ModelFailed(
                f"llama.cpp cannot make a context of {params.n_ctx} tokens for {path.name}.",
                "Set a smaller models.context_tokens, or use a smaller model.",
            )
        self.memory = api.llama_get_memory(self.context)
        # llama.cpp rounds a small one up, beyond what the model was trained for.
        self.n_ctx: int = min(api.llama_n_ctx(self.context), params.n_ctx)

    def tokenize(self, text: str, *, add_special: bool = False, parse_special: bool = False) -> list[int]:
        content = text.encode("utf-8", "replace")
        size = len(content) + 16
        tokens = (api.llama_token * size)()
        count = api.llama_tokenize(self.vocab, content, len(content), tokens, size, add_special, parse_special)
        if count < 0:
            tokens = (api.llama_token * -count)()
            count = api.llama_tokenize(self.vocab, content, len(content), tokens, -count, add_special, parse_special)
        return list(tokens[: max(count, 0)])

    def token_text(self, token: int) -> str:
        text = api.llama_vocab_get_text(self.vocab, token) if token >= 0 else b""
        return (text or b"").decode("utf-8", "replace")

    def _find_specials(self) -> tuple[list[int], list[int]]:
        """The tokens that the model wants before and behind a text."""
        plain, whole = self.tokenize("a"), self.tokenize("a", add_special=True)
        at = next((i for i in range(len(whole)) if whole[i : i + len(plain)] == plain), 0)
        return whole[:at], whole[at + len(plain) :]

    def decode(self, tokens: Sequence[int]) -> None:
        """Evaluate up to one batch. Raises Aborted (memory holds a part of it) and ModelFailed."""
        array = (api.llama_token * len(tokens))(*tokens)
        code = api.llama_decode(self.context, api.llama_batch_get_one(array, len(tokens)))
        if code == _ABORTED:
            raise Aborted
        if code != 0:
            self._abort.check()
            raise ModelFailed(f"llama.cpp could not evaluate {len(tokens)} tokens (code {code}).")


def _context_params(context_tokens: int, threads: int) -> Any:
    params = api.llama_context_default_params()
    params.n_ctx = context_tokens
    params.n_threads = params.n_threads_batch = threads or os.cpu_count() or 1
    params.no_perf = True
    return params


@dataclass(frozen=True, slots=True)
class _Kept:
    """An evaluated prompt beside the KV cache: its tokens and llama.cpp's state of them."""

    tokens: list[int]
    state: ctypes.Array[ctypes.c_uint8]


class ChatSession(_Model):
    """A chat model. `evaluated` are the tokens in the KV cache, from position 0.

    A question is read over several rounds of evidence and answered from one of them, and the next question of a
    conversation is about the same ones: what would be thrown away for another prompt is kept, the latest last.
    """

    def __init__(self, path: Path, abort: AbortFlag, *, context_tokens: int, threads: int) -> None:
        super().__init__(path, _context_params(context_tokens, threads), abort)
        template = api.llama_model_chat_template(self.model, None)
        if not template:
            raise ModelInvalid(f"{path.name} has no chat template.", "Use an instruct model.")
        self._bos = self.token_text(api.llama_vocab_bos(self.vocab))
        try:
            self._formatter = Jinja2ChatFormatter(
                template.decode("utf-8", "replace"),
                eos_token=self.token_text(api.llama_vocab_eos(self.vocab)),
                bos_token=self._bos,
            )
        except jinja2.TemplateError as error:
            raise ModelInvalid(f"The chat template of {path.name} is broken: {error}.") from error
        self._control = self._find_control_tokens()
        self.evaluated: list[int] = []
        self._kept: list[_Kept] = []

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The prompt's text. Control tokens inside of messages are broken up: a note is data.

        Raises:
            InvalidRequest: the template refuses these messages.
        """
        turns = [{"role": m["role"], "content": self._defuse(m["content"])} for m in messages]
        opening = turns.pop()["content"] if turns and turns[-1]["role"] == "assistant" else ""
        try:
            return self._apply_template(turns) + opening
        except (jinja2.TemplateError, ValueError, TypeError) as error:
            if len(turns) < 2 or turns[0]["role"] != "system":
                raise InvalidRequest(f"The model's chat template refuses the messages: {error}.") from error
        # Templates without a system turn (Gemma 2 and others) get it in front of the first question.
        joined = {"role": turns[1]["role"], "content": f"{turns[0]['content']}\n\n{turns[1]['content']}"}
        try:
            return self._apply_template([joined, *turns[2:]]) + opening
        except (jinja2.TemplateError, ValueError, TypeError) as error:
            raise InvalidRequest(f"The model's chat template refuses the messages: {error}.") from error

    def tokenize_prompt(self, prompt: str) -> list[int]:
        has_bos = bool(self._bos) and prompt.startswith(self._bos)
        return self.tokenize(prompt, add_special=not has_bos, parse_special=True)

    def evaluate_prompt(self, tokens: Sequence[int]) -> int:
        """Bring the context to the end of `tokens`; logits of the last one are ready.

        Returns:
            How many tokens were taken from earlier requests.

        Raises:
            InvalidRequest: no room for the prompt and one token more.
            Aborted: the context holds what `evaluated` says.
        """
        if not tokens:
            raise InvalidRequest("The prompt is empty.")
        if len(tokens) + 1 > self.n_ctx:
            raise InvalidRequest(
                f"The prompt has {len(tokens)} tokens and the context window {self.n_ctx}.",
                "Shorten the prompt, or raise models.context_tokens.",
            )
        keep = self._truncate(self._resume(tokens[:-1]))
        for start in range(keep, len(tokens), _BATCH):
            self.extend(tokens[start : start + _BATCH])
        return keep

    def extend(self, tokens: Sequence[int]) -> None:
        """Evaluate at most a batch behind what is there. After Aborted the context is as before."""
        self._abort.check()
        try:
            self.decode(tokens)
        except (Aborted, ModelFailed):
            self._truncate(len(self.evaluated))
            raise
        self.evaluated.extend(tokens)

    def last_logits(self) -> NDArray[np.float32]:
        count = api.llama_vocab_n_tokens(self.vocab)
        pointer = api.llama_get_logits_ith(self.context, -1)
        return np.ctypeslib.as_array(pointer, shape=(count,))

    def piece(self, token: int) -> bytes:
        size = 256
        buffer = ctypes.create_string_buffer(size)
        count = api.llama_token_to_piece(self.vocab, token, buffer, size, 0, False)
        if count < 0:
            size = -count
            buffer = ctypes.create_string_buffer(size)
            count = api.llama_token_to_piece(self.vocab, token, buffer, size, 0, False)
        return buffer.raw[:count]

    def ends(self, token: int) -> bool:
        return bool(api.llama_vocab_is_eog(self.vocab, token))

    def _resume(self, wanted: Sequence[int]) -> int:
        """Have what begins most like `wanted` in the context; how many tokens it has in common."""
        shared = _common_prefix(self.evaluated, wanted)
        lost = len(self.evaluated) - shared
        found = max(self._kept, key=lambda kept: _common_prefix(kept.tokens, wanted), default=None)
        if lost > max(shared, _WORTH_KEEPING):
            self._keep()
        if found is None or (better := _common_prefix(found.tokens, wanted)) < shared + _WORTH_KEEPING:
            return shared
        self._kept = [kept for kept in self._kept if kept is not found]
        self._truncate(0)
        if not api.llama_state_seq_set_data(self.context, found.state, len(found.state), 0):
            return self._truncate(0)
        self.evaluated = list(found.tokens)
        return better

    def _keep(self) -> None:
        """Copy what is evaluated; the oldest copies go where there are too many."""
        size = api.llama_state_seq_get_size(self.context, 0)
        if not 0 < size <= _KEPT_BYTES:
            return
        state = (ctypes.c_uint8 * size)()
        if api.llama_state_seq_get_data(self.context, state, size, 0) == size:
            self._kept.append(_Kept(list(self.evaluated), state))
        while sum(len(kept.state) for kept in self._kept) > _KEPT_BYTES:
            del self._kept[0]

    def _truncate(self, keep: int) -> int:
        """Forget all but the first `keep` tokens; a memory that cannot do that in part is emptied."""
        if not keep or not api.llama_memory_seq_rm(self.memory, 0, keep, -1):
            api.llama_memory_clear(self.memory, True)
            keep = 0
        del self.evaluated[keep:]
        return keep

    def _apply_template(self, turns: Sequence[Mapping[str, str]]) -> str:
        return str(self._formatter(messages=list(turns), enable_thinking=False).prompt)

    def _defuse(self, text: str) -> str:
        return self._control.sub(lambda match: match[0][0] + " " + match[0][1:], text)

    def _find_control_tokens(self) -> re.Pattern[str]:
        control = [
            self.token_text(token)
            for token in range(api.llama_vocab_n_tokens(self.vocab))
            if api.llama_vocab_get_attr(self.vocab, token) & api.LLAMA_TOKEN_ATTR_CONTROL
        ]
        texts = sorted((text for text in control if len(text) > 1), key=len, reverse=True)
        return re.compile("|".join(map(re.escape, texts)) or r"(?!)")


def _common_prefix(mine: Sequence[int], wanted: Sequence[int]) -> int:
    differing = (at for at, (a, b) in enumerate(zip(mine, wanted, strict=False)) if a != b)
    return next(differing, min(len(mine), len(wanted)))


class Sampler:
    """Draws tokens from the last logits; `schema` constrains them.

    As llama.cpp's own `common_sampler_sample`: the grammar first judges the one token that was drawn, and only
    when it refuses it the whole vocabulary, which is what makes constrained output affordable.
    """

    def __init__(self, session: ChatSession, temperature: float, schema: Mapping[str, Any] | None) -> None:
        self._session = session
        self._grammar = self._make_grammar(schema) if schema is not None else None
        self._chain = api.llama_sampler_chain_init(api.llama_sampler_chain_default_params())
        if temperature <= 0:
            parts = [api.llama_sampler_init_greedy()]
        else:
            parts = [
                api.llama_sampler_init_top_k(_TOP_K),
                api.llama_sampler_init_top_p(_TOP_P, 1),
                api.llama_sampler_init_min_p(_MIN_P, 1),
                api.llama_sampler_init_temp(temperature),
                api.llama_sampler_init_dist(api.LLAMA_DEFAULT_SEED),
            ]
        for part in parts:
            api.llama_sampler_chain_add(self._chain, part)

    def close(self) -> None:
        api.llama_sampler_free(self._chain)
        if self._grammar:
            api.llama_sampler_free(self._grammar)

    def draw(self) -> int:
        token = int(api.llama_sampler_sample(self._chain, self._session.context, -1))
        if self._grammar is None:
            return token
        if not self._allows(token):
            token = self._draw_allowed()
        api.llama_sampler_accept(self._grammar, token)
        return token

    def _allows(self, token: int) -> bool:
        one = (api.llama_token_data * 1)(api.llama_token_data(token, 1.0, 0.0))
        array = api.llama_token_data_array(one, 1, -1, False)
        api.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return bool(np.isfinite(one[0].logit))

    def _draw_allowed(self) -> int:
        logits = self._session.last_logits()
        candidates = np.zeros(len(logits), dtype=[("id", np.int32), ("logit", np.float32), ("p", np.float32)])
        candidates["id"] = np.arange(len(logits))
        candidates["logit"] = logits
        pointer = candidates.ctypes.data_as(ctypes.POINTER(api.llama_token_data))
        array = api.llama_token_data_array(pointer, len(logits), -1, False)
        api.llama_sampler_apply(self._grammar, ctypes.byref(array))
        api.llama_sampler_apply(self._chain, ctypes.byref(array))
        return int(array.data[array.selected].id)

    def _make_grammar(self, schema: Mapping[str, Any]) -> Any:
        try:
            text = _write_grammar(schema).encode("utf-8")
        except (ValueError, KeyError, TypeError, AttributeError, AssertionError, RecursionError) as error:
            raise InvalidRequest(f"The JSON schema cannot become a grammar: {error}.") from error
        grammar = api.llama_sampler_init_grammar(self._session.vocab, text, b"root")
        if not grammar:
            raise InvalidRequest("llama.cpp refuses the grammar of the JSON schema.")
        return grammar


class _GrammarWriter(SchemaConverter):  # type: ignore[misc]
    """llama-cpp-python's converter with its literals mended: it leaves backslashes unescaped, so that a quote in
    an enum breaks the grammar, and writes characters beyond the BMP as two surrogates."""

    def _format_literal(self, literal: str) -> str:
        # A piece of a pattern is no JSON value and stays as it is.
        with contextlib.suppress(ValueError):
            literal = json.dumps(json.loads(literal), ensure_ascii=False)
        for char, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
            literal = literal.replace(char, escaped)
        return f'"{literal}"'


def _write_grammar(schema: Mapping[str, Any]) -> str:
    writer = _GrammarWriter(prop_order={}, allow_fetch=False, dotall=False, raw_pattern=False)
    writer.visit(writer.resolve_refs(json.loads(json.dumps(schema)), "schema"), "")
    return str(writer.format_grammar())


# llama.h, enum llama_pooling_type: mean, the first token (CLS), the last.
_POOLINGS: Mapping[str, Callable[[NDArray[np.float32]], NDArray[np.float32]]] = {
    "1": lambda vectors: vectors.mean(axis=0),
    "2": lambda vectors: vectors[0],
    "3": lambda vectors: vectors[-1],
}


class EmbedSession(_Model):
    """An embedding model: one text (or window of one) a call, which was fastest here."""

    def __init__(self, path: Path, abort: AbortFlag, *, threads: int) -> None:
        params = _context_params(_EMBED_CONTEXT, threads)
        params.embeddings = True
        # Token vectors, pooled here: late interaction needs them, and one context is enough for both.
        params.pooling_type = api.LLAMA_POOLING_TYPE_NONE
        super().__init__(path, params, abort)
        self._pooling = self._read_pooling()
        if self._pooling not in _POOLINGS:
            raise ModelInvalid(f"{path.name} is not an embedding model: it has no pooling.")
        self.dimensions: int = api.llama_model_n_embd(self.model)
        self._head, self._tail = self._find_specials()
        self._compared: OrderedDict[str, Tokens] = OrderedDict()

    def embed(self, prefix: str, text: str) -> NDArray[np.float32]:
        """The unit vector of `prefix + text`; a long text is the mean of its windows' vectors.

        Windows are of equal size, each with the prefix in front.
        """
        room = self.n_ctx - len(self._head) - len(self._tail)
        whole = self.tokenize(prefix + text)
        if len(whole) <= room:
            return self._pool(whole)
        lead = self.tokenize(prefix)
        tokens = self.tokenize(text)
        count = -(-len(tokens) // (room - len(lead)))
        edges = [len(tokens) * i // count for i in range(count + 1)]
        vectors = [self._pool([*lead, *tokens[edges[i] : edges[i + 1]]]) for i in range(count)]
        return _unit(np.mean(vectors, axis=0, dtype=np.float32))

    def read_tokens(self, prefix: str, text: str) -> Tokens:
        """The text's own tokens, as many as fit."""
        room = self.n_ctx - len(self._head) - len(self._tail)
        tokens = self.tokenize(prefix + text)[:room]
        lead = min(len(self.tokenize(prefix)), max(0, len(tokens) - 1))
        vectors = self._evaluate(tokens)[len(self._head) + lead : len(self._head) + len(tokens)]
        own = tokens[lead:]
        return Tokens(
            np.array(own, np.int32),
            unit(vectors),
            np.array([any(map(str.isalnum, self.token_text(token))) for token in own], bool),
            guess_language(text.casefold().split()),
        )

    def read_passage(self, prefix: str, text: str) -> Tokens:
        """As `read_tokens`, and remembered: the next question of a conversation meets the same passages."""
        key = prefix + text
        passage = self._compared.pop(key, None) or self.read_tokens(prefix, text)
        self._compared[key] = passage
        if len(self._compared) > _KEPT_PASSAGES:
            self._compared.popitem(last=False)
        return passage

    def _pool(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        vectors = self._evaluate(tokens)
        return _unit(np.asarray(_POOLINGS[self._pooling](vectors), np.float32))

    def _evaluate(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """Vectors of all tokens, the model's own first and last ones included."""
        self._abort.check()
        if self.memory:
            api.llama_memory_clear(self.memory, True)
        whole = [*self._head, *tokens, *self._tail]
        self.decode(whole)
        pointer = api.llama_get_embeddings(self.context)
        return np.ctypeslib.as_array(pointer, shape=(len(whole), self.dimensions)).astype(np.float32)

    def _read_pooling(self) -> str:
        """The pooling that the file declares, as a number in digits; empty where it declares none."""
        buffer = ctypes.create_string_buffer(64)
        api.llama_model_meta_val_str(self.model, b"general.architecture", buffer, len(buffer))
        key = buffer.value + b".pooling_type"
        found = api.llama_model_meta_val_str(self.model, key, buffer, len(buffer))
        return buffer.value.decode() if found > 0 else ""


class RankSession(_Model):
    """A cross-encoder: question and passage are read together, and its classifier head makes one number of them."""

    def __init__(self, path: Path, abort: AbortFlag, *, threads: int) -> None:
        params = _context_params(_EMBED_CONTEXT, threads)
        params.embeddings = True
        params.pooling_type = api.LLAMA_POOLING_TYPE_RANK
        super().__init__(path, params, abort)
        template = api.llama_model_chat_template(self.model, b"rerank")
        self._frame = self._read_template(template.decode("utf-8", "replace")) if template else self._read_specials()
        self._gap = " " if template and b" {query}" in template else ""

    def score(self, query: str, passage: str) -> float:
        """Higher is better. Of what does not fit, the end of the passage is left out, and the end of a question that
        would take more than half of the window."""
        self._abort.check()
        before, between, behind = self._frame
        room = self.n_ctx - len(before) - len(between) - len(behind)
        asked = self.tokenize(self._gap + query)[: room // 2]
        read = self.tokenize(self._gap + passage)[: room - len(asked)]
        if self.memory:
            api.llama_memory_clear(self.memory, True)
        self.decode([*before, *asked, *between, *read, *behind])
        # The first output is the score, also of those that have one for "yes" and one for "no".
        score = float(api.llama_get_embeddings_seq(self.context, 0)[0])
        if not np.isfinite(score):
            raise ModelFailed("The model gave a score that is no number.")
        return score

    def _read_specials(self) -> tuple[list[int], list[int], list[int]]:
        """`[CLS] question [SEP] passage [SEP]`; RoBERTa's kin, whose texts end in </s>, write it twice between."""
        head, tail = self._find_specials()
        separator = api.llama_vocab_sep(self.vocab)
        twice = api.llama_vocab_get_add_eos(self.vocab) and separator >= 0
        return head, [*tail, separator] if twice else tail, tail

    def _read_template(self, template: str) -> tuple[list[int], list[int], list[int]]:
        """What stands before, between and behind `{query}` and `{document}`; a space before them goes with the text."""
        match = re.fullmatch(r"(.*?) ?\{query\}(.*?) ?\{document\}(.*)", template, re.DOTALL)
        if match is None:
            raise ModelInvalid("The model's template for reranking has no {query} before a {document}.")
        before, between, behind = (self.tokenize(part, parse_special=True) for part in match.groups())
        return before, between, behind


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    norm = float(np.linalg.norm(vector))
    if not norm > 0 or not np.isfinite(norm):
        raise ModelFailed("The model gave a vector without a direction.")
    unit: NDArray[np.float32] = (vector / norm).astype(np.float32)
    return unit
