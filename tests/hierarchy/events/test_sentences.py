from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zibaldone.hierarchy.events.sentences import read_aloud, read_sentences, read_subject

NOTE = """\
# Call with the mill about flour

We met at noon. They raised the price from 2 to 3. It is
fine for now. Am 3. Mai kommt Dr. Imhof vorbei.
> Somebody else said this.

## Tasks
- [ ] order ten kilos. Then pay.
- [x] write to Theo ✅ 2025-03-04
- [-] never mind that
- plain item

```
def decided(): pass
```
| a | b |
TODO: ring the mill
TODO: ask for a sack
""".split("\n")


def test_sentences_items_and_headings_are_one_each_with_their_lines() -> None:
    found = [(one.text, one.line_start, one.line_end, one.mark) for one in read_sentences(NOTE)]
    assert found == [
        ("Call with the mill about flour", 1, 1, "heading"),
        ("We met at noon.", 3, 3, "prose"),
        ("They raised the price from 2 to 3.", 3, 3, "prose"),
        ("It is\nfine for now.", 3, 4, "prose"),
        ("Am 3. Mai kommt Dr. Imhof vorbei.", 4, 4, "prose"),
        ("order ten kilos. Then pay.", 8, 8, "open"),
        ("write to Theo ✅ 2025-03-04", 9, 9, "done"),
        ("plain item", 11, 11, "item"),
        ("TODO: ring the mill", 17, 17, "prose"),
        ("TODO: ask for a sack", 18, 18, "prose"),
    ]


def test_an_item_knows_the_heading_that_it_stands_under() -> None:
    assert [one.under for one in read_sentences(NOTE) if one.mark == "open"] == ["Tasks"]


def test_a_short_line_ends_a_saying_and_a_wrapped_one_does_not() -> None:
    ended = read_sentences(["Met Anna", "Bought a very long ladder for the attic in the old town"])
    assert [one.text for one in ended] == ["Met Anna", "Bought a very long ladder for the attic in the old town"]
    wrapped = read_sentences(["We have decided to keep the", "old Ladder for one year more."])
    assert len(wrapped) == 1


def test_what_is_read_aloud_has_no_addresses_marks_and_filing_link() -> None:
    assert read_aloud("[[Garden]]: **Fixed** the [gate](https://example.org)\nwith [[Oil|oil]].") == (
        "Fixed the gate with oil."
    )


def test_of_a_commit_the_subject_is_read() -> None:
    assert [one.text for one in read_subject("Keep the last line\n\nIt was lost.")] == ["Keep the last line"]
    assert read_subject("\n\n") == []


@given(st.lists(st.text(alphabet=" -*#>[]x.!?`|TODOäß3\t", max_size=30), max_size=12), st.integers(1, 99))
def test_every_sentence_stands_on_its_lines_word_for_word(lines: list[str], first: int) -> None:
    for one in read_sentences(lines, first):
        assert one.text in "\n".join(lines[one.line_start - first : one.line_end - first + 1])
