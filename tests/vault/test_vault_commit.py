"""Commits beside a person and other tools: exactly our paths, nothing lost, nothing run, nothing by surprise."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.repositories import blob, git, head, make_repository, paths_of, snapshot, status
from zibaldone.errors import DeadlineExceeded, GitUnavailable, PathOutsideVault
from zibaldone.vault.history.commit import CommitEngine, Committed, Deferred, NothingToCommit
from zibaldone.vault.history.git import Git, GitFailed, GitResult
from zibaldone.vault.history.state import RepositoryState, repository_state

PAGE = "Zibaldone/pages/Kestrel.md"


def engine_for(vault: Path, state: Path, **options: float) -> CommitEngine:
    return CommitEngine(Git(vault), state, lock_wait_s=options.get("lock_wait_s", 0.0))


def write(vault: Path, rel: str, data: bytes) -> dict[str, bytes | None]:
    path = vault / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return {rel: data}


def git_error(vault: Path, *arguments: str) -> str:
    try:
        git(vault, *arguments)
    except AssertionError as error:
        return str(error)
    return ""


def commit_page(engine: CommitEngine, data: bytes = b"# Kestrel\n", rel: str = PAGE) -> str:
    outcome = engine.commit(write(engine.git.folder, rel, data), f"extend: {rel}")
    assert isinstance(outcome, Committed), outcome
    return outcome.sha


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "vault")


@pytest.fixture(params=["new", "warm"])
def engine(request: pytest.FixtureRequest, vault: Path, tmp_path: Path) -> CommitEngine:
    """Warm: it has seen the repository before, and asks git only for what can have changed since."""
    engine = engine_for(vault, tmp_path / "state")
    if request.param == "warm":
        assert engine.state() is RepositoryState.READY
    return engine


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The git commands that are started from here on, in order."""
    started: list[str] = []
    start = Git._start

    def count(self: Git, arguments: list[str], *rest: object) -> object:
        started.append(arguments[0])
        return start(self, arguments, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Git, "_start", count)
    return started


def test_the_commit_holds_our_path_and_our_name(vault: Path, engine: CommitEngine) -> None:
    before = head(vault)
    when = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    outcome = engine.commit(write(vault, PAGE, b"text\n"), "compact: Kestrel\n\nFrom 3 notes.", when)
    assert isinstance(outcome, Committed)
    assert head(vault) == outcome.sha
    assert git(vault, "rev-parse", "HEAD~").strip() == before
    assert paths_of(vault, "HEAD") == [PAGE]
    shown = git(vault, "log", "-1", "--format=%an|%ae|%cn|%ad|%s|%b", "--date=iso-strict").strip()
    assert shown == ("Zibaldone|zibaldone@localhost|Zibaldone|2026-03-02T09:30:00+00:00|compact: Kestrel|From 3 notes.")
    assert status(vault) == ""
    assert "commit: compact: Kestrel" in git(vault, "reflog", "show", "main")
    assert git(vault, "fsck", "--strict") == ""


def test_what_the_person_staged_stays_staged_and_out_of_our_commit(vault: Path, engine: CommitEngine) -> None:
    (vault / "Home.md").write_bytes(b"# Home, edited\n")
    (vault / "New.md").write_bytes(b"new\n")
    git(vault, "add", "Home.md", "New.md")
    (vault / "Home.md").write_bytes(b"# Home, edited again\n")
    before = status(vault)
    commit_page(engine)
    assert paths_of(vault, "HEAD") == [PAGE]
    assert status(vault) == before == "MM Home.md\nA  New.md\n"


def test_an_entry_that_the_person_staged_for_our_path_is_theirs(vault: Path, engine: CommitEngine) -> None:
    commit_page(engine, b"one\n")
    write(vault, PAGE, b"staged by the person\n")
    git(vault, "add", PAGE)
    commit_page(engine, b"two\n")
    assert git(vault, "show", f":{PAGE}") == "staged by the person\n"
    assert blob(vault, "HEAD", PAGE) == b"two\n"


def test_a_deletion_that_the_person_staged_for_our_path_is_theirs(vault: Path, engine: CommitEngine) -> None:
    commit_page(engine, b"one\n")
    git(vault, "rm", "-q", "--cached", PAGE)
    commit_page(engine, b"two\n")
    assert git(vault, "ls-files", PAGE) == ""


def test_changing_and_removing(vault: Path, engine: CommitEngine) -> None:
    commit_page(engine, b"one\n")
    commit_page(engine, b"two\n")
    assert status(vault) == ""
    (vault / PAGE).unlink()
    outcome = engine.commit({PAGE: None}, "delete: Kestrel")
    assert isinstance(outcome, Committed)
    assert paths_of(vault, "HEAD") == [PAGE]
    assert status(vault) == ""
    assert engine.commit({PAGE: None}, "again") == NothingToCommit()


def test_the_same_content_again_is_nothing(vault: Path, engine: CommitEngine) -> None:
    before = commit_page(engine)
    assert engine.commit(write(vault, PAGE, b"# Kestrel\n"), "again") == NothingToCommit()
    assert engine.commit({}, "nothing") == NothingToCommit()
    assert head(vault) == before


def test_nothing_of_ours_stays_in_git(vault: Path, engine: CommitEngine) -> None:
    before = {path.name for path in (vault / ".git").iterdir()}
    commit_page(engine)
    assert {path.name for path in (vault / ".git").iterdir()} - before <= {"index"}


def test_an_executable_note_keeps_its_mode(vault: Path, engine: CommitEngine) -> None:
    write(vault, "run.md", b"one\n")
    (vault / "run.md").chmod(0o755)
    commit_page(engine, b"two\n", "run.md")
    assert git(vault, "ls-tree", "HEAD", "run.md").startswith("100755")
    assert status(vault) == ""


@pytest.mark.parametrize(
    "rel", ["日記/🌱 café.md", "a b/'q\" $x.md", "tab\there.md", "star*?[x].md", ":(top)x.md", "line\nbreak/x\ny.md"]
)
def test_odd_names(vault: Path, engine: CommitEngine, rel: str) -> None:
    commit_page(engine, b"x\n", rel)
    assert paths_of(vault, "HEAD") == [rel]
    assert status(vault) == ""


def test_crlf_is_stored_as_it_is_under_autocrlf(vault: Path, engine: CommitEngine) -> None:
    git(vault, "config", "core.autocrlf", "true")
    git(vault, "config", "core.safecrlf", "true")
    commit_page(engine, b"one\r\ntwo\r\n")
    assert blob(vault, "HEAD", PAGE) == b"one\r\ntwo\r\n"
    assert (vault / PAGE).read_bytes() == b"one\r\ntwo\r\n"
    assert status(vault) == ""


def test_no_identity_and_gpgsign(vault: Path, engine: CommitEngine) -> None:
    git(vault, "config", "commit.gpgsign", "true")
    git(vault, "config", "user.useConfigOnly", "true")
    config = (vault / ".git/config").read_bytes()
    commit_page(engine)
    assert "gpgsig" not in git(vault, "cat-file", "commit", "HEAD")
    assert (vault / ".git/config").read_bytes() == config


def test_unborn(tmp_path: Path) -> None:
    vault = make_repository(tmp_path / "vault", first=False)
    (vault / "Mine.md").write_bytes(b"mine\n")
    git(vault, "add", "Mine.md")
    commit_page(engine_for(vault, tmp_path / "state"))
    assert git(vault, "rev-list", "--count", "HEAD").strip() == "1"
    assert paths_of(vault, "HEAD") == [PAGE]
    assert status(vault) == "A  Mine.md\n"


def test_sha256_repository(tmp_path: Path) -> None:
    vault = make_repository(tmp_path / "vault", "--object-format=sha256", first=False)
    engine = engine_for(vault, tmp_path / "state")
    assert len(commit_page(engine, b"one\n")) == 64
    commit_page(engine, b"two\n")
    (vault / PAGE).unlink()
    assert isinstance(engine.commit({PAGE: None}, "delete"), Committed)
    assert status(vault) == ""


def test_a_vault_inside_a_repository(tmp_path: Path) -> None:
    top = make_repository(tmp_path / "top")
    vault = top / "Nötes"
    vault.mkdir()
    (top / "Home.md").write_bytes(b"staged\n")
    git(top, "add", "-A")
    commit_page(engine_for(vault, tmp_path / "state"))
    assert paths_of(top, "HEAD") == [f"Nötes/{PAGE}"]
    assert status(top) == "M  Home.md\n"


def test_a_worktree(vault: Path, tmp_path: Path) -> None:
    git(vault, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    main = head(vault)
    commit_page(engine_for(tmp_path / "side", tmp_path / "state"))
    assert status(tmp_path / "side") == ""
    assert git(vault, "rev-parse", "main").strip() == main
    assert paths_of(vault, "side") == [PAGE]


def test_a_submodule(vault: Path, tmp_path: Path) -> None:
    top = make_repository(tmp_path / "top")
    git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(vault), "vault")
    commit_page(engine_for(top / "vault", tmp_path / "state"))
    assert status(top / "vault") == ""
    assert paths_of(top / "vault", "HEAD") == [PAGE]


def test_a_shallow_clone(vault: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{vault}", "shallow")
    commit_page(engine_for(tmp_path / "shallow", tmp_path / "state"))
    assert paths_of(tmp_path / "shallow", "HEAD") == [PAGE]


def test_a_split_index(vault: Path, engine: CommitEngine) -> None:
    git(vault, "update-index", "--split-index")
    commit_page(engine)
    assert status(vault) == ""
    assert git(vault, "fsck") == ""


def test_ignored_paths_are_left_out(vault: Path, engine: CommitEngine) -> None:
    (vault / ".gitignore").write_bytes(b"Secret/\n")
    before = head(vault)
    outcome = engine.commit(write(vault, "Secret/x.md", b"x"), "x")
    assert isinstance(outcome, NothingToCommit)
    assert "ignored" in outcome.left_out["Secret/x.md"]
    assert head(vault) == before


def test_an_encrypted_path_is_never_committed_in_clear(vault: Path, engine: CommitEngine) -> None:
    (vault / ".gitattributes").write_bytes(b"*.md filter=git-crypt diff=git-crypt\n")
    outcome = engine.commit(write(vault, PAGE, b"secret"), "x")
    assert isinstance(outcome, NothingToCommit)
    assert "git-crypt" in outcome.left_out[PAGE]


def test_a_path_outside_is_refused(vault: Path, engine: CommitEngine) -> None:
    before = snapshot(vault)
    for rel in ("../x.md", "/etc/passwd", ".git/config", ".git/hooks/post-commit"):
        with pytest.raises(PathOutsideVault):
            engine.commit({rel: b"x"}, "x")
    assert snapshot(vault) == before


def test_a_symlinked_note_is_committed_where_it_is(vault: Path, engine: CommitEngine) -> None:
    write(vault, "real/Note.md", b"one\n")
    (vault / "link").symlink_to("real")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "link")
    (vault / "real/Note.md").write_bytes(b"two\n")
    assert isinstance(engine.commit({"link/Note.md": b"two\n"}, "x"), Committed)
    assert paths_of(vault, "HEAD") == ["real/Note.md"]
    assert status(vault) == ""


# ---- states: nothing is changed by surprise


def diverge(vault: Path) -> None:
    git(vault, "switch", "-qc", "other")
    (vault / "Home.md").write_bytes(b"other\n")
    git(vault, "commit", "-qam", "other")
    git(vault, "switch", "-q", "main")
    (vault / "Home.md").write_bytes(b"main\n")
    git(vault, "commit", "-qam", "main")


def merging(vault: Path) -> None:
    diverge(vault)
    git(vault, "merge", "other", check=False)


def rebasing(vault: Path) -> None:
    diverge(vault)
    git(vault, "rebase", "other", check=False)


def applying(vault: Path) -> None:
    diverge(vault)
    patch = git(vault, "format-patch", "--stdout", "-1", "other")
    (vault / ".git/x.patch").write_text(patch, encoding="utf-8")
    git(vault, "am", ".git/x.patch", check=False)


def picking(vault: Path) -> None:
    diverge(vault)
    git(vault, "cherry-pick", "other", check=False)


def reverting(vault: Path) -> None:
    diverge(vault)
    (vault / "Home.md").write_bytes(b"newer\n")
    git(vault, "commit", "-qam", "newer")
    git(vault, "revert", "--no-edit", "HEAD~", check=False)


def bisecting(vault: Path) -> None:
    diverge(vault)
    git(vault, "bisect", "start")


def detached(vault: Path) -> None:
    git(vault, "switch", "-q", "--detach")


def index_locked(vault: Path) -> None:
    (vault / ".git/index.lock").write_bytes(b"")


def head_locked(vault: Path) -> None:
    (vault / ".git/HEAD.lock").write_bytes(b"")


def ref_locked(vault: Path) -> None:
    (vault / ".git/refs/heads/main.lock").write_bytes(b"")


STATES: dict[RepositoryState, list[Callable[[Path], None]]] = {
    RepositoryState.MERGING: [merging],
    RepositoryState.REBASING: [rebasing],
    RepositoryState.APPLYING: [applying],
    RepositoryState.CHERRY_PICKING: [picking],
    RepositoryState.REVERTING: [reverting],
    RepositoryState.BISECTING: [bisecting],
    RepositoryState.DETACHED: [detached],
    RepositoryState.LOCKED: [index_locked, head_locked, ref_locked],
}


@pytest.mark.parametrize(("state", "enter"), [(state, enter) for state, some in STATES.items() for enter in some])
def test_a_busy_repository_is_left_alone(
    vault: Path, engine: CommitEngine, state: RepositoryState, enter: Callable[[Path], None]
) -> None:
    enter(vault)
    changes = write(vault, PAGE, b"x\n")
    assert repository_state(engine.git) is engine.state() is state
    before = snapshot(vault)
    outcome = engine.commit(changes, "x")
    assert isinstance(outcome, Deferred)
    assert outcome.state is state
    assert outcome.reason == state.sentence
    assert snapshot(vault) == before


def test_no_repository_and_bare(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    for folder, state in ((plain, RepositoryState.NONE), (tmp_path / "bare.git", RepositoryState.BARE)):
        before = snapshot(folder)
        outcome = engine_for(folder, tmp_path / "state").commit({PAGE: b"x"}, "x")
        assert isinstance(outcome, Deferred)
        assert outcome.state is state
        assert snapshot(folder) == before


def test_a_warm_engine_notices_a_repository_that_goes_and_another_that_comes(vault: Path, tmp_path: Path) -> None:
    engine = engine_for(vault, tmp_path / "state")
    commit_page(engine, b"one\n")
    (vault / ".git").rename(tmp_path / "gone")
    assert engine.state() is RepositoryState.NONE
    make_repository(vault, "--object-format=sha256")
    assert len(commit_page(engine, b"two\n")) == 64
    git(vault, "config", "core.bare", "true")
    assert engine.state() is RepositoryState.BARE
    (vault / ".git").rename(tmp_path / "gone too")
    (vault / ".git").write_text(f"gitdir: {tmp_path / 'gone'}\n")
    assert engine.state() is RepositoryState.READY
    assert len(commit_page(engine, b"three\n")) == 40


def test_a_warm_engine_commits_to_the_branch_that_is_checked_out_now(vault: Path, engine: CommitEngine) -> None:
    main = head(vault)
    git(vault, "switch", "-qc", "side")
    git(vault, "commit", "-qm", "theirs", "--allow-empty")
    git(vault, "pack-refs", "--all")
    theirs = head(vault)
    commit_page(engine)
    assert git(vault, "rev-parse", "side~", "main").split() == [theirs, main]


def test_states_that_can_commit(vault: Path, engine: CommitEngine, tmp_path: Path) -> None:
    assert repository_state(engine.git) is RepositoryState.READY
    unborn = make_repository(tmp_path / "unborn", first=False)
    assert repository_state(Git(unborn)) is RepositoryState.UNBORN


def test_a_foreign_lock_defers_then_the_commit_goes_through(vault: Path, engine: CommitEngine) -> None:
    lock = vault / ".git/index.lock"
    lock.write_bytes(b"theirs")
    changes = write(vault, PAGE, b"x\n")
    assert isinstance(engine.commit(changes, "x"), Deferred)
    assert lock.read_bytes() == b"theirs"
    lock.unlink()
    assert isinstance(engine.commit(changes, "x"), Committed)
    assert status(vault) == ""


def test_a_damaged_repository_is_an_error_and_stays_as_it_is(vault: Path, engine: CommitEngine) -> None:
    (vault / ".git/refs/heads/main").write_bytes(b"\0" * 41)
    before = snapshot(vault)
    with pytest.raises(GitUnavailable):
        engine.commit(write(vault, PAGE, b"x"), "x")
    after = snapshot(vault)
    assert after.pop(PAGE) == b"x"
    assert after == before


# ---- what it costs


def test_a_commit_takes_three_processes(vault: Path, tmp_path: Path, commands: list[str]) -> None:
    engine = engine_for(vault, tmp_path / "state")
    commit_page(engine, b"one\n")
    assert commands[:3] == ["config", "rev-parse", "config"]
    commands.clear()
    commit_page(engine, b"two\n")
    assert commands == ["ls-files", "update-index", "update-ref"]
    (vault / "Home.md").write_bytes(b"theirs\n")
    git(vault, "commit", "-qam", "theirs")
    commands.clear()
    commit_page(engine, b"three\n")
    assert commands == ["ls-files", "update-index", "update-ref"]


def test_a_path_that_git_does_not_know_takes_one_more(vault: Path, tmp_path: Path, commands: list[str]) -> None:
    engine = engine_for(vault, tmp_path / "state")
    commit_page(engine)
    commands.clear()
    commit_page(engine, rel="Zibaldone/log/2026-03-02.md")
    assert commands == ["ls-files", "check-ignore", "update-index", "update-ref"]


def test_nothing_to_commit_and_a_foreign_lock_take_less(vault: Path, tmp_path: Path, commands: list[str]) -> None:
    engine = engine_for(vault, tmp_path / "state", lock_wait_s=0.05)
    commit_page(engine)
    commands.clear()
    assert engine.commit({PAGE: b"# Kestrel\n"}, "again") == NothingToCommit()
    assert commands == ["ls-files"]
    commands.clear()
    index_locked(vault)
    assert isinstance(engine.commit({PAGE: b"two\n"}, "x"), Deferred)
    assert commands == []


def test_the_number_of_notes_adds_no_process(vault: Path, tmp_path: Path, commands: list[str]) -> None:
    for number in range(300):
        write(vault, f"{number % 20}/{number}.md", b"x\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "many")
    engine = engine_for(vault, tmp_path / "state")
    commit_page(engine)
    commands.clear()
    changes = {f"{number % 20}/{number}.md": f"{number}\n".encode() for number in range(50)}
    assert isinstance(engine.commit(changes, "50"), Committed)
    assert commands == ["ls-files", "update-index", "update-ref"]
    assert sorted(paths_of(vault, "HEAD")) == sorted(changes)


# ---- killed between two steps


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours runs after it."""


def kill_at(monkeypatch: pytest.MonkeyPatch, step: str, *, after: bool) -> None:
    """As if the process died at this step or git command: no cleaning up happens."""
    from zibaldone.vault.history import commit, index

    def doomed(real: Callable[..., object]) -> Callable[..., None]:
        def die(*arguments: object, **options: object) -> None:
            if after:
                real(*arguments, **options)
            for held in ("release", "put_back"):
                monkeypatch.setattr(index.HeldIndex, held, lambda self: None)
            raise Killed

        return die

    run, prepare = Git.run, Git.prepare_refs

    def dying_run(self: Git, *arguments: str, **options: object) -> object:
        return (doomed(run) if arguments[0] == step else run)(self, *arguments, **options)  # type: ignore[arg-type]

    @contextlib.contextmanager
    def dying_refs(self: Git, *arguments: str) -> Iterator[Callable[[], None]]:
        with prepare(self, *arguments) as move:  # type: ignore[call-arg,arg-type]
            yield doomed(move)

    if step == "objects":
        monkeypatch.setattr(commit, "write_objects", doomed(commit.write_objects))
    elif step == "note":
        monkeypatch.setattr(index.HeldIndex, "prepare", doomed(index.HeldIndex.prepare))
    elif step == "index":
        monkeypatch.setattr(index.HeldIndex, "apply", doomed(index.HeldIndex.apply))
    elif step == "branch":
        monkeypatch.setattr(Git, "prepare_refs", dying_refs)
    else:
        monkeypatch.setattr(Git, "run", dying_run)


@pytest.mark.parametrize("step", ["ls-files", "check-ignore", "objects", "update-index", "note", "index", "branch"])
@pytest.mark.parametrize("after", [False, True])
def test_after_a_kill_the_next_start_heals(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    (vault / "Mine.md").write_bytes(b"mine\n")
    git(vault, "add", "Mine.md")
    changes = write(vault, PAGE, b"x\n")
    with monkeypatch.context() as patch:
        kill_at(patch, step, after=after)
        with pytest.raises(Killed):
            engine_for(vault, tmp_path / "state").commit(changes, "x")
    again = engine_for(vault, tmp_path / "state")
    assert again.changed_index_pending() == 0
    again.commit(changes, "x")
    assert not (vault / ".git/index.lock").exists()
    assert not list((vault / ".git").glob("zibaldone-*"))
    assert git(vault, "rev-list", "--count", "HEAD").strip() == "2"
    assert status(vault) == "A  Mine.md\n"


@pytest.mark.parametrize("step", ["update-index", "index"])
def test_a_file_system_without_hard_links(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def link(*_: object) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", link)
    engine = engine_for(vault, tmp_path / "state")
    commit_page(engine, b"one\n")
    assert status(vault) == ""
    with monkeypatch.context() as patch:
        kill_at(patch, step, after=True)
        with pytest.raises(Killed):
            engine.commit(write(vault, PAGE, b"two\n"), "x")
    assert (vault / ".git/index.lock").exists()
    assert engine_for(vault, tmp_path / "state").changed_index_pending() == 0
    assert status(vault) == f" M {PAGE}\n"
    assert not list((vault / ".git").glob("*.lock"))


@pytest.mark.parametrize(("step", "left"), [("index", "?? Zibaldone/\n"), ("branch", "")])
def test_after_a_kill_the_index_is_that_of_the_branch_when_a_lock_is_released(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, left: str
) -> None:
    changes = write(vault, PAGE, b"x\n")
    with monkeypatch.context() as patch:
        kill_at(patch, step, after=True)
        with pytest.raises(Killed):
            engine_for(vault, tmp_path / "state").commit(changes, "x")
    engine = engine_for(vault, tmp_path / "state")
    (vault / ".git/index.lock").unlink()
    (vault / ".git/index.lock").write_bytes(b"theirs")
    assert engine.changed_index_pending() == 1
    assert (vault / ".git/index.lock").read_bytes() == b"theirs"
    (vault / ".git/index.lock").unlink()
    assert engine.changed_index_pending() == 0
    assert status(vault) == left


# ---- others at work at the same time


def test_beside_an_add_and_commit_loop(vault: Path, tmp_path: Path) -> None:
    """50 rounds: only our paths in our commits, none of theirs reverted, nothing lost."""
    engine = engine_for(vault, tmp_path / "state", lock_wait_s=5)
    stop = threading.Event()
    theirs: list[str] = []

    def other_tool() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            name = f"their-{number}.md"
            (vault / name).write_bytes(b"theirs\n")
            git(vault, "add", name, check=False)
            try:
                git(vault, "commit", "-qm", "theirs")
            except AssertionError as error:
                lost = "but expected" in str(error)
                # `git commit` reads the index before it takes the lock. Where it lost the race for the branch, it may
                # have put the index back that it had read; committing that would revert whoever won.
                while lost and "Unable to create" in git_error(vault, "reset", "-q"):
                    pass
            theirs.append(name)

    thread = threading.Thread(target=other_tool)
    thread.start()
    try:
        for number in range(50):
            rel = f"Zibaldone/pages/{number}.md"
            outcome = engine.commit(write(vault, rel, b"ours\n"), f"ours {number}")
            assert isinstance(outcome, Committed), outcome
            assert paths_of(vault, outcome.sha) == [rel]
    finally:
        stop.set()
        thread.join()
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "rest", check=False)
    names = git(vault, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert {*theirs, *(f"Zibaldone/pages/{number}.md" for number in range(50)), "Home.md"} == set(names)
    assert git(vault, "log", "--diff-filter=D", "--format=%H") == ""
    assert status(vault) == ""
    assert not (vault / ".git/index.lock").exists()


def test_whoever_sees_the_branch_moved_sees_the_index_follow(
    vault: Path, engine: CommitEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else `git commit`, which reads the branch and then the index, could revert us."""
    commit_page(engine, b"one\n")
    prepare = Git.prepare_refs
    seen = ""

    @contextlib.contextmanager
    def watched(self: Git, *arguments: str) -> Iterator[Callable[[], None]]:
        with prepare(self, *arguments) as move:  # type: ignore[call-arg,arg-type]

            def moving() -> None:
                nonlocal seen
                seen = status(vault)
                assert "main.lock': File exists" in git_error(vault, "update-ref", "refs/heads/main", "HEAD~")
                move()

            yield moving

    monkeypatch.setattr(Git, "prepare_refs", watched)
    commit_page(engine, b"two\n")
    assert seen == f"M  {PAGE}\n"
    assert status(vault) == ""


def test_a_branch_that_cannot_be_moved_leaves_the_index_as_it_was(
    vault: Path, engine: CommitEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit_page(engine, b"one\n")
    before = head(vault), git(vault, "ls-files", "--stage")
    prepare = Git.prepare_refs

    @contextlib.contextmanager
    def failing(self: Git, *arguments: str) -> Iterator[Callable[[], None]]:
        def fail() -> None:
            raise GitFailed(("update-ref",), GitResult(128, b"", "fatal: no space left on device"))

        with prepare(self, *arguments):  # type: ignore[call-arg,arg-type]
            yield fail

    monkeypatch.setattr(Git, "prepare_refs", failing)
    with pytest.raises(GitUnavailable, match="no space left"):
        engine.commit(write(vault, PAGE, b"two\n"), "x")
    assert (head(vault), git(vault, "ls-files", "--stage")) == before
    assert status(vault) == f" M {PAGE}\n"


def test_an_edit_in_the_second_of_its_staging_stays_visible(vault: Path, engine: CommitEngine) -> None:
    """git compares such files by content, going by the time of the index: our copy of it must not look newer."""
    then = time.time() - 10
    (vault / "Home.md").write_bytes(b"# home\n")
    os.utime(vault / "Home.md", (then, then))
    git(vault, "add", "Home.md")
    (vault / "Home.md").write_bytes(b"# HOME\n")
    for path in (vault / "Home.md", vault / ".git/index"):
        os.utime(path, (then, then))
    commit_page(engine)
    assert status(vault) == "MM Home.md\n"


def test_a_head_that_moves_meanwhile_is_built_upon(
    vault: Path, engine: CommitEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Git.run
    rounds = iter(range(3))

    def racing(self: Git, *arguments: str, **options: object) -> object:
        if arguments[0] == "update-index":
            with contextlib.suppress(StopIteration):
                name = f"theirs-{next(rounds)}.md"
                (vault / name).write_bytes(b"theirs\n")
                tree_before = head(vault)
                blob_id = git(vault, "hash-object", "-w", name).strip()
                index = {"GIT_INDEX_FILE": str(vault.parent / "their-index")}
                git(vault, "read-tree", tree_before, **index)
                git(vault, "update-index", "--add", "--cacheinfo", f"100644,{blob_id},{name}", **index)
                tree = git(vault, "write-tree", **index).strip()
                commit = git(vault, "commit-tree", "-p", tree_before, "-m", "theirs", tree).strip()
                git(vault, "update-ref", "HEAD", commit)
        return run(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Git, "run", racing)
    sha = commit_page(engine)
    assert paths_of(vault, sha) == [PAGE]
    names = git(vault, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert names == ["Home.md", PAGE, "theirs-0.md", "theirs-1.md", "theirs-2.md"]


# ---- a malicious repository


def test_nothing_of_the_repository_runs(vault: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    evil = tmp_path / "evil.sh"
    evil.write_text(f'#!/bin/sh\necho "$0 $*" >> {canary}\nexit 1\n')
    evil.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for folder in (hooks, vault / ".git/hooks"):
        for name in (
            "pre-commit prepare-commit-msg commit-msg post-commit reference-transaction post-index-change"
            " pre-auto-gc post-rewrite post-checkout fsmonitor-watchman query-watchman"
        ).split():
            (folder / name).write_text(evil.read_text())
            (folder / name).chmod(0o755)
    extra = tmp_path / "extra.config"
    extra.write_text(
        f'[core]\n\tfsmonitor = {evil}\n\thooksPath = {hooks}\n[filter "incl"]\n\tclean = {evil}\n\trequired\n'
    )
    program = str(evil)
    settings = {
        "core.fsmonitor": program,
        "core.hooksPath": str(hooks),
        "core.pager": program,
        "core.editor": program,
        "core.askPass": program,
        "core.sshCommand": program,
        "core.gitProxy": program,
        "core.alternateRefsCommand": program,
        "pager.log": program,
        "filter.evil.clean": program,
        "filter.evil.smudge": program,
        "filter.evil.process": program,
        "filter.evil.required": "true",
        "diff.evil.textconv": program,
        "diff.evil.command": program,
        "diff.external": program,
        "merge.evil.driver": program,
        "gpg.program": program,
        "gpg.ssh.program": program,
        "commit.gpgSign": "true",
        "log.showSignature": "true",
        "credential.helper": program,
        "alias.log": f"!{evil}",
        "alias.commit-tree": f"!{evil}",
        "hook.evil.command": program,
        "hook.evil.event": "reference-transaction",
        "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{evil}",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "remote.origin.uploadpack": program,
        "trace2.eventTarget": str(canary),
        "include.path": str(extra),
    }
    for key, value in settings.items():
        git(vault, "config", key, value)
    (vault / ".gitattributes").write_bytes(b"* filter=evil diff=evil merge=evil\n*.txt filter=incl\n")
    (vault / ".git/info/attributes").write_bytes(b"* filter=evil diff=evil merge=evil\n")
    # A racily clean entry makes git compare the file, through its filter, whenever it writes the index.
    (vault / "Home.md").write_bytes(b"# home\n")
    index = (vault / ".git/index").stat()
    os.utime(vault / "Home.md", ns=(index.st_atime_ns, index.st_mtime_ns))
    canary.unlink(missing_ok=True)

    from zibaldone.vault.history.repository import first_commit_dates, init_repository, log_paths

    runner = init_repository(vault)
    repository_state(runner)
    engine = CommitEngine(runner, tmp_path / "state")
    commit_page(engine, b"one\n")
    commit_page(engine, b"two\n")
    (vault / PAGE).unlink()
    assert isinstance(engine.commit({PAGE: None}, "gone"), Committed)
    engine.changed_index_pending()
    first_commit_dates(runner)
    log_paths(runner)
    assert not canary.exists(), canary.read_text()
    git(vault, "status", check=False)
    assert canary.exists(), "the trap itself does not work"


def test_the_environment_of_the_parent_is_not_used(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other")
    before = snapshot(other)
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_AUTHOR_NAME": "Mallory",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
    }.items():
        monkeypatch.setenv(name, value)
    commit_page(engine_for(vault, tmp_path / "state"))
    assert snapshot(other) == before
    assert git(vault, "log", "-1", "--format=%an").strip() == "Zibaldone"


def test_new_configuration_is_noticed(vault: Path, tmp_path: Path) -> None:
    git_here = Git(vault)
    engine = CommitEngine(git_here, tmp_path / "state")
    commit_page(engine, b"one\n")
    extra = tmp_path / "extra.config"
    extra.write_text('[filter "later"]\n\tclean = false\n')
    for setting in (("filter.evil.clean", "false"), ("include.path", str(extra))):
        git(vault, "config", *setting)
        commit_page(engine, setting[0].encode())
        assert setting[0] in git_here.keys
    assert "filter.later.clean" in git_here.keys
    extra.write_text('[filter "latest"]\n\tclean = false\n')
    commit_page(engine, b"two\n")
    assert "filter.latest.clean" in git_here.keys


def test_a_git_that_hangs_is_ended(tmp_path: Path) -> None:
    slow = tmp_path / "slow-git"
    slow.write_text('#!/bin/sh\nif [ "$1" = version ]; then echo git version 2.39.5; else exec sleep 60; fi\n')
    slow.chmod(0o755)
    git_here = Git(tmp_path, executable=str(slow), timeout_s=0.2)
    with pytest.raises(DeadlineExceeded, match=r"config took longer than 0\.2 s"):
        git_here.run("status")
    git_here._drivers = ()
    with pytest.raises(DeadlineExceeded, match="update-ref"), git_here.prepare_refs("", "x", {}):
        pass


def test_a_missing_or_odd_git_is_said(tmp_path: Path) -> None:
    with pytest.raises(GitUnavailable):
        Git(tmp_path, executable=str(tmp_path / "no-git"))
    old = tmp_path / "old-git"
    old.write_text("#!/bin/sh\necho git version 2.30.2\n")
    old.chmod(0o755)
    with pytest.raises(GitUnavailable, match="too old"):
        Git(tmp_path, executable=str(old))
