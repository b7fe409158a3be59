"""The members of a zip file, within limits: what docx and epub have in common.

A member is inflated up to its limit and no further, whatever the directory says of its size. Names of members are
looked up in the package alone, and nothing is written.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from lxml import etree

from zibaldone.domain.documents import Unreadable
from zibaldone.ingest.extract.xml import read_tree

MAX_BYTES = 200_000_000
MAX_MEMBERS = 20_000
MAX_MEMBER_BYTES = 24_000_000
MAX_TOTAL_BYTES = 128_000_000
MAX_TREE_BYTES = 8_000_000  # of XML that is read as a tree
_DIRECTORY_ENTRY = b"PK\x01\x02"
_ENCRYPTED_FLAG = 1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # all that docx and epub allow; others inflate without a bound
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError)


class Damaged(Exception):
    """A member that is there gives nothing; the message is the reason, fit for `Unreadable`."""


class Package:
    """An open zip file, which also counts what was inflated of it."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members = {member.filename: member for member in archive.infolist()}
        self._left = MAX_TOTAL_BYTES

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def read(self, name: str, most: int = MAX_MEMBER_BYTES) -> bytes:
        """The content of a member, b"" where there is none of the name; raises `Damaged`."""
        member = self._members.get(name)
        if member is None:
            return b""
        if member.flag_bits & _ENCRYPTED_FLAG:
            raise Damaged("is encrypted")
        if member.compress_type not in _METHODS:
            raise Damaged("is compressed in a way that is not read")
        try:
            with self._archive.open(member) as stream:
                content = stream.read(min(most, self._left) + 1)
        except _BROKEN:
            raise Damaged("is damaged: it cannot be unpacked") from None
        if len(content) > min(most, self._left):
            raise Damaged(f"unpacks to more than {len(content) // 1_000_000} MB")
        self._left -= len(content)
        return content

    def read_tree(self, name: str) -> etree._Element | None:
        """The root of a member of XML as far as it can be read, None where there is none; raises `Damaged`."""
        return read_tree(self.read(name, MAX_TREE_BYTES))


def open_package(data: bytes) -> Package | Unreadable:
    """Open a zip file by its directory; no member is read."""
    if len(data) > MAX_BYTES:
        return Unreadable(f"is larger than {MAX_BYTES // 1_000_000} MB")
    if data.count(_DIRECTORY_ENTRY) > MAX_MEMBERS:
        return Unreadable(f"has more than {MAX_MEMBERS} members")
    try:
        return Package(zipfile.ZipFile(io.BytesIO(data)))
    except _BROKEN:
        return Unreadable("is damaged or no zip file")
