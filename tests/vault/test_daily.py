"""Where daily notes lie, by Obsidian's settings."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from zibaldone.vault.daily import DailyNotes, fill_template, read_daily_notes

DAY = date(2026, 3, 5)


def settings(root: Path, name: str, value: object) -> None:
    path = root / ".obsidian" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def test_without_settings_a_daily_note_is_known_by_its_name(tmp_path: Path) -> None:
    notes = read_daily_notes(tmp_path)
    assert notes == DailyNotes()
    assert notes.day_of("2026-03-05.md") == notes.day_of("A/Daily/2026-03-05.MD") == DAY
    assert notes.day_of("2026-03-05 Kick-off.md") is None
    assert notes.day_of("2026-03-05.txt") is None
    assert notes.path_of(DAY, []) == "2026-03-05.md"
    assert notes.path_of(DAY, ["Daily/2026-03-01.md", "2020-01-01.md", "x.md"]) == "Daily/2026-03-05.md"
    assert notes.path_of(DAY, ["Daily/2026-03-07.md", "Old/2026-03-05.md"]) == "Old/2026-03-05.md"


def test_folder_format_and_template(tmp_path: Path) -> None:
    settings(tmp_path, "daily-notes.json", {"folder": "/Tage/", "format": "YYYY/DD.MM.YYYY", "template": "T/Tag"})
    settings(tmp_path, "templates.json", {"folder": "Vorlagen"})
    settings(tmp_path, "plugins/templater-obsidian/data.json", {"templates_folder": "tp"})
    notes = read_daily_notes(tmp_path)
    assert notes.path_of(DAY, []) == "Tage/2026/05.03.2026.md"
    assert notes.day_of("Tage/2026/05.03.2026.md") == DAY
    assert notes.day_of("2026/05.03.2026.md") is None
    assert [notes.is_template(path) for path in ("T/Tag.md", "Vorlagen/x.md", "tp/y.md", "Vorlagen.md")] == [
        True, True, True, False,
    ]  # fmt: skip


def test_names_of_months_are_spelt_as_in_the_last_note() -> None:
    notes = DailyNotes("", "D MMMM YYYY")
    assert notes.path_of(DAY, []) == "5 March 2026.md"
    assert notes.path_of(DAY, ["4 März 2026.md"]) == "5 März 2026.md"


def test_periodic_notes_count_where_they_are_switched_on(tmp_path: Path) -> None:
    settings(tmp_path, "daily-notes.json", {"folder": "Core"})
    daily = {"enabled": True, "folder": "Periodic", "format": "", "template": ""}
    settings(tmp_path, "plugins/periodic-notes/data.json", {"daily": daily})
    assert read_daily_notes(tmp_path).folder == "Periodic"
    settings(tmp_path, "plugins/periodic-notes/data.json", {"daily": {**daily, "enabled": False}})
    assert read_daily_notes(tmp_path).folder == "Core"


@pytest.mark.parametrize(
    "value",
    ["not json", "[]", {"folder": 3, "format": None}, {"folder": "../out", "format": "ww", "template": ".obsidian/x"}],
)
def test_nonsense_in_the_settings_does_no_harm(tmp_path: Path, value: object) -> None:
    settings(tmp_path, "daily-notes.json", value)
    notes = read_daily_notes(tmp_path)
    assert (notes.format, notes.template, notes.path_of(DAY, [])) == ("YYYY-MM-DD", "", "2026-03-05.md")


def test_a_template_is_filled_in() -> None:
    now = datetime(2026, 3, 4, 9, 5, tzinfo=UTC)
    template = "# {{title}}\n{{date}} {{date:dddd, D MMMM}} {{ time }} {{time:h A}} {{other}}\n"
    filled = "# T\n2026-03-05 Thursday, 5 March 09:05 9 AM {{other}}\n"
    assert fill_template(template, "T", DAY, now) == filled
