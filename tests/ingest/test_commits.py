"""A commit as a source: its message and its hunks as passages, each with the lines that it is cited by."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from zibaldone.config.settings import ChunkingSettings
from zibaldone.domain.commits import Commit, FileChange, Hunk
from zibaldone.domain.notes import DateSource, FileStamp, Modality, Origin
from zibaldone.ingest.commits import commits_fingerprint, derive_commit
from zibaldone.ingest.derive import Derived

SHA = "0123456789abcdef0123456789abcdef01234567"
SETTINGS = ChunkingSettings()
AT = datetime(2025, 3, 2, 0, 30, tzinfo=timezone(timedelta(hours=2)))


def derive(commit: Commit, settings: ChunkingSettings = SETTINGS) -> Derived:
    return derive_commit(
        "bakery",
        commit,
        b"data",
        FileStamp(0, 1, 0, 0),
        path="//bakery/@0123456789ab",
        source_id="id",
        origin=Origin.CONNECTOR,
        derived_by="version",
        settings=settings,
    )


def commit(*files: FileChange, **fields: object) -> Commit:
    told = Commit(SHA, AT, "Ada", "ada@example.org", "Bake longer", "The crust was pale.", files=files)
    return replace(told, **fields)  # type: ignore[arg-type]


OVEN = Hunk(10, 12, "def bake():", ("     heat()", "-    wait(20)", "+    wait(35)", "+    look()", "     cool()"))


def test_the_row_of_a_commit() -> None:
    source = derive(commit()).source
    assert (source.path, source.uri) == ("//bakery/@0123456789ab", f"git:bakery@{SHA}")
    assert (source.title, source.date, source.date_source) == ("Bake longer", date(2025, 3, 2), DateSource.GIT)
    assert (source.modality, source.origin, source.tags, source.skipped) == (Modality.CODE, Origin.CONNECTOR, (), None)
    assert derive(commit(subject="")).source.title == "0123456789ab (no message)"


def test_the_message_comes_first_with_who_when_and_which_files() -> None:
    files = (
        FileChange("oven.py", added=2, removed=1, hunks=(OVEN,)),
        FileChange("docs/new.md", old_path="docs/old.md"),
        FileChange("crust.png", note="new, binary"),
    )
    message, hunk = derive(commit(*files)).chunks
    assert (message.heading, message.place, message.ordinal) == ((), "", 0)
    assert message.text == (
        "Bake longer\n\nThe crust was pale.\n\nAuthor: Ada\nDate: 2025-03-02\nFiles:\n- oven.py +2 -1\n"
        "- docs/new.md (renamed from docs/old.md)\n- crust.png (new, binary)"
    )
    assert (hunk.heading, hunk.place, hunk.ordinal) == (("oven.py", "def bake():"), "oven.py:12-15", 1)
    assert hunk.text == "\n".join(OVEN.lines)
    assert hunk.embed_text.startswith("bakery > Bake longer > oven.py > def bake(): (2025-03-02)\n")


def test_a_hunk_that_is_one_passage_is_cited_whole() -> None:
    hunk = Hunk(4, 4, "", (" ", " a", "-b", "+c", " ", " "))
    [_, passage] = derive(commit(FileChange("a.txt", hunks=(hunk,)))).chunks
    assert passage.place == "a.txt:4-8"


def test_what_is_only_taken_away_is_cited_as_it_was() -> None:
    gone = Hunk(7, 7, "", (" keep", "-one", "-two", " keep"))
    whole = FileChange("old.py", removed=2, note="deleted", hunks=(Hunk(1, 0, "", ("-all", "-of it")),))
    _, first, second = derive(commit(FileChange("a.py", removed=2, hunks=(gone,)), whole)).chunks
    assert first.place == "a.py:8-9 (removed)"
    assert second.place == "old.py:1-2 (removed)"


def test_long_lists_of_files_are_short() -> None:
    files = [FileChange(f"f{number}", added=1) for number in range(60)]
    chunks = derive(commit(*files, files_unnamed=5)).chunks
    text = "\n".join(chunk.text for chunk in chunks)
    assert "f39 +1 -0" in text
    assert "f40" not in text
    assert text.endswith("and 25 more")


def test_a_commit_of_what_is_left_out_is_skipped_and_says_nothing() -> None:
    derived = derive(commit(subject="My secret", files_left_out=2))
    assert derived.chunks == ()
    assert derived.source.skipped == "changes nothing but files that are left out"
    assert derived.source.title == "bakery"
    assert derive(commit(FileChange("a"), files_left_out=2)).source.skipped is None
    assert derive(commit()).source.skipped is None


def test_the_same_hunk_twice_has_two_ids() -> None:
    line = ("+same",)
    file = FileChange("a.txt", hunks=(Hunk(1, 1, "", line), Hunk(9, 10, "", line)))
    ids = [chunk.id for chunk in derive(commit(file)).chunks]
    assert len(set(ids)) == 3
    assert ids == [chunk.id for chunk in derive(commit(file)).chunks]


def test_what_is_left_out_is_a_part_of_the_version() -> None:
    versions = {commits_fingerprint(SETTINGS), commits_fingerprint(SETTINGS, "a"), commits_fingerprint(SETTINGS, "b")}
    assert len(versions) == 3


# Lines that fit into a passage, so that they are cut between them.
LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=12)


@given(st.lists(st.tuples(st.sampled_from("+- "), LINES), min_size=1, max_size=60), st.integers(1, 500))
def test_every_line_that_came_is_in_the_passage_of_its_place(lines: list[tuple[str, str]], start: int) -> None:
    hunk = Hunk(start, start + 3, "", tuple(f"{sign}n{number} {text}" for number, (sign, text) in enumerate(lines)))
    settings = ChunkingSettings(min_tokens=5, max_tokens=32)
    cited: dict[int, str] = {}
    for chunk in derive(commit(FileChange("f.txt", hunks=(hunk,))), settings).chunks:
        assert chunk.tokens <= 32
        if chunk.place and not chunk.place.endswith("(removed)"):
            first, _, last = chunk.place.removeprefix("f.txt:").partition("-")
            cited |= dict.fromkeys(range(int(first), int(last or first) + 1), chunk.text)
    number = start + 3
    for line in hunk.lines:
        if line[0] == "+":
            assert line.rstrip() in cited[number].split("\n") or line in cited[number]
        number += line[0] != "-"
