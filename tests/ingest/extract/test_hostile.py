"""Whatever a file holds, a reader gives text or a reason, and nothing that cannot be carried on."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.office_files import book, paragraph, word_document, zip_of
from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract import bases, canvas, docx, epub, html, table

READERS = {
    "canvas": canvas.read,
    "excalidraw": canvas.read,
    "base": bases.read,
    "docx": docx.read,
    "html": html.read,
    "epub": epub.read,
    "csv": table.read,
}
SAMPLES = {
    "canvas": json.dumps(
        {
            "nodes": [
                {
                    "id": f"n{n}",
                    "type": kind,
                    "text": "a [[b]]",
                    "file": "c.md",
                    "x": n,
                    "y": -n,
                    "width": 9,
                    "height": 9,
                }
                for n, kind in enumerate(["text", "file", "link", "group"] * 3)
            ],
            "edges": [{"fromNode": "n1", "toNode": "n2", "label": "to"}],
        }
    ).encode(),
    "excalidraw": json.dumps(
        {
            "type": "excalidraw",
            "elements": [
                {"id": "a", "type": "text", "text": "x", "containerId": "b"},
                {"id": "b", "type": "rectangle", "x": 1, "y": 2, "width": 3, "height": 4},
                {"id": "c", "type": "arrow", "startBinding": {"elementId": "b"}, "endBinding": {"elementId": "a"}},
            ],
        }
    ).encode(),
    "base": b"filters:\n  and: [a, b]\nviews:\n  - type: table\n    name: x\n    order: [a, b]\n",
    "docx": word_document(paragraph("Head", "berschrift1") + paragraph("text") * 20),
    "html": b"<title>t</title><h1>a</h1><p>b<table><tr><td>c<td>d</table><ul><li>e</ul><pre>f</pre>" * 3,
    "epub": book({"a.xhtml": "<h1>a</h1><p>b</p>", "b.xhtml": "<p>c</p>"}, {"a.xhtml": "A"}),
    "csv": 'Name,Größe\n"a\nb",2\nc,3\n'.encode(),
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "nodes edges elements id type text file url label x y fromNode containerId views order".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)
TOKENS = (
    "<p> </p> <w:p> </w:p> <w:t> </w:t> <w:tbl> <w:tr> <w:tc> </w:tbl> <table> <tr> <td> </table> <li> <ul> </ul>"
    " <h1> </h1> <pre> </pre> <title> <a href='b'> <!-- --> <![CDATA[ ]]> <!DOCTYPE &amp; &x; < > <?xml ?> <w:body> é"
)
MARKUP = st.lists(st.sampled_from(TOKENS.split()), max_size=60).map(" ".join)


def check(kind: str, data: bytes) -> None:
    outcome = READERS[kind](data, f"a.{kind}", None)
    if isinstance(outcome, Unreadable):
        assert outcome.reason
        return
    assert isinstance(outcome, Document)
    for part in outcome.parts:
        assert part.text.strip()
        assert "\0" not in part.text
        ("".join(part.heading) + part.text + part.place).encode()
    (outcome.title or "").encode()


@pytest.mark.parametrize("kind", READERS)
@settings(max_examples=60)
@given(data=st.binary(max_size=400))
def test_random_bytes(kind: str, data: bytes) -> None:
    check(kind, data)


@pytest.mark.parametrize("kind", ["canvas", "excalidraw", "base"])
@given(content=JSON)
def test_random_json(kind: str, content: object) -> None:
    check(kind, json.dumps(content).encode())


@pytest.mark.parametrize("kind", ["canvas", "excalidraw"])
@given(first=st.lists(JSON, max_size=5), second=st.lists(JSON, max_size=3))
def test_random_boards(kind: str, first: list[object], second: list[object]) -> None:
    check(kind, json.dumps({"nodes": first, "edges": second} if kind == "canvas" else {"elements": first}).encode())


@given(markup=MARKUP)
def test_random_markup(markup: str) -> None:
    check("html", markup.encode())
    check("docx", zip_of({"word/document.xml": markup}))
    body = f"<w:document xmlns:w='w'><w:body>{markup}</w:body></w:document>"
    check("docx", zip_of({"word/document.xml": body, "word/_rels/document.xml.rels": markup}))
    check("epub", book({"a.xhtml": markup}, {"a.xhtml": markup}))


@given(text=st.text(max_size=200), delimiter=st.sampled_from(',;\t|\n"'))
def test_random_tables(text: str, delimiter: str) -> None:
    check("csv", text.replace("a", delimiter).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("kind", READERS)
def test_mutated_files(kind: str, seed: int) -> None:
    chance = random.Random(f"{kind}{seed}")
    data = bytearray(SAMPLES[kind])
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                del data[at : at + chance.randint(1, 40)]
            case 2:
                data[at:at] = chance.randbytes(chance.randint(1, 40))
            case _:
                data[at:at] = data[chance.randrange(len(data)) :][:60]
        if not data:
            break
    check(kind, bytes(data))
