"""Trees of commits: read along the paths of a change, and made anew with it.

Only the folders that lead to a path are read and written, so that what a commit costs depends on those and not
on the size of the vault. Paths are those of the whole work tree; the folder `` is its root.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from zibaldone.errors import GitUnavailable
from zibaldone.vault.history.entries import Entry
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.objects import GitObject, make_object, read_object
from zibaldone.vault.history.state import Checkout

# Mode and object id by name, as git has them: a vault may have thousands of notes in one folder.
Tree = dict[bytes, tuple[bytes, bytes]]
_TREE_MODE = b"40000"
_ENTRIES = {
    "sha1": re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.DOTALL),
    "sha256": re.compile(rb"([0-7]+) ([^\0]+)\0(.{32})", re.DOTALL),
}


def parent_folders(path: str) -> list[str]:
    """The folders that lead to `path`, the root first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]


def read_folders(git: Git, checkout: Checkout, paths: Iterable[str]) -> dict[str, Tree]:
    """The trees that lead to each of `paths` in the last commit; empty where there is none.

    Raises:
        GitUnavailable: one is not to be had, or not as git writes it: what could not be written back as it was
            is not ours to change.
    """
    folders: dict[str, Tree] = {}
    for folder in sorted({folder for path in paths for folder in parent_folders(path)}, key=len):
        tree_id = _tree_at(folders, folder) if folder else _root_tree(git, checkout)
        data = b"" if tree_id is None else read_object(git, checkout, "tree", tree_id)
        found = _ENTRIES[checkout.algorithm].findall(data)
        folders[folder] = {name: (mode, object_id) for mode, name, object_id in found}
        if _format_tree(folders[folder]) != data:
            raise GitUnavailable(f"the tree {tree_id} is damaged", "run `git fsck` in the vault")
    return folders


def entry_at(folders: Mapping[str, Tree], path: str) -> Entry | None:
    """What `folders` has for a path whose folder was read."""
    folder, _, name = path.rpartition("/")
    found = folders[folder].get(_encode(name))
    return None if found is None else Entry(found[0].decode("ascii"), found[1].hex())


def is_tree(entry: Entry | None) -> bool:
    return entry is not None and entry.mode == _TREE_MODE.decode("ascii")


def graft_entries(
    folders: Mapping[str, Tree], entries: Mapping[str, Entry | None], algorithm: str
) -> tuple[GitObject, ...]:
    """New trees with `entries` set or (None) removed, from the deepest to the root, which is the last.

    Args:
        folders: what leads to each of them; left as it is.
    """
    grafted = {folder: dict(tree) for folder, tree in folders.items()}
    for path, entry in entries.items():
        raw = None if entry is None else (entry.mode.encode("ascii"), bytes.fromhex(entry.object_id))
        _set_entry(grafted, path, raw)
    trees: list[GitObject] = []
    changed = {folder for path in entries for folder in parent_folders(path)}
    for folder in sorted(changed, key=len, reverse=True):
        if entries.get(folder) is not None:  # it is a file now
            continue
        tree = make_object("tree", _format_tree(grafted[folder]), algorithm)
        if folder:
            _set_entry(grafted, folder, (_TREE_MODE, bytes.fromhex(tree.id)) if tree.data else None)
        if tree.data or not folder:
            trees.append(tree)
    return tuple(trees)


def _root_tree(git: Git, checkout: Checkout) -> str | None:
    if checkout.head is None:
        return None
    commit = read_object(git, checkout, "commit", checkout.head)
    return commit.partition(b"\n")[0].removeprefix(b"tree ").decode("ascii")


def _tree_at(folders: Mapping[str, Tree], folder: str) -> str | None:
    entry = entry_at(folders, folder)
    return entry.object_id if entry is not None and is_tree(entry) else None


def _format_tree(tree: Mapping[bytes, tuple[bytes, bytes]]) -> bytes:
    """A tree's bytes; git sorts folders as if their names ended in a slash."""
    ordered = sorted(tree.items(), key=lambda one: one[0] + b"/" if one[1][0] == _TREE_MODE else one[0])
    return b"".join(b"%b %b\0%b" % (mode, name, object_id) for name, (mode, object_id) in ordered)


def _set_entry(folders: Mapping[str, Tree], path: str, entry: tuple[bytes, bytes] | None) -> None:
    folder, _, name = path.rpartition("/")
    if entry is None:
        folders[folder].pop(_encode(name), None)
    else:
        folders[folder][_encode(name)] = entry


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
