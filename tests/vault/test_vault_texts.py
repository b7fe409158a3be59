"""What we write of our own: the scaffold and the day's log."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.config.settings import VAULT_KEYS, Settings
from zibaldone.errors import PathOutsideVault
from zibaldone.schemas.ask import Citation
from zibaldone.vault.inert import make_inert, make_inert_line, read_inert
from zibaldone.vault.log import LogEntry, append_log_entry, log_path
from zibaldone.vault.scaffold import render_settings, scaffold

AT = datetime(2026, 3, 2, 9, 5)  # noqa: DTZ001  local time, as the log wants it


def citation(**changes: object) -> Citation:
    fields: dict[str, object] = {
        "marker": 1,
        "path": "Projects/Kestrel.md",
        "source_uri": "note:Projects/Kestrel.md",
        "heading": ["Kestrel", "Budget"],
        "locator": "L12-L18",
        "line_start": 12,
        "line_end": 18,
        "quote": "the budget is 40k",
        "supported": True,
    }
    return Citation.model_validate({**fields, **changes})


def test_the_scaffold_never_overwrites(tmp_path: Path) -> None:
    everything = scaffold(tmp_path)
    names = ["AGENTS.md", "CONTRIBUTORS.md", "index.md", "settings.toml"]
    assert sorted(everything) == [f"Zibaldone/{name}" for name in names]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "Agent").mkdir()
    (tmp_path / "Agent/AGENTS.md").write_bytes(b"")
    (tmp_path / "Agent/index.md").symlink_to("nothing")
    assert sorted(scaffold(tmp_path, "Agent")) == ["Agent/CONTRIBUTORS.md", "Agent/settings.toml"]
    assert b"Zibaldone/" not in scaffold(tmp_path, "Agent")["Agent/CONTRIBUTORS.md"]


def test_a_scaffold_folder_that_leaves_the_vault(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/Zibaldone").symlink_to(tmp_path)
    with pytest.raises(PathOutsideVault):
        scaffold(tmp_path / "vault")


def test_the_settings_hold_every_safe_key_at_its_default() -> None:
    text = render_settings()
    tables = {key for key in VAULT_KEYS if isinstance(getattr(Settings(), key), type(Settings().memory).__base__)}
    assert tomllib.loads(text) == {key: {} for key in tables}
    uncommented = "\n".join(line.removeprefix("#") if not line.startswith("# ") else "" for line in text.splitlines())
    expected = Settings().model_dump(mode="json", include=set(VAULT_KEYS))
    assert tomllib.loads(uncommented) == expected


def test_a_new_log_note() -> None:
    entry = LogEntry(AT, "What is the\nbudget?", "It is 40k [1].\n\n- yes", [citation()])
    assert log_path("Zibaldone", date(2026, 3, 2)) == "Zibaldone/log/2026-03-02.md"
    assert append_log_entry(None, entry).decode() == (
        "---\ntype: log\nwritten_by: Zibaldone\ndate: 2026-03-02\n---\n\n"
        "## 09:05 What is the budget?\n\n"
        "> It is 40k \\[1\\].\n>\n> - yes\n\n"
        '- \\[1\\] [[Projects/Kestrel#Kestrel#Budget|Kestrel]] lines 12-18: "the budget is 40k"\n'
    )


@pytest.mark.parametrize("existing", [b"", b"x", b"x\n", b"x\n\n", b"x\r\ny", b"x\r\n", b"\xff\x00"])
def test_what_was_there_stays(existing: bytes) -> None:
    entry = LogEntry(AT, "Q", "", (), "weak_retrieval")
    after = append_log_entry(existing, entry)
    assert after.startswith(existing)
    added = after[len(existing) :]
    assert b"No answer: the notes that were found hardly speak of this." in added
    if b"\r\n" in existing:
        assert added.count(b"\n") == added.count(b"\r\n")
    else:
        assert b"\r" not in added
    text = after.replace(b"\r\n", b"\n")
    assert text.startswith(b"## ") if not existing else b"\n\n## 09:05 Q\n" in text
    assert text.endswith(b".\n")


@pytest.mark.parametrize(
    "payload",
    [
        "```dataviewjs\nfetch('http://x')\n```",
        "~~~dataview\nTABLE\n~~~",
        "`= this.x` `$= dv.x`",
        "<% tp.system.prompt() %>",
        "<%* x %>",
        "<img src=x onerror=alert(1)>",
        "<iframe src='http://x'>",
        "![x](http://x/y.png)",
        "![[Secret]] [[Secret]]",
        "[x](javascript:alert(1)) [y](obsidian://open)",
        "obsidian://advanced-uri?x",
        "#tag",
        "due:: 2026-01-01 [due:: 2026-01-01]",
        "- [ ] task",
        "%%hidden%%",
        "text ^block",
        "$\\href{javascript:x}{y}$",
        "> [!danger] callout",
        "[^1]: note",
        "&lt;script&gt;",
        "a\u202etxt.exe\u2028# x\r# y\x00",
        "---\ntype: page\n---",
    ],
)
@pytest.mark.parametrize("field", ["question", "answer", "quote", "title"])
def test_nothing_that_is_quoted_acts(payload: str, field: str) -> None:
    source = citation(
        quote=payload if field == "quote" else "q",
        path=f"{payload}.md" if field == "title" else "A.md",
        heading=[payload] if field == "title" else [],
    )
    question = payload if field == "question" else "Q"
    entry = LogEntry(AT, question, payload if field == "answer" else "A", [source])
    text = append_log_entry(b"", entry).decode()
    body = re.sub(r"\[\[[^\[\]|`<%]*\|[^\[\]|`<%]*\]\]", "", text)  # links to notes
    for live in (
        "```",
        "~~~",
        "`=",
        "`$",
        "<",
        "![",
        "%%",
        "::",
        "obsidian:",
        "javascript:",
        "\x00",
        "\u202e",
        "\u2028",
    ):
        assert live not in body.replace("\\`", "").replace("\\~", "").replace("\\!\\[", ""), (live, body)
    unescaped = body.replace("\\[", "").replace("\\]", "").replace("\\#", "").replace("\\^", "").replace("\\$", "")
    assert "[" not in unescaped
    assert "^" not in unescaped
    assert "$" not in unescaped
    assert all(line.startswith(("## ", "> ", ">", "- ")) or not line for line in text.split("\n"))


@given(st.text())
def test_inert_text_keeps_its_lines_and_words(text: str) -> None:
    inert = make_inert(text)
    assert "\r" not in inert
    assert len(inert.split("\n")) == len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    plain = [char for char in text.replace("\r\n", "\n").replace("\r", "\n") if char == "\n" or char.isprintable()]
    assert [char for char in read_inert(inert) if char == "\n" or char.isprintable()] == plain
    for char in "<`[]":
        assert char not in inert.replace(f"\\{char}", "")
    assert "\n" not in make_inert_line(text, 50)


def test_a_doubtful_citation_and_a_page() -> None:
    text = append_log_entry(
        None,
        LogEntry(
            AT,
            "Q" * 500,
            "A",
            [citation(supported=False, line_end=12), citation(page=3, modality="pdf", path="a.pdf", heading=[])],
        ),
    ).decode()
    assert "line 12: " in text
    assert "(not supported by the text)" in text
    assert "[[a.pdf#page=3|a.pdf]] page 3" in text
    assert "Q…" in text
