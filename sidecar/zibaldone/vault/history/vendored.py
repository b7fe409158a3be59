"""What a repository holds that nobody wrote in it: copies of others' code, what a build makes, lock files.

Told by name, for commits as pathspecs, so that git does not even look into them; by the attributes with which a
repository marks such files itself (`linguist-generated`, `linguist-vendored`); in the work tree by what git ignores.
"""

from __future__ import annotations

from collections.abc import Iterable

from zibaldone.vault.history.git import Git

_FOLDERS = (
    *("node_modules", "bower_components", "vendor", "third_party", "site-packages", ".venv", ".yarn", "Pods"),
    *("dist", "__pycache__"),
)
_FILES = (
    *("*.min.js", "*.min.mjs", "*.min.css", "*.bundle.js", "*.map", "*_pb2.py", "*.pb.go"),
    *("*.lock", "*.lockfile", "package-lock.json", "npm-shrinkwrap.json", "packages.lock.json", "pnpm-lock.yaml"),
    *("bun.lockb", "go.sum"),
)
VENDORED = (
    *(f":(exclude,glob,icase)**/{folder}/**" for folder in _FOLDERS),
    *(f":(exclude,glob,icase)**/{name}" for name in _FILES),
)
_FOLDED = frozenset(map(str.casefold, _FOLDERS))
_MARKS = ("linguist-generated", "linguist-vendored")
_NOT_MARKED = frozenset({"unspecified", "unset", "false"})


def is_vendored_folder(name: str) -> bool:
    return name.casefold() in _FOLDED


def list_ignored(git: Git) -> frozenset[str]:
    """The files and folders of the work tree that git ignores, relative to git's folder; none in a bare repository.

    Raises:
        GitUnavailable: git cannot be run.
    """
    listed = git.run("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", ok=(0, 128))
    return frozenset(path.removesuffix("/") for path in listed.fields())


def find_marked(git: Git, paths: Iterable[str]) -> frozenset[str]:
    """Those of `paths` that the attributes of now mark; in a bare repository only `info/attributes` is asked.

    Raises:
        GitUnavailable: git cannot be run.
    """
    asked = "".join(f"{path}\0" for path in dict.fromkeys(paths))
    if not asked:
        return frozenset()
    # A path that no work tree can hold ends the answer there; those before it count.
    said = git.run("check-attr", "-z", "--stdin", *_MARKS, stdin=asked.encode("utf-8", "surrogateescape"), ok=(0, 128))
    fields = said.fields()
    return frozenset(path for path, value in zip(fields[::3], fields[2::3], strict=False) if value not in _NOT_MARKED)
