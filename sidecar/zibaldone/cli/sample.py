"""`zib sample`: something to try the program on."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zibaldone.cli.options import Invocation, common_options

if TYPE_CHECKING:
    from zibaldone.sample.make import Sample


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Throw away the sample that is there and make it anew.")
@common_options()
@click.pass_obj
def sample(invocation: Invocation, path: Path | None, force: bool) -> None:
    """Make a small vault, a repository and questions about them, to try the program on.

    They go to PATH, else to sample/ in the data folder; nothing else is touched, and a folder that was not made by this
    command is left alone.
    """
    from zibaldone.config.places import data_dir
    from zibaldone.sample.make import make_sample

    made = make_sample((path or data_dir() / "sample").expanduser().resolve(), force=force)
    following = _next_commands(made)
    if invocation.json:
        click.echo(json.dumps({**asdict(made), "next": following}, indent=2, default=str, ensure_ascii=False))
        return
    click.echo(f"{made.vault}: {made.notes} notes, {made.attachments} attachments")
    click.echo(f"{made.repository}: {made.commits} commits")
    click.echo(f"{made.questions}: {made.asked} questions")
    click.echo("\nNext:")
    for command in following:
        click.echo(f"  {command}")


def _next_commands(made: Sample) -> list[str]:
    vault, repository, questions = (shlex.quote(str(path)) for path in (made.vault, made.repository, made.questions))
    return [
        f"zib init {vault}",
        f"zib --vault {vault} connectors add {repository}",
        f"zib --vault {vault} sync",
        f'zib --vault {vault} ask "Why were the visitors\' names taken out of the list?"',
        f'zib --vault {vault} evolution "a good repair"',
        f"zib --vault {vault} eval retrieval --load-queries {questions}",
    ]
