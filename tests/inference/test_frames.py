from __future__ import annotations

import asyncio
import contextlib
import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.inference.frames import MAX_HEADER_BYTES, BrokenFrame, Frame, encode_frame, read_frame, receive_frame

scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text()
headers = st.dictionaries(st.text(), scalars | st.lists(scalars, max_size=5), max_size=5)
frames = st.builds(Frame, headers, st.binary(max_size=300))


@given(st.lists(frames, max_size=5))
def test_a_stream_of_frames_comes_back(sent: list[Frame]) -> None:
    stream = io.BytesIO(b"".join(map(encode_frame, sent)))
    received = []
    while (frame := read_frame(stream)) is not None:
        received.append(frame)
    assert received == sent


@given(st.lists(frames, min_size=1, max_size=4), st.lists(st.integers(1, 50), min_size=1, max_size=30))
def test_however_the_stream_is_cut(sent: list[Frame], cuts: list[int]) -> None:
    async def receive() -> list[Frame]:
        reader = asyncio.StreamReader()
        content = b"".join(map(encode_frame, sent))
        for cut in cuts:
            reader.feed_data(content[:cut])
            content = content[cut:]
        reader.feed_data(content)
        reader.feed_eof()
        received = []
        while (frame := await receive_frame(reader)) is not None:
            received.append(frame)
        return received

    assert asyncio.run(receive()) == sent


@given(frames, st.data())
def test_a_cut_off_frame_is_noticed(frame: Frame, data: st.DataObject) -> None:
    content = encode_frame(frame)
    cut = data.draw(st.integers(1, len(content) - 1))
    with pytest.raises(BrokenFrame):
        read_frame(io.BytesIO(content[:cut]))


@given(st.binary(max_size=200))
def test_garbage_is_a_broken_frame_or_none(content: bytes) -> None:
    with contextlib.suppress(BrokenFrame):
        read_frame(io.BytesIO(content))


def test_a_frame_that_announces_too_much_is_refused_unread() -> None:
    with pytest.raises(BrokenFrame, match="too long"):
        read_frame(io.BytesIO(struct.pack(">II", MAX_HEADER_BYTES + 1, 0)))


def test_lone_surrogates_survive() -> None:
    frame = Frame({"text": "\ud800"})
    assert read_frame(io.BytesIO(encode_frame(frame))) == frame
