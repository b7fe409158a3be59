"""Which folder is the vault."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zibaldone.errors import VaultNotFound

VARIABLE = "ZIBALDONE_VAULT"
_MARKS = (".obsidian", "Zibaldone")


def find_vault(explicit: Path | None, env: Mapping[str, str], cwd: Path) -> Path:
    """The vault's folder, absolute and with symlinks resolved.

    The first of: `explicit` (the `--vault` flag), `$ZIBALDONE_VAULT` where it is not empty, the nearest of
    `cwd` and its parents that holds `.obsidian/` or `Zibaldone/`. A named folder needs no such mark: it may
    be new. `~`, relative paths (from `cwd`) and trailing slashes are understood.

    Raises:
        VaultNotFound: the named folder does not exist, or nothing at or above `cwd` looks like a vault.
    """
    if explicit is not None:
        return _named(explicit, cwd, "--vault")
    if env.get(VARIABLE, "").strip():
        return _named(Path(env[VARIABLE].strip()), cwd, f"${VARIABLE}")
    start = cwd.resolve()
    for folder in (start, *start.parents):
        if any((folder / mark).is_dir() for mark in _MARKS):
            return folder
    raise VaultNotFound(
        f"no vault at or above {start}",
        f"go to your vault's folder, pass --vault PATH, or set ${VARIABLE}",
    )


def _named(path: Path, cwd: Path, source: str) -> Path:
    try:
        folder = (cwd / path.expanduser()).resolve()
        found = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # ~nobody, a symlink loop, a NUL
        raise VaultNotFound(f"{source} names {str(path)!r}: {error}", "check the path") from error
    if not found:
        raise VaultNotFound(f"{source} names {folder}, which is not a folder", "check the path")
    return folder
