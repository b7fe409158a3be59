"""The memory as JSON, as other assistants have it."""

from __future__ import annotations

from datetime import timedelta

from support.memories import NOON, an_entry
from zibaldone.profile.exchange import export_entries


def test_a_type_is_one_document_with_their_fields_and_ours() -> None:
    later = (NOON + timedelta(days=1)).isoformat()
    entries = [
        an_entry(sources=["chat:a#1"], pinned=True),
        an_entry("Keep it short", "dddd", type="feedback"),
        an_entry("Lives in Ulm", "eeee", is_explicit=False, confidence=0.9, source_count=2, updated_at=later),
    ]
    document = export_entries("user", entries)
    assert (document["type"], document["updated_at"]) == ("user", later)
    assert [one["content"] for one in document["entries"]] == ["Leo is eight", "Lives in Ulm"]
    assert document["entries"][1] == {
        "content": "Lives in Ulm", "type": "user", "created_at": NOON.isoformat(), "updated_at": later,
        "confidence": 0.9, "source_count": 2, "decay_days": None, "is_explicit": False,
        "id": "eeee", "pinned": False, "sources": [],
    }  # fmt: skip
    assert export_entries("context", entries) == {"type": "context", "updated_at": None, "entries": []}
