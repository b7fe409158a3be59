from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.client import ndjson
from zibaldone.client.ndjson import LineDecoder, LineTooLong

lines = st.lists(st.binary(min_size=1).filter(lambda line: b"\n" not in line and not line.endswith(b"\r")))


@given(lines, st.data(), st.sampled_from([b"\n", b"\r\n"]))
def test_lines_survive_any_chunking(whole: list[bytes], data: st.DataObject, end: bytes) -> None:
    stream = b"".join(line + end for line in whole)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    decoder = LineDecoder()
    assert [line for chunk in chunks for line in decoder.feed(chunk)] == whole


def test_an_unfinished_line_is_not_given() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b'{"a": 1}\n{"b"') == [b'{"a": 1}']
    assert decoder.feed(b": 2}") == []
    assert decoder.feed(b"\n\n\n") == [b'{"b": 2}']


def test_a_line_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ndjson, "MOST_LINE_BYTES", 10)
    decoder = LineDecoder()
    decoder.feed(b"12345")
    with pytest.raises(LineTooLong):
        decoder.feed(b"1234567")
