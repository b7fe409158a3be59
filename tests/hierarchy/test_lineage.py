"""Groups keep who they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zibaldone.domain.hierarchy import Merged, Split
from zibaldone.hierarchy.lineage import Known, Members, carry_over

labels = st.dictionaries(st.sampled_from("abcdefghijklmnop"), st.integers(0, 4), max_size=16)


def groups(labelled: dict[str, int]) -> list[Members]:
    return [frozenset(one for one, at in labelled.items() if at == label) for label in sorted(set(labelled.values()))]


def known(**live: str) -> Known:
    return Known({name: frozenset(members) for name, members in live.items()})


@given(labels, labels)
def test_ids_are_distinct_and_a_second_time_the_same(before: dict[str, int], after: dict[str, int]) -> None:
    first = carry_over(groups(before), Known(), "concept")
    second = carry_over(groups(after), first.known, "concept")
    assert len(set(second.ids)) == len(groups(after))
    assert not set(second.known.live) & set(second.known.retired)
    assert set(second.heirs) <= set(first.ids) - set(second.ids)
    assert set(second.heirs.values()) <= set(second.ids)
    third = carry_over(groups(after), second.known, "concept")
    assert (third.ids, third.known, third.heirs, third.successions) == (second.ids, second.known, {}, ())


@given(labels.filter(bool), st.sampled_from("qrs"), st.integers(0, 5))
def test_one_member_more_takes_no_identity(before: dict[str, int], new: str, at: int) -> None:
    first = carry_over(groups(before), Known(), "concept")
    second = carry_over(groups({**before, new: at}), first.known, "concept")
    assert set(first.ids) <= set(second.ids)


def test_the_greater_part_keeps_the_identity_of_what_is_split() -> None:
    carried = carry_over([frozenset("abc"), frozenset("de")], known(one="abcde"), "concept")
    assert carried.ids[0] == "one"
    assert carried.successions == (Split("one", tuple(sorted(carried.ids))),)


def test_what_is_merged_has_an_heir_and_comes_back_as_itself() -> None:
    merged = carry_over([frozenset("abcde")], known(one="abc", two="de"), "concept")
    assert merged.ids == ("one",)
    assert merged.heirs == {"two": "one"}
    assert merged.successions == (Merged("one", ("one", "two")),)
    apart = carry_over([frozenset("abc"), frozenset("def")], merged.known, "concept")
    assert apart.ids == ("one", "two")


def test_a_single_shared_member_is_no_identity() -> None:
    carried = carry_over([frozenset("axyz")], known(one="abcd"), "concept")
    assert carried.ids != ("one",)
    assert carried.heirs == {"one": carried.ids[0]}


def test_what_has_nothing_left_is_forgotten() -> None:
    gone = carry_over([frozenset("xy")], known(one="abcd"), "concept")
    assert gone.known.retired == {}
    assert gone.heirs == {}
