"""PDFs that no program would write: loops, bombs, pages of absurd size. From objects as they stand in the file."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator

_CONTENT = b"BT /F1 12 Tf 72 700 Td (A line of text on the page.) Tj ET"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def build(objects: dict[int, bytes], trailer: bytes = b"") -> bytes:
    """A file of the numbered objects; the first is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (max(objects) + 1)
    for number in range(1, max(objects) + 1):
        out += b"%010d 00000 n \n" % places.get(number, 0)
    out += b"trailer\n<< /Size %d /Root 1 0 R %b >>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, trailer, start)
    return bytes(out)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), entries, content)


def page(content: bytes = b"", box: bytes = b"0 0 612 792", **more: bytes) -> dict[int, bytes]:
    """The objects of a document with one page; `more` as `o7=...` adds or replaces numbered ones."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [%b] /Contents 4 0 R /Resources 7 0 R >>" % box,
        4: content or stream(_CONTENT),
        5: _FONT,
        6: b"<< /Type /Outlines >>",
        7: b"<< /Font << /F1 5 0 R >> >>",
    }
    return objects | {int(name[1:]): body for name, body in more.items()}


def loops() -> Iterator[tuple[str, bytes]]:
    """Objects that lead back to themselves, each by its name."""
    yield "pages", build(page(o2=b"<< /Type /Pages /Kids [3 0 R 2 0 R 2 0 R] /Count 3000 >>"))
    yield "parent", build(page(o3=b"<< /Type /Page /Parent 3 0 R /Contents 4 0 R /Resources 7 0 R >>"))
    yield "contents", build(page(b"[4 0 R 4 0 R]"))
    yield "length", build(page(b"<< /Length 4 0 R >>\nstream\nBT ET\nendstream"))
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 8 0 R >> >>"
    yield (
        "forms",
        build(
            page(
                stream(b"/X Do"),
                o7=b"<< /XObject << /X 8 0 R >> >>",
                o8=stream(b"/X Do /X Do", form),
            )
        ),
    )
    outline = b"<< /Type /Outlines /First 8 0 R /Last 9 0 R /Count 2 >>"
    item = b"<< /Title (Again) /Parent 6 0 R /Dest [3 0 R /Fit] /Next %d 0 R /First %d 0 R >>"
    yield "outline", build(page(o6=outline, o8=item % (9, 8), o9=item % (8, 9)))
    yield "xref", build(page(), b"/Prev 9") + build(page(), b"/Prev 0")


def bomb(megabytes: int) -> bytes:
    """A page whose content is that long, deflated twice."""
    block = b" " * (1 << 20)
    deflate = zlib.compressobj(9)
    once = b"".join(deflate.compress(block) for _ in range(megabytes)) + deflate.flush()
    return build(page(stream(zlib.compress(once, 9), b"/Filter [/FlateDecode /FlateDecode]")))


def big_page() -> bytes:
    """A picture on a page of 100,000 by 100,000 points."""
    picture = b"/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8"
    return build(
        page(
            stream(b"100000 0 0 100000 0 0 cm /I Do"),
            b"0 0 100000 100000",
            o7=b"<< /XObject << /I 8 0 R >> >>",
            o8=stream(b"\x00\xff\xff\x00", picture),
        )
    )


def mutate(data: bytes, seed: int) -> bytes:
    """The file with some of its bytes changed, repeated, left out or cut off."""
    chance = random.Random(seed)
    out = bytearray(data)
    for _ in range(chance.randint(1, 30)):
        place = chance.randrange(len(out))
        match chance.randrange(5):
            case 0:
                out[place] = chance.randrange(256)
            case 1:
                del out[place : place + chance.randint(1, 200)]
            case 2:
                out[place:place] = out[place : place + chance.randint(1, 400)]
            case 3:
                out[place:place] = chance.choice((b"<<", b"[[[[", b" 0 R", b"99999999999", b"-1", b"endobj", b"\x00"))
            case 4 if chance.random() < 0.1:
                del out[place:]
        if not out:
            return b"%PDF-"
    return bytes(out)
