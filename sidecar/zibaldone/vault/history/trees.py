"""Trees of commits: read along the paths of a change, and made anew with it.

Only the folders that lead to a path are read and written, so that what a commit costs depends on those and not
on the size of the vault. Paths are those of the whole work tree; the folder `` is its root.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from zibaldone.errors import GitUnavailable
from zibaldone.vault.history.entries import Entry
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.objects import GitObject, make_object, read_object
from zibaldone.vault.history.state import Checkout

_TREE_MODE = b"40000"
_ENTRIES = {
    "sha1": re.compile(rb"(([0-7]+) ([^\0]+)\0.{20})", re.DOTALL),
    "sha256": re.compile(rb"(([0-7]+) ([^\0]+)\0.{32})", re.DOTALL),
}


@dataclass(slots=True)
class Tree:
    """A tree's entries as they are stored, in git's order, with what each is sorted by: folders are as if their names
    ended in a slash. A vault may have thousands of notes in one folder, so an entry is looked for by halves."""

    keys: list[bytes]
    entries: list[bytes]

    @classmethod
    def read(cls, data: bytes, algorithm: str) -> Tree | None:
        """None where it is not as git writes it."""
        found = _ENTRIES[algorithm].findall(data)
        keys = [name + b"/" if mode == _TREE_MODE else name for _, mode, name in found]
        entries = [entry for entry, _, _ in found]
        is_whole = b"".join(entries) == data and len({name for _, _, name in found}) == len(found)
        return cls(keys, entries) if is_whole and keys == sorted(keys) else None

    def copy(self) -> Tree:
        return Tree(self.keys.copy(), self.entries.copy())

    def find(self, name: bytes) -> Entry | None:
        for key in (name, name + b"/"):
            at = bisect_left(self.keys, key)
            if self.keys[at : at + 1] == [key]:
                mode, rest = self.entries[at].split(b" ", 1)
                return Entry(mode.decode("ascii"), rest[len(name) + 1 :].hex())
        return None

    def set(self, name: bytes, entry: Entry | None) -> None:
        """Put `entry` in the place of what has this name, or (None) remove that."""
        for key in (name, name + b"/"):
            at = bisect_left(self.keys, key)
            if self.keys[at : at + 1] == [key]:
                del self.keys[at], self.entries[at]
        if entry is not None:
            key = name + b"/" if is_tree(entry) else name
            at = bisect_left(self.keys, key)
            self.keys.insert(at, key)
            self.entries.insert(at, b"%b %b\0%b" % (entry.mode.encode("ascii"), name, bytes.fromhex(entry.object_id)))

    def encode(self) -> bytes:
        return b"".join(self.entries)


def parent_folders(path: str) -> list[str]:
    """The folders that lead to `path`, the root first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]


def read_folders(
    git: Git, checkout: Checkout, paths: Iterable[str], known: Mapping[str, Tree] | None = None
) -> dict[str, Tree]:
    """The trees that lead to each of `paths` in the last commit; empty where there is none.

    Args:
        known: trees by their ids, which need not be read.

    Raises:
        GitUnavailable: one is not to be had, or not as git writes it: what could not be written back as it was
            is not ours to change.
    """
    folders: dict[str, Tree] = {}
    for folder in sorted({folder for path in paths for folder in parent_folders(path)}, key=len):
        tree_id = _tree_at(folders, folder) if folder else _root_tree(git, checkout)
        tree = (known or {}).get(tree_id or "")
        if tree is None:
            data = b"" if tree_id is None else read_object(git, checkout, "tree", tree_id)
            tree = Tree.read(data, checkout.algorithm)
        if tree is None:
            raise GitUnavailable(f"the tree {tree_id} is damaged", "run `git fsck` in the vault")
        folders[folder] = tree
    return folders


def entry_at(folders: Mapping[str, Tree], path: str) -> Entry | None:
    """What `folders` has for a path whose folder was read."""
    folder, _, name = path.rpartition("/")
    return folders[folder].find(_encode(name))


def is_tree(entry: Entry | None) -> bool:
    return entry is not None and entry.mode == _TREE_MODE.decode("ascii")


def graft_entries(
    folders: Mapping[str, Tree], entries: Mapping[str, Entry | None], algorithm: str
) -> list[tuple[GitObject, Tree]]:
    """New trees with `entries` set or (None) removed, from the deepest to the root, which is the last.

    Args:
        folders: what leads to each of them; left as it is.
    """
    grafted = {folder: tree.copy() for folder, tree in folders.items()}
    for path, entry in entries.items():
        _set_entry(grafted, path, entry)
    trees: list[tuple[GitObject, Tree]] = []
    changed = {folder for path in entries for folder in parent_folders(path)}
    for folder in sorted(changed, key=len, reverse=True):
        if entries.get(folder) is not None:  # it is a file now
            continue
        tree = make_object("tree", grafted[folder].encode(), algorithm)
        if folder:
            _set_entry(grafted, folder, Entry(_TREE_MODE.decode("ascii"), tree.id) if tree.data else None)
        if tree.data or not folder:
            trees.append((tree, grafted[folder]))
    return trees


def _root_tree(git: Git, checkout: Checkout) -> str | None:
    if checkout.head is None:
        return None
    commit = read_object(git, checkout, "commit", checkout.head)
    return commit.partition(b"\n")[0].removeprefix(b"tree ").decode("ascii")


def _tree_at(folders: Mapping[str, Tree], folder: str) -> str | None:
    entry = entry_at(folders, folder)
    return entry.object_id if entry is not None and is_tree(entry) else None


def _set_entry(folders: Mapping[str, Tree], path: str, entry: Entry | None) -> None:
    folder, _, name = path.rpartition("/")
    folders[folder].set(_encode(name), entry)


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
