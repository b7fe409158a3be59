"""Which file a link means, as Obsidian decides it. Pure; kept up to date path by path.

Sources, since Obsidian's own help leaves most of it open ("Internal links": folder paths start at the vault's root):
`obsidian.d.ts` 1.13 (`getFirstLinkpathDest`, `fileToLinktext`, `normalizePath`), the observations of Obsidian 1.13.7
published in pvliesdonk/markdown-vault-mcp#1350, #1358 and #1385, and two descriptions of `getLinkpathDest` in 1.12 and
1.13.6 that agree. In this order:

1. An empty target is the note itself.
2. `./` and `../` start at the note's folder, `/` at the vault's root; then the path has to be exact.
3. A path that is exact from the root wins, even over a note of that name beside the source.
4. Otherwise every file counts whose path ends in the target at a `/`: first those in the source's folder or below it,
   then the others, each by the length of the path (characters, not folders).

Names are compared without case, in NFC, with no-break spaces as spaces. A file of exactly the name comes before the
name with `.md`, so `[[image.png]]` is the picture even where there is `image.png.md`. Aliases are never looked up
(observed: `[[AL]]` is unresolved where a note has that alias); Markdown links are looked up in the same way as
wikilinks, after percent-decoding (observed), which `ingest.parse` has done.

Not known, and decided here: paths of equal length are taken in alphabetical order (Obsidian: the order in which it
indexed them); `[[b/Note]]` does not mean `ab/Note.md`; a `../` that leaves the vault resolves to nothing.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, insort
from collections.abc import Iterable

_SPACES = str.maketrans("\u00a0\u202f", "  ")
_Ranked = tuple[int, str]


class LinkResolver:
    """Built once from the paths of all files; `add`, `remove` and `rename` cost the same in any vault.

    A lookup costs the number of files that share the target's name: one in nearly every case.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._exact: dict[str, list[str]] = {}
        self._names: dict[str, list[_Ranked]] = {}
        for path in paths:
            self.add(path)

    def __contains__(self, path: str) -> bool:
        return path in self._exact.get(fold_path(path), ())

    def add(self, path: str) -> None:
        """A file that is there now: note, attachment, canvas, anything. Adding it again changes nothing."""
        key = fold_path(path)
        spellings = self._exact.setdefault(key, [])
        if path in spellings:
            return
        if not spellings:
            insort(self._names.setdefault(_name(key), []), (len(key), key))
        insort(spellings, path)

    def remove(self, path: str) -> None:
        """A file that is gone. One that was not there changes nothing."""
        key = fold_path(path)
        spellings = self._exact.get(key, [])
        if path not in spellings:
            return
        spellings.remove(path)
        if spellings:
            return
        del self._exact[key]
        ranked = self._names[_name(key)]
        del ranked[bisect_left(ranked, (len(key), key))]
        if not ranked:
            del self._names[_name(key)]

    def rename(self, old: str, new: str) -> None:
        self.remove(old)
        self.add(new)

    def resolve(self, target: str, source: str) -> str | None:
        """The path that a link to `target` in the note `source` leads to, None where it leads nowhere.

        Args:
            target: the link without `#heading`, `^block` and `|display`, decoded: `Link.target`.
            source: the path of the note that the link stands in.
        """
        if not target:
            return source
        wanted = fold_path(target)
        anchored = _anchor(wanted, fold_path(source))
        if anchored is not None:
            return self._first_exact(anchored, target)
        return self._first_exact(wanted, target) or self._first_suffix(wanted, fold_path(source))

    def candidates(self, target: str, source: str) -> tuple[str, ...]:
        """Every file that `target` could mean, the one that it does mean first: more than one is an ambiguous link."""
        first = self.resolve(target, source)
        if first is None:
            return ()
        wanted = fold_path(target)
        others = self._suffixes(wanted) if _anchor(wanted, fold_path(source)) is None and target else []
        return tuple(dict.fromkeys([first, *(path for key in others for path in self._exact[key])]))

    def same_name(self, path: str) -> int:
        """How many files have the last part of this path as their name."""
        return sum(len(self._exact[key]) for _, key in self._names.get(_name(fold_path(path)), ()))

    def _first_exact(self, wanted: str, target: str) -> str | None:
        for key in (wanted, f"{wanted}.md"):
            if spellings := self._exact.get(key):
                written = unicodedata.normalize("NFC", target).lstrip("/")
                return next((path for path in spellings if path in (written, f"{written}.md")), spellings[0])
        return None

    def _first_suffix(self, wanted: str, source: str) -> str | None:
        folder = source.rpartition("/")[0]
        first: str | None = None
        for key in self._suffixes(wanted):
            if not folder or key.startswith(f"{folder}/"):
                return self._exact[key][0]
            first = first or key
        return self._exact[first][0] if first else None

    def _suffixes(self, wanted: str) -> list[str]:
        """The paths that end in `wanted`, shortest first; with `.md` only where none ends in it as it is."""
        for suffix in (wanted, f"{wanted}.md"):
            ranked = self._names.get(_name(suffix), ())
            if found := [key for _, key in ranked if key == suffix or key.endswith(f"/{suffix}")]:
                return found
        return []


def fold_path(path: str) -> str:
    """A path or target as it is compared: NFC, lower case, plain spaces, single slashes."""
    folded = unicodedata.normalize("NFC", path).lower().translate(_SPACES).strip()
    absolute = folded.startswith("/")
    joined = "/".join(part.strip() if part != "" else "" for part in folded.split("/") if part)
    return f"/{joined}" if absolute else joined


def _name(key: str) -> str:
    return key.rpartition("/")[2]


def _anchor(wanted: str, source: str) -> str | None:
    """The path that `/x`, `./x` or `../x` names, None where the target is not one of these.

    One that leaves the vault is the empty path, which no file has.
    """
    if wanted.startswith("/"):
        return wanted[1:]
    if not wanted.startswith(("./", "../")):
        return None
    parts = source.split("/")[:-1]
    for part in wanted.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
