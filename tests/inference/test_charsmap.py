from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from zibaldone.inference.charsmap import build_charsmap

code_points = st.integers(1, 0x10FFFF).filter(lambda c: not 0xD800 <= c < 0xE000)
tables = st.dictionaries(code_points, st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))


def look_up(charsmap: bytes, text: str) -> str | None:
    """As llama.cpp walks it (`llm_tokenizer_ugm_session::normalize_prefix`)."""
    (size,) = struct.unpack_from("<I", charsmap)
    units = struct.unpack_from(f"<{size // 4}I", charsmap, 4)
    replacements = charsmap[4 + size :]

    def base(i: int) -> int:
        return (units[i] >> 10) << ((units[i] & (1 << 9)) >> 6)

    node, found = base(0), None
    for byte in text.encode():
        node ^= byte
        if units[node] & ((1 << 31) | 0xFF) != byte:
            break
        leaf = units[node] >> 8 & 1
        node ^= base(node)
        if leaf:
            at = units[node] & 0x7FFFFFFF
            found = replacements[at : replacements.index(b"\0", at)].decode()
    return found


@given(tables.filter(bool), st.lists(code_points, max_size=20))
def test_every_entry_is_found_and_nothing_else(table: dict[int, str], others: list[int]) -> None:
    charsmap = build_charsmap(table)
    for code_point in [*table, *others]:
        assert look_up(charsmap, chr(code_point)) == table.get(code_point)


def test_the_same_table_gives_the_same_bytes() -> None:
    assert build_charsmap({65: "a", 0x1F600: ""}) == build_charsmap({0x1F600: "", 65: "a"})
