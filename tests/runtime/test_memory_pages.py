"""What a person does to the pages of their memory in Obsidian: understood or reported by line, and left as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import NamedTuple

import pytest

from support.memories import NOON, an_entry
from support.vaults import Vault
from zibaldone.config.places import vault_places
from zibaldone.profile.page import ARCHIVE, write_entry
from zibaldone.profile.takeover import Change, retire
from zibaldone.runtime.memory_pages import Known, MemoryPages
from zibaldone.runtime.writer import open_writer
from zibaldone.schemas.memory import MemoryEntry
from zibaldone.store.state_db import StateStore
from zibaldone.vault.files import VaultFiles
from zibaldone.vault.undo import UndoStore

LATER = NOON + timedelta(days=2)
LEO = an_entry("Leo is eight", "aaaa")
NUTS = an_entry("Allergic to nuts", "bbbb", is_explicit=False, confidence=0.9, sources=["chat:c01#4"])
VIOLA = an_entry("Plays the viola", "cccc")
CELLO = VIOLA.model_copy(update={"content": "Plays the cello"})
SHORT = an_entry("Keep it short", "dddd", type="feedback")
MOVE = an_entry("Moving in May", "eeee", type="context", decay_days=14)
GONE = an_entry("Leo is seven", "ffff", state="retired", why="replaced by aaaa")
L, N, V, S, M, G = (write_entry(one) for one in (LEO, NUTS, VIOLA, SHORT, MOVE, GONE))
HEAD = "---\ntype: memory\nwritten_by: Zibaldone\n---\n\n# About you\n\n"  # lines 1 to 7
LONG = "so " * 400


class Desk:
    """The pages over a vault."""

    def __init__(self, vault: Vault) -> None:
        self.root = vault.root / "Zibaldone" / "memory"
        places = vault_places(vault.root)
        undo = UndoStore(places.undo)
        self.state = StateStore(places.state_db)
        files = VaultFiles(vault.root, undo.keep)
        self.writer = open_writer(vault.root, files, undo, self.state.changes, places, "Zibaldone", lambda sha: None)
        self.store = self.state.memory
        self.pages = MemoryPages(files, self.writer, self.store, "Zibaldone")

    def known(self, *entries: MemoryEntry) -> None:
        self.pages.change([Change("added", entry) for entry in entries], "remember: all", NOON)

    def bytes(self) -> dict[str, bytes]:
        return {path.stem: path.read_bytes() for path in sorted(self.root.glob("*.md"))}


@pytest.fixture
def desk(vault: Vault) -> Iterator[Desk]:
    with opened(vault) as desk:
        desk.known(LEO, NUTS, VIOLA, SHORT, MOVE, GONE)
        yield desk


@contextmanager
def opened(vault: Vault) -> Iterator[Desk]:
    desk = Desk(vault)
    yield desk
    desk.state.close()


def told(entry: MemoryEntry) -> str:
    """`user ! Leo is nine` is explicit, `?` inferred."""
    marks = "".join([" pinned" * entry.pinned, f" {entry.decay_days}d" if entry.decay_days else ""])
    return f"{entry.type} {'!' if entry.is_explicit else '?'} {entry.content}{marks}"


def said(known: Known) -> list[str]:
    return [f"{path.rpartition('/')[2]}:{problem.line}: {problem.message}" for path, problem in known.problems]


class Case(NamedTuple):
    """`user` is the page about the person as they leave it, `pages` the others; `events` are what is understood."""

    user: str
    events: list[str] = []
    problems: list[str] = []
    pages: dict[str, str] = {}


def page(*lines: str, end: str = "\n") -> str:
    return HEAD + "\n".join(lines) + end


ALL = (f"- {L}", f"- {N}", f"- {V}")
NO_ITEM = "This line is no item of a list: put `- ` before what is to be remembered."
CASES = {
    "new line": Case(page(*ALL, "- Has two cats"), ["added by hand: user ! Has two cats"]),
    "new line in the middle": Case(page(ALL[0], "- Has two cats", *ALL[1:]), ["added by hand: user ! Has two cats"]),
    "no final newline": Case(page(*ALL, "- Has two cats", end=""), ["added by hand: user ! Has two cats"]),
    "edited words": Case(
        page(f"- {L.replace('eight', 'nine')}", *ALL[1:]), ["edited by hand: user ! Leo is nine"]
    ),
    "edited words of what was inferred": Case(
        page(ALL[0], f"- {N.replace('nuts', 'soy')}", ALL[2]), ["edited by hand: user ! Allergic to soy"]
    ),
    "reordered": Case(page(*reversed(ALL))),
    "deleted": Case(page(*ALL[1:]), ["deleted by hand: user ! Leo is eight"]),
    "struck out": Case(
        page(f"- ~~Leo is eight~~ %%{L.partition(' %%')[2]}", *ALL[1:]), ["struck out by hand: user ! Leo is eight"]
    ),
    "struck out without its comment": Case(
        page("- ~~Leo is eight~~", *ALL[1:]), ["struck out by hand: user ! Leo is eight"]
    ),
    "moved to another page": Case(
        page(*ALL[1:]), ["edited by hand: feedback ! Leo is eight"], [], {"feedback": f"- {S}\n- {L}\n"}
    ),
    "moved from the page of what fades": Case(
        page(*ALL, f"- {M}"), ["edited by hand: user ! Moving in May"], [], {"context": "# Empty\n"}
    ),
    "moved to the page of what fades": Case(
        page(*ALL[1:]), ["edited by hand: context ! Leo is eight 14d"], [], {"context": f"- {M}\n- {L}\n"}
    ),
    "copied to another page": Case(
        page(*ALL), ["added by hand: feedback ! Leo is eight"], [], {"feedback": f"- {S}\n- {L}\n"}
    ),
    "copied line": Case(page(*ALL, ALL[0]), [], ["user.md:11: It says what line 8 says, and is passed over."]),
    "copied line that was changed": Case(
        page(*ALL, f"- {N.replace('nuts', 'soy')}"),
        ["added by hand: user ! Allergic to soy"],
        ["user.md:11: It has the id of line 9: it is taken as a new one."],
    ),
    "id of another entry": Case(
        page(*ALL, "- Born in Ulm %%id dddd%%"), ["added by hand: user ! Born in Ulm"]
    ),
    "id that nobody has": Case(
        page(*ALL, "- Born in Ulm %%id 1234, added 2026-01-05, 80 % %%"),
        ["added by hand: user ? Born in Ulm"],
    ),
    "a comment of one's own": Case(
        page(*ALL, "- Born in Ulm %%or so I am told%%"),
        ["added by hand: user ! Born in Ulm"],
        ["user.md:11: “or so I am told” is not understood, and passed over."],
    ),
    "comment removed": Case(page("- Leo is eight", "- Allergic to nuts", ALL[2])),
    "comment unclosed": Case(
        page(f"- {L.removesuffix('%%')}", *ALL[1:]), [], ["user.md:8: Its comment does not end: put `%%` after it."]
    ),
    "comment cut off": Case(
        page(f"- {L[:25]}", *ALL[1:]), [],
        ["user.md:8: Its comment does not end: put `%%` after it.",
         "user.md:8: “a” is not understood, and passed over."],
    ),
    "unknown clause": Case(
        page(f"- {L.replace('explicit', 'explicit, colour blue')}", *ALL[1:]), [],
        ["user.md:8: “colour blue” is not understood, and passed over."],
    ),
    "wrong date": Case(
        page(f"- {L.replace('2026-03-02', '2026-02-30')}", *ALL[1:]), [],
        ["user.md:8: “added 2026-02-30” is not understood, and passed over."],
    ),
    "pinned": Case(
        page(f"- {L.replace('explicit', 'explicit, pinned')}", *ALL[1:]), ["edited by hand: user ! Leo is eight pinned"]
    ),
    "made explicit": Case(
        page(ALL[0], f"- {N.replace('90 %', 'explicit')}", ALL[2]), ["edited by hand: user ! Allergic to nuts"]
    ),
    "explicit taken away": Case(page(f"- {L.replace(', explicit', '')}", *ALL[1:])),
    "days of fading": Case(
        page(*ALL), ["edited by hand: context ! Moving in May 30d"], [],
        {"context": f"- {M.replace('14 days', '30 days')}\n"},
    ),
    "checkboxes": Case(
        page(*(f"- [{mark}] {line[2:]}" for mark, line in zip(" x-", ALL, strict=True)), "- [ ] Has two cats"),
        ["added by hand: user ! Has two cats"],
    ),
    "numbered": Case(
        page(*(f"{n}. {line[2:]}" for n, line in enumerate(ALL, 9)), "12) Has two cats"),
        ["added by hand: user ! Has two cats"],
    ),
    "nested": Case(
        page(ALL[0], f"  {ALL[1]}", f"\t* {V}", "    + Has two cats"), ["added by hand: user ! Has two cats"]
    ),
    "CRLF": Case(
        page(*ALL, "- Has two cats").replace("\n", "\r\n"), ["added by hand: user ! Has two cats"]
    ),
    "BOM": Case("\ufeff" + page(*ALL, "- Has two cats"), ["added by hand: user ! Has two cats"]),
    "BOM before an item": Case(
        "\ufeff" + "\n".join(ALL), []
    ),
    "headings and paragraphs": Case(
        page("## Family", ALL[0], "", "What the doctor says:", ALL[1], "***", ALL[2]), [], [f"user.md:11: {NO_ITEM}"]
    ),
    "quotation": Case(page(*ALL, "", "> - Has two cats", ">> x")),
    "code": Case(
        page(*ALL, "```", "- Has two cats", "```"), [],
        ["user.md:11: What stands in a block of code is not remembered."],
    ),
    "code without end": Case(
        page(ALL[0], "````", "```", *ALL[1:]), [],
        ["user.md:9: This block of code has no end: its lines are read.",
         "user.md:10: This block of code has no end: its lines are read."],
    ),
    "table": Case(page(*ALL, "", "| cat | age |", "| --- | --- |", "| Mia | 3 |")),
    "conflict marks": Case(
        page("<<<<<<< HEAD", ALL[0], "=======", "- Leo is nine %%id aaaa%%", ">>>>>>> other", ALL[2]), [],
        ["user.md:8: A merge left its marks here. Choose one side, then it is read."],
    ),
    "properties without end": Case(
        "---\ntype: memory\n\n" + "\n".join(ALL), [],
        ["user.md:1: The properties at the top have no end (`---`): they are read as lines.", f"user.md:2: {NO_ITEM}"],
    ),
    "empty page": Case("", [
        "deleted by hand: user ! Leo is eight", "deleted by hand: user ? Allergic to nuts",
        "deleted by hand: user ! Plays the viola",
    ]),
    "too long": Case(
        page(f"- {L.replace('eight', LONG)}", *ALL[1:]), [],
        [f"user.md:8: It has {len('Leo is ' + LONG.strip())} characters, and an entry at most 1000: split it."],
    ),
    "another language": Case(
        page(*ALL, "- Mag keinen Fenchel; heißt Jürgen", "- 我对花生过敏", "- ひらがなで答えて"),
        ["added by hand: user ! Mag keinen Fenchel; heißt Jürgen", "added by hand: user ! 我对花生过敏",
         "added by hand: user ! ひらがなで答えて"],
    ),
    "emoji": Case(page(*ALL, "- 👩‍👩‍👧 are my family 🏳️‍🌈"), ["added by hand: user ! 👩‍👩‍👧 are my family 🏳️‍🌈"]),
    "right to left": Case(page(*ALL, "- אני גר בחיפה %%pinned%%"), ["added by hand: user ! אני גר בחיפה pinned"]),
    "percent signs inside": Case(
        page(*ALL, "- Works 100 %% and 50%", "- Pays 20%% tax %%pinned%%"),
        ["added by hand: user ! Works 100", "added by hand: user ! Pays 20%% tax pinned"],
        ["user.md:11: Its comment does not end: put `%%` after it.",
         "user.md:11: “and 50%” is not understood, and passed over."],
    ),
    "put back from the archive": Case(page(*ALL, f"- {G}"), ["edited by hand: user ! Leo is seven"]),
    "Markdown in the words": Case(
        page(*ALL, "- Reads [[Moby Dick|the whale]] and `code` #now"),
        ["added by hand: user ! Reads [[Moby Dick|the whale]] and `code` #now"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_an_edit_by_hand(desk: Desk, name: str) -> None:
    case = CASES[name]
    (desk.root / "user.md").write_bytes(case.user.encode())
    for other, text in case.pages.items():
        (desk.root / f"{other}.md").write_bytes(text.encode())
    edited, before = desk.bytes(), len(desk.store.history())

    known = desk.pages.read(LATER)
    assert [f"{one.action}: {told(one.entry)}" for one in desk.store.history()[before:]] == case.events
    assert said(known) == case.problems
    assert desk.bytes() == edited
    assert said(desk.pages.read(LATER)) == case.problems  # it stays said, and is taken over once
    assert len(desk.store.history()) == before + len(case.events)

    if any(entry.id == VIOLA.id for entry in known.active):
        desk.pages.change([Change("edited", CELLO)], "remember: cello", LATER)
        edited["user"] = edited["user"].replace(V.encode(), write_entry(CELLO).encode())
        assert desk.bytes() == edited
    else:
        new = an_entry("Has a dog", "9999")
        desk.pages.change([Change("added", new)], "remember: dog", LATER)
        assert desk.bytes()["user"].endswith(f"- {write_entry(new)}\n".encode())
    if name != "conflict marks":  # after an edit of ours too, nothing is understood that the person did not say
        after = len(desk.store.history())
        with (desk.root / "user.md").open("ab") as file:
            file.write(b"\n> a line more")
        desk.pages.read(LATER)
        assert desk.store.history()[after:] == []


def test_a_page_that_is_gone_says_nothing_and_comes_back_whole(desk: Desk) -> None:
    (desk.root / "user.md").unlink()
    assert len(desk.pages.read(LATER).active) == 5
    new = an_entry("Has a dog", "9999")
    desk.pages.change([Change("added", new)], "remember: dog", LATER)
    lines = desk.bytes()["user"].decode().splitlines()
    assert lines[7:] == [*ALL, f"- {write_entry(new)}"]
    assert len(desk.pages.read(LATER).active) == 6


def test_thousands_of_lines(desk: Desk) -> None:
    lines = [f"- Fact number {number}" for number in range(3_000)]
    (desk.root / "user.md").write_text(page(*ALL, *lines))
    assert len(desk.pages.read(LATER).active) == 5 + 3_000
    (desk.root / "user.md").write_text(page(*ALL, *reversed(lines[1:])))
    known = desk.pages.read(LATER)
    assert [one.content for one in known.entries if one.state == "retired"] == ["Leo is seven", "Fact number 0"]
    all_gone = [Change("cleared", retire(one, "cleared", LATER)) for one in known.active if one.type == "user"]
    desk.pages.change(all_gone, "remember: clear", LATER)
    assert read_lines(desk, "user") == []
    assert len(read_lines(desk, ARCHIVE)) == 1 + 3_002


def read_lines(desk: Desk, name: str) -> list[str]:
    return [line for line in desk.bytes()[name].decode().splitlines() if line.startswith("- ")]


def test_a_statement_of_ones_own_keeps_its_line_without_an_id_until_it_changes(desk: Desk) -> None:
    (desk.root / "user.md").write_text(page(*ALL, "* [ ] Has  two cats"))
    [cats] = [one for one in desk.pages.read(LATER).active if "cats" in one.content]
    three = cats.model_copy(update={"content": "Has three cats"})
    desk.pages.change([Change("edited", three)], "remember: three cats", LATER)
    assert read_lines(desk, "user") == [*ALL]
    assert desk.bytes()["user"].decode().splitlines()[-1] == f"* [ ] {write_entry(three)}"
    assert three in desk.pages.read(LATER).active


def test_a_confirmation_alone_waits_for_the_night(desk: Desk) -> None:
    before = desk.bytes()
    again = NUTS.model_copy(update={"source_count": 2, "updated_at": LATER.isoformat(), "confidence": 0.99})
    assert desk.pages.change([Change("confirmed", again)], "remember: nuts", LATER) is None
    assert desk.bytes() == before
    assert again in desk.pages.read(LATER).active
    (desk.root / "user.md").write_text(page(*ALL, "- Has two cats"))
    assert again in desk.pages.read(LATER).active  # the page says less, and takes nothing back
    assert desk.pages.change([Change("confirmed", again)], "night", LATER, quiet=False)
    assert "confirmed 2026-03-04, 99 %, said 2 times" in desk.bytes()["user"].decode()


def test_what_was_inferred_and_is_now_said_is_written_at_once(desk: Desk) -> None:
    explicit = NUTS.model_copy(update={"is_explicit": True, "confidence": 1.0, "content": "I am allergic to nuts"})
    assert desk.pages.change([Change("confirmed", explicit)], "remember: nuts", LATER)
    assert f"- {write_entry(explicit)}" in read_lines(desk, "user")


class Meanwhile:
    """Does something to the page after it was read, before it is written."""

    def __init__(self, desk: Desk, edit: Callable[[], object]) -> None:
        self._desk, self._edit = desk, edit

    def change(self, *changes: Change) -> Known:
        seen = self._desk.store.page_hashes()
        self._edit()
        self._desk.pages.change(changes, "remember", LATER)
        assert self._desk.store.page_hashes()["Zibaldone/memory/user.md"] == seen["Zibaldone/memory/user.md"]
        return self._desk.pages.read(LATER)


def test_a_page_that_is_edited_between_reading_and_writing_is_read_again(desk: Desk) -> None:
    def edit() -> None:
        (desk.root / "user.md").write_text(page(f"- {L.replace('eight', 'nine')}", ALL[2], "- Has two cats"))

    known = Meanwhile(desk, edit).change(
        Change("added", an_entry("Has a dog", "9999")),
        Change("edited", NUTS.model_copy(update={"content": "Allergic to soy"})),
    )
    assert sorted(told(one) for one in known.active if one.type == "user") == [
        "user ! Has a dog", "user ! Has two cats", "user ! Leo is nine", "user ! Plays the viola"
    ]  # fmt: skip
    assert "soy" not in desk.bytes()["user"].decode()


def test_an_undo_is_as_good_as_a_hand(desk: Desk) -> None:
    done = desk.pages.change([Change("added", an_entry("Has a dog", "9999"))], "remember: dog", LATER)
    assert done
    desk.writer.take_back(done.change_id, LATER)
    assert [one.why for one in desk.pages.read(LATER).entries if one.id == "9999"] == ["deleted by hand"]
    gone = [Change("cleared", retire(one, "cleared", LATER)) for one in (LEO, NUTS, VIOLA)]
    done = desk.pages.change(gone, "remember: clear user", LATER)
    assert done
    assert read_lines(desk, "user") == []
    desk.writer.take_back(done.change_id, LATER)
    assert {one.id for one in desk.pages.read(LATER).active} == {"aaaa", "bbbb", "cccc", "dddd", "eeee"}
