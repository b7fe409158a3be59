"""Our commits on top of theirs, made of objects alone: no work tree, no index and no ref is touched.

Each commit is merged as `git rebase` does, with its own parent as the base, by `git merge-tree`. That takes the base
from history, so it is given a commit for it that nothing refers to: the tree so far, with that parent. Message and
author stay, the committer's time is now, since that is when the branch came to hold it. What only grows in the agent's
folder (the logs, the memory, the list of pages) has both sides' lines in the end; anywhere else the same lines are a
conflict, and then nothing has happened.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from zibaldone.errors import GitUnavailable, PullRefused
from zibaldone.vault.history.entries import Entry
from zibaldone.vault.history.git import Git, GitFailed
from zibaldone.vault.history.objects import make_object, read_object, write_objects
from zibaldone.vault.history.state import Checkout

_BY_HAND = "Bring them together with git itself (`git pull --rebase`)."
_GROWING = ("log/**", "memory/*.md", "index.md")
_TREE = re.compile(rb"^tree [0-9a-f]+$", re.MULTILINE)
_PARENT = re.compile(rb"^parent [0-9a-f]+$", re.MULTILINE)
_SIGNED = re.compile(rb"^gpgsig", re.MULTILINE)
_COMMITTER = re.compile(rb"^(committer .*> )\d+ [-+]\d{4}$", re.MULTILINE)
_ABSENT = "000000"


@dataclass(frozen=True, slots=True)
class Joined:
    """`tip` holds theirs and ours; `received` and `replayed` count commits."""

    tip: str
    received: int
    replayed: int


def join(git: Git, checkout: Checkout, theirs: str, folder: str, now: datetime) -> Joined:
    """What the branch is to be so that it holds `theirs` too, which is in the vault's objects.

    Args:
        folder: the agent's, in the vault.

    Raises:
        PullRefused: it cannot be done; the message says why and names the notes.
        GitUnavailable: git fails.
    """
    ours = checkout.head
    if ours is None:
        return Joined(theirs, _count(git, theirs), 0)
    base = git.run("merge-base", ours, theirs, ok=(0, 1)).text
    if not base:
        raise PullRefused("The remote's branch and yours have no commit in common.", _BY_HAND)
    received = _count(git, f"{ours}..{theirs}")
    if base in (ours, theirs):
        return Joined(theirs if base == ours else ours, received, 0)
    tip = theirs
    commits = _commits(git, theirs, ours)
    with tempfile.TemporaryDirectory(prefix="zibaldone-git-") as place:
        attributes = Path(place, "attributes")
        lines = [f"{_quoted(f'/{checkout.prefix}{folder}/', pattern)} merge=union\n" for pattern in _GROWING]
        attributes.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
        for commit, parent in commits:
            tip = _pick(git, checkout, commit, parent, tip, attributes, now)
    return Joined(tip, received, len(commits))


def changed_entries(git: Git, old: str | None, new: str) -> dict[str, tuple[Entry | None, Entry | None]]:
    """What each path that differs is in two commits (None: nothing); paths of the whole work tree.

    Raises:
        GitUnavailable: git fails.
    """
    if old is None:
        listed = git.run("ls-tree", "-r", "-z", "--full-tree", new).fields()
        entries = [line.partition("\t") for line in listed]
        return {path: (None, Entry(meta.split()[0], meta.split()[2])) for meta, _, path in entries}
    fields = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", old, new).fields()
    changed: dict[str, tuple[Entry | None, Entry | None]] = {}
    for meta, path in zip(fields[::2], fields[1::2], strict=True):
        was, now, before, after, _ = meta.lstrip(":").split(" ")
        changed[path] = (_entry(was, before), _entry(now, after))
    return changed


def find_converted(git: Git, checkout: Checkout, paths: Sequence[str]) -> list[str]:
    """Those of `paths` (of the work tree) whose files are not what git stores: filters, line ends, encodings.

    Raises:
        GitUnavailable: git fails.
    """
    to_the_top = "../" * checkout.prefix.count("/")
    stdin = "".join(f"{to_the_top or './'}{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    said = git.run(
        "check-attr", "-z", "--stdin", "filter", "eol", "ident", "working-tree-encoding", stdin=stdin
    ).fields()
    plain = {"unspecified", "unset", "lf"}
    found = zip(said[::3], said[2::3], strict=True)
    return sorted({path.removeprefix(to_the_top or "./") for path, value in found if value not in plain})


def _commits(git: Git, theirs: str, ours: str) -> list[tuple[str, str]]:
    """Those that only we have, the oldest first, each with its parent."""
    listed = git.run("rev-list", "--reverse", "--topo-order", "--parents", f"{theirs}..{ours}").text.splitlines()
    commits = [tuple(line.split()) for line in listed]
    if any(len(one) != 2 for one in commits):
        raise PullRefused("One of your commits that the remote has not is a merge.", _BY_HAND)
    return [(commit, parent) for commit, parent in commits]


def _pick(git: Git, checkout: Checkout, commit: str, parent: str, onto: str, attributes: Path, now: datetime) -> str:
    headers, blank, message = read_object(git, checkout, "commit", commit).partition(b"\n\n")
    if _SIGNED.search(headers):
        raise PullRefused(f"Your commit {commit[:7]} is signed and would lose its signature.", _BY_HAND)
    tree = _tree(git, checkout, onto)
    stand_in = make_object("commit", _rest_on(headers, tree, parent) + blank, checkout.algorithm)
    write_objects(git, checkout, [stand_in])
    merged = _merge(git, stand_in.id, commit, attributes)
    if merged == tree:
        return onto  # they have it already
    stamp = f"{int(now.timestamp())} {now.strftime('%z')[:5]}".encode()
    headers = _COMMITTER.sub(rb"\g<1>" + stamp, _rest_on(headers, merged, onto), count=1)
    picked = make_object("commit", headers + blank + message, checkout.algorithm)
    write_objects(git, checkout, [picked])
    return picked.id


def _merge(git: Git, ours: str, theirs: str, attributes: Path) -> str:
    """The tree. The style of conflicts keeps the lines of both sides from being mixed where they are joined."""
    config = (
        ("core.attributesFile", str(attributes)),
        ("merge.renames", "true"),
        ("merge.directoryRenames", "false"),
        ("merge.conflictStyle", "diff3"),
    )
    try:
        result = git.run(
            "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs, config=config, ok=(0, 1)
        )
    except GitFailed as error:
        if "usage:" in error.result.stderr or "unknown option" in error.result.stderr:
            raise PullRefused("To join your commits with theirs, git 2.38 or later is needed.", _BY_HAND) from error
        raise
    tree, *conflicts = result.fields()
    if result.code == 1:
        raise PullRefused(
            f"The remote and you changed the same lines of {', '.join(sorted(set(conflicts)))}; nothing was changed.",
            _BY_HAND,
        )
    return tree


def _rest_on(headers: bytes, tree: str, parent: str) -> bytes:
    headers = _TREE.sub(f"tree {tree}".encode(), headers, count=1)
    return _PARENT.sub(f"parent {parent}".encode(), headers, count=1)


def _tree(git: Git, checkout: Checkout, commit: str) -> str:
    found = _TREE.match(read_object(git, checkout, "commit", commit))
    if found is None:
        raise GitUnavailable(f"the commit {commit} is damaged", "run `git fsck` in the vault")
    return found[0].removeprefix(b"tree ").decode("ascii")


def _count(git: Git, commits: str) -> int:
    return int(git.run("rev-list", "--count", commits).text)


def _entry(mode: str, object_id: str) -> Entry | None:
    return None if mode == _ABSENT else Entry(mode, object_id)


def _quoted(path: str, pattern: str) -> str:
    """A line's pattern as gitattributes(5) takes it; nothing in `path` is special."""
    literal = re.sub(r"([\\*?\[])", r"\\\1", path)
    return '"' + f"{literal}{pattern}".replace("\\", "\\\\").replace('"', '\\"') + '"'
