"""SentencePiece's `precompiled_charsmap`, built from a table of single code points. Pure.

Layout (SentencePiece `normalizer.cc`, llama.cpp `llama-vocab.cpp`, `llm_tokenizer_ugm`): a little-endian
uint32 with the size of the trie in bytes, the trie, then the replacements as NUL-terminated UTF-8. The trie is
a Darts-clone double array over the UTF-8 bytes of the key: 32-bit units, where

- bits 0-7 are the label, bit 8 says that a value hangs below, bits 10-31 are the offset;
- the children of unit `i` lie at `(i ^ offset) ^ label`, the value at `i ^ offset` (label 0);
- a value unit has bit 31 set, the rest is the byte position of the replacement.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

_HAS_VALUE = 1 << 8
_OFFSET_SHIFT = 10
_VALUE = 1 << 31
_BLOCK = 256

_Node = dict[int, "_Node"]


def build_charsmap(table: Mapping[int, str]) -> bytes:
    """The map that replaces each code point of `table` by its string ("" deletes it)."""
    root: _Node = {}
    positions: dict[str, int] = {}
    replacements = bytearray()
    values: dict[int, int] = {}
    for code_point in sorted(table):
        text = table[code_point]
        if text not in positions:
            positions[text] = len(replacements)
            replacements += text.encode("utf-8") + b"\0"
        node = root
        for byte in chr(code_point).encode("utf-8"):
            node = node.setdefault(byte, {})
        values[id(node)] = positions[text]
    units = _lay_out(root, values)
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + bytes(replacements)


def _lay_out(root: _Node, values: Mapping[int, int]) -> list[int]:
    """First fit: every node gets a base of its own at which all its labels are free."""
    units = [0] * _BLOCK
    taken = {0}
    bases: set[int] = set()
    first_free = 1
    queue: list[tuple[int, int, _Node]] = [(0, 0, root)]
    while queue:
        index, label, node = queue.pop(0)
        labels = sorted(node)
        if id(node) in values:
            labels.insert(0, 0)
        base = _find_base(labels, taken, bases, first_free)
        bases.add(base)
        units.extend([0] * ((base | 0xFF) + 1 - len(units)))
        taken.update(base ^ other for other in labels)
        while first_free in taken:
            first_free += 1
        units[index] = ((index ^ base) << _OFFSET_SHIFT) | label
        if id(node) in values:
            units[index] |= _HAS_VALUE
            units[base] = _VALUE | values[id(node)]
        queue.extend((base ^ child, child, node[child]) for child in labels if child in node)
    return units


def _find_base(labels: list[int], taken: set[int], bases: set[int], first_free: int) -> int:
    slot = first_free
    while True:
        base = slot ^ labels[0]
        if slot not in taken and base not in bases and not any(base ^ other in taken for other in labels):
            return base
        slot += 1
