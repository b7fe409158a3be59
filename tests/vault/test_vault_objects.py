"""What our commits are made of: trees, objects as files, and what the repository's rules leave out."""

from __future__ import annotations

import random
import stat
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from support.repositories import blob, git, head, make_repository, paths_of, status
from zibaldone.errors import GitUnavailable
from zibaldone.vault.history.commit import CommitEngine, Committed, NothingToCommit
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.objects import commit_text, format_signature, make_object
from zibaldone.vault.history.trees import parent_folders

PAGE = "Zibaldone/pages/Kestrel.md"


@pytest.fixture(params=["sha1", "sha256"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return make_repository(tmp_path / "vault", f"--object-format={request.param}")


@pytest.fixture
def engine(vault: Path, tmp_path: Path) -> CommitEngine:
    return CommitEngine(Git(vault), tmp_path / "state")


def commit(engine: CommitEngine, changes: dict[str, bytes | None]) -> str:
    outcome = engine.commit(changes, "x")
    assert isinstance(outcome, Committed), outcome
    assert sorted(paths_of(engine.git.folder, outcome.sha)) == sorted(changes)
    assert git(engine.git.folder, "fsck", "--strict") == ""
    return outcome.sha


def names(vault: Path) -> list[str]:
    return git(vault, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")[:-1]


def test_ids_are_those_of_git(vault: Path, engine: CommitEngine) -> None:
    for size in (0, 1, 15, 16, 5000, 300_000):
        data = random.Random(size).randbytes(size)
        (vault / "x.bin").write_bytes(data)
        commit(engine, {"x.bin": data})
        assert git(vault, "rev-parse", "HEAD:x.bin") == git(vault, "hash-object", "x.bin")
        assert make_object("blob", data, git(vault, "rev-parse", "--show-object-format").strip()).id in git(
            vault, "rev-parse", "HEAD:x.bin"
        )


def test_trees_are_those_of_git(vault: Path, engine: CommitEngine) -> None:
    """Folders sort as if their names ended in a slash; every change ends in the tree that git itself would write."""
    chance = random.Random(5)
    parts = ["a", "a-b", "a.b", "ab", "a0", "é", "日", "A"]
    for _ in range(25):
        known = names(vault)
        changes: dict[str, bytes | None] = dict.fromkeys(chance.sample(known, min(len(known), 2)))
        for _ in range(4):
            rel = "/".join(chance.choices(parts, k=chance.randint(1, 3))) + ".md"
            changes[rel] = chance.randbytes(4)
        commit(engine, changes)
        index = {"GIT_INDEX_FILE": str(vault.parent / "index")}
        for rel in names(vault):
            (vault / rel).parent.mkdir(parents=True, exist_ok=True)
            (vault / rel).write_bytes(git(vault, "cat-file", "blob", f"HEAD:{rel}").encode("utf-8", "surrogateescape"))
        git(vault, "read-tree", "--empty", **index)
        git(vault, "-c", "core.autocrlf=false", "add", "--", *names(vault), **index)
        assert git(vault, "write-tree", **index) == git(vault, "rev-parse", "HEAD^{tree}")


def test_folders_come_and_go_with_their_last_path(vault: Path, engine: CommitEngine) -> None:
    commit(engine, {"a/b/c.md": b"c", "a/d.md": b"d"})
    commit(engine, {"a/b/c.md": None})
    assert names(vault) == ["Home.md", "a/d.md"]
    commit(engine, {"a/d.md": None, "Home.md": None})
    assert names(vault) == []
    commit(engine, {"a/b/c.md": b"c"})
    assert names(vault) == ["a/b/c.md"]


def test_a_file_and_a_folder_take_each_others_place(vault: Path, engine: CommitEngine) -> None:
    commit(engine, {"a": b"file", "b/x.md": b"x", "b/y.md": b"y"})
    commit(engine, {"a": None, "a/x.md": b"x"})
    commit(engine, {"b": b"file", "b/x.md": None, "b/y.md": None})
    assert names(vault) == ["Home.md", "a/x.md", "b"]
    assert engine.commit({"a": None}, "a is a folder now") == NothingToCommit()


def test_other_kinds_of_entries_stay_as_they_are(vault: Path, engine: CommitEngine) -> None:
    (vault / "run.sh").write_bytes(b"x")
    (vault / "run.sh").chmod(0o755)
    (vault / "link").symlink_to("Home.md")
    git(vault, "add", "run.sh", "link")
    git(vault, "update-index", "--add", "--cacheinfo", f"160000,{head(vault)},module")
    git(vault, "commit", "-qm", "kinds")
    before = git(vault, "ls-tree", "HEAD")
    commit(engine, {"zz.md": b"x", "a.md": b"x"})
    after = git(vault, "ls-tree", "HEAD").splitlines()
    assert [line for line in after if not line.endswith(("\tzz.md", "\ta.md"))] == before.splitlines()


def test_packed_objects_are_read_by_git(vault: Path, engine: CommitEngine) -> None:
    commit(engine, {f"{folder}/{number}.md": b"x" for folder in ("a", "Zibaldone/pages") for number in range(30)})
    git(vault, "gc", "-q", "--prune=now")
    assert not list((vault / ".git/objects").glob("??/*"))
    before = names(vault)
    commit(engine, {PAGE: b"x\n"})
    assert names(vault) == sorted([*before, PAGE])


def test_a_tree_that_is_missing_is_not_taken_for_empty(vault: Path, engine: CommitEngine) -> None:
    commit(engine, {"Zibaldone/pages/Other.md": b"x"})
    tree = git(vault, "rev-parse", "HEAD:Zibaldone/pages").strip()
    (vault / ".git/objects" / tree[:2] / tree[2:]).unlink()
    before = head(vault)
    with pytest.raises(GitUnavailable):  # of another process: the one that made it knows it still
        CommitEngine(Git(vault), vault.parent / "other").commit({PAGE: b"x\n"}, "x")
    assert head(vault) == before


@pytest.mark.parametrize("wrong", [(b"b.md", b"a.md"), (b"a.md", b"a.md")])
def test_a_tree_out_of_order_is_refused(vault: Path, engine: CommitEngine, wrong: tuple[bytes, bytes]) -> None:
    home = git(vault, "rev-parse", "HEAD:Home.md").strip()
    raw = b"".join(b"100644 %b\0%b" % (name, bytes.fromhex(home)) for name in wrong)
    (vault.parent / "raw").write_bytes(raw)
    tree = git(vault, "hash-object", "-t", "tree", "-w", "--literally", str(vault.parent / "raw")).strip()
    git(vault, "update-ref", "HEAD", git(vault, "commit-tree", "-m", "odd", tree).strip())
    with pytest.raises(GitUnavailable, match="damaged"):
        engine.commit({"c.md": b"x"}, "x")


def test_a_damaged_object_of_the_same_content_is_written_anew(vault: Path, engine: CommitEngine) -> None:
    """A power cut can leave an empty file where an object should be; the same text is then committed again."""
    path = vault / PAGE
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x\n")
    object_id = git(vault, "hash-object", "-w", PAGE).strip()
    file = vault / ".git/objects" / object_id[:2] / object_id[2:]
    file.chmod(0o644)
    file.write_bytes(b"")
    commit(engine, {PAGE: b"x\n"})
    assert blob(vault, "HEAD", PAGE) == b"x\n"


@pytest.mark.parametrize("shared", ["umask", "group", "0660"])
def test_objects_have_the_permissions_that_git_gives_them(tmp_path: Path, shared: str) -> None:
    vault = make_repository(tmp_path / "vault", f"--shared={shared}")
    before = set((vault / ".git/objects").rglob("*"))
    commit(CommitEngine(Git(vault), tmp_path / "state"), {PAGE: b"x\n"})
    ours = set((vault / ".git/objects").rglob("*")) - before
    theirs = before - {vault / ".git/objects/info", vault / ".git/objects/pack"}
    for kind in (Path.is_dir, Path.is_file):
        modes = [{oct(stat.S_IMODE(one.stat().st_mode)) for one in some if kind(one)} for some in (ours, theirs)]
        assert modes[0] == modes[1]


def test_a_commit_is_what_git_would_make_of_it(vault: Path, engine: CommitEngine) -> None:
    when = datetime(2026, 3, 2, 9, 30, 15, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))
    engine.commit({PAGE: b"x"}, "  one\r\n\n\ntwo \udc80 é\0\n\n", when)
    assert git(vault, "log", "-1", "--format=%aI|%an|%ae|%B") == (
        "2026-03-02T09:30:15-03:30|Zibaldone|zibaldone@localhost|one\r\n\n\ntwo ? é\n\n"
    )
    engine.commit({PAGE: b"y"}, "")
    assert git(vault, "log", "-1", "--format=%B").strip() == ""
    assert git(vault, "fsck", "--strict") == ""


def test_the_text_of_a_commit() -> None:
    signature = format_signature("N", "e@x", datetime(2026, 3, 2, tzinfo=UTC))
    assert signature == "N <e@x> 1772409600 +0000"
    assert commit_text("aa", None, signature, signature, "m") == (
        f"tree aa\nauthor {signature}\ncommitter {signature}\n\nm\n".encode()
    )


def test_parent_folders() -> None:
    assert parent_folders("x.md") == [""]
    assert parent_folders("a/b/x.md") == ["", "a", "a/b"]


# ---- what the repository's rules leave out


@pytest.mark.parametrize("where", [".gitattributes", "Zibaldone/.gitattributes", ".git/info/attributes", "the index"])
def test_an_encrypting_filter_is_found_wherever_it_is_named(vault: Path, engine: CommitEngine, where: str) -> None:
    commit(engine, {PAGE: b"one\n"})
    file = vault / (".gitattributes" if where == "the index" else where)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"*.md filter=git-crypt\n")
    if where == "the index":
        git(vault, "add", ".gitattributes")
        file.unlink()
    outcome = engine.commit({PAGE: b"secret\n"}, "x")
    assert isinstance(outcome, NothingToCommit)
    assert "git-crypt" in outcome.left_out[PAGE]


def test_attributes_above_the_vault_count(tmp_path: Path) -> None:
    top = make_repository(tmp_path / "top")
    (top / "sub/vault").mkdir(parents=True)
    (top / ".gitattributes").write_bytes(b"*.md filter=git-crypt\n")
    outcome = CommitEngine(Git(top / "sub/vault"), tmp_path / "state").commit({PAGE: b"secret\n"}, "x")
    assert isinstance(outcome, NothingToCommit)
    assert "git-crypt" in outcome.left_out[PAGE]


def test_what_the_index_has_is_never_ignored_and_what_it_has_not_is(vault: Path, engine: CommitEngine) -> None:
    (vault / ".gitignore").write_bytes(b"Zibaldone/\n")
    (vault / PAGE).parent.mkdir(parents=True)
    (vault / PAGE).write_bytes(b"one\n")
    git(vault, "add", "-f", PAGE)
    commit(engine, {PAGE: b"one\n"})
    assert status(vault) == "?? .gitignore\n"
    git(vault, "rm", "-q", "--cached", PAGE)  # the person is about to take it out of git
    outcome = engine.commit({PAGE: b"two\n"}, "x")
    assert isinstance(outcome, NothingToCommit)
    assert "ignored" in outcome.left_out[PAGE]
