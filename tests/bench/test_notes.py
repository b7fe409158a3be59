"""The generated vault: the same for the same seed, on any machine."""

from __future__ import annotations

import hashlib
from pathlib import Path

from zibaldone.bench.notes import generate_notes, write_notes


def test_the_same_seed_gives_the_same_notes_and_more_notes_begin_alike() -> None:
    notes = list(generate_notes(60))
    assert notes == list(generate_notes(60))
    assert list(generate_notes(20)) == notes[:20]
    assert list(generate_notes(20, seed=2)) != notes[:20]


def test_the_notes_are_those_of_the_published_figures() -> None:
    whole = "\0".join(part for note in generate_notes(300) for part in note)
    assert hashlib.sha256(whole.encode()).hexdigest()[:16] == "ea22203bf76e0b7a"


def test_every_note_has_a_place_of_its_own_and_links_lead_somewhere(tmp_path: Path) -> None:
    paths = write_notes(tmp_path, 500)
    assert len({path.casefold() for path in paths}) == 500
    titles = {Path(path).stem for path in paths}
    linked = {
        line.split("[[")[1].split("]]")[0]
        for path in paths
        for line in (tmp_path / path).read_text(encoding="utf-8").splitlines()
        if "[[" in line
    }
    assert linked
    assert linked <= titles
