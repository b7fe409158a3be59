"""What a page may be said to rest on: a note that is there, or a registered source; never anything else.

Cost: the note that is named, whatever the size of the vault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from zibaldone.errors import InvalidRequest, NotFound, PathOutsideVault
from zibaldone.ingest.parse import SkipReason, decode_note
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.files import VaultFiles, sha256_hex
from zibaldone.vault.outside import OutsideFiles, is_outside
from zibaldone.vault.paths import is_markdown
from zibaldone.wiki.provenance import Provenance, RegisteredSource, merge_provenance, read_provenance
from zibaldone.wiki.sources import is_text

_SPAN = re.compile(r"(?P<path>.+?):(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?")
_HINT = "Name a note of the vault (`Notes/Bees.md`, `Notes/Bees.md:12-18`), or register the document with `zib ingest`."

ReadSources = Callable[[], Mapping[str, RegisteredSource]]


class SourceDesk:
    """Turns what somebody names into provenance.

    Args:
        exclusions: what may not be read; asked once for each check.
        sources: the registered sources by path, as they are now.
        outside: the folders beside the vault.
    """

    def __init__(
        self, files: VaultFiles, exclusions: Callable[[], Exclusions], sources: ReadSources, outside: OutsideFiles
    ) -> None:
        self._files = files
        self._exclusions = exclusions
        self.sources = sources
        self._outside = outside

    def check(self, given: Sequence[str]) -> tuple[Provenance, ...]:
        """Each with the hash of what is there now, and its span.

        Raises:
            InvalidRequest: one is neither a note nor registered, or its lines are not there.
        """
        if not given:
            return ()
        exclusions, sources = self._exclusions(), self.sources()
        entries = tuple(self._check(text, exclusions, sources) for text in given)
        return merge_provenance((), entries)

    def _check(self, text: str, exclusions: Exclusions, sources: Mapping[str, RegisteredSource]) -> Provenance:
        span = _SPAN.fullmatch(text.strip())
        for path, lines in [(text, None), *([(span["path"], span)] if span else [])]:
            [*named] = read_provenance(path).entries
            if not named:
                continue
            if (source := sources.get(named[0].path)) is not None:
                place = _span(lines) if lines else None
                if is_text(named[0].path):
                    return Provenance(named[0].path, source.sha256, lines=place)
                return Provenance(named[0].path, source.sha256, page_range=place)
            for candidate in (named[0].path, f"{named[0].path}.md"):
                if (found := self._read(candidate, exclusions)) is not None:
                    return _note(candidate, found, lines)
        raise InvalidRequest(f"`{text}` is neither a registered source nor a note.", _HINT)

    def _read(self, path: str, exclusions: Exclusions) -> bytes | None:
        try:
            if is_outside(path):
                return self._outside.read(path)
            if not is_markdown(path):
                return None
            data = self._files.read_stable(path)
            reason = exclusions.reason(self._files.real_path(path))
        except (NotFound, PathOutsideVault):
            return None
        if reason is not None:
            raise InvalidRequest(f"`{path}` cannot be a source: {reason}.", _HINT)
        return data


def _note(path: str, data: bytes, span: re.Match[str] | None) -> Provenance:
    if span is None:
        return Provenance(path, sha256_hex(data))
    decoded = decode_note(data)
    count = 0 if isinstance(decoded, SkipReason) else len(decoded.text.splitlines())
    first, last = int(span["first"]), int(span["last"] or span["first"])
    if not first <= last <= count:
        raise InvalidRequest(f"{path} has no lines {_span(span)}: it has {count}.", "Give lines that are there.")
    return Provenance(path, sha256_hex(data), lines=_span(span))


def _span(match: re.Match[str]) -> str:
    return match["first"] if match["last"] in (None, match["first"]) else f"{match['first']}-{match['last']}"
