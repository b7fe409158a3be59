"""Which encoding a note's bytes are in, and what may be written into it. Pure.

UTF-8 is decoded with `surrogateescape`, so each byte that is not UTF-8 stays itself. UTF-16 and UTF-32 are known by
their byte order mark alone; without it they are refused, since UTF-8 put among them would ruin the file.
"""

from __future__ import annotations

from typing import NamedTuple

from zibaldone.errors import InvalidRequest, NotEditable

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


class Decoded(NamedTuple):
    """A note's text, which encodes back to exactly its bytes. `foreign`: it is in some encoding that is not known."""

    text: str
    mark: bytes
    encoding: str
    foreign: bool


def decode(data: bytes) -> Decoded:
    """Raises NotEditable for bytes among which no edit would be safe."""
    mark, encoding = next((known for known in _MARKS if data.startswith(known[0])), (b"", "utf-8"))
    bare = data[len(mark) :]
    if encoding == "utf-8" and _looks_wide(bare):
        raise NotEditable(
            "the note holds NUL bytes as UTF-16 without a byte order mark does",
            "save it as UTF-8 in an editor, then try again",
        )
    try:
        text = bare.decode(encoding, _error_handling(encoding))
        same = text.encode(encoding, _error_handling(encoding)) == bare
    except UnicodeError:
        same = False
    if not same:
        raise NotEditable(f"the note is not valid {encoding.upper()}", "save it as UTF-8 in an editor, then try again")
    return Decoded(text, mark, encoding, _is_foreign(text))


def encode(text: str, encoding: str) -> bytes:
    """Back to bytes; what came from a note comes out as it was."""
    return text.encode(encoding, _error_handling(encoding))


def _error_handling(encoding: str) -> str:
    return "surrogateescape" if encoding == "utf-8" else "surrogatepass"


def _looks_wide(data: bytes) -> bool:
    """NULs as in UTF-16: many, beside each line feed, or in bytes that are not UTF-8. A stray one is only odd."""
    if b"\0" not in data:
        return False
    breaks = data.count(b"\n")
    beside = data.count(b"\n\0") + data.count(b"\0\n")
    return data.count(b"\0") * 3 >= len(data) or (breaks > 0 and beside >= breaks) or _is_broken(data)


def _is_broken(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def _is_foreign(text: str) -> bool:
    """Whether more bytes are not UTF-8 than characters beyond ASCII are: another encoding, not a damaged place."""
    if text.isascii():
        return False
    broken = sum("\udc80" <= char <= "\udcff" for char in text)
    return broken > sum(char > "\x7f" for char in text) - broken


def check_new_text(text: str, note: str, *, foreign: bool) -> None:
    """Raise for text that cannot be put into a note whose text is `note`."""
    if "\0" in text:
        raise InvalidRequest("the new text holds a NUL character", "leave it out")
    halves = {char for char in text if "\ud800" <= char <= "\udfff"}
    if halves and not halves <= set(note):  # its own undecoded bytes may be moved about
        raise InvalidRequest("the new text holds half of a character (a lone surrogate)", "leave it out")
    if foreign and any(char > "\x7f" and char not in halves for char in text):
        raise NotEditable(
            "the note is not UTF-8, so text beyond plain ASCII would become unreadable in it",
            "save it as UTF-8 in an editor, then try again",
        )
