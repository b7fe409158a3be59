"""Small GGUF files for tests, written by hand: enough for the header check, nothing for llama.cpp."""

from __future__ import annotations

import struct


def string(text: str) -> bytes:
    content = text.encode()
    return struct.pack("<Q", len(content)) + content


def key(name: str, value: str | int) -> bytes:
    if isinstance(value, str):
        return string(name) + struct.pack("<I", 8) + string(value)
    return string(name) + struct.pack("<II", 4, value)


def tensor(name: str, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    return string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)


def gguf_file(
    keys: list[bytes] | None = None,
    tensors: list[bytes] | None = None,
    *,
    payload: int = 4096,
    counts: tuple[int, int] | None = None,
) -> bytes:
    """A valid file by default: a chat model of 32 numbers. `counts` overrides what the header announces."""
    if keys is None:
        words = string("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + string("a") + string("b")
        keys = [
            key("general.architecture", "llama"),
            key("llama.context_length", 1024),
            key("llama.embedding_length", 8),
            key("tokenizer.chat_template", "{{ messages }}"),
            words,
        ]
    if tensors is None:
        tensors = [tensor("token_embd.weight", (8, 4))]
    announced = counts or (len(tensors), len(keys))
    head = b"GGUF" + struct.pack("<IQQ", 3, *announced) + b"".join(keys) + b"".join(tensors)
    return head + b"\0" * (-len(head) % 32 + payload)
