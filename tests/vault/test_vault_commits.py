"""Commits as evidence: which there are, what is read of them, and that a repository cannot act meanwhile."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.histories import Made, make_history
from support.repositories import git, head, make_repository, snapshot
from zibaldone.config.connectors import HistoryOptions
from zibaldone.domain.commits import Commit, FileChange
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.history.commits import list_commits, read_commits
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.patches import COMMIT_CHARS, FILE_CHARS, MOST_FILES
from zibaldone.vault.history.vendored import VENDORED, is_vendored_folder, list_ignored
from zibaldone.vault.scan import scan_notes

ALL = HistoryOptions(merges=True)


def commit(root: Path, message: str, *arguments: str, **env: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "--allow-empty-message", "-m", message, *arguments, **env)
    return head(root)


def listed(root: Path, **options: object) -> list[str]:
    return [one.sha for one in list_commits(Git(root), HistoryOptions.model_validate(options))]


def read(root: Path, *ids: str, without: Sequence[str] = ()) -> list[Commit]:
    found = read_commits(Git(root), ids, without=without)
    return [found[sha] for sha in ids]


def texts(file: FileChange) -> list[str]:
    return [line for hunk in file.hunks for line in hunk.lines]


# ---- which there are


def a_year(count: int = 300) -> list[Made]:
    """Files that grow, change in the middle, shrink, move and go."""
    rng = random.Random(7)
    files: dict[bytes, list[bytes]] = {}
    made = []
    for number in range(count):
        path = b"src/part%d.py" % rng.randrange(9)
        lines = files.setdefault(path, [])
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(lines) + 1)
            lines[at : at + rng.randrange(3)] = [b"value_%d = %d" % (number, rng.randrange(1000))]
        changes: dict[bytes, bytes | None] = {path: b"\n".join([*lines, b""])}
        if number % 20 == 19:
            moved = b"src/moved%d.py" % number
            changes = {path: None, moved: b"\n".join([*files.pop(path), b""])}
        author = b"Bo Berg <bo@example.org>" if number % 3 else b"Ada <ada@example.org>"
        made.append(Made(b"Change %d\n\nBecause of %d.\n" % (number, number), changes, author, number))
    return made


def test_each_hunk_stands_where_it_says(tmp_path: Path) -> None:
    root = make_history(tmp_path / "project", a_year())
    ids = listed(root)
    assert ids == git(root, "rev-list", "main").split()
    assert len(ids) == 300
    commits = read(root, *ids)
    assert [one.subject for one in commits] == [f"Change {number}" for number in reversed(range(300))]
    assert sum(file.old_path is not None for one in commits for file in one.files) > 5
    for one in commits[::9]:
        for file in one.files:
            after = git(root, "show", f"{one.sha}:{file.path}", check=False).split("\n")
            for hunk in file.hunks:
                there = [line[1:] for line in hunk.lines if line[0] in "+ "]
                assert after[hunk.new_start - 1 :][: len(there)] == there
        told = git(root, "show", "-M", "--numstat", "--format=", one.sha).split("\n")[:-1]
        assert [f"{file.added}\t{file.removed}" for file in one.files] == ["\t".join(x.split("\t")[:2]) for x in told]


def test_by_some_authors_and_only_the_newest(tmp_path: Path) -> None:
    root = make_history(tmp_path / "project", a_year(30))
    ids = listed(root)
    ada = git(root, "rev-list", "--author=ada@example.org", "main").split()
    assert listed(root, authors=["ADA"]) == listed(root, authors=["ada@example.org"]) == ada
    assert listed(root, authors=["Bo"]) == []
    assert listed(root, authors=["bo berg", "Ada"]) == ids
    assert listed(root, max_commits=4) == ids[:4]
    assert listed(root, authors=["Ada"], max_commits=4) == ada[:4]
    assert listed(root, max_commits=0) == []


def test_a_mailmap_renames_nobody(tmp_path: Path) -> None:
    root = make_history(
        tmp_path / "project", [Made(b"one", {b".mailmap": b"Ada <ada@example.org> <bo@example.org>\n"})]
    )
    bo = commit(root, "two", "--author=Bo <bo@example.org>")
    assert listed(root, authors=["bo@example.org"]) == [bo]
    assert read(root, bo)[0].author == "Bo"


def test_merges_are_told_without_the_lines_that_they_bring(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    git(root, "switch", "-qc", "side")
    (root / "side.txt").write_text("beside\n")
    side = commit(root, "side")
    git(root, "switch", "-q", "main")
    git(root, "merge", "-q", "--no-ff", "-m", "Merge the side", "side")
    merge = head(root)
    assert merge not in listed(root)
    assert side in listed(root)
    assert set(listed(root, merges=True)) == {*listed(root), merge}
    [told] = read(root, merge)
    assert told.is_merge
    assert told.files == (FileChange("side.txt", added=1, note="new"),)


def test_the_agents_commits_are_not_evidence(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "vault")
    first = head(root)
    commit(root, "compact: page", "--author=Zibaldone <zibaldone@localhost>")
    assert listed(root) == [first]


def test_what_no_branch_leads_to_is_gone(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    first = head(root)
    old = commit(root, "a mistake")
    git(root, "commit", "-q", "--amend", "--allow-empty", "-m", "better")
    assert listed(root) == [head(root), first]
    git(root, "checkout", "-q", old)
    assert set(listed(root)) == {old, first, git(root, "rev-parse", "main").strip()}
    git(root, "tag", "kept", old)
    git(root, "checkout", "-q", "main")
    assert old not in listed(root)


@pytest.mark.parametrize("kind", ["none", "unborn", "bare", "bare and empty", "worktree", "sha256", "clone"])
def test_every_kind_of_repository(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "project"
    match kind:
        case "none":
            root.mkdir()
        case "unborn":
            make_repository(root, first=False)
        case "bare and empty":
            make_repository(root, "--bare", first=False)
        case "sha256":
            make_repository(root, "--object-format=sha256")
        case _:
            make_repository(tmp_path / "there")
            options = {
                "bare": ["clone", "-q", "--bare"],
                "clone": ["clone", "-q"],
                "worktree": ["worktree", "add", "-q"],
            }
            where = tmp_path / "there" if kind == "worktree" else tmp_path
            git(where, *options[kind], *([] if kind == "worktree" else ["there"]), str(root))
    before = snapshot(root)
    ids = listed(root)
    if kind in ("none", "unborn", "bare and empty"):
        assert ids == []
    else:
        [told] = read(root, *ids)
        assert (told.subject, told.author, told.email) == ("first", "Ada", "ada@example.org")
        assert told.files[0].path == "Home.md"
        assert texts(told.files[0]) == ["+# Home"]
    assert snapshot(root) == before


def test_a_folder_of_a_repository_has_the_commits_that_touched_it(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    (root / "notes").mkdir()
    (root / "notes/a.md").write_text("in it\n")
    (root / "other.md").write_text("beside it\n")
    sha = commit(root, "both")
    (root / "other.md").write_text("again\n")
    commit(root, "beside")
    assert listed(root / "notes") == [sha]
    [told] = read(root / "notes", sha)
    assert [file.path for file in told.files] == ["a.md"]


def test_the_edge_of_a_shallow_clone_is_said(tmp_path: Path) -> None:
    make_history(tmp_path / "there", a_year(6))
    git(tmp_path, "clone", "-q", "--depth=3", f"file://{tmp_path}/there", "project")
    root = tmp_path / "project"
    ids = listed(root)
    *inside, edge = read(root, *ids)
    assert len(ids) == 3
    assert all(one.files and not one.problems for one in inside)
    assert edge.files == ()
    assert "shallow" in edge.problems[0]


def test_of_a_damaged_commit_there_is_what_can_be_read(tmp_path: Path) -> None:
    root = make_history(tmp_path / "project", a_year(5))
    ids = listed(root)
    (root / "lost.txt").write_text("lost\n")
    bad = commit(root, "Lose it")
    blob = git(root, "rev-parse", "HEAD:lost.txt").strip()
    (root / "lost.txt").unlink()  # git reads a file of the work tree instead where it is the same
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    missing = "0" * 39 + "1"
    found = read_commits(Git(root), [ids[0], bad, missing, ids[1]])
    assert set(found) == {ids[0], bad, ids[1]}
    assert found[ids[0]].files[0].hunks
    assert found[bad].subject == "Lose it"
    assert [file.path for file in found[bad].files] == ["lost.txt"]
    assert found[bad].problems[0].startswith("Its patch cannot be read:")


# ---- what they hold


def test_renames_links_binaries_and_submodules(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    (root / "old name.txt").write_text("".join(f"line {number}\n" for number in range(20)))
    (root / "kind").write_text("a file\n")
    commit(root, "before")
    git(root, "mv", "old name.txt", "new name.txt")
    text = (root / "new name.txt").read_text()
    (root / "new name.txt").write_text(text.replace("line 7\n", "line seven\n"))
    (root / "kind").unlink()
    (root / "kind").symlink_to("Home.md")
    (root / "picture.png").write_bytes(b"\x89PNG\0\0")
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{head(root)},theirs")
    git(root, "add", "kind", "picture.png", "new name.txt")
    git(root, "commit", "-qm", "many kinds")
    [told] = read(root, head(root))
    kind, moved, picture, theirs = told.files
    assert (kind.path, kind.note) == ("kind", "of another kind now, a link")
    assert texts(kind) == ["-a file", "+Home.md"]
    assert (moved.path, moved.old_path, moved.added, moved.removed) == ("new name.txt", "old name.txt", 1, 1)
    assert (picture.path, picture.note, picture.hunks) == ("picture.png", "new, binary", ())
    assert (theirs.path, theirs.note) == ("theirs", "new, a submodule")


def test_others_code_and_generated_files_are_left_out(tmp_path: Path) -> None:
    root = tmp_path / "project"
    attributes = b"*.gen.ts linguist-generated\nlib/theirs/** linguist-vendored=true\nours.gen.ts -linguist-generated\n"
    left_out = b"node_modules/a/i.js web/vendor/b.go dist/x.js a.min.js deep/B.MIN.JS yarn.lock x/package-lock.json"
    files = dict.fromkeys([*left_out.split(), b"api.gen.ts", b"lib/theirs/c.c"], b"x\n")
    kept = dict.fromkeys([b"src/distance.js", b"vendored.md", b"ours.gen.ts", b"lib/ours.c"], b"y\n")
    make_history(root, [Made(b"all", {**files, **kept, b".gitattributes": attributes})])
    [told] = read(root, head(root), without=VENDORED)
    assert {file.path for file in told.files} == {name.decode() for name in (*kept, b".gitattributes")}
    assert len(read(root, head(root))[0].files) == len(files) + len(kept) + 1 - 2


def test_the_function_that_a_hunk_stands_in_is_told(tmp_path: Path) -> None:
    body = b"".join(b"    step_%d()\n" % number for number in range(9))
    python = b"import os\n\nclass Oven:\n  def bake(self):\n%s" % body.replace(b"    ", b"      ")
    note = b"# Home\n\n## Bees\n\n%s" % b"".join(b"- %d\n" % number for number in range(9))
    changed = [(python, b"step_8", b"step_nine"), (note, b"- 8", b"- eight")]
    before, after = ({b"a.py": x[0], b"n.md": y[0]} for x, y in [changed, changed])
    after = {b"a.py": python.replace(*changed[0][1:]), b"n.md": note.replace(*changed[1][1:])}
    root = make_history(tmp_path / "project", [Made(b"one", before), Made(b"two", after)])
    [told] = read(root, head(root))
    assert [file.hunks[0].context for file in told.files] == ["def bake(self):", "## Bees"]


def test_what_is_huge_is_cut_and_said(tmp_path: Path) -> None:
    line = b"a line of some words that is as long as lines are\n"
    big = {b"big.sql": line * 40_000, b"small.py": b"x = 1\n"}
    many = {b"many/%04d.txt" % number: line * 30 for number in range(MOST_FILES + 20)}
    wide = {b"wide.json": b"0123456789" * 500_000}
    root = make_history(tmp_path / "project", [Made(b"big", big), Made(b"many", many), Made(b"wide", wide)])
    wide_told, many_told, big_told = read(root, *listed(root))
    sql, small = big_told.files
    assert (sql.added, sql.note) == (40_000, "new, its beginning only")
    assert 0 < sum(map(len, texts(sql))) <= FILE_CHARS
    assert texts(small) == ["+x = 1"]
    assert big_told.problems == ("The patch is long: of 1 of 2 files only the beginning is read.",)
    assert len(many_told.files) == MOST_FILES
    assert many_told.files_unnamed == 20
    kept = [sum(len(line) for line in texts(file)) for file in many_told.files]
    assert sum(kept) <= COMMIT_CHARS
    assert min(kept) > 0
    assert wide_told.files[0].hunks == ()
    assert wide_told.files[0].note == "new, its beginning only"


MESSAGES = {
    b"": ("", ""),
    b"one line": ("one line", ""),
    b"a subject\nof two lines\n\nand a body\n\n- with\n- items\n": (
        "a subject of two lines",
        "and a body\n\n- with\n- items",
    ),
    b"carriage\r\n\r\nreturns\r\n": ("carriage", "returns"),
    b"gr\xfcn in latin\n": ("grün in latin", ""),
    b"emoji \xf0\x9f\x90\x9d and \xff": ("emoji", ""),
    b"diff --git a/x b/x\n\n@@ -1 +1 @@\n+forged\n": ("diff --git a/x b/x", "@@ -1 +1 @@\n+forged"),
    b":100644 100644 0000 0000 M\tforged\n": (":100644 100644 0000 0000 M forged", ""),
    b"escape \x1b[31m and bell \x07\n\nmore\x00hidden": ("escape [31m and bell", "more"),
    b"--exec=evil\n": ("--exec=evil", ""),
}


def test_messages_of_every_kind(tmp_path: Path) -> None:
    made = [Made(message, {b"a.txt": b"%d\n" % number}) for number, message in enumerate(MESSAGES)]
    root = make_history(tmp_path / "project", made)
    commits = read(root, *reversed(listed(root)))
    for told, (subject, body) in zip(commits, MESSAGES.values(), strict=True):
        assert told.subject.startswith(subject)
        assert told.body == body
        assert [file.path for file in told.files] == ["a.txt"]


def test_names_and_contents_cannot_imitate_gits_words(tmp_path: Path) -> None:
    names = [
        b"new\nline.py",
        b'"quoted".py',
        b"back\\slash.py",
        b"tab\there.py",
        b"--output=evil",
        b"-x",
        b"\xff\xfe.py",
    ]
    names += [b"a b/b c.py", "日記/🌱 café.md".encode(), b":(exclude)x", b" leading", b"x b/x"]
    lines = [
        b"@@ -1 +1 @@",
        b"diff --git a/x b/x",
        b"--- a/x",
        b"+++ b/x",
        b"\x01abc",
        b":100644 x",
        b"",
        b"\\ No newline",
    ]
    content = b"\n".join([*lines, b"end"])
    root = make_history(tmp_path / "project", [Made(b"names", dict.fromkeys(names, content))])
    after = dict.fromkeys(names, content.replace(b"end", b"\x00the\x07 end\r"[1:]))
    commits = make_history(tmp_path / "again", [Made(b"names", dict.fromkeys(names, content)), Made(b"more", after)])
    [told] = read(root, head(root))
    assert len(told.files) == len(names)
    shown = {file.path for file in told.files}
    assert {"new line.py", '"quoted".py', "back\\slash.py", "--output=evil", "日記/🌱 café.md", "a b/b c.py"} <= shown
    for file in told.files:
        assert texts(file) == [f"+{line.decode().replace(chr(1), ' ')}" for line in [*lines, b"end"]]
    [told] = read(commits, head(commits))
    assert all(texts(file)[-2:] == ["-end", "+the  end"] for file in told.files)


def test_files_that_a_rule_leaves_out_leave_nothing(tmp_path: Path) -> None:
    made = [
        Made(b"one", {b"Private/a.md": b"the secret\n" * 9, b"b.md": b"open\n"}),
        Made(b"two", {b"Private/a.md": None, b"Public/a.md": b"the secret\n" * 8 + b"open\n"}),
    ]
    root = make_history(tmp_path / "vault", made)
    found = read_commits(Git(root), listed(root), leaves_out=lambda path: path.startswith("Private/"))
    assert "secret" not in repr(found)
    assert "Private" not in repr(found)
    assert [(len(one.files), one.files_left_out) for one in found.values()] == [(0, 1), (1, 1)]


# ---- a repository's own settings


def test_nothing_of_the_repository_runs_and_nothing_of_it_changes_what_is_read(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    evil = tmp_path / "evil.sh"
    evil.write_text(f'#!/bin/sh\necho "$0 $*" >> {canary}\nexit 1\n')
    evil.chmod(0o755)
    root = make_history(tmp_path / "project", a_year(40))
    make_repository(root / "theirs")
    (root / "note.md").write_text("a note\n")
    commit(root, "a submodule")
    ids = listed(root)
    before = read(root, *ids)
    program = str(evil)
    settings = {
        **dict.fromkeys(["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "gpg.program"], program),
        **dict.fromkeys(["diff.evil.textconv", "diff.evil.command", "diff.python.textconv", "pager.log"], program),
        **dict.fromkeys(["filter.evil.clean", "filter.evil.smudge", "filter.evil.process"], program),
        **dict.fromkeys(["alias.log", "alias.diff-tree", "alias.check-attr"], f"!{evil}"),
        "core.hooksPath": str(tmp_path),
        "remote.origin.url": f"ext::{evil}",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": program,
        "protocol.ext.allow": "always",
        "log.showSignature": "true",
        "diff.submodule": "diff",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "0",
        "diff.suppressBlankEmpty": "true",
        "diff.renames": "copies",
        "diff.renameLimit": "1",
        "diff.orderFile": str(tmp_path / "order"),
        "diff.ignoreSubmodules": "all",
        "diff.relative": "true",
        "color.ui": "always",
        "color.diff": "always",
        "core.abbrev": "4",
        "core.quotePath": "true",
        "log.date": "relative",
        "log.follow": "true",
        "log.diffMerges": "off",
        "format.pretty": "oneline",
        "i18n.logOutputEncoding": "UTF-16",
        "submodule.recurse": "true",
    }
    for key, value in settings.items():
        git(root, "config", key, value)
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_bytes(b"* filter=evil merge=evil\n*.py diff=python\n")
    (root / ".gitattributes").write_bytes(b"*.md diff=evil\n")
    canary.unlink(missing_ok=True)
    assert listed(root) == ids
    after = read(root, *ids)
    assert not canary.exists(), canary.read_text()
    assert after == before
    git(root, "log", "-p", "-2", "--ext-diff", check=False)
    assert canary.exists(), "the trap itself does not work"


def test_the_same_is_read_each_time(tmp_path: Path) -> None:
    root = make_history(tmp_path / "project", a_year(40))
    ids = listed(root)
    assert read(root, *ids) == read(root, *reversed(ids))[::-1]


# ---- and of its work tree


def test_what_git_ignores_and_others_code_is_no_text_of_a_project(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "project")
    (root / ".gitignore").write_text("build/\n*.tmp.md\n")
    for path in (
        "docs/a.md",
        "build/b.md",
        "c.tmp.md",
        "docs/deep/d.tmp.md",
        "new.md",
        "lib/Vendor/e.md",
        "vendored.md",
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("# Text\n")
    ignored = list_ignored(Git(root))
    assert ignored >= {"build", "c.tmp.md"}

    def passes_over(path: str) -> bool:
        return path in ignored or is_vendored_folder(path.rpartition("/")[2])

    found = scan_notes(root, Exclusions("Zibaldone"), passes_over=passes_over)
    assert [one.path for one in found] == ["Home.md", "docs/a.md", "new.md", "vendored.md"]


def test_a_folder_without_a_repository_has_nothing_ignored(tmp_path: Path) -> None:
    assert list_ignored(Git(tmp_path)) == frozenset()
    assert list_ignored(Git(make_repository(tmp_path / "bare", "--bare", first=False))) == frozenset()
