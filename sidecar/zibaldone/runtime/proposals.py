"""Proposals: the only way in which a note of the person is changed. Each file or hunk is approved or rejected.

What is left of a proposal is always the difference between a note as it was (`base`) and as it would be (`wanted`): an
approved hunk moves the base, a rejected one moves what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from zibaldone.errors import InvalidRequest, NotFound, VaultChanged
from zibaldone.runtime.writer import Read, VaultWriter, Written
from zibaldone.schemas.proposals import Decision, HunkEdit, Proposal, ProposalState, ProposedFile, ProposedHunk
from zibaldone.store.proposals import ProposalStore, ProposedContent, StoredProposal
from zibaldone.vault.edit.hunks import Hunk, apply_hunks, diff
from zibaldone.vault.edit.merge import merge
from zibaldone.vault.files import VaultFiles, sha256_hex

# From a way to read notes and what is written to them to what else is to be written.
Complete = Callable[[Read, Mapping[str, bytes | None]], Mapping[str, bytes | None]]


class ProposalDesk:
    """The proposals of one vault."""

    def __init__(self, store: ProposalStore, writer: VaultWriter, files: VaultFiles) -> None:
        self._store = store
        self._writer = writer
        self._files = files

    def propose(
        self,
        title: str,
        reason: str,
        wanted: Mapping[str, bytes | None],
        now: datetime,
        *,
        based_on: Mapping[str, bytes | None] | None = None,
    ) -> Proposal | None:
        """Record what notes are to become (None: to be deleted); nothing is written to them. None: nothing differs.

        Args:
            based_on: the versions that `wanted` was made from; those of now for a note that is not in it.
        """
        bases = based_on or {}
        files = {
            path: ProposedContent(bases[path] if path in bases else self._read(path), content)
            for path, content in wanted.items()
        }
        files = {path: content for path, content in files.items() if content.base != content.wanted}
        if not files:
            return None
        return self.show(self._store.add(title, reason, files, now))

    def amend(self, waiting: StoredProposal, wanted: Mapping[str, bytes | None]) -> Proposal:
        """The same proposal, with other content wanted in some of its notes.

        Raises:
            VaultChanged: it was decided on meanwhile.
        """
        files = {path: replace(waiting.files[path], wanted=content) for path, content in wanted.items()}
        left = {**waiting.files, **files}
        return self._describe(self._store.update(waiting.id, waiting.revision, left, "open"))

    def list(self, *, only_open: bool) -> list[StoredProposal]:
        """The newest first."""
        return self._store.all(only_open=only_open)

    def show(self, number: int) -> Proposal:
        """Raises `NotFound`."""
        return self._describe(self._store.get(number))

    def edit(self, number: int, edit: HunkEdit) -> Proposal:
        """Put other words in the place of what a hunk would write.

        Raises:
            NotFound: no such proposal, file or hunk.
            VaultChanged: the proposal was decided on meanwhile.
            InvalidRequest: it is not open, or the note is to be deleted.
        """
        decision = Decision(path=edit.path, hunks=[edit.hunk], revision=edit.revision)
        proposal = self._open(number, decision)
        [chosen] = self._choose(proposal, decision)[edit.path]
        content = proposal.files[edit.path]
        if content.wanted is None:
            raise InvalidRequest(f"{edit.path} is to be deleted.", "Approve that, or reject it.")
        hunks = [one._replace(new=edit.new.encode()) if one == chosen else one for one in _hunks(content)]
        left = {**proposal.files, edit.path: replace(content, wanted=apply_hunks(content.base or b"", hunks))}
        return self._settle(proposal, left, "rejected")

    def apply(
        self, number: int, decision: Decision, now: datetime, complete: Complete = lambda read, landed: {}
    ) -> tuple[Proposal, Written | None]:
        """Write the chosen part, and with it what `complete` makes of it.

        Raises:
            NotFound: no such proposal, file or hunk.
            VaultChanged: a note was edited in the same lines, or does not hold what has `landed`, or the proposal was
                decided on meanwhile.
            InvalidRequest: it is not open.
        """
        proposal = self._open(number, decision)
        left = dict(proposal.files)
        results: dict[str, bytes | None] = {}
        for path, chosen in self._choose(proposal, decision).items():
            content = left[path]
            results[path] = _target(content, chosen)
            left[path] = replace(content, base=results[path])

        there = {
            path: partial(_before, path, proposal.files[path], results[path])
            for path in decision.landed
            if path in results
        }

        def plan(read: Read) -> Mapping[str, bytes | None]:
            landed = {path: _land(path, proposal.files[path], result, read(path)) for path, result in results.items()}
            return {**landed, **complete(read, landed)}

        written = self._writer.change("proposal", f"proposal {number}: {proposal.title}", now, plan, there=there)
        return self._settle(proposal, left, "applied"), written

    def reject(self, number: int, decision: Decision) -> Proposal:
        """Drop the chosen part. Raises what `apply` raises."""
        proposal = self._open(number, decision)
        left = dict(proposal.files)
        for path, chosen in self._choose(proposal, decision).items():
            content = left[path]
            kept = [hunk for hunk in _hunks(content) if hunk not in chosen]
            left[path] = replace(content, wanted=_target(content, kept) if kept else content.base)
        return self._settle(proposal, left, "rejected")

    def _open(self, number: int, decision: Decision) -> StoredProposal:
        proposal = self._store.get(number)
        if proposal.state != "open":
            raise InvalidRequest(f"Proposal {number} is {proposal.state} already.", "`zib proposals` lists open ones.")
        if decision.revision not in (None, proposal.revision):
            raise VaultChanged(f"Proposal {number} was decided on meanwhile.", "Look at it again.")
        return proposal

    @staticmethod
    def _choose(proposal: StoredProposal, decision: Decision) -> dict[str, Sequence[Hunk]]:
        if decision.path is None:
            if decision.hunks:
                raise InvalidRequest("Hunks are numbered in their file.", "Name the file too.")
            return {path: _hunks(content) for path, content in proposal.files.items()}
        if decision.path not in proposal.files:
            names = ", ".join(proposal.files)
            raise NotFound(f"Proposal {proposal.id} does not change {decision.path}.", f"It changes {names}.")
        hunks = _hunks(proposal.files[decision.path])
        missing = [number for number in decision.hunks if not 1 <= number <= len(hunks)]
        if missing:
            raise NotFound(f"{decision.path} has no hunk {missing[0]}.", f"It has {len(hunks)}.")
        chosen = [hunks[number - 1] for number in dict.fromkeys(decision.hunks)] or hunks
        return {decision.path: chosen}

    def _settle(self, proposal: StoredProposal, left: Mapping[str, ProposedContent], done: ProposalState) -> Proposal:
        waiting = {path: content for path, content in left.items() if content.base != content.wanted}
        state: ProposalState = "open" if waiting else done
        return self._describe(self._store.update(proposal.id, proposal.revision, waiting, state))

    def _describe(self, stored: StoredProposal) -> Proposal:
        return Proposal(
            id=stored.id,
            at=stored.at,
            title=stored.title,
            reason=stored.reason,
            state=stored.state,
            paths=list(stored.files),
            revision=stored.revision,
            files=[self._describe_file(path, content) for path, content in stored.files.items()],
        )

    def _describe_file(self, path: str, content: ProposedContent) -> ProposedFile:
        current = self._read(path)
        state = "ready" if current == content.base else "edited"
        if state == "edited" and _merged(content, content.wanted, current) is None:
            state = "conflict"
        return ProposedFile.model_validate(
            {
                "path": path,
                "base_sha256": None if content.base is None else sha256_hex(content.base),
                "removes": content.wanted is None,
                "state": state,
                "hunks": [
                    ProposedHunk(
                        number=number,
                        old_line=hunk.old_line,
                        new_line=hunk.new_line,
                        old=hunk.old.decode("utf-8", "replace"),
                        new=hunk.new.decode("utf-8", "replace"),
                    )
                    for number, hunk in enumerate(_hunks(content), 1)
                ],
            }
        )

    def _read(self, path: str) -> bytes | None:
        try:
            return self._files.read_stable(path)
        except NotFound:
            return None


def _hunks(content: ProposedContent) -> Sequence[Hunk]:
    return diff(content.base or b"", content.wanted or b"")


def _target(content: ProposedContent, chosen: Sequence[Hunk]) -> bytes | None:
    """The base with the chosen hunks. A file is made or deleted as a whole."""
    if content.base is None or content.wanted is None:
        return content.wanted
    return apply_hunks(content.base, chosen)


def _land(path: str, content: ProposedContent, result: bytes | None, current: bytes | None) -> bytes | None:
    """`result` on the note as it is now: edits by the person that do not touch are kept."""
    if current == content.base:
        return result
    merged = _merged(content, result, current)
    if merged is None:
        raise VaultChanged(
            f"{path} was edited since, in the same lines.", "Reject that part, or edit the note yourself."
        )
    return merged


def _before(path: str, content: ProposedContent, result: bytes | None, current: bytes | None) -> bytes | None:
    """What a note was before `result` came into it by the caller's hand: all but that stays as it is now."""
    if current == result:
        return content.base
    if content.base is None or result is None or current is None or current == content.base:
        before = current
    else:
        before = merge(result, current, content.base)
    if before is None or before == current:
        raise VaultChanged(f"{path} does not hold what was approved.", "Look at the proposal again.")
    return before


def _merged(content: ProposedContent, result: bytes | None, current: bytes | None) -> bytes | None:
    if content.base is None or result is None or current is None:
        return None
    return merge(content.base, current, result)
