"""Write a BERT encoder as GGUF: the part that both of our converters share.

The keys and tensor names are llama.cpp's for the architecture `bert` (llama.cpp `convert_hf_to_gguf.py`,
class BertModel). They are written in a fixed order with nothing of the machine or the day in them, so that
the same input always gives the same bytes and the catalogue can hold the file's SHA-256.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

_F32 = gguf.GGMLQuantizationType.F32
_F16 = gguf.GGMLQuantizationType.F16
_Q4_0 = gguf.GGMLQuantizationType.Q4_0

_DTYPES = {"f32": _F32, "f16": _F16, "q4_0": _Q4_0}


@dataclass(frozen=True, slots=True)
class BertShape:
    """Sizes of the encoder; `context` in tokens, `epsilon` of the layer normalisation."""

    name: str
    licence: str
    layers: int
    context: int
    width: int
    feed_forward: int
    heads: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Weight:
    """One tensor. `array` has the row-major shape; for `q4_0` its last axis counts bytes (18 per 32)."""

    array: NDArray[Any]
    kind: str = "f32"


def write_bert(
    target: Path,
    shape: BertShape,
    weights: Mapping[str, Weight],
    add_tokenizer: Callable[[gguf.GGUFWriter], None],
) -> None:
    """Write `target` whole. `weights` is keyed by GGUF tensor name, in file order."""
    writer = gguf.GGUFWriter(target, "bert")
    try:
        writer.add_name(shape.name)
        writer.add_license(shape.licence)
        writer.add_block_count(shape.layers)
        writer.add_context_length(shape.context)
        writer.add_embedding_length(shape.width)
        writer.add_feed_forward_length(shape.feed_forward)
        writer.add_head_count(shape.heads)
        writer.add_layer_norm_eps(shape.epsilon)
        writer.add_causal_attention(False)
        writer.add_pooling_type(gguf.PoolingType.MEAN)
        add_tokenizer(writer)
        for name, weight in weights.items():
            array = np.ascontiguousarray(weight.array)
            writer.add_tensor(name, array, raw_dtype=_DTYPES[weight.kind])
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
