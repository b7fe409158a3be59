"""A page's history, from git: which commits touched it, and who wrote which line."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from zibaldone.errors import NotFound
from zibaldone.schemas.wiki import BlameLine, PageBlame, PageCommit, PageHistory
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.history.blame import blame
from zibaldone.vault.history.commit import AUTHOR_EMAIL
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.repository import log_of
from zibaldone.wiki.slug import Slug, page_path, parse_slug


class PageHistorian:
    """Reads only. Raises `GitUnavailable` where there is no git."""

    def __init__(self, root: Path, files: VaultFiles, folder: str) -> None:
        self._root = root
        self._files = files
        self._folder = folder

    def history(self, name: str, limit: int) -> PageHistory:
        """The newest commits first; of a page that was deleted too.

        Raises:
            NotFound: there is no such page, and no commit of one.
        """
        slug = parse_slug(name)
        path = page_path(slug, self._folder)
        commits = log_of(Git(self._root), path, max_commits=limit)
        if not commits and not self._files.exists(path):
            raise _no_page(slug)
        return PageHistory(
            path=path,
            commits=[
                PageCommit(
                    commit=commit.sha,
                    at=commit.at.isoformat(),
                    by=_by(commit.email),
                    author=commit.author,
                    subject=commit.subject,
                    path=commit.paths[0] if commit.paths else path,
                )
                for commit in commits
            ],
        )

    def blame(self, name: str) -> PageBlame:
        """Raises `NotFound`."""
        slug = parse_slug(name)
        path = page_path(slug, self._folder)
        try:
            text = self._files.read_stable(path)
        except NotFound:
            raise _no_page(slug) from None
        lines: list[BlameLine] = []
        for number, line in enumerate(blame(Git(self._root), path, text), 1):
            written = line.written
            lines.append(
                BlameLine(
                    line=number,
                    text=line.text,
                    by=_by(written.email) if written else "uncommitted",
                    commit=written.sha if written else None,
                    at=written.at.isoformat() if written else None,
                    author=written.author if written else None,
                )
            )
        return PageBlame(path=path, lines=lines)


def _by(email: str) -> Literal["person", "agent"]:
    return "agent" if email == AUTHOR_EMAIL else "person"


def _no_page(slug: Slug) -> NotFound:
    return NotFound(f"There is no page {slug}.", "`zib page list` names those there are.")
