"""`zib init`: make a folder ready. Existing folders, notes and ignore files are never overwritten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from zibaldone.config.places import vault_places
from zibaldone.config.settings import Settings
from zibaldone.errors import InvalidRequest, NeedsConfirmation, VaultNotFound
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.commit import CommitEngine, Committed, Deferred
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.repository import init_repository
from zibaldone.vault.history.state import RepositoryState, find_checkout
from zibaldone.vault.scaffold import check_folder, scaffold


@dataclass(frozen=True, slots=True)
class PreparedVault:
    """What was done; a second run does nothing and says so by empty fields."""

    vault: Path
    repository_created: bool = False
    written: list[str] = field(default_factory=list)
    commit: str | None = None
    notes: list[str] = field(default_factory=list)


def prepare_vault(path: Path, settings: Settings, confirm: Callable[[str], bool]) -> PreparedVault:
    """A git repository where there is none (after asking), and the agent's folder in one commit.

    Raises:
        VaultNotFound: `path` is no folder.
        NeedsConfirmation: a repository is needed and was refused.
        InvalidRequest: read-only mode, or the agent's folder is one of the person's.
    """
    if settings.read_only:
        raise InvalidRequest("Nothing is written in read-only mode.", "Take `read_only` out of the settings first.")
    vault = path.expanduser().resolve()
    if not vault.is_dir():
        raise VaultNotFound(f"{path} is not a folder.", "Give the folder of your notes: `zib init PATH`.")
    check_folder(vault, settings.folder)
    git = Git(vault)
    created = find_checkout(git) is RepositoryState.NONE
    if created:
        if not confirm(f"{vault} is in no git repository. Make one there, so that every change can be taken back?"):
            raise NeedsConfirmation(
                f"{vault} is in no git repository, and none was made.",
                "Every change is recorded as a commit: run `zib init` again when you want that.",
            )
        init_repository(vault)
    files = VaultFiles(vault)
    missing = scaffold(vault, settings.folder)
    for rel, data in missing.items():
        files.write_atomic(rel, data, base_sha256=None)
    commit: str | None = None
    notes: list[str] = []
    if missing:
        engine = CommitEngine(git, vault_places(vault).commits)
        match engine.commit(missing, f"init: {settings.folder}"):
            case Committed(sha=sha):
                commit = sha
            case Deferred(reason=reason):
                notes.append(f"The new files are not committed: {reason}.")
    return PreparedVault(vault, created, sorted(missing), commit, notes)
