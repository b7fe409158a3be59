"""`zib lint` and `zib index rebuild`: what is wrong with the wiki, and mending what takes nothing away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from zibaldone.errors import ZibaldoneError
from zibaldone.ingest.parse import SkipReason
from zibaldone.runtime.wiki import Vault, WikiDesk
from zibaldone.runtime.wiki_sources import ReadSources
from zibaldone.runtime.writer import Read
from zibaldone.schemas.wiki import LintFinding, LintReport, LintRequest, LintScope, WikiChangeKind
from zibaldone.vault.exclusions import Exclusions
from zibaldone.vault.listing import list_files
from zibaldone.vault.outside import OutsideFiles
from zibaldone.vault.scan import FoundNote, scan_notes
from zibaldone.wiki.change import Changes
from zibaldone.wiki.fixes import apply_fixes
from zibaldone.wiki.lint import Scope, lint, note_hashes
from zibaldone.wiki.lint_kinds import Finding, Kind, Severity
from zibaldone.wiki.lint_note import LintNote, read_lint_note
from zibaldone.wiki.provenance import Registry
from zibaldone.wiki.resolve import LinkResolver
from zibaldone.wiki.slug import PAGES

_OF_INDEX = (Kind.MISSING_INDEX_ENTRY, Kind.DEAD_INDEX_ENTRY)


class Upkeep:
    """Looks at every note that may be read; changes only what `Finding.fix` says."""

    def __init__(
        self,
        vault: Vault,
        desk: WikiDesk,
        exclusions: Callable[[], Exclusions],
        sources: ReadSources,
        outside: OutsideFiles,
    ) -> None:
        self._vault = vault
        self._desk = desk
        self._exclusions = exclusions
        self._sources = sources
        self._outside = outside
        self._folder = vault.settings.folder

    def run(self, request: LintRequest, now: datetime) -> LintReport:
        """Raises what `WikiDesk` raises, where something is fixed."""
        findings = self._find(request.scope)
        if not request.fix or not any(finding.fix for finding in findings):
            return _report(findings)
        # What can be fixed is known before anything is written, as a note may say no to its fix.
        done = apply_fixes(self._vault.read, findings, self._folder).done
        if not done:
            return _report(findings)

        def plan(read: Read) -> Changes:
            return apply_fixes(read, done, self._folder).changes

        kind: WikiChangeKind = "index" if request.scope == "index" else "lint"
        fix = self._desk.apply(kind, f"{kind}: {len(done)} fix{'es' if len(done) > 1 else ''}", now, plan)
        left = [finding for finding in findings if finding not in done]
        return _report(left).model_copy(update={"fixed": len(done), "fix": fix})

    def _find(self, scope: LintScope) -> list[Finding]:
        resolver = LinkResolver(list_files(self._vault.root))
        notes = list(self._read_notes(with_notes=scope != "index"))
        registry = Registry(sources=self._sources(), notes=note_hashes(notes), outside=self._outside.digest)
        judged = Scope.ALL if scope == "all" else Scope.PAGES
        found = lint(notes, resolver, registry, scope=judged, folder=self._folder)
        return [finding for finding in found if scope != "index" or finding.kind in _OF_INDEX]

    def _read_notes(self, *, with_notes: bool) -> Iterator[LintNote]:
        under = () if with_notes else (f"{self._folder}/{PAGES}",)
        paths = [f"{self._folder}/index.md"]
        paths += [n.path for n in scan_notes(self._vault.root, self._exclusions(), under) if isinstance(n, FoundNote)]
        for path in paths:
            try:
                data = self._vault.read(path)
            except (ZibaldoneError, OSError):  # it is being written to, or may not be read
                continue
            note = None if data is None else read_lint_note(path, data, self._folder)
            if note is not None and not isinstance(note, SkipReason):
                yield note


def _report(findings: list[Finding]) -> LintReport:
    counted = [finding.severity for finding in findings]
    return LintReport(
        errors=counted.count(Severity.ERROR),
        warnings=counted.count(Severity.WARNING),
        findings=[
            LintFinding(
                kind=finding.kind.value,
                severity=finding.severity.value,
                path=finding.path,
                line=finding.line,
                message=finding.message,
                remedy=finding.remedy,
                fixable=finding.fix is not None,
            )
            for finding in findings
        ],
    )
