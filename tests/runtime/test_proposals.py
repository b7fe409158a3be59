"""A person's note changes only by what they approved, and what they wrote meanwhile is kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from support.vaults import Vault
from zibaldone.config.places import vault_places
from zibaldone.errors import InvalidRequest, NotFound, VaultChanged
from zibaldone.runtime.proposals import ProposalDesk
from zibaldone.runtime.writer import open_writer
from zibaldone.schemas.proposals import Decision, HunkEdit
from zibaldone.store.state_db import StateStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.undo import UndoStore

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
NOTE = "Bees/Varroa.md"
BEFORE = "one\ntwo\nthree\nfour\nfive\n"
AFTER = "ONE\ntwo\nthree\nFOUR\nfive\nsix\n"


@pytest.fixture
def desk(vault: Vault) -> Iterator[ProposalDesk]:
    vault.write(NOTE, BEFORE)
    places = vault_places(vault.root)
    undo = UndoStore(places.undo)
    files = VaultFiles(vault.root, undo.keep)
    state = StateStore(places.state_db)
    writer = open_writer(vault.root, files, undo, state.changes, places, "Zibaldone", lambda sha256: None)
    yield ProposalDesk(state.proposals, writer, files)
    state.close()


def propose(desk: ProposalDesk, **files: str | None) -> int:
    wanted: dict[str, bytes | None] = {NOTE: AFTER.encode()}
    wanted |= {f"{name}.md": None if text is None else text.encode() for name, text in files.items()}
    proposal = desk.propose("Tidy up", "You asked for it.", wanted, NOW)
    assert proposal
    return proposal.id


def text(vault: Vault) -> str:
    return (vault.root / NOTE).read_text(encoding="utf-8")


def test_proposing_writes_nothing_and_applying_is_one_commit(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk, New="fresh\n", Empty=None)
    assert text(vault) == BEFORE
    left, written = desk.apply(number, Decision(), NOW)
    assert (left.state, left.files) == ("applied", [])
    assert text(vault) == AFTER
    assert not (vault.root / "Empty.md").exists()
    assert written
    assert written.paths == (NOTE, "Empty.md", "New.md")
    # Empty.md was never in git, so its deletion is no part of the commit.
    assert vault.git("show", "--name-only", "--format=", "HEAD").splitlines() == [NOTE, "New.md"]
    with pytest.raises(InvalidRequest, match="applied already"):
        desk.apply(number, Decision(), NOW)


def test_hunks_are_approved_and_rejected_one_by_one(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    assert [(hunk.number, hunk.old, hunk.new) for hunk in desk.show(number).files[0].hunks] == [
        (1, "one\n", "ONE\n"),
        (2, "four\n", "FOUR\n"),
        (3, "", "six\n"),
    ]
    left, _ = desk.apply(number, Decision(path=NOTE, hunks=[2]), NOW)
    assert text(vault) == "one\ntwo\nthree\nFOUR\nfive\n"
    assert [hunk.new for hunk in left.files[0].hunks] == ["ONE\n", "six\n"]
    left = desk.reject(number, Decision(path=NOTE, hunks=[1]))
    assert [hunk.new for hunk in left.files[0].hunks] == ["six\n"]
    left, _ = desk.apply(number, Decision(path=NOTE), NOW)
    assert text(vault) == "one\ntwo\nthree\nFOUR\nfive\nsix\n"
    assert left.state == "applied"


def test_edits_of_the_person_are_kept_or_the_part_is_refused(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    vault.write(NOTE, "one\ntwo\nthree, mine\nfour\nfive\n")
    assert desk.show(number).files[0].state == "edited"
    desk.apply(number, Decision(path=NOTE, hunks=[1]), NOW)
    assert text(vault) == "ONE\ntwo\nthree, mine\nfour\nfive\n"
    vault.write(NOTE, "ONE\ntwo\nthree, mine\n4\nfive\n")
    assert desk.show(number).files[0].state == "conflict"
    with pytest.raises(VaultChanged, match="in the same lines"):
        desk.apply(number, Decision(), NOW)
    assert text(vault) == "ONE\ntwo\nthree, mine\n4\nfive\n"
    assert desk.reject(number, Decision()).state == "rejected"


def test_what_is_not_there_is_named(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    for decision, said in [
        (Decision(path="Other.md"), "does not change Other.md"),
        (Decision(path=NOTE, hunks=[9]), "has no hunk 9"),
    ]:
        with pytest.raises(NotFound, match=said):
            desk.apply(number, decision, NOW)
    with pytest.raises(InvalidRequest, match="numbered in their file"):
        desk.apply(number, Decision(hunks=[1]), NOW)
    with pytest.raises(VaultChanged, match="decided on meanwhile"):
        desk.apply(number, Decision(revision=7), NOW)
    with pytest.raises(NotFound, match="no proposal 99"):
        desk.show(99)
    assert desk.propose("Same", "", {NOTE: BEFORE.encode()}, NOW) is None
    assert text(vault) == BEFORE


def test_a_hunk_is_edited_before_it_is_approved(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    shown = desk.show(number)
    edited = desk.edit(number, HunkEdit(path=NOTE, hunk=2, new="4\n", revision=shown.revision))
    assert [hunk.new for hunk in edited.files[0].hunks] == ["ONE\n", "4\n", "six\n"]
    with pytest.raises(VaultChanged, match="meanwhile"):
        desk.edit(number, HunkEdit(path=NOTE, hunk=2, new="5\n", revision=shown.revision))
    desk.apply(number, Decision(), NOW)
    assert text(vault) == "ONE\ntwo\nthree\n4\nfive\nsix\n"


def test_a_hunk_that_is_edited_back_is_rejected(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    edited = desk.edit(number, HunkEdit(path=NOTE, hunk=1, new="one\n", revision=1))
    assert [hunk.new for hunk in edited.files[0].hunks] == ["FOUR\n", "six\n"]


def test_what_an_editor_has_put_in_is_recorded_and_can_be_taken_back(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    vault.write(NOTE, "one\ntwo, mine\nthree\nFOUR\nfive\n")
    left, written = desk.apply(number, Decision(path=NOTE, hunks=[2], landed=[NOTE]), NOW)
    assert text(vault) == "one\ntwo, mine\nthree\nFOUR\nfive\n"
    assert written
    assert written.commit
    assert [hunk.new for hunk in left.files[0].hunks] == ["ONE\n", "six\n"]
    desk._writer.take_back(written.change_id, NOW)
    assert text(vault) == "one\ntwo, mine\nthree\nfour\nfive\n"


def test_what_has_not_landed_is_not_recorded_as_if_it_had(vault: Vault, desk: ProposalDesk) -> None:
    number = propose(desk)
    with pytest.raises(VaultChanged, match="does not hold"):
        desk.apply(number, Decision(path=NOTE, hunks=[2], landed=[NOTE]), NOW)
    assert len(desk.show(number).files[0].hunks) == 3
    assert text(vault) == BEFORE
