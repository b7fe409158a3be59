"""Links of a note brought up to date after a note was moved. Pure; bytes in, bytes out.

A link is changed only where it would now lead elsewhere than it did (or nowhere), and keeps its form: a name stays a
name, a path a path, `../` relative, and an extension that was written stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from zibaldone.vault.edit.links import LinkTarget, rewrite_links
from zibaldone.wiki.links import relative_target
from zibaldone.wiki.resolve import LinkResolver


def relink(data: bytes, path: str, moved: tuple[str, str], before: LinkResolver, after: LinkResolver) -> bytes:
    """The note that was at `path`, with its links leading where they led; `moved` is the old and the new path of the
    note that moved, which may be this one.

    Args:
        before, after: all files of the vault, as they were and as they are.

    Raises:
        InvalidRequest, NotEditable: as `rewrite_links`.
    """
    old, new = moved
    source = new if path == old else path

    def change(link: LinkTarget) -> str | None:
        led = before.resolve(link.path, path) if link.path else None
        if led is None:
            return None
        wanted = new if led == old else led
        if after.resolve(link.path, source) == wanted:
            return None
        target = retarget(link.path, wanted, source, after)
        return None if target is None else target + link.place

    return rewrite_links(data, change)


def retarget(written: str, wanted: str, source: str, resolver: LinkResolver) -> str | None:
    """A target that leads from `source` to the file `wanted`, in the form of `written`; None where there is none."""
    forms = _forms(written, wanted, source)
    return next((form for form in forms if resolver.resolve(form, source) == wanted), None)


def _forms(written: str, wanted: str, source: str) -> Iterator[str]:
    for path in _paths(written, wanted, source):
        bare = path.removesuffix(".md")
        yield from (path, bare) if written.lower().endswith(".md") else (bare, path)


def _paths(written: str, wanted: str, source: str) -> Iterator[str]:
    if written.startswith(("./", "../")):
        relative = relative_target(wanted, source)
        yield relative if relative.startswith("../") or written.startswith("../") else f"./{relative}"
        yield f"./{relative}"
    elif not written.startswith("/"):
        parts = wanted.split("/")
        for count in range(written.count("/") + 1, len(parts) + 1):
            yield "/".join(parts[-count:])
    yield f"/{wanted}"
