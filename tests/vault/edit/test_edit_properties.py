"""One property changes, reads back as exactly what was given, and nothing else does."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from zibaldone.errors import InvalidRequest, NotEditable, TargetAmbiguous, TargetMissing
from zibaldone.ingest.frontmatter import read_frontmatter
from zibaldone.vault.edit.properties import add_to_property, remove_from_property, remove_property, set_property

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.text(" \n\t:#-[]{}'\"\\,&*!|>%@`?=~0123456789.+eExXonyesfalul", max_size=12),
)
SCALAR = st.one_of(
    TEXT,
    st.booleans(),
    st.none(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dates(min_value=date(1000, 1, 1)),
    st.datetimes(min_value=datetime(1000, 1, 1)),  # noqa: DTZ001
)
FRONT = st.sampled_from(
    [
        "",
        "---\n---\n",
        "---\na: 1 # c\nk: old\nz: [x, 'y']\n---\n",
        "---\nk:\n  - a\n  - 'b' # c\nz: |\n  k: x\n---\n",
        "---\r\nk: [a, b]\r\nq: &x v\r\nr: *x\r\n---\r\n",
        "---\n  a: 1\n  k: >-\n    one\n    two\n---\n",
    ]
)


def load(data: bytes) -> dict[str, Any]:
    front = data.decode().replace("\r\n", "\n").split("\n---\n")[0].removeprefix("---")
    loaded = yaml.safe_load(front)
    assert isinstance(loaded, dict)
    return loaded


@given(FRONT, st.one_of(SCALAR, st.lists(SCALAR, max_size=4)))
def test_any_value_reads_back(front: str, value: Any) -> None:
    data = f"{front}# Body\n".encode()
    after = set_property(data, "k", value)
    before = load(data) if front.count(":") else {}
    assert {**before, "k": value} == load(after)
    assert [type(item) for item in flat(load(after)["k"])] == [type(item) for item in flat(value)]
    assert after.endswith(b"# Body\n")
    assert set_property(after, "k", value) == after
    read = flat(read_frontmatter(after.decode()).properties["k"])
    assert [got for got, item in zip(read, flat(value), strict=True) if isinstance(item, str)] == [
        item for item in flat(value) if isinstance(item, str)
    ]


def flat(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@given(FRONT, TEXT)
@example("---\nk: [a, b]\n---\n", "Why?")  # PyYAML ends a plain text within brackets at it
def test_an_item_is_added_and_taken_out_again(front: str, item: str) -> None:
    base = set_property(f"{front}x\n".encode(), "k", ["a", "b"])
    added = add_to_property(base, "k", item)
    assert load(added)["k"] == (["a", "b"] if item in ("a", "b") else ["a", "b", item])
    assert add_to_property(added, "k", item) == added
    if item not in ("a", "b"):
        assert remove_from_property(added, "k", item) == base


@pytest.mark.parametrize(
    ("line", "value", "after"),
    [
        ("k: old # why", "new", "k: new # why"),
        ("k: 'old'   # why", "a: b", 'k: "a: b"   # why'),
        ("k:", "new", "k: new"),
        ("k: # why", 1, "k: 1 # why"),
        ("k: old # why", None, "k: # why"),
        ("k:\told", "new", "k:\tnew"),
        ("k: [a, 'b']", ["b", "c"], "k: [b, c]"),
        ("k: [a] # why", [], "k: [] # why"),
        ("k:\n- 'a' # one\n# two\n- b", ["b", "a", "c"], "k:\n# two\n- b\n- 'a' # one\n- c"),
        ("k: # why\n    - a", ["x: y"], 'k: # why\n    - "x: y"'),
        ("k:\n  - a # one", "text", "k: text # one"),
        ("k: old # why", ["a"], "k: # why\n  - a"),
        ("k: |\n  a\n\n  b", "c", "k: c"),
        ("k: [[Home]]", "[[Home]]", 'k: "[[Home]]"'),
        ("k: 00123", "00123", 'k: "00123"'),
        ("k: '00123'", "00123", "k: '00123'"),
        ("k: 2 eggs", "2 eggs", "k: 2 eggs"),
        ("k: {a: 1}", "x", "k: x"),
        ("k:\n  a: 1\n  b: 2", True, "k: true"),
        ('"k" : 1', 2, '"k" : 2'),
        ("k: !!str 1", "1", 'k: "1"'),
    ],
)
def test_what_is_written(line: str, value: Any, after: str) -> None:
    data = f"---\n# head\na: 1\n{line}\n\n# tail\nz: 2\n---\nbody\n"
    assert set_property(data.encode(), "k", value).decode() == data.replace(line, after)


def test_a_new_property_is_the_last() -> None:
    assert set_property(b"---\na: 1\n# c\n---\nx", "k", [1]) == b"---\na: 1\n# c\nk:\n  - 1\n---\nx"
    assert set_property(b"---\r\n---\r\nx", "k", "v") == b"---\r\nk: v\r\n---\r\nx"
    assert set_property(b"x\r\ny", "a b", "v") == b"---\r\na b: v\r\n---\r\nx\r\ny"
    assert set_property(b"", "no", None) == b'---\n"no":\n---\n'


def test_removing() -> None:
    data = b"---\n# c\na: 1\nk:\n- x # y\n- z\n\nb: 2\n---\n"
    assert remove_property(data, "k") == b"---\n# c\na: 1\n\nb: 2\n---\n"
    assert remove_property(b"---\nk: 1\n---\nx", "k") == b"---\n---\nx"
    assert remove_from_property(data, "k", "x") == data.replace(b"- x # y\n", b"")
    assert remove_from_property(b"---\nk: [a, b,\n c]\n---\n", "k", "c") == b"---\nk: [a, b]\n---\n"
    assert remove_from_property(b"---\nk: ['a', b]\n---\n", "k", "a") == b"---\nk: [b]\n---\n"
    assert remove_from_property(b"---\nk:\n  - a\n---\n", "k", "a") == b"---\nk: []\n---\n"


def test_adding() -> None:
    assert add_to_property(b"---\nk: [a, b,]\n---\n", "k", "c: d") == b'---\nk: [a, b, "c: d",]\n---\n'
    assert add_to_property(b"---\nk:\n-   a # x\nb: 1\n---\n", "k", "c") == b"---\nk:\n-   a # x\n- c\nb: 1\n---\n"
    assert add_to_property(b"---\nk:\n---\n", "k", "c") == b"---\nk:\n  - c\n---\n"
    assert add_to_property(b"---\nk: []\n---\n", "k", "c") == b"---\nk: [c]\n---\n"
    assert add_to_property(b"x", "k", "c") == b"---\nk:\n  - c\n---\nx"
    with pytest.raises(NotEditable, match="not a list"):
        add_to_property(b"---\nk: text\n---\n", "k", "c")


def test_missing_and_ambiguous() -> None:
    with pytest.raises(TargetAmbiguous) as twice:
        set_property(b"---\nk: 1\nb: 2\nk: 3\n---\n", "k", 4)
    assert "line 2, line 4" in twice.value.hint
    with pytest.raises(TargetMissing, match="'tags'"):
        set_property(b"---\nTags: [a]\n---\n", "tags", ["b"])
    for edit in (lambda data: remove_property(data, "q"), lambda data: remove_from_property(data, "q", "x")):
        with pytest.raises(TargetMissing) as missing:
            edit(b"---\na: 1\n---\n")
        assert missing.value.hint == "it has: a (line 2)"
    with pytest.raises(TargetMissing) as item:
        remove_from_property(b"---\nk: [a, b]\n---\n", "k", "c")
    assert item.value.hint == "it holds: 'a', 'b'"
    with pytest.raises(TargetAmbiguous, match="2 times"):
        remove_from_property(b"---\nk: [a, a]\n---\n", "k", "a")


def test_others_must_read_as_before() -> None:
    for edit in (lambda data: set_property(data, "k", "v"), lambda data: remove_property(data, "k")):
        with pytest.raises(NotEditable, match="without changing what others"):
            edit(b"---\nk: &x 1\nb: *x\n---\n")
    with pytest.raises(NotEditable):
        set_property(b"---\na: 1\n...\nk: 2\n---\n", "k", 3)


@pytest.mark.parametrize("front", ["---\nk: 1\nwords\n", "---\nk: 1\n...\nwords\n"])
def test_properties_that_are_never_closed(front: str) -> None:
    with pytest.raises(NotEditable, match="no closing ---"):
        set_property(front.encode(), "k", 2)


def test_unparsable_yaml() -> None:
    data = b"---\ntitle: a: b\nk: 1 # c\n  \tq\nlist: [1\n---\nx"
    assert set_property(data, "k", "v") == data.replace(b"k: 1 #", b"k: v #")
    assert set_property(data, "title", "a: b") == data.replace(b"title: a: b", b'title: "a: b"')
    with pytest.raises(NotEditable, match=r"not valid YAML \(.* in line 2\)"):
        set_property(data, "new", 1)
    with pytest.raises(NotEditable):
        set_property(b"---\n{k: 1, b: 2}\n---\n", "k", 3)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {"a": 1}, [["a"]], b"x"])
def test_values_that_no_property_can_hold(value: Any) -> None:
    with pytest.raises(InvalidRequest):
        set_property(b"x", "k", value)


@pytest.mark.parametrize("name", ["", " ", " k", "a\nb", "a\u2028b", "x" * 100])
def test_names_that_no_property_can_have(name: str) -> None:
    with pytest.raises(InvalidRequest):
        set_property(b"x", name, 1)
