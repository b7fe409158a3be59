"""Pull and push between two vaults and a bare repository: whole or not at all, nothing of the person's touched."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from support.repositories import git, head, make_repository, snapshot, status
from support.vaults import Vault
from zibaldone.config.places import VaultPlaces, vault_places
from zibaldone.config.settings import Settings
from zibaldone.errors import GitUnavailable, InvalidRequest, NetworkFailed, PullRefused, VaultBusy
from zibaldone.runtime import local
from zibaldone.runtime.exchange import Exchange
from zibaldone.runtime.writer import VaultWriter, open_writer
from zibaldone.schemas.ask import Notice
from zibaldone.store.database import open_or_replace
from zibaldone.store.state_db import StateStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.commit import CommitEngine
from zibaldone.vault.history.network import check_address, redact
from zibaldone.vault.undo import UndoStore

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
LOG = "Zibaldone/log/2026-03-04.md"


@dataclass
class Side:
    """One machine: a work tree, its writer and its exchange."""

    root: Path
    writer: VaultWriter
    exchange: Exchange

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def commit(self, path: str, text: str) -> None:
        """As the person."""
        self.write(path, text)
        git(self.root, "add", path)
        git(self.root, "commit", "-qm", path)

    def record(self, path: str, text: str) -> None:
        """As Zibaldone."""
        self.writer.change(
            "log", f"log: {text.split()[0]}", NOW, lambda read: {path: (read(path) or b"") + text.encode()}
        )


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return place


@pytest.fixture
def side(tmp_path: Path) -> Callable[..., Side]:
    def open_side(root: Path, **wanted: object) -> Side:
        places = VaultPlaces(tmp_path / "data" / root.name)
        places.root.mkdir(parents=True, exist_ok=True)
        undo = UndoStore(places.undo)
        state = open_or_replace(StateStore, places.state_db)
        files = VaultFiles(root, undo.keep, durable=False)
        writer = open_writer(root, files, undo, state.changes, places, "Zibaldone", lambda sha256: None)
        return Side(root, writer, Exchange(writer, Settings.model_validate(wanted), places.remotes))

    return open_side


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    place = tmp_path / "there.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(place))
    return place


@pytest.fixture
def here(tmp_path: Path, bare: Path, side: Callable[..., Side]) -> Side:
    made = make_repository(tmp_path / "here")
    (made / LOG).parent.mkdir(parents=True)
    (made / LOG).write_text("---\ntype: log\n---\n\n## 09:00 first\n", encoding="utf-8")
    git(made, "add", "-A")
    git(made, "commit", "-qm", "log")
    git(made, "remote", "add", "origin", str(bare))
    git(made, "push", "-q", "-u", "origin", "main")
    return side(made)


@pytest.fixture
def there(tmp_path: Path, here: Side, bare: Path, side: Callable[..., Side]) -> Side:
    git(tmp_path, "clone", "-q", str(bare), str(tmp_path / "there"))
    return side(tmp_path / "there")


def test_what_one_pushes_the_other_pulls(here: Side, there: Side, bare: Path) -> None:
    here.record("Zibaldone/pages/Kestrel.md", "Kestrel is green.\n")
    pushed = here.exchange.push(NOW)
    assert (pushed.sent, pushed.commit, pushed.pulled) == (1, head(here.root), None)
    assert head(bare) == head(here.root) == git(here.root, "rev-parse", "origin/main").strip()
    pulled = there.exchange.pull(NOW)
    assert (pulled.received, pulled.replayed, pulled.paths) == (1, 0, ["Zibaldone/pages/Kestrel.md"])
    assert head(there.root) == head(here.root)
    assert there.read("Zibaldone/pages/Kestrel.md") == "Kestrel is green.\n"
    assert status(there.root) == ""
    assert there.exchange.pull(NOW).received == here.exchange.push(NOW).sent == 0


def test_everything_that_a_commit_can_do_to_files_is_done(here: Side, there: Side) -> None:
    here.commit(".obsidian/app.json", "{}\n")
    here.commit("Küche/Suppe.md", "Suppe\n")
    (here.root / "image.png").write_bytes(bytes(range(256)) * 300)
    git(here.root, "add", "-A")
    git(here.root, "mv", "Home.md", "House.md")
    git(here.root, "commit", "-qm", "more")
    here.exchange.push(NOW)
    assert there.exchange.pull(NOW).received == 3
    assert status(there.root) == ""
    assert (there.root / "image.png").read_bytes() == (here.root / "image.png").read_bytes()
    assert not (there.root / "Home.md").exists()
    assert there.read(".obsidian/app.json") == "{}\n"


def test_our_commits_go_on_top_of_theirs_in_order_and_keep_who_wrote_them(here: Side, there: Side) -> None:
    here.commit("Theirs.md", "theirs\n")
    here.exchange.push(NOW)
    there.record("Zibaldone/pages/A.md", "a\n")
    there.commit("Mine.md", "mine\n")
    pushed = there.exchange.push(NOW)
    assert pushed.pulled is not None
    assert (pushed.pulled.received, pushed.pulled.replayed, pushed.sent) == (1, 2, 2)
    assert git(there.root, "log", "-3", "--format=%an %s").splitlines() == [
        "Ada Mine.md",
        "Zibaldone log: a",
        "Ada Theirs.md",
    ]
    assert status(there.root) == ""
    git(there.root, "fsck", "--strict")
    here.exchange.pull(NOW)
    assert head(here.root) == head(there.root)


def test_two_logs_of_one_day_have_both_entries_whole(here: Side, there: Side) -> None:
    here.record(LOG, "\n## 10:00 here\n\nSources\n\n- one\n\n")
    there.record(LOG, "\n## 11:00 there\n\nSources\n\n- two\n\n")
    here.exchange.push(NOW)
    there.exchange.push(NOW)
    assert there.read(LOG) == (
        "---\ntype: log\n---\n\n## 09:00 first\n\n## 10:00 here\n\nSources\n\n- one\n\n"
        "\n## 11:00 there\n\nSources\n\n- two\n\n"
    )


def test_of_what_both_have_done_nothing_is_left_to_replay(here: Side, there: Side) -> None:
    for one in (here, there):
        one.commit("Same.md", "same\n")
        one.record("Zibaldone/pages/A.md", f"{one.root.name}\n") if one is here else None
    here.exchange.push(NOW)
    there.exchange.pull(NOW)
    assert head(there.root) == head(here.root)


def test_a_note_renamed_here_and_edited_there_keeps_both(here: Side, there: Side) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    here.commit("Long.md", text)
    here.exchange.push(NOW)
    there.exchange.pull(NOW)
    here.commit("Long.md", text.replace("line 3\n", "line three\n"))
    here.exchange.push(NOW)
    git(there.root, "mv", "Long.md", "Longer.md")
    git(there.root, "commit", "-qm", "renamed")
    there.exchange.pull(NOW)
    assert "line three" in there.read("Longer.md")
    assert not (there.root / "Long.md").exists()


def test_a_conflict_changes_nothing_and_names_the_notes(here: Side, there: Side) -> None:
    here.commit("Home.md", "# Theirs\n")
    here.commit("Other.md", "other\n")
    here.exchange.push(NOW)
    there.commit("Home.md", "# Mine\n")
    there.write("Draft.md", "not committed\n")
    before = snapshot(there.root)
    for act in (there.exchange.pull, there.exchange.push):
        with pytest.raises(PullRefused, match=r"the same lines of Home\.md; nothing was changed"):
            act(NOW)
    after = snapshot(there.root)
    tracking = {path for path in after if "remotes" in path}
    assert {path: data for path, data in after.items() if path not in tracking} == {
        path: data for path, data in before.items() if path not in tracking
    }
    assert there.read("Home.md") == "# Mine\n"


@pytest.mark.parametrize("how", ["edited", "staged", "staged and put back", "untracked", "deleted"])
def test_what_is_not_committed_is_never_touched(here: Side, there: Side, how: str) -> None:
    path = "New.md" if how == "untracked" else "Home.md"
    here.commit(path, "# Theirs\n")
    here.commit("Other.md", "other\n")
    here.exchange.push(NOW)
    there.write(path, "# Mine\n")
    if how.startswith("staged"):
        git(there.root, "add", path)
    if how == "staged and put back":
        there.write(path, "# Home\n")
    if how == "deleted":
        (there.root / path).unlink()
    was, index, files = head(there.root), git(there.root, "ls-files", "-s"), sorted(there.root.glob("*.md"))
    with pytest.raises(PullRefused, match=f"not committed in {path}"):
        there.exchange.pull(NOW)
    assert (head(there.root), git(there.root, "ls-files", "-s"), sorted(there.root.glob("*.md"))) == (was, index, files)


def test_uncommitted_work_elsewhere_stays_as_it_is(here: Side, there: Side) -> None:
    here.commit("New.md", "new\n")
    here.exchange.push(NOW)
    there.write("Home.md", "# Mine\n")
    there.write("Staged.md", "staged\n")
    git(there.root, "add", "Staged.md")
    there.write("New.md", "new\n")  # what comes is there already
    there.exchange.pull(NOW)
    assert status(there.root).splitlines() == [" M Home.md", "A  Staged.md"]
    assert head(there.root) == head(here.root)


@pytest.mark.parametrize("kind", ["link", "executable", "filter", "merge", "unrelated"])
def test_what_cannot_be_written_as_it_is_is_left_to_git(here: Side, there: Side, kind: str) -> None:
    if kind == "link":
        (here.root / "link").symlink_to("/etc/passwd")
    if kind == "executable":
        here.write("run.sh", "#!/bin/sh\n")
        (here.root / "run.sh").chmod(0o755)
    if kind == "filter":
        there.write(".git/info/attributes", "*.md filter=secret\n")
    here.write("New.md", "new\n")
    git(here.root, "add", "-A")
    git(here.root, "commit", "-qm", "new")
    if kind == "unrelated":
        git(here.root, "checkout", "-q", "--orphan", "fresh")
        git(here.root, "commit", "-qm", "fresh")
        git(here.root, "push", "-qf", "origin", "fresh:main")
    else:
        here.exchange.push(NOW)
    if kind == "merge":
        git(there.root, "checkout", "-qb", "side")
        there.commit("Side.md", "side\n")
        git(there.root, "checkout", "-q", "main")
        git(there.root, "merge", "-q", "--no-ff", "-m", "merged", "side")
    was = head(there.root)
    with pytest.raises(PullRefused):
        there.exchange.pull(NOW)
    assert head(there.root) == was
    assert status(there.root) == ""
    assert not (there.root / "New.md").exists()


def test_a_foreign_lock_is_waited_out_by_the_person_not_removed(here: Side, there: Side) -> None:
    here.commit("New.md", "new\n")
    here.exchange.push(NOW)
    lock = there.root / ".git/index.lock"
    lock.touch()
    with pytest.raises((VaultBusy, GitUnavailable)):
        there.exchange.pull(NOW)
    assert lock.exists()
    assert not (there.root / "New.md").exists()


def test_a_commit_that_comes_between_leaves_all_as_it_was(
    here: Side, there: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.commit("New.md", "new\n")
    here.exchange.push(NOW)
    write = VaultFiles.write_atomic

    def interfere(self: VaultFiles, path: str, data: bytes, **how: object) -> None:
        write(self, path, data, **how)  # type: ignore[arg-type]
        git(
            there.root,
            "update-ref",
            "HEAD",
            git(there.root, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "x").strip(),
        )

    monkeypatch.setattr(VaultFiles, "write_atomic", interfere)
    with pytest.raises(VaultBusy):
        there.exchange.pull(NOW)
    assert git(there.root, "log", "-1", "--format=%s").strip() == "x"
    assert status(there.root) == ""
    assert not (there.root / "New.md").exists()


def test_a_kill_before_the_branch_moves_is_rolled_forward_and_the_next_pull_joins_it(
    here: Side, there: Side, side: Callable[..., Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("New.md", "Home.md", ".obsidian/app.json"):
        here.commit(name, "theirs\n")
    here.exchange.push(NOW)
    with monkeypatch.context() as patched:
        patched.setattr(VaultWriter, "_abandon", lambda *_: None)  # it does not come to that
        patched.setattr(CommitEngine, "_publish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            there.exchange.pull(NOW)
    assert there.read("Home.md") == "theirs\n"
    again = side(there.root)
    again.writer.recover()
    again.exchange.pull(NOW)
    assert (head(there.root), status(there.root)) == (head(here.root), "")


def test_a_pull_is_a_change_that_can_be_taken_back_by_its_number_only(here: Side, there: Side) -> None:
    there.record(LOG, "mine\n")
    here.commit("New.md", "new\n")
    here.exchange.push(NOW)
    there.exchange.pull(NOW)
    [pull, _] = there.writer.changes(5)
    assert (pull.kind, pull.message, pull.state) == ("pull", "pull: 1 from origin", "written")
    assert there.writer.take_back(None, NOW).paths == (LOG,)
    assert there.writer.take_back(pull.id, NOW).paths == ("New.md",)
    assert not (there.root / "New.md").exists()


def test_a_vault_within_a_repository_is_pulled_unless_what_is_around_it_changes(
    tmp_path: Path, here: Side, there: Side, side: Callable[..., Side]
) -> None:
    here.commit("Küche & Co/Suppe.md", "Suppe\n")
    here.exchange.push(NOW)
    there.exchange.pull(NOW)
    inner = side(there.root / "Küche & Co")
    for text, path in (("here\n", "Küche & Co/Zibaldone/log/x.md"), ("Suppe!\n", "Küche & Co/Suppe.md")):
        here.commit(path, text)
    here.exchange.push(NOW)
    inner.record("Zibaldone/log/x.md", "there\n")
    assert inner.exchange.pull(NOW).paths == ["Suppe.md", "Zibaldone/log/x.md"]
    assert (inner.read("Suppe.md"), inner.read("Zibaldone/log/x.md")) == ("Suppe!\n", "here\nthere\n")
    assert status(there.root) == ""
    here.exchange.pull(NOW)
    here.commit("Home.md", "outside\n")
    here.exchange.push(NOW)
    with pytest.raises(PullRefused, match=r"outside of the vault: Home\.md"):
        inner.exchange.pull(NOW)


def test_an_empty_remote_gets_the_branch(tmp_path: Path, bare: Path, side: Callable[..., Side]) -> None:
    root = make_repository(tmp_path / "lone")
    alone = side(root)
    with pytest.raises(InvalidRequest, match="no remote"):
        alone.exchange.pull(NOW)
    git(root, "remote", "add", "backup", "../there.git")
    assert alone.exchange.pull(NOW).received == 0
    assert alone.exchange.push(NOW).sent == 1
    assert head(bare) == head(root)


def test_a_dead_remote_is_said_in_one_sentence(here: Side, bare: Path) -> None:
    bare.rename(bare.with_name("gone.git"))
    before = snapshot(here.root)
    for act in (here.exchange.pull, here.exchange.push):
        with pytest.raises(NetworkFailed, match="git could not"):
            act(NOW)
    assert snapshot(here.root) == before


def test_only_pull_and_push_that_are_wanted_happen_by_themselves(
    tmp_path: Path, here: Side, there: Side, side: Callable[..., Side]
) -> None:
    here.commit("New.md", "new\n")
    here.exchange.push(NOW)
    assert there.exchange.pull_for_turn(NOW) == (None, None)
    assert there.exchange.push_after_turn(NOW) is None
    wanted = side(there.root, git={"pull": True, "push": True})
    _, problem = wanted.exchange.pull_for_turn(NOW)
    assert problem is not None
    assert "new here" in problem
    assert "new here" in (wanted.exchange.push_after_turn(NOW) or "")
    assert not (there.root / "New.md").exists()
    wanted.exchange.push(NOW)
    git(there.root, "reset", "-q", "--hard", "HEAD^")
    done, problem = wanted.exchange.pull_for_turn(NOW)
    assert (done is not None, problem) == (True, None)
    assert there.read("New.md") == "new\n"
    git(there.root, "remote", "set-url", "origin", str(tmp_path / "elsewhere.git"))
    assert "new here" in (wanted.exchange.push_after_turn(NOW) or "")


def test_a_read_only_vault_is_neither_pulled_nor_pushed(here: Side, side: Callable[..., Side]) -> None:
    consulted = side(here.root, read_only=True, git={"pull": True, "push": True})
    before = snapshot(here.root)
    for act in (consulted.exchange.pull, consulted.exchange.push):
        with pytest.raises(InvalidRequest, match="read-only"):
            act(NOW)
    assert consulted.exchange.pull_for_turn(NOW) == (None, None)
    assert consulted.exchange.push_after_turn(NOW) is None
    assert snapshot(here.root) == before


@pytest.mark.parametrize(
    "key",
    [
        "core.sshCommand", "core.gitProxy", "credential.helper", "core.fsmonitor", "remote.origin.uploadpack",
        "remote.origin.receivepack", "remote.origin.vcs", "remote.origin.proxy", "core.askPass",
        "core.alternateRefsCommand", "uploadpack.packObjectsHook", "gpg.program",
    ],
)  # fmt: skip
def test_nothing_that_the_vault_or_a_remote_at_a_path_brings_is_run(
    tmp_path: Path, here: Side, there: Side, bare: Path, key: str
) -> None:
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n", encoding="utf-8")
    script.chmod(0o755)
    for place in (there.root, bare):
        git(place, "config", key, f"!{script}" if key == "credential.helper" else str(script))
    git(there.root, "config", f"url.ext::{script}.insteadOf", str(bare))
    for folder in (there.root / ".git/hooks", bare / "hooks"):
        for name in ("pre-push", "pre-receive", "update", "post-receive", "post-update", "reference-transaction"):
            (folder / name).symlink_to(script)
    there.commit("Mine.md", "mine\n")
    (tmp_path / "ran").unlink(missing_ok=True)  # the person's own git runs the hooks
    there.exchange.pull(NOW)
    assert there.exchange.push(NOW).sent == 1
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/x",
        "git://example.org/x",
        "ext::sh -c true",
        "foo::bar",
        "inside.git",
        "file://{top}/inside",
        ".",
    ],
)
def test_other_kinds_of_addresses_are_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(InvalidRequest):
        check_address(address.replace("{top}", str(tmp_path)), tmp_path)


def test_the_usual_addresses_are_taken_and_told_without_a_password(tmp_path: Path) -> None:
    for address in ("git@example.org:me/notes.git", "ssh://example.org/x", "https://me:secret@example.org/x"):
        assert check_address(address, tmp_path) == address
    assert check_address("../x.git", tmp_path) == str(tmp_path.parent / "x.git")
    assert redact("at https://me:secret@example.org/x: no") == "at https://example.org/x: no"


def test_ssh_is_never_given_a_terminal_or_a_question(
    tmp_path: Path, here: Side, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """The person's own command runs, in batch mode; the repository's does not."""
    script = tmp_path / "ssh"
    script.write_text(f"#!/bin/sh\n{{ echo \"$@\"; env; }} > '{tmp_path}/said'\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    (home / ".gitconfig").write_text(f"[core]\n\tsshCommand = {script} -i mine\n", encoding="utf-8")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("SSH_ASKPASS", "/nowhere")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/agent")
    git(here.root, "remote", "set-url", "origin", "git@example.org:me/notes.git")
    with pytest.raises(NetworkFailed, match=r"example\.org"):
        here.exchange.pull(NOW)
    said = (tmp_path / "said").read_text(encoding="utf-8")
    assert said.startswith("-i mine -o BatchMode=yes -o ConnectTimeout=10 ")
    lines = said.splitlines()
    assert "SSH_AUTH_SOCK=/agent" in lines
    assert "GIT_TERMINAL_PROMPT=0" in lines
    assert "SSH_ASKPASS=" in lines


def test_a_network_that_hangs_is_left_in_time_and_nothing_goes_on_running(
    tmp_path: Path, here: Side, side: Callable[..., Side], monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "never")
    script = tmp_path / "ssh"
    script.write_text(f"#!/bin/sh\necho $$ > '{tmp_path}/pid'\nexec cat '{tmp_path}/never'\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    git(here.root, "remote", "set-url", "origin", "ssh://example.org/notes.git")
    waiting = side(here.root, git={"pull": True, "wait_s": 2.0})
    (tmp_path / "data/here/remotes.json").write_text('["ssh://example.org/notes.git"]', encoding="utf-8")
    before = snapshot(here.root)
    done, problem = waiting.exchange.pull_for_turn(NOW)
    assert done is None
    assert problem is not None
    assert "did not answer within 2 s" in problem
    # Opened for reading by nobody any more: the helper has ended with git.
    with pytest.raises(OSError, match="No such device"):
        os.open(tmp_path / "never", os.O_WRONLY | os.O_NONBLOCK)
    assert snapshot(here.root) == before


async def test_a_turn_pulls_first_and_pushes_afterwards(vault: Vault, tmp_path: Path, bare: Path) -> None:
    def prepare() -> Path:
        vault.git("remote", "add", "origin", str(bare))
        vault.git("push", "-q", "-u", "origin", "HEAD:main")
        other = tmp_path / "other"
        git(tmp_path, "clone", "-q", str(bare), str(other))
        (other / "Owl.md").write_text("# Owl\n\nThe owl in the barn raised 5 chicks in June.\n", encoding="utf-8")
        (other / ".obsidian").mkdir()
        (other / ".obsidian/app.json").write_text("{}", encoding="utf-8")
        git(other, "add", "-A")
        git(other, "commit", "-qm", "owl")
        git(other, "push", "-q", "origin", "main")
        return other

    await asyncio.to_thread(prepare)
    question = "How many chicks did the owl in the barn raise in June?"
    both = {"git.pull": True, "git.push": True}
    async with vault.open(**both) as asking:
        events = await asking.events(question)
        assert next(event.message for event in events if isinstance(event, Notice)).startswith("Nothing was pulled:")
        assert not (vault.root / "Owl.md").exists()
        await asking.engine.pull()
    (vault.root / "Owl.md").unlink()
    for watch in (True, False):
        await asyncio.to_thread(vault.git, "reset", "-q", "--hard", "HEAD~1")
        async with vault.open(watch=watch, **both) as asking:
            if not watch:
                await asking.engine.push()
            answer = await asking.ask(question, push=not watch)
            assert answer.citations[0].path in ("Owl.md", answer.writeback.path if answer.writeback else "")
    assert await asyncio.to_thread(head, bare) == await asyncio.to_thread(vault.git, "rev-parse", "HEAD")
    assert await asyncio.to_thread((vault.root / "Owl.md").exists)


async def test_a_hint_of_a_hook_makes_a_sidecar_look_at_the_disk(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    async def watch_nothing(root: Path) -> AsyncGenerator[set[str], None]:
        await asyncio.Event().wait()
        yield set()

    monkeypatch.setattr(local, "watch_vault", watch_nothing)
    monkeypatch.setattr(local, "HINT_EVERY_S", 0.01)
    async with vault.open(watch=True) as asking:
        assert "Heron.md" not in await asking.found("heron")
        await asyncio.to_thread(vault.write, "Heron.md", "# Heron\n\nA heron stood in the pond.\n")
        hint = vault_places(vault.root).hint
        await asyncio.to_thread(hint.touch)
        async with asyncio.timeout(20):
            while "Heron.md" not in await asking.found("heron"):
                await asyncio.sleep(0.01)
        assert not await asyncio.to_thread(hint.exists)
