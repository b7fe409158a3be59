"""Reading and writing: nothing outside, nothing torn, no save of an editor lost."""

from __future__ import annotations

import os
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zibaldone.errors import NotFound, PathOutsideVault, VaultChanged
from zibaldone.vault import folder as folder_module
from zibaldone.vault.files import TooLarge, VaultFiles, sha256_hex
from zibaldone.vault.folder import Folder, temporary_name, temporary_target


class Undo:
    """The undo store's part: keeps every version that it is given."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, bytes]] = []

    def __call__(self, rel: str, data: bytes) -> None:
        self.kept.append((rel, data))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Note.md").write_bytes(b"base\n")
    return vault


@pytest.fixture
def undo() -> Undo:
    return Undo()


@pytest.fixture
def files(root: Path, undo: Undo) -> VaultFiles:
    return VaultFiles(root, undo, durable=False)


BASE = sha256_hex(b"base\n")

OUTSIDE = [
    "",
    "/etc/passwd",
    "..",
    "../x.md",
    "a/../../x.md",
    "a/..",
    "./x.md",
    "a//x.md",
    "a/",
    "/",
    "x\0.md",
    "..\\x.md",
    "a\\..\\..\\x.md",
    "C:\\x.md",
    "C:/x.md",
    "\\\\server\\share\\x.md",
    "//server/share/x.md",
    "out/secret.md",
    "out.md",
    "loop/x.md",
    ".git/config",
    ".obsidian/app.json",
    "a/.hidden/x.md",
    "dotlink/config",
    "up/vault/../secret.md",
    "\udcff.md",
    "\ud800.md",
]


@pytest.mark.parametrize("rel", OUTSIDE)
def test_paths_outside_are_refused_by_every_operation(files: VaultFiles, root: Path, rel: str) -> None:
    (root.parent / "secret.md").write_bytes(b"secret")
    (root / "out").symlink_to(root.parent)
    (root / "out.md").symlink_to(root.parent / "secret.md")
    (root / "loop").symlink_to("../loop-target")
    (root / "up").symlink_to("..")
    (root / ".git").mkdir()
    (root / ".git/config").write_bytes(b"secret")
    (root / "dotlink").symlink_to(".git")
    operations: list[Callable[[], object]] = [
        lambda: files.resolve(rel),
        lambda: files.stamp(rel),
        lambda: files.read_stable(rel),
        lambda: files.write_atomic(rel, b"x", base_sha256=None),
        lambda: files.write_atomic(rel, b"x", base_sha256=sha256_hex(b"secret")),
        lambda: files.remove(rel, base_sha256=sha256_hex(b"secret")),
    ]
    for operation in operations:
        with pytest.raises(PathOutsideVault):
            operation()
    assert (root.parent / "secret.md").read_bytes() == b"secret"


def test_percent_encodings_and_odd_names_are_just_names(files: VaultFiles, root: Path) -> None:
    for rel in ("%2e%2e/x.md", "a/b..md", "日記/🌱 café.md", ".trash/x.md"):
        files.write_atomic(rel, b"x", base_sha256=None)
        assert (root / rel).read_bytes() == b"x"


def test_a_folder_swapped_for_a_link_after_the_check(
    files: VaultFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "x.md").write_bytes(b"base\n")
    (root / "a").mkdir()
    (root / "a/x.md").write_bytes(b"base\n")
    real_parts = VaultFiles._real_parts

    def swapping(self: VaultFiles, rel: str) -> tuple[str, ...]:
        parts = real_parts(self, rel)
        if not (root / "a").is_symlink():
            (root / "a").rename(root / "b")
            (root / "a").symlink_to(outside)
        return parts

    monkeypatch.setattr(VaultFiles, "_real_parts", swapping)
    with pytest.raises(PathOutsideVault):
        files.write_atomic("a/x.md", b"ours", base_sha256=BASE)
    with pytest.raises(PathOutsideVault):
        monkeypatch.undo()
        files.read_stable("a/x.md")
    assert (outside / "x.md").read_bytes() == b"base\n"


def test_a_note_swapped_for_a_link_after_the_check(
    files: VaultFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = root.parent / "secret.md"
    secret.write_bytes(b"base\n")
    real_parts = VaultFiles._real_parts

    def swapping(self: VaultFiles, rel: str) -> tuple[str, ...]:
        parts = real_parts(self, rel)
        (root / "Note.md").unlink()
        (root / "Note.md").symlink_to(secret)
        return parts

    monkeypatch.setattr(VaultFiles, "_real_parts", swapping)
    with pytest.raises(VaultChanged):
        files.write_atomic("Note.md", b"ours", base_sha256=BASE)
    (root / "Note.md").unlink()
    (root / "Note.md").write_bytes(b"base\n")
    with pytest.raises(NotFound):
        files.read_stable("Note.md")
    assert secret.read_bytes() == b"base\n"


@pytest.mark.parametrize(("disk", "asked"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_either_normal_form_finds_the_note(files: VaultFiles, root: Path, disk: str, asked: str) -> None:
    name = "Größe/Zürich é.md"
    there = root / unicodedata.normalize(disk, name)  # type: ignore[arg-type]
    there.parent.mkdir()
    there.write_bytes(b"base\n")
    wanted = unicodedata.normalize(asked, name)  # type: ignore[arg-type]
    assert files.read_stable(wanted) == b"base\n"
    files.write_atomic(wanted, b"new\n", base_sha256=BASE)
    assert there.read_bytes() == b"new\n"
    assert len(list(there.parent.iterdir())) == 1


def test_read_stable(files: VaultFiles, root: Path) -> None:
    assert files.read_stable("Note.md") == b"base\n"
    assert files.read_stable("Note.md", 5) == b"base\n"
    assert files.read_stable("Note.md", 4) == TooLarge(5, 4)
    (root / "folder.md").mkdir()
    os.mkfifo(root / "pipe.md")
    for missing in ("No.md", "no/No.md", "Note.md/x.md", "folder.md", "pipe.md"):
        with pytest.raises(NotFound):
            files.read_stable(missing)


def test_a_note_that_keeps_changing_is_not_read(files: VaultFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = iter(range(1000))
    read = Folder.read

    def changing(self: Folder, name: str, most: int | None = None) -> tuple[bytes, os.stat_result]:
        return b"%d" % next(counter), read(self, name, most)[1]

    monkeypatch.setattr(Folder, "read", changing)
    with pytest.raises(VaultChanged):
        files.read_stable("Note.md")


def test_the_stamp_changes_with_the_file(files: VaultFiles, root: Path) -> None:
    before = files.stamp("Note.md")
    assert before.size == 5
    status = (root / "Note.md").stat()
    (root / "Note.md").write_bytes(b"same!")
    os.utime(root / "Note.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert files.stamp("Note.md") != before


def test_a_write_keeps_mode_and_link_and_keeps_the_old_version(files: VaultFiles, root: Path, undo: Undo) -> None:
    (root / "Note.md").chmod(0o640)
    (root / "Link.md").symlink_to("Note.md")
    files.write_atomic("Link.md", b"new\n", base_sha256=BASE)
    assert (root / "Link.md").is_symlink()
    assert (root / "Note.md").read_bytes() == b"new\n"
    assert (root / "Note.md").stat().st_mode & 0o777 == 0o640
    assert undo.kept == [("Link.md", b"base\n")]
    assert sorted(path.name for path in root.iterdir()) == ["Link.md", "Note.md"]


@pytest.mark.parametrize(
    ("rel", "base"),
    [
        ("Note.md", None),
        ("Note.md", sha256_hex(b"other")),
        ("Missing.md", BASE),
        ("no/Missing.md", BASE),
        ("folder", BASE),
    ],
)
def test_a_stale_base_is_noticed(files: VaultFiles, root: Path, rel: str, base: str | None) -> None:
    (root / "folder").mkdir()
    with pytest.raises(VaultChanged):
        files.write_atomic(rel, b"x", base_sha256=base)
    assert (root / "Note.md").read_bytes() == b"base\n"
    assert sorted(path.name for path in root.iterdir()) == ["Note.md", "folder"]


def test_no_undo_no_write(root: Path) -> None:
    def full(rel: str, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    files = VaultFiles(root, full)
    with pytest.raises(OSError, match="No space"):
        files.write_atomic("Note.md", b"x", base_sha256=BASE)
    with pytest.raises(OSError, match="No space"):
        files.remove("Note.md", base_sha256=BASE)
    assert [path.name for path in root.iterdir()] == ["Note.md"]
    assert (root / "Note.md").read_bytes() == b"base\n"


@pytest.mark.parametrize("call", ["write", "fsync", "fchmod", "replace"])
def test_a_failing_disk_changes_nothing(root: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def fail(*arguments: object, **options: object) -> object:
        raise OSError(5, "Input/output error")

    files = VaultFiles(root)
    monkeypatch.setattr(os, call, fail)
    monkeypatch.setattr(folder_module, "exchange", lambda *names: False)
    with pytest.raises(OSError, match="Input/output"):
        files.write_atomic("Note.md", b"x", base_sha256=BASE)
    monkeypatch.undo()
    assert [path.name for path in root.iterdir()] == ["Note.md"]
    assert (root / "Note.md").read_bytes() == b"base\n"


def test_remove(files: VaultFiles, root: Path, undo: Undo) -> None:
    with pytest.raises(VaultChanged):
        files.remove("Note.md", base_sha256=sha256_hex(b"other"))
    files.remove("Note.md", base_sha256=BASE)
    assert list(root.iterdir()) == []
    assert undo.kept == [("Note.md", b"base\n")]
    with pytest.raises(VaultChanged):
        files.remove("Note.md", base_sha256=BASE)


def at(monkeypatch: pytest.MonkeyPatch, method: str, action: Callable[[], None], *, after: bool) -> None:
    """Do `action` once, just before or after the folder's `method`."""
    original = getattr(Folder, method)
    done: list[bool] = []

    def wrapped(self: Folder, *arguments: object, **options: object) -> object:
        if not after and not done:
            done.append(True)
            action()
        result = original(self, *arguments, **options)
        if after and not done:
            done.append(True)
            action()
        return result

    monkeypatch.setattr(Folder, method, wrapped)


def save_in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def save_by_rename(path: Path, data: bytes) -> None:
    temporary = path.with_name("editor~")
    temporary.write_bytes(data)
    temporary.replace(path)


@pytest.mark.parametrize("save", [save_in_place, save_by_rename])
@pytest.mark.parametrize("method", ["exchange", "rename_new"])
def test_a_save_between_check_and_rename_wins(
    files: VaultFiles,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    save: Callable[[Path, bytes], None],
    method: str,
) -> None:
    at(monkeypatch, method, lambda: save(root / "Note.md", b"typed by the person\n"), after=False)
    with pytest.raises(VaultChanged):
        if method == "exchange":
            files.write_atomic("Note.md", b"ours\n", base_sha256=BASE)
        else:
            files.remove("Note.md", base_sha256=BASE)
    assert (root / "Note.md").read_bytes() == b"typed by the person\n"
    assert [path.name for path in root.iterdir()] == ["Note.md"]


def test_two_saves_around_the_swap(files: VaultFiles, root: Path, undo: Undo, monkeypatch: pytest.MonkeyPatch) -> None:
    note = root / "Note.md"
    exchange = Folder.exchange
    calls: list[int] = []

    def racing(self: Folder, one: str, other: str) -> bool:
        calls.append(1)
        if len(calls) == 1:
            save_by_rename(note, b"first save\n")
        elif len(calls) == 2:
            save_by_rename(note, b"second save\n")
        return exchange(self, one, other)

    monkeypatch.setattr(Folder, "exchange", racing)
    with pytest.raises(VaultChanged):
        files.write_atomic("Note.md", b"ours\n", base_sha256=BASE)
    assert note.read_bytes() == b"second save\n"
    assert ("Note.md", b"first save\n") in undo.kept
    assert [path.name for path in root.iterdir()] == ["Note.md"]


def test_a_note_deleted_while_a_save_is_put_back(
    files: VaultFiles, root: Path, undo: Undo, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = root / "Note.md"
    exchange = Folder.exchange
    calls: list[int] = []

    def racing(self: Folder, one: str, other: str) -> bool:
        calls.append(1)
        if len(calls) == 1:
            save_by_rename(note, b"first save\n")
        else:
            note.unlink()
        return exchange(self, one, other)

    monkeypatch.setattr(Folder, "exchange", racing)
    with pytest.raises(VaultChanged):
        files.write_atomic("Note.md", b"ours\n", base_sha256=BASE)
    assert list(root.iterdir()) == []
    assert ("Note.md", b"first save\n") in undo.kept


def test_an_editor_that_has_the_note_open_for_writing_is_not_cut_off(
    files: VaultFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opened before our swap and writes after it: its bytes must end up in the note."""
    with (root / "Note.md").open("r+b", buffering=0) as editor:
        with pytest.raises(VaultChanged):
            files.write_atomic("Note.md", b"ours\n", base_sha256=BASE)
        editor.write(b"typed\n")
    assert (root / "Note.md").read_bytes() == b"typed\n"
    assert [path.name for path in root.iterdir()] == ["Note.md"]


def test_without_an_atomic_swap_the_content_is_checked_last(
    files: VaultFiles, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "exchange", lambda *names: False)
    files.write_atomic("Note.md", b"one\n", base_sha256=BASE)
    assert (root / "Note.md").read_bytes() == b"one\n"
    at(monkeypatch, "exchange", lambda: save_in_place(root / "Note.md", b"typed\n"), after=True)
    with pytest.raises(VaultChanged):
        files.write_atomic("Note.md", b"two\n", base_sha256=sha256_hex(b"one\n"))
    assert (root / "Note.md").read_bytes() == b"typed\n"
    assert [path.name for path in root.iterdir()] == ["Note.md"]


def save_appending(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.mark.parametrize("save", [save_in_place, save_by_rename, save_appending])
def test_against_an_editor_that_saves_all_the_time(
    files: VaultFiles, root: Path, undo: Undo, save: Callable[[Path, bytes], None]
) -> None:
    """No save is lost: it is in the note, or in the undo store, or the editor itself has overwritten it."""
    note = root / "Note.md"
    stop = threading.Event()
    last: list[bytes] = []

    def editor() -> None:
        for number in range(600):
            data = b"save %d\n" % number
            save(note, data)
            last[:] = [data]
        stop.set()

    thread = threading.Thread(target=editor)
    thread.start()
    ours = 0
    while not stop.is_set():
        try:
            current = files.read_stable("Note.md")
            files.write_atomic("Note.md", current + b"", base_sha256=sha256_hex(current))
            ours += 1
        except (VaultChanged, NotFound):
            pass
    thread.join()
    files.clean_up()  # what a storm of saves left aside goes to the undo store
    final = note.read_bytes()
    if save is save_appending:
        everything = final + b"".join(data for _, data in undo.kept)
        for number in range(600):
            assert b"save %d\n" % number in everything
    else:
        assert last[0] == final or ("Note.md", last[0]) in undo.kept
    assert [path.name for path in root.iterdir()] == ["Note.md"]


def test_a_save_into_our_version_while_it_is_taken_back(
    files: VaultFiles, root: Path, undo: Undo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One editor saves before our swap; another opens our version, and writes to it after it was taken out."""
    note = root / "Note.md"
    exchange = Folder.exchange
    settled = Folder.read_settled
    opened: list[BinaryIO] = []
    calls: list[int] = []

    def racing(self: Folder, one: str, other: str) -> bool:
        calls.append(1)
        if len(calls) == 1:
            save_by_rename(note, b"first save\n")
        if len(calls) == 2:
            opened.append(note.open("ab", buffering=0))
        return exchange(self, one, other)

    def late(self: Folder, name: str) -> bytes | None:
        found = settled(self, name)
        if opened and found is None:
            opened[0].write(b"appended\n")
            opened.pop().close()
        return found

    monkeypatch.setattr(Folder, "exchange", racing)
    monkeypatch.setattr(Folder, "read_settled", late)
    with pytest.raises(VaultChanged):
        files.write_atomic("Note.md", b"ours\n", base_sha256=BASE)
    assert note.read_bytes() == b"ours\nappended\n"
    assert ("Note.md", b"first save\n") in undo.kept
    assert [path.name for path in root.iterdir()] == ["Note.md"]


def test_leftovers_of_a_killed_process_are_kept_for_undo_and_removed(files: VaultFiles, root: Path, undo: Undo) -> None:
    (root / "a").mkdir()
    (root / ".obsidian").mkdir()
    stray = temporary_name("Größe.md")
    (root / "a" / stray).write_bytes(b"perhaps a save\n")
    theirs = [root / "a/.hidden", root / "a/x.zibtmp", root / ".obsidian/.x.zibtmp"]
    for path in theirs:
        path.write_bytes(b"theirs")
    assert files.clean_up() == [f"a/{stray}"]
    assert undo.kept == [("a/Größe.md", b"perhaps a save\n")]
    assert all(path.exists() for path in theirs)
    assert files.clean_up() == []


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=300))
def test_temporary_names_fit_and_lead_back(name: str) -> None:
    temporary = temporary_name(name)
    assert len(temporary.encode()) <= 255
    assert name.startswith(temporary_target(temporary))
    if len(name.encode()) < 230:
        assert temporary_target(temporary) == name


@given(st.lists(st.tuples(st.binary(max_size=50), st.booleans()), max_size=8))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_writes_are_all_or_nothing_and_every_version_is_kept(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bytes, bool]]
) -> None:
    root = tmp_path_factory.mktemp("vault")
    undo = Undo()
    files = VaultFiles(root, undo, durable=False)
    current: bytes | None = None
    displaced: list[bytes] = []
    for data, stale in steps:
        base = None if current is None else sha256_hex(current)
        if stale:
            base = sha256_hex(b"never written, longer than any of them, so never equal to one of them")
            with pytest.raises(VaultChanged):
                files.write_atomic("Note.md", data, base_sha256=base)
        else:
            files.write_atomic("Note.md", data, base_sha256=base)
            displaced += [current] if current is not None else []
            current = data
        names = [path.name for path in root.iterdir()]
        assert names == ([] if current is None else ["Note.md"])
        if current is not None:
            assert (root / "Note.md").read_bytes() == current
    assert [data for _, data in undo.kept] == displaced
