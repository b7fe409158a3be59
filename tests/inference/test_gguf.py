from __future__ import annotations

import contextlib
import os
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.gguf_files import gguf_file, key, string, tensor
from zibaldone.errors import ModelInvalid, ModelMissing
from zibaldone.inference.gguf import read_gguf


def read(content: bytes, folder: Path) -> object:
    path = folder / "model.gguf"
    path.write_bytes(content)
    return read_gguf(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gguf")


def test_reads_what_the_header_tells(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf_file())
    header = read_gguf(path)
    assert header.architecture == "llama"
    assert header.context_tokens == 1024
    assert header.dimensions == 8
    assert header.pooling == -1
    assert header.has_chat_template
    assert header.tensors == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cut off"),
        (b"PK\x03\x04" + bytes(100), "does not start with GGUF"),
        (b"GGUF" + struct.pack("<I", 99) + bytes(100), "version is 99"),
        (gguf_file(counts=(1 << 60, 5)), "announces"),
        (gguf_file(counts=(1, 1 << 60)), "announces"),
        (gguf_file(counts=(0, 5)), "announces"),
        (gguf_file([struct.pack("<Q", 1 << 62)]), "string of"),
        (gguf_file([string("a") + struct.pack("<IQ", 8, 1 << 63)]), "string of"),
        (gguf_file([string("a") + struct.pack("<I", 77)]), "unknown type 77"),
        (gguf_file([string("a") + struct.pack("<IIQ", 9, 8, 1 << 40)]), "strings"),
        (gguf_file([string("a") + struct.pack("<IIQ", 9, 0, 1 << 62)]), "cut off"),
        (gguf_file([string("a") + struct.pack("<IIQ", 9, 9, 1)]), "items of the unknown type 9"),
        (gguf_file([key("general.architecture", "x"), key("general.architecture", "x")]), "twice"),
        (gguf_file([key("general.alignment", 3)]), "alignment"),
        (gguf_file([key("a", "b")]), "no architecture"),
        (gguf_file(tensors=[tensor("t", (8, 4), offset=1 << 40)]), "ends behind the file"),
        (gguf_file(tensors=[tensor("t", (8, 4), offset=7)]), "not aligned"),
        (gguf_file(tensors=[tensor("t", (1 << 40, 1 << 40))]), "shape"),
        (gguf_file(tensors=[tensor("t", (0, 4))]), "shape"),
        (gguf_file(tensors=[tensor("t", (33, 4), kind=2)]), "shape"),
        (gguf_file(tensors=[tensor("t", (8, 4), kind=1000)]), "unknown type 1000"),
        (gguf_file(tensors=[tensor("t", (1, 1, 1, 1, 1))]), "dimensions"),
    ],
)
def test_refuses_with_a_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ModelInvalid, match="is not a usable GGUF file") as caught:
        read(content, tmp_path)
    assert reason in caught.value.message


@given(cut=st.integers(0, 600))
def test_every_truncation_is_refused(cut: int, folder: Path) -> None:
    content = gguf_file(payload=128)
    if cut < len(content):
        with pytest.raises(ModelInvalid):
            read(content[:cut], folder)


@given(damage=st.lists(st.tuples(st.integers(0, 420), st.integers(0, 255)), min_size=1, max_size=8))
def test_damage_never_escapes_as_another_error(damage: list[tuple[int, int]], folder: Path) -> None:
    content = bytearray(gguf_file(payload=128))
    for at, value in damage:
        content[at % len(content)] = value
    with contextlib.suppress(ModelInvalid):
        read(bytes(content), folder)


@given(rest=st.binary(max_size=2000))
def test_anything_behind_the_magic_number(rest: bytes, folder: Path) -> None:
    with contextlib.suppress(ModelInvalid):
        read(b"GGUF" + struct.pack("<I", 3) + rest, folder)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        read_gguf(tmp_path / "none.gguf")
    with pytest.raises(ModelInvalid):
        read_gguf(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ModelInvalid):
        read_gguf(tmp_path / "pipe.gguf")


@pytest.mark.model
def test_real_files(chat_path: Path, embed_path: Path) -> None:
    chat = read_gguf(chat_path)
    assert (chat.architecture, chat.context_tokens, chat.has_chat_template) == ("llama", 8192, True)
    embed = read_gguf(embed_path)
    assert (embed.architecture, embed.dimensions, embed.pooling) == ("bert", 384, 1)
