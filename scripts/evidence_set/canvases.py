"""Canvases of the set, as Obsidian writes them: cards in groups, arrows between them."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any

_CARD = (320, 140)


def make_canvases(texts: Path, seed: int) -> list[tuple[str, bytes, list[dict[str, Any]]]]:
    """Path, content and places of each: the text, file name or address of a card, a group's name, an arrow's label."""
    told = tomllib.loads(texts.read_text(encoding="utf-8"))["canvas"]
    return [(canvas["path"], *_make_canvas(canvas, random.Random(f"{seed}:{canvas['path']}"))) for canvas in told]


def _make_canvas(told: dict[str, Any], rng: random.Random) -> tuple[bytes, list[dict[str, Any]]]:
    nodes: list[dict[str, Any]] = []
    places: list[dict[str, Any]] = []
    for column, (group, label) in enumerate(told["groups"].items()):
        x = column * 520
        cards = [card for card in told["cards"] if card["in"] == group]
        box = {"x": x, "y": 0, "width": 400, "height": 60 + 180 * len(cards)}
        nodes.append({"id": group, "type": "group", "label": label, **box})
        places.append({"place": f"node={group}", "texts": [label]})
        for row, card in enumerate(cards):
            at = {"x": x + 40 + rng.randint(-20, 20), "y": 40 + row * 180, "width": _CARD[0], "height": _CARD[1]}
            kind = "file" if "file" in card else "link" if "url" in card else "text"
            content = {key: card[key] for key in ("text", "file", "url") if key in card}
            nodes.append({"id": card["id"], "type": kind, **content, **at})
            places.append({"place": f"node={card['id']}", "texts": [*content.values()]})
    edges = []
    for start, end, label in told["edges"]:
        edge = {"id": f"{start}-{end}", "fromNode": start, "fromSide": "bottom", "toNode": end, "toSide": "top"}
        edges.append({**edge, "label": label} if label else edge)
        if label:
            places.append({"place": f"edge={start}-{end}", "cards": [start, end], "texts": [label]})
    rng.shuffle(nodes)  # a file has them in the order in which they were made
    data = json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False, indent="\t")
    return data.encode(), places
