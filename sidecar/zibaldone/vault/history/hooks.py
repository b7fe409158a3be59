"""Hooks of git that leave a hint after the person's own commits, merges and checkouts.

A hook is a few lines of `sh` that make an empty file outside the vault, in a millisecond, and end well whatever
happens; then the hook that was there before goes on in its place, with its arguments and its exit code. That one is
kept beside it under another name and comes back, untouched, when ours is taken away. Work trees of one repository share
their hooks: each vault has a line of its own.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from zibaldone.errors import InvalidRequest
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.state import Checkout, RepositoryState, find_checkout

NAMES = ("post-commit", "post-merge", "post-checkout")
_KEPT = ".before-zibaldone"
_FIRST = "#!/bin/sh\n# Made by `zib hook install`; `zib hook uninstall` takes it away and puts back what was here.\n"
_START, _END = "{ : >", "; } 2>/dev/null || :\n"
_LAST = f'if [ -x "$0{_KEPT}" ]; then exec "$0{_KEPT}" "$@"; fi\nexit 0\n'


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of one vault. `folder` is where git looks for them, `hint` the file that they make."""

    folder: Path
    hint: Path

    def install(self) -> list[Path]:
        """Idempotent; the hooks that now tell of this vault.

        Raises:
            InvalidRequest: one of ours was changed by hand, or what is kept would be lost.
            OSError: the folder cannot be written; what was there is there.
        """
        found = {name: self._lines(name) for name in NAMES}  # refuses before anything is changed
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, lines in found.items():
            if lines is None and os.path.lexists(self.folder / name):
                (self.folder / name).rename(self._kept(name))
            if self._line not in (lines or []):
                self._write(name, [*(lines or []), self._line])
        return [self.folder / name for name in NAMES]

    def uninstall(self) -> list[Path]:
        """The hooks that no longer tell of this vault; none where none did.

        Raises:
            InvalidRequest: one of ours was changed by hand.
            OSError: the folder cannot be written.
        """
        found = {name: lines for name in NAMES if self._line in (lines := self._lines(name) or [])}
        for name, lines in found.items():
            if rest := [line for line in lines if line != self._line]:
                self._write(name, rest)
            elif os.path.lexists(self._kept(name)):
                self._kept(name).replace(self.folder / name)
            else:
                (self.folder / name).unlink()
        return [self.folder / name for name in found]

    @property
    def _line(self) -> str:
        return f"{_START}{shlex.quote(str(self.hint))}{_END}"

    def _kept(self, name: str) -> Path:
        return self.folder / f"{name}{_KEPT}"

    def _lines(self, name: str) -> list[str] | None:
        """The hints of a hook of ours; None where there is none of ours."""
        try:
            text = (self.folder / name).read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            text = ""
        if not text.startswith(_FIRST):
            if os.path.lexists(self._kept(name)):
                raise InvalidRequest(
                    f"The hook {self.folder / name} was replaced, and {name}{_KEPT} is beside it.",
                    "Keep the one that you want, remove the other, and try again.",
                )
            return None
        hints = text.removeprefix(_FIRST).removesuffix(_LAST).splitlines(keepends=True)
        if not text.endswith(_LAST) or not all(one.startswith(_START) and one.endswith(_END) for one in hints):
            raise InvalidRequest(
                f"The hook {self.folder / name} of Zibaldone was changed by hand.",
                f"Move your own lines to {name}{_KEPT}, or remove the file, and try again.",
            )
        return hints

    def _write(self, name: str, lines: list[str]) -> None:
        temporary = self.folder / f"{name}.zibaldone-new"
        temporary.write_bytes("".join([_FIRST, *lines, _LAST]).encode("utf-8", "surrogateescape"))
        temporary.chmod(0o755)
        temporary.replace(self.folder / name)


def find_hooks(vault: Path, hint: Path) -> Hooks:
    """Where the vault's repository has its hooks, as the person's git sees it (`core.hooksPath` too).

    Raises:
        InvalidRequest: there is no repository, or its hooks are shared with other repositories or other people.
        GitUnavailable: git fails.
    """
    git = Git(vault)
    checkout = find_checkout(git)
    if isinstance(checkout, RepositoryState):
        raise InvalidRequest(f"No hook can be installed: {checkout.sentence}.", "Run `zib init`.")
    scope, folder = _configured(git, checkout)
    if scope in ("global", "system"):
        raise InvalidRequest(
            f"core.hooksPath of your {scope} git settings names {folder}, whose hooks run in every repository.",
            "Set core.hooksPath for this repository alone (`git config core.hooksPath .git/hooks`).",
        )
    top = Path(git.folder, *[".."] * checkout.prefix.count("/")).resolve()
    real = folder.resolve()
    in_git = real.is_relative_to(checkout.common_dir.resolve()) or real.is_relative_to(checkout.git_dir.resolve())
    if real.is_relative_to(top) and not in_git:
        raise InvalidRequest(
            f"core.hooksPath names {folder}, whose hooks are files of the vault and go wherever it goes.",
            "A running sidecar sees changes without a hook; `zib sync` does what a hook would.",
        )
    if folder.exists() and not folder.is_dir():
        raise InvalidRequest(f"core.hooksPath names {folder}, which is no folder: hooks are switched off.")
    return Hooks(folder, hint)


def _configured(git: Git, checkout: Checkout) -> tuple[str, Path]:
    """Which settings name the folder (`` for none), and the folder."""
    query = ("config", "-z", "--show-scope", "--type=path", "--get-all", "core.hooksPath")
    fields = Git(git.folder, personal=True).run(*query, ok=(0, 1)).fields()
    # Our own override is the last of them.
    named = [(scope, path) for scope, path in zip(fields[::2], fields[1::2], strict=True) if scope != "command"]
    if not named:
        return "", checkout.common_dir / "hooks"
    scope, path = named[-1]
    top = Path(git.folder, *[".."] * checkout.prefix.count("/"))
    return scope, top / path
