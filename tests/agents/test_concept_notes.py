"""The note of a concept: ours is written anew, the person's stays."""

from __future__ import annotations

from zibaldone.agents.concepts.note import NodeNote, Quoted, file_name, node_of, retire_note, write_note

NODE = "0123456789abcdef"


def note(title: str = "Bread", link: str = "[[Bread]]") -> NodeNote:
    quotes = [Quoted("2026-03-02", "Decided <%x%> to bake.", link, " (L6)")]
    return NodeNote(NODE, "concept", title, "1 event.", quotes, [("Related", [link]), ("Episodes", [])])


def test_text_around_the_marks_is_kept_byte_for_byte() -> None:
    made = write_note(None, note())
    assert node_of(made) == NODE
    assert b"[[Bread]] (L6)" in made
    assert b"<%" not in made
    assert b"## Episodes" not in made
    mine = b"---\r\ntags: [x]\r\n" + made.split(b"---\n", 1)[1] + b"\r\nMy words \xff stay.\r\n"
    assert node_of(mine) == NODE
    again = write_note(mine, note("Sourdough"))
    assert again.startswith(b"---\r\ntags: [x]\r\n")
    assert again.endswith(b"\r\nMy words \xff stay.\r\n")
    assert b"# Sourdough" in again
    assert b"# Bread" not in again
    assert write_note(again, note("Sourdough")) == again


def test_a_note_without_marks_gets_its_part_at_the_end() -> None:
    text = f"---\nnode: {NODE}\n---\nAll mine.\n".encode()
    assert write_note(text, note()).startswith(text)


def test_the_note_of_a_node_that_is_gone_goes_unless_somebody_wrote_in_it() -> None:
    made = write_note(None, note())
    assert retire_note(made, NODE, "concept", ["[[Other]]"]) is None
    kept = retire_note(made + b"\nMine.\n", NODE, "concept", ["[[Other]]"])
    assert kept is not None
    assert b"is in [[Other]]." in kept
    assert kept.endswith(b"\nMine.\n")
    assert b"Decided" not in kept


def test_names_are_such_as_every_system_and_link_can_have() -> None:
    assert file_name("A/B: [[what]]? #1 | x…") == "A B what 1 x"
    assert file_name("???") == "Untitled"
    assert node_of(b"# A note\n") is None
