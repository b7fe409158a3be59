"""What the repository's own rules keep out of a commit: what git ignores, and what an encrypting filter would
have to encrypt (git-crypt and its like), since no filter is run here.

Both are git's to say. It is asked only where it could say yes: what is in the index is never ignored, and without
a file of attributes nothing has one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from zibaldone.vault.history.entries import IndexEntry
from zibaldone.vault.history.git import PLAIN_PATHSPECS, Git
from zibaldone.vault.history.state import Checkout
from zibaldone.vault.history.trees import parent_folders

_ENCRYPTING = re.compile(r"crypt|cipher|gpg|sops|\bage\b", re.IGNORECASE)


def attribute_files(paths: Iterable[str]) -> list[str]:
    """The files of the work tree in which attributes of `paths` (of the whole work tree) may be given. git reads
    them from its index where they are not on disk."""
    return sorted({f"{folder}/.gitattributes".lstrip("/") for path in paths for folder in parent_folders(path)})


def find_left_out(
    git: Git, checkout: Checkout, paths: Sequence[str], index: Mapping[str, IndexEntry]
) -> dict[str, str]:
    """The reason by path, for those of `paths` (the vault's) that are to be left out.

    Args:
        index: what the person's index has, for `paths` and their `attribute_files`, by path of the work tree.

    Raises:
        GitUnavailable: git fails.
    """
    left_out: dict[str, str] = {}
    untracked = [path for path in paths if index[checkout.prefix + path] is None]
    if untracked:
        ignored = git.run("check-ignore", "-z", "--stdin", stdin=_listed(untracked), env=PLAIN_PATHSPECS, ok=(0, 1))
        left_out |= {path.removeprefix("./"): "ignored by git (.gitignore)" for path in ignored.fields()}
    if paths and _has_attributes(git, checkout, paths, index):
        said = git.run("check-attr", "-z", "--stdin", "filter", stdin=_listed(paths)).fields()
        for path, value in zip(said[::3], said[2::3], strict=True):
            if _ENCRYPTING.search(value):
                left_out[path.removeprefix("./")] = f"encrypted by the filter {value}, which Zibaldone does not run"
    return left_out


def _has_attributes(git: Git, checkout: Checkout, paths: Sequence[str], index: Mapping[str, IndexEntry]) -> bool:
    top = Path(git.folder, *[".."] * checkout.prefix.count("/"))
    files = attribute_files(checkout.prefix + path for path in paths)
    return (
        "attr.tree" in git.keys
        or os.path.lexists(checkout.common_dir / "info/attributes")
        or any(index[file] is not None or os.path.lexists(top / file) for file in files)
    )


def _listed(paths: Sequence[str]) -> bytes:
    return "".join(f"./{path}\0" for path in paths).encode("utf-8", "surrogateescape")
