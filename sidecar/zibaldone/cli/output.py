"""Writing to the terminal: results on stdout, everything else on stderr."""

from __future__ import annotations

import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from zibaldone.errors import NeedsConfirmation

if TYPE_CHECKING:
    from pydantic import BaseModel

_WIDEST = 100


def clean(text: str) -> str:
    """Without control characters: text of notes and models must not drive the terminal."""
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) != "Cc")


def show_json(document: BaseModel) -> None:
    click.echo(document.model_dump_json(indent=2))


def note(message: str) -> None:
    click.secho(clean(message), dim=True, err=True)


def warn(message: str) -> None:
    click.echo(f"warning: {clean(message)}", err=True)


def line_width() -> int:
    """Columns of the terminal, 80 where unknown."""
    return min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)


def wrap(text: str, *, indent: str = "", first: str | None = None, lines: int | None = None) -> str:
    """Paragraphs filled to the terminal's width, at most `lines` lines."""
    width = line_width()
    wrapped: list[str] = []
    for paragraph in clean(text).splitlines():
        start = indent if wrapped or first is None else first
        wrapped += textwrap.wrap(
            paragraph, width, initial_indent=start, subsequent_indent=indent, break_long_words=False
        ) or [""]
    if lines is not None and len(wrapped) > lines:
        wrapped = wrapped[:lines]
        wrapped[-1] = f"{wrapped[-1][: width - 2]} …"
    return "\n".join(wrapped)


def snippet(text: str, *, indent: str, lines: int = 3) -> str:
    """The beginning of a passage as one paragraph."""
    return wrap(" ".join(text.split()), indent=indent, lines=lines)


def table(rows: Iterable[tuple[str, str]], *, indent: str = "  ") -> str:
    """Two columns; the second is wrapped."""
    pairs = list(rows)
    width = max((len(name) for name, _ in pairs), default=0) + 2
    blank = indent + " " * width
    return "\n".join(wrap(text, indent=blank, first=f"{indent}{name:<{width}}") for name, text in pairs)


def confirm(question: str, *, yes: bool, flag: str = "--yes") -> bool:
    """Ask, unless `yes`. Raises `NeedsConfirmation` where nobody is there to answer."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise NeedsConfirmation(question, f"Add {flag} to agree.")
    return click.confirm(question, err=True)
