"""Canvases and drawings: order, groups, arrows, links, and that no character is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.documents import Document, Unreadable
from zibaldone.ingest.extract.canvas import read

VAULTS = Path(__file__).parents[4] / "shared" / "data" / "vaults"
CANVASES = sorted(VAULTS.rglob("*.canvas")) if VAULTS.is_dir() else []


def card(ident: str, x: float, y: float, **more: object) -> dict[str, object]:
    return {"id": ident, "type": "text", "x": x, "y": y, "width": 100, "height": 60, **more}


def group(ident: str, label: str, x: float, y: float, width: float, height: float) -> dict[str, object]:
    return {"id": ident, "type": "group", "label": label, "x": x, "y": y, "width": width, "height": height}


def read_canvas(nodes: list[dict[str, object]], edges: list[dict[str, object]] | None = None) -> Document:
    document = read(json.dumps({"nodes": nodes, "edges": edges or []}).encode(), "a.canvas")
    assert isinstance(document, Document)
    return document


def test_reading_order_and_groups() -> None:
    document = read_canvas(
        [
            card("right", 300, 95, text="right"),
            card("below", 0, 900, text="below"),
            group("inner", "Team", 210, 20, 200, 200),
            group("outer", "Plan", -20, 0, 600, 400),
            card("left", 0, 100, text="left"),
            card("first", 40, -100, text="first"),
        ]
    )
    assert [(part.text, part.heading, part.place) for part in document.parts] == [
        ("first", (), "node=first"),
        ("Plan: left; Team", (), "node=outer"),
        ("left", ("Plan",), "node=left"),
        ("Team: right", ("Plan",), "node=inner"),
        ("right", ("Plan", "Team"), "node=right"),
        ("below", (), "node=below"),
    ]


def test_arrows_are_words_of_the_card_that_they_start_from() -> None:
    document = read_canvas(
        [
            card("b", 0, 0, text="# **Budget** 2024\nfor all"),
            card("h", 300, 0, text="Hiring"),
            card("n", 600, 0, type="file", file="Notes/Offer.md", subpath="#Terms"),
        ],
        [
            {"id": "1", "fromNode": "b", "toNode": "h", "label": "approves"},
            {"id": "2", "fromNode": "h", "toNode": "n", "toEnd": "none"},
            {"id": "3", "fromNode": "n", "toNode": "h", "fromEnd": "arrow", "toEnd": "none", "label": "needs"},
            {"id": "4", "fromNode": "b", "toNode": "n", "fromEnd": "arrow"},
            {"id": "5", "fromNode": "b", "toNode": "gone", "label": "waits for"},
            {"id": "6", "fromNode": "b", "toNode": "gone"},
            {"id": "7", "fromNode": "lost", "toNode": "gone", "label": "a label alone"},
        ],
    )
    assert [(part.text, part.place) for part in document.parts] == [
        (
            "# **Budget** 2024\nfor all\n\n"
            "Budget 2024 -> Hiring: approves\nBudget 2024 <-> Offer\nBudget 2024 -> …: waits for",
            "node=b",
        ),
        ("Hiring\n\nHiring -- Offer\nHiring -> Offer: needs", "node=h"),
        ("Notes/Offer.md#Terms", "node=n"),
        ("a label alone", "edge=7"),
    ]


def test_links_lead_to_files_and_notes() -> None:
    document = read_canvas(
        [
            card("f", 0, 0, type="file", file="Notes/Offer.md", subpath="#Terms#^b1"),
            card("t", 0, 100, text="see [[Plan#Costs|the plan]] and ![[map.png]]"),
            card("l", 0, 200, type="link", url="https://example.org/a?b=1"),
        ]
    )
    assert [(link.target, link.heading, link.embed) for link in document.links] == [
        ("Notes/Offer.md", "Terms", True),
        ("Plan", "Costs", False),
        ("map.png", None, True),
    ]
    assert document.links[0].block == "b1"
    assert document.parts[2].text == "https://example.org/a?b=1"


def test_what_is_malformed_is_passed_over() -> None:
    nodes: list[object] = [
        {"type": "text", "text": "no id, no place"},
        card("twice", 0, 0, text="one"),
        card("twice", 0, 100, text="two"),
        {"id": {"a": 1}, "text": "odd id", "x": "left", "y": float("nan"), "width": 1e400, "height": -5},
        {"id": "\n" + "x" * 500, "text": "long id", "y": 10**300},
        "no object",
        {"id": "empty"},
    ]
    data = json.dumps({"nodes": nodes, "edges": [{"fromNode": "twice", "toNode": ["x"]}, None, {}]}).encode()
    document = read(data, "a.canvas")
    assert isinstance(document, Document)
    assert sorted(part.text for part in document.parts) == ["long id", "no id, no place", "odd id", "one", "two"]
    assert read(b"", "a.canvas") == read(b"{}", "a.canvas") == Document(())


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"[1]", "is not a canvas: its JSON is no object"),
        (b'{"nodes": 3}', "is not a canvas: its nodes and edges are no lists"),
        (b'{"nodes": [\n{', "is not valid JSON in line 2"),
        (b"\xff\xfe\xfd", "is not valid JSON"),
        (b'{"nodes":' * 100_000, "is nested too deeply"),
        (b'{"x": ' + b"1" * 10_000 + b"}", "is not valid JSON"),
        (b" " * 17_000_000 + b"{}", "is larger than 16 MB"),
    ],
)
def test_no_canvas(data: bytes, reason: str) -> None:
    assert read(data, "a.canvas") == Unreadable(reason)


def test_halves_of_characters_and_controls_do_not_get_through() -> None:
    document = read(b'{"nodes": [{"id": "a", "text": "x\\ud800\\u0000y\\r\\nz"}]}', "a.canvas")
    assert isinstance(document, Document)
    assert document.parts[0].text == "xy\nz"


def test_a_huge_canvas_is_read_whole_and_its_groups_as_far_as_there_is_time() -> None:
    nodes = [card(f"n{n}", n % 300 * 120, n // 300 * 80, text=f"card {n}") for n in range(90_000)]
    nested = [group(f"g{n}", f"level {n}", n, n, 40_000 - 2 * n, 40_000 - 2 * n) for n in range(1_000)]
    document = read_canvas(nodes + nested)
    assert len(document.parts) == 91_000
    assert max(len(part.heading) for part in document.parts) == 8
    assert document.problems == ("What is inside was told for 109 of 1000 groups.",)


def test_output_is_bounded() -> None:
    long = "w" * 900
    edges: list[dict[str, object]] = [{"fromNode": "a", "toNode": "a", "label": f"{long}{n}"} for n in range(8_000)]
    document = read_canvas([card("a", 0, 100, text="a"), card("b", 0, 0, text="b")], edges)
    assert [part.text for part in document.parts] == ["b"]
    assert document.problems == ("Only the first 4000000 characters were read.",)


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)
NODES = st.builds(
    dict,
    id=st.sampled_from("abcdefgh"),
    type=st.sampled_from(["text", "file", "link", "group"]),
    text=WORDS,
    file=WORDS,
    url=WORDS,
    label=WORDS,
    x=st.integers(-500, 500),
    y=st.floats(-500, 500),
    width=st.integers(0, 800),
    height=st.integers(0, 800),
)
EDGES = st.builds(dict, fromNode=st.sampled_from("abcdxy"), toNode=st.sampled_from("abcdxy"), label=WORDS)


@given(st.lists(NODES, max_size=12), st.lists(EDGES, max_size=8))
def test_no_character_is_lost(nodes: list[dict[str, object]], edges: list[dict[str, object]]) -> None:
    said = " ".join(" ".join(part.text.split()) for part in read_canvas(nodes, edges).parts)
    for written in _written({"nodes": nodes, "edges": edges}):
        assert " ".join(written.split()) in said


def _written(canvas: dict[str, list[dict[str, object]]]) -> Iterator[str]:
    for holder in canvas.get("nodes", []) + canvas.get("edges", []):
        for key in ("text", "file", "url", "label"):
            if isinstance(value := holder.get(key), str):
                yield value


@pytest.mark.skipif(not CANVASES, reason=f"the real vaults are not at {VAULTS}")
def test_real_canvases_are_read_whole() -> None:
    parts = links = 0
    for path in CANVASES:
        document = read(path.read_bytes(), path.name)
        assert isinstance(document, Document), path
        assert not document.problems
        said = " ".join(" ".join(part.text.split()) for part in document.parts)
        for written in _written(json.loads(path.read_bytes() or b"{}")):
            assert " ".join(written.split()) in said, path
        parts += len(document.parts)
        links += len(document.links)
    print(f"\n{len(CANVASES)} canvases: {parts} parts, {links} links")


# --- Excalidraw


def element(ident: str, kind: str, x: float = 0, y: float = 0, **more: object) -> dict[str, object]:
    return {"id": ident, "type": kind, "x": x, "y": y, "width": 100, "height": 50, **more}


def read_drawing(*elements: dict[str, object]) -> Document:
    scene = {"type": "excalidraw", "version": 2, "elements": elements, "files": {}}
    document = read(json.dumps(scene).encode(), "a.excalidraw")
    assert isinstance(document, Document)
    return document


def test_a_drawing_gives_texts_frames_and_bound_arrows() -> None:
    document = read_drawing(
        element("frame", "frame", -50, -50, name="Backend") | {"width": 700, "height": 200},
        element("box", "rectangle", 0, 0, link="https://example.org"),
        element("t1", "text", 5, 5, text="Load\nbalancer", originalText="Load balancer", containerId="box"),
        element("t2", "text", 300, 0, text="[[Database]]"),
        element("t3", "text", 0, 500, text="deleted", isDeleted=True),
        element("scribble", "freedraw", 0, 300),
        element(
            "arrow",
            "arrow",
            startBinding={"elementId": "box"},
            endBinding={"elementId": "t2"},
            endArrowhead="arrow",
            boundElements=[{"id": "label", "type": "text"}],
        ),
        element("label", "text", text="writes\nto", containerId="arrow"),
        element("loose", "arrow", startBinding=None, endBinding={"elementId": 3}, endArrowhead="arrow"),
    )
    assert [(part.text, part.heading, part.place) for part in document.parts] == [
        ("Backend: Load balancer; Database", (), "element=frame"),
        ("Load balancer\nhttps://example.org\n\nLoad balancer -> Database: writes to", ("Backend",), "element=t1"),
        ("[[Database]]", ("Backend",), "element=t2"),
    ]
    assert [link.target for link in document.links] == ["Database"]


def test_pictures_in_a_drawing_take_no_room() -> None:
    scene = {
        "type": "excalidraw",
        "elements": [element("t", "text", text="words")],
        "files": {"f": {"dataURL": "data:image/png;base64," + "A" * 20_000_000}},
    }
    document = read(json.dumps(scene).encode(), "a.excalidraw")
    assert isinstance(document, Document)
    assert [part.text for part in document.parts] == ["words"]
    assert read(b'{"type": "excalidraw", "elements": {}}', "a") == Unreadable(
        "is not a drawing: its elements are no list"
    )
