"""`zib page`: the pages of the wiki. Texts are read from stdin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options
from zibaldone.cli.output import clean, show_json, wrap
from zibaldone.cli.wiki_output import call_wiki, read_stdin, tell_change

if TYPE_CHECKING:
    from zibaldone.schemas.wiki import PageContent

F = TypeVar("F", bound=Callable[..., Any])
_WHO = {"agent": "agent", "person": "person", "uncommitted": "-"}


def _text_options(command: F) -> F:
    """--provenance and --allow-elision, for what takes a text."""
    for option in (
        click.option("--allow-elision", is_flag=True, help='Take "..." and its like for what is meant.'),
        click.option(
            "--provenance",
            multiple=True,
            metavar="P",
            help="What the text rests on: NOTE, NOTE:12-18 or a registered source; may be repeated.",
        ),
    ):
        command = option(command)
    return command


@click.group()
def page() -> None:
    """The pages of the wiki, in Zibaldone/pages/. A page is named by its slug, such as bees:varroa."""


@page.command("list")
@click.argument("prefix", default="")
@common_options()
@click.pass_obj
def list_pages(invocation: Invocation, prefix: str) -> None:
    """The pages, or those whose slug begins with PREFIX."""
    found = call_wiki(invocation, lambda wiki: wiki.pages(prefix))
    if invocation.json:
        show_json(found)
        return
    if not found.pages:
        click.echo("There is no such page." if prefix else "There is no page yet.")
    for one in found.pages:
        tags = f"  ({', '.join(one.tags)})" if one.tags else ""
        click.echo(f"{click.style(clean(one.slug), bold=True)}  {clean(one.title + tags)}")


@page.command()
@click.argument("slug")
@click.option("--body-only", is_flag=True, help="The Markdown without the properties.")
@common_options()
@click.pass_obj
def show(invocation: Invocation, slug: str, body_only: bool) -> None:
    """One page."""
    found = call_wiki(invocation, lambda wiki: wiki.page(slug))
    if invocation.json:
        show_json(found)
    elif body_only:
        click.echo(clean(found.body))
    else:
        click.echo("\n".join(_lines(found)))


@page.command()
@click.argument("slug", required=False)
@click.option("--title", required=True, help="What the page is about, in a few words.")
@click.option("--tag", "tags", multiple=True, help="May be repeated.")
@_text_options
@common_options()
@click.pass_obj
def write(
    invocation: Invocation,
    slug: str | None,
    title: str,
    tags: tuple[str, ...],
    provenance: tuple[str, ...],
    allow_elision: bool,
) -> None:
    """Write a new page; its text is read from stdin. Without SLUG the title gives it."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.wiki import WritePageRequest

    request = checked(
        WritePageRequest,
        title=title,
        body=read_stdin(),
        slug=slug,
        tags=list(tags),
        provenance=list(provenance),
        allow_elision=allow_elision,
    )
    tell_change(invocation, call_wiki(invocation, lambda wiki: wiki.write(request)))


@page.command()
@click.argument("slug")
@_text_options
@common_options()
@click.pass_obj
def extend(invocation: Invocation, slug: str, provenance: tuple[str, ...], allow_elision: bool) -> None:
    """Give a page another text, read from stdin; its properties stay."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.wiki import ExtendPageRequest

    request = checked(ExtendPageRequest, body=read_stdin(), provenance=list(provenance), allow_elision=allow_elision)
    tell_change(invocation, call_wiki(invocation, lambda wiki: wiki.extend(slug, request)))


@page.command()
@click.argument("slug")
@click.option("--section", multiple=True, metavar="H", help="Below this heading; repeat for headings below each other.")
@click.option("--number", type=click.IntRange(min=1), metavar="N", help="Which one, of several sections --section.")
@_text_options
@common_options()
@click.pass_obj
def append(
    invocation: Invocation,
    slug: str,
    section: tuple[str, ...],
    number: int | None,
    provenance: tuple[str, ...],
    allow_elision: bool,
) -> None:
    """Add the text on stdin at the end of a page, or of one of its sections."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.wiki import AppendPageRequest

    request = checked(
        AppendPageRequest,
        text=read_stdin(),
        section=list(section),
        number=number,
        provenance=list(provenance),
        allow_elision=allow_elision,
    )
    tell_change(invocation, call_wiki(invocation, lambda wiki: wiki.append(slug, request)))


@page.command()
@click.argument("old")
@click.argument("new")
@click.option("--title", help="Another title too.")
@common_options()
@click.pass_obj
def rename(invocation: Invocation, old: str, new: str, title: str | None) -> None:
    """Move page OLD to NEW. Links in Zibaldone/ follow; those in your own notes wait for your approval."""
    from zibaldone.cli.requests import checked
    from zibaldone.schemas.wiki import RenamePageRequest

    request = checked(RenamePageRequest, slug=new, title=title)
    tell_change(invocation, call_wiki(invocation, lambda wiki: wiki.rename(old, request)))


@page.command()
@click.argument("slug")
@common_options()
@click.pass_obj
def delete(invocation: Invocation, slug: str) -> None:
    """Move a page to the vault's .trash/, or delete it where Obsidian is set to delete at once."""
    tell_change(invocation, call_wiki(invocation, lambda wiki: wiki.delete(slug)))


@page.command()
@click.argument("slug")
@click.option("-n", "--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many.")
@common_options()
@click.pass_obj
def history(invocation: Invocation, slug: str, limit: int) -> None:
    """The commits that touched a page, the newest first, and whether a person or the agent made them."""
    found = call_wiki(invocation, lambda wiki: wiki.history(slug, limit))
    if invocation.json:
        show_json(found)
        return
    if not found.commits:
        click.echo("It is not committed yet.")
    for one in found.commits:
        head = f"{one.commit[:7]}  {one.at[:16].replace('T', ' ')}  {one.by}  {one.author}"
        click.echo(clean(head))
        click.echo(wrap(one.subject, indent="    "))


@page.command()
@click.argument("slug")
@common_options()
@click.pass_obj
def blame(invocation: Invocation, slug: str) -> None:
    """Who wrote which line of a page, a person or the agent."""
    found = call_wiki(invocation, lambda wiki: wiki.blame(slug))
    if invocation.json:
        show_json(found)
        return
    for one in found.lines:
        commit = one.commit[:7] if one.commit else "-" * 7
        day = one.at[:10] if one.at else ""
        head = click.style(f"{commit} {day:10} {_WHO[one.by]:6} {one.line:4}", dim=True)
        click.echo(f"{head} {clean(one.text)}")


def _lines(found: PageContent) -> list[str]:
    lines = [click.style(clean(found.title), bold=True), clean(f"{found.slug}  {found.path}")]
    if found.aliases:
        lines.append(wrap(f"also {', '.join(found.aliases)}"))
    if found.tags:
        lines.append(wrap(" ".join(f"#{tag}" for tag in found.tags)))
    for item in found.provenance:
        span = f" lines {item.lines}" if item.lines else f" pages {item.page_range}" if item.page_range else ""
        lines.append(clean(f"rests on {item.path}{span}"))
    lines += [clean(f"problem: {problem}") for problem in found.problems]
    return [*lines, "", clean(found.body)]
