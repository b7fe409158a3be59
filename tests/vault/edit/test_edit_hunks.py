"""Any part of a difference can be applied: all of it gives the new version, none of it the base."""

from __future__ import annotations

import difflib
import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.errors import InvalidRequest, VaultChanged
from zibaldone.vault.edit.hunks import MOST_EDITS, Hunk, apply_hunks, diff

LINE = st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"\r", b"x" * 30 + b"\n"])
VERSION = st.one_of(
    st.tuples(st.lists(LINE, max_size=14), st.sampled_from([b"", b"end"])).map(
        lambda both: b"".join(both[0]) + both[1]
    ),
    st.binary(max_size=20),
    st.text("ab\n\u0a0a\u0d0d", max_size=12).map(lambda text: b"\xff\xfe" + text.encode("utf-16-le")),
    st.text("ab\n\u0a0a\u0d0d", max_size=12).map(lambda text: b"\xfe\xff" + text.encode("utf-16-be")),
)


@given(VERSION, VERSION, st.randoms(use_true_random=False))
def test_all_none_and_any(base: bytes, new: bytes, pick: random.Random) -> None:
    hunks = diff(base, new)
    assert apply_hunks(base, []) == base
    shuffled = pick.sample(hunks, len(hunks))
    assert apply_hunks(base, shuffled) == new
    some = {hunk for hunk in hunks if pick.random() < 0.5}
    pieces, at = [], 0
    for hunk in hunks:
        pieces += [base[at : hunk.start], hunk.new if hunk in some else hunk.old]
        at = hunk.start + len(hunk.old)
    assert apply_hunks(base, some) == b"".join(pieces) + base[at:]
    assert diff(base, base) == ()


@given(VERSION, VERSION)
def test_hunks_are_apart_and_change_something(base: bytes, new: bytes) -> None:
    hunks = diff(base, new)
    assert all(hunk.old != hunk.new for hunk in hunks)
    assert all(one.start + len(one.old) < other.start for one, other in pairwise(hunks))


@given(st.lists(st.sampled_from("abcd"), max_size=20), st.lists(st.sampled_from("abcd"), max_size=20))
def test_never_more_changed_lines_than_difflib_finds(old: list[str], new: list[str]) -> None:
    """Repeated lines only, so without anchors: Myers' edit is a shortest one."""
    old, new = [*old, *"abcd", *"abcd"], [*new, *"abcd", *"abcd"]
    hunks = diff("".join(f"{line}\n" for line in old).encode(), "".join(f"{line}\n" for line in new).encode())
    ours = sum(hunk.old.count(b"\n") + hunk.new.count(b"\n") for hunk in hunks)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    theirs = len(old) + len(new) - 2 * sum(block.size for block in matcher.get_matching_blocks())
    assert ours <= theirs


def test_places() -> None:
    assert diff(b"\xef\xbb\xbfa\r\nb\r\nc", b"\xef\xbb\xbfa\r\nB\r\nc\r\nd") == (
        Hunk(6, b"b\r\n", b"B\r\n", 2, 2),
        Hunk(9, b"c", b"c\r\nd", 3, 3),
    ) or diff(b"\xef\xbb\xbfa\r\nb\r\nc", b"\xef\xbb\xbfa\r\nB\r\nc\r\nd") == (
        Hunk(6, b"b\r\nc", b"B\r\nc\r\nd", 2, 2),
    )
    assert diff(b"", b"a\n") == (Hunk(0, b"", b"a\n", 1, 1),)
    assert diff(b"a\nb\n", b"b\n") == (Hunk(0, b"a\n", b"", 1, 1),)


def test_a_changed_base_is_noticed() -> None:
    hunks = diff(b"a\nb\n", b"a\nB\n")
    with pytest.raises(VaultChanged):
        apply_hunks(b"a\nx\n", hunks)
    with pytest.raises(InvalidRequest):
        apply_hunks(b"a\nb\n", [*hunks, Hunk(1, b"\nb", b"", 1, 1)])


def test_far_apart_edits_of_a_large_note_stay_apart() -> None:
    lines = [b"line %d\n" % number for number in range(20_000)]
    edited = [b"new\n" if number % 20 == 0 else line for number, line in enumerate(lines)]
    assert len(diff(b"".join(lines), b"".join(edited))) == 1_000


@pytest.mark.parametrize("alphabet", [1, 2, 3, 50, 10**9])
def test_large_notes_take_bounded_time(alphabet: int) -> None:
    pick = random.Random(alphabet)
    base, new = (b"".join(b"%d\n" % pick.randrange(alphabet) for _ in range(30_000 + extra)) for extra in (0, 50))
    started = time.perf_counter()
    hunks = diff(base, new)
    assert time.perf_counter() - started < 15
    assert apply_hunks(base, hunks) == new
    assert MOST_EDITS <= 256
