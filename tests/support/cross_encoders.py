"""Cross-encoders as llama.cpp reads them, tiny and with random weights: what they say means nothing, but it is said."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

_WIDTH, _LAYERS, _HEADS, _CONTEXT = 32, 2, 2, 64
_BERT_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"\u2581{letter}" for letter in "abcdefgh"), *"abcdefgh"]
_QWEN_CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
_QWEN_TEMPLATE = "<|im_start|>user\n<Query>: {query}\n<Document>: {document}<|im_end|>\n"


def write_bert_reranker(path: Path) -> Path:
    """As bge-reranker: an encoder, its first token through a dense layer, one number."""
    writer = gguf.GGUFWriter(path, "bert")
    _add_sizes(writer)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    _add_words(writer, _BERT_WORDS, _BERT_WORDS[:4])
    writer.add_token_type_count(2)
    writer.add_bos_token_id(2)
    writer.add_sep_token_id(3)
    shapes = {
        "token_embd.weight": (len(_BERT_WORDS), _WIDTH),
        "position_embd.weight": (_CONTEXT, _WIDTH),
        "token_types.weight": (2, _WIDTH),
        **_norm("token_embd_norm"),
        "cls.weight": (_WIDTH, _WIDTH),
        "cls.bias": (_WIDTH,),
        "cls.output.weight": (1, _WIDTH),
        "cls.output.bias": (1,),
    }
    for layer in range(_LAYERS):
        block = f"blk.{layer}."
        for part, rows, columns in (
            *((f"attn_{kind}", _WIDTH, _WIDTH) for kind in ("q", "k", "v", "output")),
            ("ffn_up", 2 * _WIDTH, _WIDTH),
            ("ffn_down", _WIDTH, 2 * _WIDTH),
        ):
            shapes |= {f"{block}{part}.weight": (rows, columns), f"{block}{part}.bias": (rows,)}
        shapes |= {**_norm(f"{block}attn_output_norm"), **_norm(f"{block}layer_output_norm")}
    return _write(writer, path, shapes)


def write_qwen_reranker(path: Path) -> Path:
    """As Qwen3-Reranker: a decoder with a template for the pair, the last token through a layer for yes and no."""
    writer = gguf.GGUFWriter(path, "qwen3")
    _add_sizes(writer)
    writer.add_head_count_kv(_HEADS)
    writer.add_key_length(_WIDTH // _HEADS)
    writer.add_value_length(_WIDTH // _HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_pooling_type(gguf.PoolingType.RANK)
    writer.add_classifier_output_labels(["yes", "no"])
    writer.add_chat_template([{"name": "rerank", "template": _QWEN_TEMPLATE}])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    words = [*_byte_letters(), "ab", *_QWEN_CONTROL]
    _add_words(writer, words, _QWEN_CONTROL)
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(words.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    shapes = {
        "token_embd.weight": (len(words), _WIDTH),
        "output_norm.weight": (_WIDTH,),
        "cls.output.weight": (2, _WIDTH),
    }
    for layer in range(_LAYERS):
        block = f"blk.{layer}."
        shapes |= {f"{block}attn_{kind}.weight": (_WIDTH, _WIDTH) for kind in ("q", "k", "v", "output")}
        shapes |= {f"{block}{kind}_norm.weight": (_WIDTH,) for kind in ("attn", "ffn")}
        shapes |= {f"{block}attn_{kind}_norm.weight": (_WIDTH // _HEADS,) for kind in ("q", "k")}
        shapes |= {f"{block}ffn_{kind}.weight": (2 * _WIDTH, _WIDTH) for kind in ("gate", "up")}
        shapes[f"{block}ffn_down.weight"] = (_WIDTH, 2 * _WIDTH)
    return _write(writer, path, shapes)


def _add_sizes(writer: gguf.GGUFWriter) -> None:
    writer.add_name("random")
    writer.add_block_count(_LAYERS)
    writer.add_context_length(_CONTEXT)
    writer.add_embedding_length(_WIDTH)
    writer.add_feed_forward_length(2 * _WIDTH)
    writer.add_head_count(_HEADS)


def _add_words(writer: gguf.GGUFWriter, words: list[str], control: list[str]) -> None:
    writer.add_token_list(words)
    writer.add_token_types([gguf.TokenType.CONTROL if word in control else gguf.TokenType.NORMAL for word in words])


def _norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (_WIDTH,), f"{name}.bias": (_WIDTH,)}


def _byte_letters() -> list[str]:
    """The letter that stands for each byte in a byte-level vocabulary (GPT-2's `bytes_to_unicode`)."""
    plain = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in plain else next(others)) for byte in range(256)]


def _write(writer: gguf.GGUFWriter, path: Path, shapes: dict[str, tuple[int, ...]]) -> Path:
    random = np.random.default_rng(7)
    for name, shape in shapes.items():
        values = np.ones(shape) if "norm.weight" in name else random.normal(0, 0.5, shape)
        writer.add_tensor(name, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
