"""The queue of commits, new repositories, and what the log tells."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from support.repositories import git, head, make_repository, paths_of, status
from zibaldone.errors import GitUnavailable
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.history.commit import CommitEngine, Committed, Deferred, NothingToCommit
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.queue import CommitQueue
from zibaldone.vault.history.repository import first_commit_dates, init_repository, log_paths

WHEN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "vault")


@pytest.fixture
def engine(vault: Path, tmp_path: Path) -> CommitEngine:
    return CommitEngine(Git(vault), tmp_path / "state", lock_wait_s=0)


def queue_for(vault: Path, tmp_path: Path) -> CommitQueue:
    return CommitQueue(tmp_path / "queue", VaultFiles(vault))


def write(vault: Path, rel: str, data: bytes) -> dict[str, str | None]:
    (vault / rel).parent.mkdir(parents=True, exist_ok=True)
    (vault / rel).write_bytes(data)
    return {rel: sha256_hex(data)}


def test_waits_and_drains_in_order(vault: Path, engine: CommitEngine, tmp_path: Path) -> None:
    queue = queue_for(vault, tmp_path)
    (vault / ".git/index.lock").write_bytes(b"theirs")
    queue.enqueue(write(vault, "Zibaldone/pages/b.md", b"b\n"), "second", WHEN.replace(minute=31))
    queue.enqueue(write(vault, "Zibaldone/pages/a.md", b"a\n"), "first", WHEN)
    assert len(queue) == 2
    (waiting,) = queue.drain(engine)
    assert isinstance(waiting.outcome, Deferred)
    assert len(queue) == 2
    (vault / ".git/index.lock").unlink()
    again = queue_for(vault, tmp_path)
    assert [type(one.outcome) for one in again.drain(engine)] == [Committed, Committed]
    assert len(queue) == 0
    assert git(vault, "log", "-2", "--format=%s %aI").split("\n")[:2] == [
        "second 2026-03-02T09:31:00+00:00",
        "first 2026-03-02T09:30:00+00:00",
    ]
    assert status(vault) == ""


def test_the_same_commit_twice_is_one(vault: Path, engine: CommitEngine, tmp_path: Path) -> None:
    queue = queue_for(vault, tmp_path)
    paths = write(vault, "Zibaldone/pages/a.md", b"a\n")
    assert queue.enqueue(paths, "m", WHEN) == queue.enqueue(paths, "m", WHEN)
    assert len(queue) == 1
    queue.drain(engine)
    before = head(vault)
    queue.enqueue(paths, "m", WHEN)
    (again,) = queue.drain(engine)
    assert again.outcome == NothingToCommit()
    assert (head(vault), len(queue)) == (before, 0)


def test_files_that_changed_meanwhile(vault: Path, engine: CommitEngine, tmp_path: Path) -> None:
    queue = queue_for(vault, tmp_path)
    paths = {
        **write(vault, "Zibaldone/pages/own.md", b"one\n"),
        **write(vault, "Mine.md", b"one\n"),
        **write(vault, "Same.md", b"one\n"),
        **write(vault, "Gone.md", b"one\n"),
        "Home.md": None,
        "../outside.md": sha256_hex(b""),
    }
    queue.enqueue(paths, "m", WHEN)
    write(vault, "Zibaldone/pages/own.md", b"two\n")
    write(vault, "Mine.md", b"two\n")
    (vault / "Gone.md").unlink()
    (done,) = queue.drain(engine)
    assert isinstance(done.outcome, Committed)
    assert paths_of(vault, "HEAD") == ["Same.md", "Zibaldone/pages/own.md"]
    assert len(done.notes) == 5
    (vault / "Home.md").unlink()
    queue.enqueue({"Home.md": None}, "delete", WHEN)
    queue.drain(engine)
    assert paths_of(vault, "HEAD") == ["Home.md"]


def test_a_damaged_entry_is_set_aside(vault: Path, engine: CommitEngine, tmp_path: Path) -> None:
    queue = queue_for(vault, tmp_path)
    for number, content in enumerate((b"", b"{", b"[]", b'{"paths": 3}', b"\xff")):
        (tmp_path / f"queue/{number}.json").write_bytes(content)
    queue.enqueue(write(vault, "Zibaldone/pages/a.md", b"a\n"), "m", WHEN)
    outcomes = sorted(type(one.outcome).__name__ for one in queue.drain(engine))
    assert outcomes == ["Committed"] + ["NothingToCommit"] * 5
    assert len(list((tmp_path / "queue").glob("*.damaged"))) == 5
    assert len(queue) == 0


def test_an_entry_that_git_refuses_does_not_hold_up_the_others(
    vault: Path, engine: CommitEngine, tmp_path: Path
) -> None:
    queue = queue_for(vault, tmp_path)
    nested = make_repository(vault / "Nested")
    git(vault, "add", "Nested", check=False)
    queue.enqueue(write(vault, "Nested/x.md", b"x\n"), "first", WHEN)
    queue.enqueue(write(vault, "Zibaldone/pages/a.md", b"a\n"), "second", WHEN.replace(minute=31))
    before = head(nested)
    refused, done = queue.drain(engine)
    assert isinstance(refused.outcome, Deferred)
    assert isinstance(done.outcome, Committed)
    assert len(queue) == 1
    assert head(nested) == before


KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.history.commit import CommitEngine
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.queue import CommitQueue

root, place, step = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
queue = CommitQueue(place / "queue", VaultFiles(root))
queue.enqueue({"Zibaldone/pages/a.md": sha256_hex(b"a\\n")}, "m", datetime(2026, 3, 2, tzinfo=UTC))
run = Git.run
def dying(self, *arguments, **options):
    if arguments[0] == step:
        run(self, *arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)
    return run(self, *arguments, **options)
Git.run = dying
replace = Path.replace
def stored(self, target):
    replace(self, target)
    if (step == "objects" and self.name.startswith("tmp_obj_")) or (step == "index" and target.name == "index"):
        os.kill(os.getpid(), signal.SIGKILL)
Path.replace = stored
unlink = Path.unlink
def last(self, **options):
    if step == "branch" and self.name == "index.lock":
        os.kill(os.getpid(), signal.SIGKILL)
    if step == "unlink" and self.suffix == ".json" and self.parent.name == "queue":
        os.kill(os.getpid(), signal.SIGKILL)
    return unlink(self, **options)
Path.unlink = last
queue.drain(CommitEngine(Git(root), place / "state"))
"""


@pytest.mark.parametrize("step", ["ls-files", "objects", "update-index", "index", "branch", "unlink"])
def test_kill_9_and_resume(vault: Path, tmp_path: Path, step: str) -> None:
    write(vault, "Zibaldone/pages/a.md", b"a\n")
    done = subprocess.run([sys.executable, "-c", KILLED, str(vault), str(tmp_path), step], env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL
    queue = queue_for(vault, tmp_path)
    assert len(queue) == 1
    queue.drain(CommitEngine(Git(vault), tmp_path / "state"))
    assert len(queue) == 0
    assert git(vault, "rev-list", "--count", "HEAD").strip() == "2"
    assert paths_of(vault, "HEAD") == ["Zibaldone/pages/a.md"]
    assert status(vault) == ""
    assert not list((vault / ".git").glob("*zibaldone*"))
    assert not (vault / ".git/index.lock").exists()


def test_a_new_repository_has_one_branch_and_no_hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = tmp_path / "template/hooks"
    template.mkdir(parents=True)
    (template / "post-commit").write_text("#!/bin/sh\n")
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template.parent))
    vault = tmp_path / "vault"
    vault.mkdir()
    engine = CommitEngine(init_repository(vault), tmp_path / "state")
    assert not (vault / ".git/hooks").exists()
    assert isinstance(engine.commit({"Zibaldone/AGENTS.md": b"x"}, "init"), Committed)
    assert git(vault, "branch", "--show-current").strip() == "main"
    before = (vault / ".git/config").read_bytes()
    init_repository(vault)
    assert (vault / ".git/config").read_bytes() == before


def test_an_existing_work_tree_is_used(vault: Path, tmp_path: Path) -> None:
    inside = vault / "Notes"
    inside.mkdir()
    init_repository(inside)
    assert not (inside / ".git").exists()
    (vault / ".gitignore").write_bytes(b"Notes/\n")
    init_repository(inside)
    assert (inside / ".git").exists()
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    with pytest.raises(GitUnavailable):
        init_repository(tmp_path / "bare.git")


def commit_as(vault: Path, day: str, message: str, **files: bytes) -> None:
    for name, data in files.items():
        (vault / f"{name}.md").write_bytes(data)
    git(vault, "add", "-A")
    stamp = f"{day}T12:00:00+00:00"
    git(vault, "commit", "-qm", message, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp)


def test_first_commit_dates(tmp_path: Path) -> None:
    vault = make_repository(tmp_path / "vault", first=False)
    assert first_commit_dates(Git(vault)) == {}
    commit_as(vault, "2024-01-01", "a", A=b"1", Élan=b"1")
    commit_as(vault, "2024-02-02", "b\n\nbody", A=b"2", B=b"1")
    (vault / "A.md").unlink()
    commit_as(vault, "2024-03-03", "gone", B=b"2")
    commit_as(vault, "2024-04-04", "\x01\x02 odd", A=b"3")
    dates = first_commit_dates(Git(vault))
    assert dates == {"A.md": date(2024, 1, 1), "Élan.md": date(2024, 1, 1), "B.md": date(2024, 2, 2)}
    assert first_commit_dates(Git(vault), ["B.md", "No.md"]) == {"B.md": date(2024, 2, 2)}
    assert first_commit_dates(Git(vault), max_commits=1) == {"A.md": date(2024, 4, 4)}


def test_dates_of_a_vault_inside_a_repository_and_of_none(vault: Path, tmp_path: Path) -> None:
    inside = vault / "Notes"
    inside.mkdir()
    commit_as(inside, "2024-01-01", "x", A=b"1")
    commit_as(vault, "2024-02-02", "x", Outside=b"1")
    assert first_commit_dates(Git(inside)) == {"A.md": date(2024, 1, 1)}
    plain = tmp_path / "plain"
    plain.mkdir()
    assert first_commit_dates(Git(plain)) == {}
    assert log_paths(Git(plain)) == []


def test_the_edge_of_a_shallow_clone_dates_nothing(vault: Path, tmp_path: Path) -> None:
    commit_as(vault, "2024-01-01", "x", A=b"1")
    commit_as(vault, "2024-02-02", "x", B=b"1")
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{vault}", "shallow")
    assert first_commit_dates(Git(tmp_path / "shallow")) == {"B.md": date(2024, 2, 2)}


def test_log_paths(vault: Path, engine: CommitEngine) -> None:
    commit_as(vault, "2024-01-01", "by Ada", A=b"1", B=b"1")
    git(vault, "commit", "-q", "--allow-empty", "-m", "empty")
    engine.commit({"Zibaldone/pages/a.md": b"x"}, "by us\n\nbody")
    logged = log_paths(Git(vault))
    assert [(one.author, one.subject, one.paths) for one in logged] == [
        ("Zibaldone", "by us", ("Zibaldone/pages/a.md",)),
        ("Ada", "by Ada", ("A.md", "B.md")),
        ("Ada", "first", ("Home.md",)),
    ]
    persons = log_paths(Git(vault), not_by="zibaldone@localhost", since=datetime(2024, 1, 1, tzinfo=UTC))
    assert {one.author for one in persons} == {"Ada"}
    assert persons[0].at == datetime(2024, 1, 1, 12, tzinfo=UTC)
