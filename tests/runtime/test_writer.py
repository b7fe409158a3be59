"""Changes of the vault: whole or not at all, and taken back without touching what was written since."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.vaults import Vault
from zibaldone.config.places import VaultPlaces, vault_places
from zibaldone.errors import NotFound, UndoRefused, VaultChanged, VaultUnwritable
from zibaldone.runtime.writer import VaultWriter, open_writer
from zibaldone.store.database import Database
from zibaldone.store.state_db import StateStore
from zibaldone.vault.edit.merge import merge
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.undo import UndoStore

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Failing(VaultFiles):
    """Dies, or finds the note changed, before the file of a name is written."""

    fail: Exception | None = None
    before: str = ""

    def write_atomic(self, rel: str, data: bytes, *, base_sha256: str | None) -> None:
        if self.fail and rel == self.before:
            raise self.fail
        super().write_atomic(rel, data, base_sha256=base_sha256)


class Desk:
    """A writer over a vault, which can be closed and opened again as after a kill."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.places: VaultPlaces = vault_places(vault.root)
        self.moved: dict[str, str] = {}
        self.open()

    def open(self) -> None:
        undo = UndoStore(self.places.undo)
        self.files = Failing(self.vault.root, undo.keep)
        self.state = StateStore(self.places.state_db)
        self.writer: VaultWriter = open_writer(
            self.vault.root, self.files, undo, self.state.changes, self.places, "Zibaldone", self.moved.get
        )

    def change(self, **after: str | None) -> int:
        wanted = {_path(name): None if text is None else text.encode() for name, text in after.items()}
        done = self.writer.change("test", f"change {', '.join(wanted)}", NOW, lambda read: wanted)
        assert done
        return done.change_id

    def append(self, name: str, text: str) -> int:
        path = _path(name)
        done = self.writer.change("test", "append", NOW, lambda read: {path: (read(path) or b"") + text.encode()})
        assert done
        return done.change_id

    def text(self, name: str) -> str | None:
        path = self.vault.root / _path(name)
        return path.read_text(encoding="utf-8") if path.exists() else None


def _path(name: str) -> str:
    return f"Zibaldone/pages/{name}.md"


@pytest.fixture
def desk(vault: Vault) -> Iterator[Desk]:
    opened = Desk(vault)
    yield opened
    opened.state.close()


def test_a_change_of_several_notes_is_one_commit_and_is_taken_back_by_one(desk: Desk) -> None:
    first = desk.change(a="A\n", b="B\n")
    second = desk.change(a="A2\n", b=None, c="C\n")
    assert (desk.text("a"), desk.text("b"), desk.text("c")) == ("A2\n", None, "C\n")
    assert desk.vault.git("show", "--name-status", "--format=", "HEAD").split() == [
        "M", _path("a"), "D", _path("b"), "A", _path("c"),
    ]  # fmt: skip
    desk.writer.take_back(second, NOW)
    assert (desk.text("a"), desk.text("b"), desk.text("c")) == ("A\n", "B\n", None)
    desk.writer.take_back(None, NOW)
    assert (desk.text("a"), desk.text("b")) == (None, None)
    assert [(change.id, change.state) for change in reversed(desk.writer.changes(9))][:2] == [
        (first, "undone"),
        (second, "undone"),
    ]
    assert all(change.commit for change in desk.writer.changes(9))
    with pytest.raises(NotFound):
        desk.writer.take_back(None, NOW)
    with pytest.raises(UndoRefused, match="undone already"):
        desk.writer.take_back(second, NOW)


def test_what_was_written_since_is_kept_or_the_change_stays(desk: Desk) -> None:
    middle = [desk.append("log", f"## {number}\n\nentry {number}\n\n") for number in range(3)][1]
    page = desk.vault.root / _path("log")
    page.write_text(page.read_text() + "mine\n")
    desk.writer.take_back(middle, NOW)
    assert desk.text("log") == "## 0\n\nentry 0\n\n## 2\n\nentry 2\n\nmine\n"

    created = desk.change(new="one\ntwo\n")
    (desk.vault.root / _path("new")).write_text("one, better\ntwo\n")
    with pytest.raises(UndoRefused, match="was edited since"):
        desk.writer.take_back(created, NOW)
    changed = desk.change(new="one\nTWO\n")
    (desk.vault.root / _path("new")).write_text("one\nTWO, really\n")
    with pytest.raises(UndoRefused, match="in the same lines"):
        desk.writer.take_back(changed, NOW)
    assert desk.text("new") == "one\nTWO, really\n"
    (desk.vault.root / _path("new")).unlink()
    with pytest.raises(UndoRefused, match="is gone"):
        desk.writer.take_back(changed, NOW)


def test_a_note_that_was_moved_is_found_by_its_content(desk: Desk) -> None:
    changed = [desk.change(a="one\n"), desk.change(a="two\n")][1]
    (desk.vault.root / _path("a")).rename(desk.vault.root / "Elsewhere.md")
    desk.moved[sha256_hex(b"two\n")] = "Elsewhere.md"
    desk.writer.take_back(changed, NOW)
    assert (desk.vault.root / "Elsewhere.md").read_text() == "one\n"
    assert desk.text("a") is None


def test_where_nothing_of_a_change_stands_it_is_refused(desk: Desk) -> None:
    created = desk.change(a="one\n")
    (desk.vault.root / _path("a")).unlink()
    with pytest.raises(UndoRefused, match="nothing of it stands any more"):
        desk.writer.take_back(created, NOW)
    assert [change.state for change in desk.writer.changes(9)] == ["written"]

    shared = desk.change(a="one\n", index="- a\n")
    desk.change(a=None, index="- b\n", b="one, and more\n")
    desk.change(b=None, index="- c\n", c="one, and more\n")
    with pytest.raises(UndoRefused, match=r"pages/c\.md\) was edited since"):
        desk.writer.take_back(shared, NOW)


def test_a_change_is_taken_back_where_a_rename_of_ours_took_the_note(desk: Desk) -> None:
    changed = [desk.change(a="one\n\ntwo\n"), desk.append("a", "\nthree\n")][1]
    desk.change(a=None, b="ONE\n\ntwo\n\nthree\n")
    desk.change(b=None, c="ONE\n\ntwo\n\nthree\n")
    desk.writer.take_back(changed, NOW)
    assert (desk.text("a"), desk.text("b"), desk.text("c")) == (None, None, "ONE\n\ntwo\n")


def test_while_a_merge_goes_on_commits_wait_and_nothing_is_said_of_them(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    (desk.vault.root / ".git/MERGE_HEAD").write_text(desk.vault.git("rev-parse", "HEAD"))
    desk.change(a="one\n", b="one\n")
    desk.append("a", "two\n")
    (desk.vault.root / _path("b")).unlink()
    desk.change(taken="one\n")
    desk.change(taken=None)
    gone = desk.change(gone="one\n")
    (desk.vault.root / _path("gone")).unlink()
    desk.writer.drain()
    assert caplog.messages == []
    assert desk.writer.queued() == 5
    assert "git status" in (desk.writer.describe()[1] or "")

    (desk.vault.root / ".git/MERGE_HEAD").unlink()
    desk.writer.drain()
    desk.writer.drain()
    assert desk.writer.queued() == 0
    assert desk.writer.describe()[1] is None
    assert sorted(message.partition(": ")[2] for message in caplog.messages) == [
        f"{_path('b')} was not committed: it is gone",
        f"{_path('gone')} was not committed: it is gone",
    ]
    assert desk.state.changes.get(gone).commit is None


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (OSError(28, "No space left on device"), VaultUnwritable),
        (VaultChanged("changed", "again"), VaultChanged),
    ],
)
def test_where_one_note_cannot_be_written_all_stay_as_they_were(
    desk: Desk, failure: Exception, told: type[Exception]
) -> None:
    desk.change(a="A\n", b="B\n")
    head = desk.vault.git("rev-parse", "HEAD")
    desk.files.fail, desk.files.before = failure, _path("b")
    with pytest.raises(told):
        desk.change(a="A2\n", b="B2\n")
    assert (desk.text("a"), desk.text("b")) == ("A\n", "B\n")
    assert desk.vault.git("rev-parse", "HEAD") == head
    assert desk.writer.changes(1)[0].state == "abandoned"


class Killed(BaseException):
    """What a kill leaves undone, nothing catches."""


@pytest.mark.parametrize("at", ["a", "b", "c"])
def test_a_kill_between_two_notes_is_finished_at_the_next_start(desk: Desk, at: str) -> None:
    desk.change(a="A\n", b="B\n", c="C\n")
    desk.files.fail, desk.files.before = Killed(), _path(at)  # type: ignore[assignment]
    with pytest.raises(Killed):
        desk.change(a="A2\n", b="B2\n", c="C2\n")
    desk.state.close()
    if at == "c":  # edited between the kill and the start: it stays
        (desk.vault.root / _path("c")).write_text("mine\n")
    desk.open()
    desk.writer.recover()
    desk.writer.drain()
    assert (desk.text("a"), desk.text("b")) == ("A2\n", "B2\n")
    assert desk.text("c") == ("mine\n" if at == "c" else "C2\n")
    assert desk.writer.changes(1)[0].state == "written"
    assert desk.vault.git("show", f"HEAD:{_path('a')}") == "A2"
    assert desk.vault.git("status", "--porcelain", "Zibaldone/pages").count("\n") == 0


@pytest.mark.parametrize("count", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_changes_are_taken_back_exactly_or_refused_with_a_reason(desk: Desk, count: int) -> None:
    """Among foreign commits, moves by the person, and a collection of all that no ref holds."""
    rng = random.Random(7)
    lines: dict[str, list[str]] = {f"p{number}": [] for number in range(6)}
    made: list[tuple[int, str, str]] = []
    for number in range(count):
        name = rng.choice(list(lines))
        line = f"- fact {number}\n"
        made.append((desk.append(name, line), name, line))
        lines[name].append(line)
        if number % 20 == 19:
            (desk.vault.root / "Bees" / f"mine {number}.md").write_text(f"{number}\n")
            desk.vault.git("add", "-A")
            desk.vault.git("-c", "user.name=P", "-c", "user.email=p@e", "commit", "-qm", f"mine {number}")
    first = {name: facts[0] for name, facts in lines.items()}
    desk.vault.git("reflog", "expire", "--expire=now", "--all")
    desk.vault.git("gc", "--prune=now", "-q")
    edited = "p3"
    page = desk.vault.root / _path(edited)
    page.write_text(page.read_text().replace("- fact", "- my fact"))
    for change, name, line in rng.sample(made, len(made)):
        created = line == first[name]
        try:
            desk.writer.take_back(change, NOW)
        except UndoRefused as error:
            assert name == edited or (created and len(lines[name]) > 1)
            assert "edited since" in error.message
        else:
            assert name != edited
            lines[name].remove(line)
            assert (desk.text(name) or "") == "".join(lines[name])
    assert desk.text(edited) == "".join(lines[edited]).replace("- fact", "- my fact")
    assert all(lines[name] in ([], [first[name]]) for name in lines if name != edited)


def test_an_older_state_is_migrated_and_copied_first(tmp_path: Path) -> None:
    from zibaldone.store import state_db

    path = tmp_path / "state.db"
    old = Database(path, state_db._SCHEMA.replace(", answer TEXT", ""), 1, durable=True)
    with old.transaction() as connection:
        connection.execute("INSERT INTO conversations VALUES ('c', 'T', 'a', 'b')")
    old.close()
    store = StateStore(path)
    assert [one.id for one in store.conversations()] == ["c"]
    assert store.changes.latest(5) == []
    store.close()
    copy = sqlite3.connect(tmp_path / "state.db.v1")
    assert copy.execute("SELECT id FROM conversations").fetchall() == [("c",)]
    copy.close()


LINES = [b"a\n", b"b\n", b"c\n", b"d"]


def _edits() -> Iterator[tuple[bytes, Callable[[bytes], bytes]]]:
    base = b"".join(LINES)
    for number in range(len(LINES)):
        yield base, lambda text, number=number: text.replace(LINES[number], b"", 1)
        yield base, lambda text, number=number: text.replace(LINES[number], b"x" + LINES[number], 1)


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(range(8), 2)))
def test_a_merge_makes_both_changes_or_none(one: int, two: int) -> None:
    edits = list(_edits())
    base, first = edits[one]
    _, second = edits[two]
    merged = merge(base, first(base), second(base))
    assert merged is None if one // 2 == two // 2 else merged == second(first(base))
