"""Look at a GGUF file without loading it: is it whole, and what is it?

llama.cpp asserts and aborts on some damaged files. This check reads the header only, in bounded time and memory
whatever the file says, and refuses with a sentence. Layout: ggml `docs/gguf.md` and `gguf.h`; sizes of the
tensor types: `ggml.c` (`type_traits`).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from zibaldone.errors import ModelInvalid, ModelMissing

_MAX_KEYS = 4096
_MAX_KEY_BYTES = 1024
_MAX_TENSORS = 1 << 16
_MAX_TENSOR_NAME_BYTES = 256
_MAX_DIMENSIONS = 4
_MAX_STRING_BYTES = 16 << 20
_MAX_STRINGS = 4 << 20
_MAX_COUNT = (1 << 63) - 1

_UINT8, _INT8, _UINT16, _INT16, _UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = range(10)
_UINT64, _INT64, _FLOAT64 = 10, 11, 12
_SCALARS = {
    _UINT8: "B",
    _INT8: "b",
    _UINT16: "H",
    _INT16: "h",
    _UINT32: "I",
    _INT32: "i",
    _FLOAT32: "f",
    _BOOL: "?",
    _UINT64: "Q",
    _INT64: "q",
    _FLOAT64: "d",
}
# ggml type -> (weights in a block, bytes of a block)
_TENSOR_TYPES = {
    0: (1, 4),  # F32
    1: (1, 2),  # F16
    2: (32, 18),  # Q4_0
    3: (32, 20),  # Q4_1
    6: (32, 22),  # Q5_0
    7: (32, 24),  # Q5_1
    8: (32, 34),  # Q8_0
    9: (32, 40),  # Q8_1
    10: (256, 84),  # Q2_K
    11: (256, 110),  # Q3_K
    12: (256, 144),  # Q4_K
    13: (256, 176),  # Q5_K
    14: (256, 210),  # Q6_K
    15: (256, 292),  # Q8_K
    16: (256, 66),  # IQ2_XXS
    17: (256, 74),  # IQ2_XS
    18: (256, 98),  # IQ3_XXS
    19: (256, 50),  # IQ1_S
    20: (32, 18),  # IQ4_NL
    21: (256, 110),  # IQ3_S
    22: (256, 82),  # IQ2_S
    23: (256, 136),  # IQ4_XS
    24: (1, 1),  # I8
    25: (1, 2),  # I16
    26: (1, 4),  # I32
    27: (1, 8),  # I64
    28: (1, 8),  # F64
    29: (256, 56),  # IQ1_M
    30: (1, 2),  # BF16
    34: (256, 54),  # TQ1_0
    35: (256, 66),  # TQ2_0
    39: (32, 17),  # MXFP4
    40: (64, 36),  # NVFP4
}

# The head that makes one number of a text: a cross-encoder has at least one of the two.
_CLASSIFIER = ("cls.weight", "cls.output.weight")

Scalar = int | float | bool | str


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What the header tells. `keys` holds the scalar values; arrays are skipped."""

    keys: dict[str, Scalar] = field(repr=False)
    tensors: int
    size_bytes: int
    has_classifier: bool = False

    @property
    def architecture(self) -> str:
        return str(self.keys.get("general.architecture", ""))

    @property
    def context_tokens(self) -> int:
        """The context length that the model was trained for; 0 where it is not told."""
        return self._number("context_length")

    @property
    def dimensions(self) -> int:
        """Width of the embedding; 0 where it is not told."""
        return self._number("embedding_length")

    @property
    def pooling(self) -> int:
        """llama.cpp's pooling type (0 none, 1 mean, 2 cls, 3 last, 4 rank); -1 where it is not told."""
        value = self.keys.get(f"{self.architecture}.pooling_type", -1)
        return value if isinstance(value, int) else -1

    @property
    def has_chat_template(self) -> bool:
        return bool(self.keys.get("tokenizer.chat_template"))

    def _number(self, key: str) -> int:
        value = self.keys.get(f"{self.architecture}.{key}", 0)
        return value if isinstance(value, int) else 0


def read_gguf(path: Path) -> GgufHeader:
    """Check and read the header of the GGUF file `path`. Blocks: reads a few megabytes.

    Raises:
        ModelMissing: no such file, or not readable.
        ModelInvalid: not a whole GGUF model file; the message says what is wrong.
    """
    try:
        # Before it is opened: opening a pipe would wait for its writer.
        stat = path.stat()
        if not S_ISREG(stat.st_mode):
            raise ModelInvalid(f"{path.name} is a folder or device.", "Name the .gguf file.")
        with path.open("rb", buffering=1 << 20) as stream:
            return _Reader(stream, stat.st_size, path.name).read_header()
    except OSError as error:
        raise ModelMissing(f"{path} cannot be read: {error.strerror}.") from error


class _Reader:
    def __init__(self, stream: BinaryIO, size: int, name: str) -> None:
        self._stream = stream
        self._size = size
        self._name = name
        self._at = 0
        self._strings = 0

    def read_header(self) -> GgufHeader:
        if self._take(4) != b"GGUF":
            raise self._invalid("it does not start with GGUF")
        version = self._number("I")
        if version not in (2, 3):
            raise self._invalid(f"its version is {version}, 2 or 3 are known")
        tensors, keys = self._number("Q"), self._number("Q")
        if not 0 < tensors <= _MAX_TENSORS or keys > _MAX_KEYS:
            raise self._invalid(f"it announces {tensors} tensors and {keys} keys")
        values = self._read_keys(keys)
        alignment = values.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
            raise self._invalid(f"its alignment is {alignment}")
        names = self._check_tensors(tensors, alignment)
        header = GgufHeader(values, tensors, self._size, has_classifier=not names.isdisjoint(_CLASSIFIER))
        if not header.architecture:
            raise self._invalid("it names no architecture")
        return header

    def _read_keys(self, count: int) -> dict[str, Scalar]:
        values: dict[str, Scalar] = {}
        for _ in range(count):
            key = self._string(_MAX_KEY_BYTES)
            if key in values:
                raise self._invalid(f"the key {key!r} comes twice")
            kind = self._number("I")
            if kind == _STRING:
                values[key] = self._string(_MAX_STRING_BYTES)
            elif kind == _ARRAY:
                self._skip_array(key)
            elif kind in _SCALARS:
                values[key] = self._scalar(_SCALARS[kind])
            else:
                raise self._invalid(f"the key {key!r} has the unknown type {kind}")
        return values

    def _skip_array(self, key: str) -> None:
        kind, count = self._number("I"), self._number("Q")
        if kind in _SCALARS:
            self._skip(count * struct.calcsize(_SCALARS[kind]))
        elif kind == _STRING:
            self._strings += count
            if self._strings > _MAX_STRINGS:
                raise self._invalid(f"the array {key!r} announces {count} strings")
            for _ in range(count):
                self._skip(self._number("Q"))
        else:
            raise self._invalid(f"the array {key!r} has items of the unknown type {kind}")

    def _check_tensors(self, count: int, alignment: int) -> set[str]:
        extents = []
        for _ in range(count):
            name = self._string(_MAX_TENSOR_NAME_BYTES)
            rank = self._number("I")
            if not 1 <= rank <= _MAX_DIMENSIONS:
                raise self._invalid(f"the tensor {name!r} has {rank} dimensions")
            shape = [self._number("Q") for _ in range(rank)]
            kind, offset = self._number("I"), self._number("Q")
            if kind not in _TENSOR_TYPES:
                raise self._invalid(f"the tensor {name!r} has the unknown type {kind}")
            if offset % alignment:
                raise self._invalid(f"the tensor {name!r} is not aligned")
            extents.append((name, offset, self._tensor_bytes(name, shape, kind)))
        start = self._at + -self._at % alignment
        for name, offset, size in extents:
            if start + offset + size > self._size:
                raise self._invalid(f"the tensor {name!r} ends behind the file; it is cut off")
        return {name for name, _, _ in extents}

    def _tensor_bytes(self, name: str, shape: list[int], kind: int) -> int:
        weights, size = _TENSOR_TYPES[kind]
        elements = 1
        for length in shape:
            elements *= length
        if not 0 < elements <= _MAX_COUNT or shape[0] % weights:
            raise self._invalid(f"the tensor {name!r} has the shape {shape}")
        return elements // weights * size

    def _string(self, limit: int) -> str:
        length = self._number("Q")
        if length > limit:
            raise self._invalid(f"a string of {length} bytes where {limit} are allowed")
        return self._take(length).decode("utf-8", "replace")

    def _number(self, layout: str) -> int:
        value: int = struct.unpack("<" + layout, self._take(struct.calcsize("<" + layout)))[0]
        return value

    def _scalar(self, layout: str) -> Scalar:
        value: Scalar = struct.unpack("<" + layout, self._take(struct.calcsize("<" + layout)))[0]
        return value

    def _take(self, size: int) -> bytes:
        if size > self._size - self._at:
            raise self._invalid("it is cut off inside the header")
        content = self._stream.read(size)
        if len(content) != size:
            raise self._invalid("it is cut off inside the header")
        self._at += size
        return content

    def _skip(self, size: int) -> None:
        if size > self._size - self._at:
            raise self._invalid("it is cut off inside the header")
        self._stream.seek(size, 1)
        self._at += size

    def _invalid(self, reason: str) -> ModelInvalid:
        return ModelInvalid(f"{self._name} is not a usable GGUF file: {reason}.", "Pull or add the model again.")
