"""Bytes to characters, and which characters may be kept.

A byte order mark is believed first, then that the text is valid UTF-8 (which other text hardly ever is by accident),
then the encoding that the file names, last Windows-1252, which reads any byte.
"""

from __future__ import annotations

import json
import re

from zibaldone.domain.documents import Unreadable
from zibaldone.ingest.parse import BYTE_ORDER_MARKS

# Labels as the Encoding Standard of the web reads them; a name that is not here is not asked of Python, which also
# knows `punycode`, quadratic in its input, and others that are no text.
_CODECS = {
    label: codec
    for codec, labels in {
        "cp1252": "iso-8859-1 latin1 latin-1 iso_8859-1 us-ascii ascii windows-1252 cp1252 x-cp1252",
        "iso8859-2": "iso-8859-2 latin2",
        "iso8859-15": "iso-8859-15 latin9 latin-9",
        "cp1250": "windows-1250 cp1250",
        "cp1251": "windows-1251 cp1251",
        "cp1253": "windows-1253 iso-8859-7",
        "cp1254": "windows-1254 iso-8859-9",
        "cp1255": "windows-1255 iso-8859-8",
        "cp1256": "windows-1256 iso-8859-6",
        "koi8-r": "koi8-r koi8",
        "gb18030": "gb2312 gbk gb18030 x-gbk",
        "big5hkscs": "big5 big5-hkscs",
        "cp932": "shift_jis shift-jis sjis x-sjis windows-31j",
        "euc-jp": "euc-jp x-euc-jp",
        "cp949": "euc-kr ks_c_5601-1987 windows-949",
    }.items()
    for label in labels.split()
}
_UNFIT = re.compile("[\0-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_EMBEDDED = re.compile(rb"data:[\w/+.;=-]{0,100};base64,[A-Za-z0-9+/=]*")
_LINE_END = re.compile("\r\n?|\x0b|\x0c")


def decode_text(data: bytes, declared: str = "") -> str | Unreadable:
    """The text of a file. `declared` is the name of an encoding that the file states for itself."""
    mark, encoding = next((known for known in BYTE_ORDER_MARKS if data.startswith(known[0])), (b"", ""))
    if encoding:
        return clean(data.removeprefix(mark).decode(encoding, errors="replace"))
    if b"\0" in data:
        return Unreadable("contains NUL bytes: it is not text")
    try:
        return clean(data.decode("utf-8"))
    except UnicodeDecodeError:
        codec = _CODECS.get(declared.strip().lower())
        return clean(data.decode(codec, errors="replace") if codec else _decode_undeclared(data))


def _decode_undeclared(data: bytes) -> str:
    """UTF-8 with a few broken places, else Windows-1252, in which nearly no two bytes are a letter of UTF-8."""
    text = data.decode("utf-8", errors="replace")
    replaced = text.count("\ufffd")
    foreign = sum(1 for character in text if character > "\x7f") - replaced
    return text if foreign > replaced else data.decode("cp1252", errors="replace")


def drop_embedded(data: bytes) -> bytes:
    """Without the pictures and fonts that a file carries as text, often most of it."""
    return _EMBEDDED.sub(b"", data)


def load_json(data: bytes) -> object:
    """What the JSON says; `Unreadable` where it is none."""
    try:
        return json.loads(data) if data.strip() else {}
    except RecursionError:
        return Unreadable("is nested too deeply")
    except json.JSONDecodeError as error:
        return Unreadable(f"is not valid JSON in line {error.lineno}")
    except ValueError:  # bytes that are no text, a number of thousands of digits
        return Unreadable("is not valid JSON")


def clean(text: str) -> str:
    """Without what no index or message can carry (NUL, other controls, halves of characters); lines end with LF."""
    return _LINE_END.sub("\n", _UNFIT.sub("", text))
