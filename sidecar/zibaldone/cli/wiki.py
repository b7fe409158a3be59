"""`zib log`, `zib backlinks`, `zib similar`."""

from __future__ import annotations

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, note, show_json, snippet
from zibaldone.cli.wiki_output import call_wiki, read_stdin, tell_change


@click.command()
@click.argument("topic")
@common_options()
@click.pass_obj
def log(invocation: Invocation, topic: str) -> None:
    """Add the text on stdin to the day's log, under TOPIC."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.wiki import LogRequest

    request = checked(LogRequest, topic=topic, text=read_stdin())
    tell_change(invocation, call_wiki(invocation, lambda wiki: wiki.log(request)))


@click.command()
@click.argument("of", metavar="SLUG|NOTE")
@common_options()
@click.pass_obj
def backlinks(invocation: Invocation, of: str) -> None:
    """Notes and pages that link to a page or note."""
    found = call_wiki(invocation, lambda wiki: wiki.backlinks(of))
    if invocation.json:
        show_json(found)
        return
    if not found.backlinks:
        click.echo(clean(f"Nothing links to {found.path}."))
    for one in found.backlinks:
        place = f"#{one.heading}" if one.heading else f"#^{one.block}" if one.block else ""
        click.echo(clean(f"{one.path}:{one.line}{f'  {place}' if place else ''}"))


@click.command()
@click.argument("text", required=False)
@click.option("--slug", help="Near to this page instead of to a text.")
@click.option("-k", "--top-k", "k", type=click.IntRange(1, 100), default=10, show_default=True, help="How many.")
@common_options()
@click.pass_obj
def similar(invocation: Invocation, text: str | None, slug: str | None, k: int) -> None:
    """Pages that are near in meaning to TEXT, or to a page."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.wiki import SimilarRequest

    if bool(text) == bool(slug):
        raise click.UsageError("Give either TEXT or --slug.")
    request = checked(SimilarRequest, text=text, slug=slug, k=k)
    found = call_wiki(invocation, lambda wiki: wiki.similar(request))
    if invocation.json:
        show_json(found)
        return
    for sentence in found.notes:
        note(sentence)
    if not found.pages:
        click.echo("There is no page to compare with.")
    for one in found.pages:
        click.echo(f"{one.cosine:.2f}  {click.style(clean(one.slug), bold=True)}  {clean(one.title)}")
        click.echo(snippet(one.text, indent="      ", lines=2))
