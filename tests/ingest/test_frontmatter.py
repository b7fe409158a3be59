"""Properties: values as written, hostile YAML refused, no note lost over its first lines."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zibaldone.ingest.frontmatter import MAX_CHARS, Frontmatter, read_frontmatter


def read(yaml: str) -> Frontmatter:
    return read_frontmatter(f"---\n{yaml}\n---\nbody\n")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12:30:45", "12:30:45"),
        ("00123", "00123"),
        ("202403011230", 202403011230),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("", None),
        ("~", None),
        ("42", 42),
        ("-3", -3),
        ("4.5", 4.5),
        ("1.10", "1.10"),
        ("1e5", "1e5"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ('"42"', "42"),
        ("2024-03-01", date(2024, 3, 1)),
        ("2024-02-31", "2024-02-31"),
        ("2024-03-01 10:22", "2024-03-01 10:22"),
        ("[[Home]]", "[[Home]]"),
        ("[[Home#Part|alias]]", "[[Home#Part|alias]]"),
        ("[[Note: with colon]]", "[[Note: with colon]]"),
        ("[a, b]", ["a", "b"]),
        ("[[[A]], [[B]]]", ["[[A]]", "[[B]]"]),
        ("\n  - [[A]]\n  - b", ["[[A]]", "b"]),
        ("{{date}}", "{{date}}"),
        ("{{date:YYYY-MM-DD}}", "{{date:YYYY-MM-DD}}"),
        ("<% tp.file.title %>", "<% tp.file.title %>"),
        ("!!python/object/apply:os.system [x]", ["x"]),
        ("|\n  two\n  lines", "two\nlines"),
        ("会議", "会議"),
    ],
)
def test_values_come_out_as_written(written: str, value: object) -> None:
    front = read(f"key: {written}")
    assert front.problem is None
    assert front.properties == {"key": value}
    assert type(front.properties["key"]) is type(value)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(newline: str, mark: str) -> None:
    front = read_frontmatter(mark + newline.join(["---", "tags: [a]", "---", "body"]))
    assert front == Frontmatter({"tags": ["a"]}, 4)


@pytest.mark.parametrize(
    "text", ["", "body", "\n---\na: 1\n---\n", "---\na: 1\nno closing fence\n", "----\na: 1\n---\n"]
)
def test_without_properties_all_is_body(text: str) -> None:
    assert read_frontmatter(text) == Frontmatter({}, 1)


def test_a_rule_before_prose_is_not_frontmatter() -> None:
    assert read_frontmatter("---\nOnce upon a time.\nThe end.\n---\nmore") == Frontmatter({}, 1)


def test_empty_properties() -> None:
    assert read_frontmatter("---\n---\nbody") == Frontmatter({}, 3)


def test_unreadable_yaml_is_reported_and_what_matters_is_saved() -> None:
    front = read(
        "title: {{title}} - notes\ntags:\n  - work\n  - 'home'\naliases: [One, \"Two\"]\n"
        "created: 2024-03-01\nother: a: b: c\n\tbad"
    )
    assert front.problem is not None
    assert front.problem.startswith("The properties in lines 1–10 could not be read: ")
    assert front.problem.endswith("in line 2.")
    assert front.body_line == 11
    assert front.properties == {
        "title": "{{title}} - notes",
        "tags": ["work", "home"],
        "aliases": ["One", "Two"],
        "created": "2024-03-01",
    }


def test_a_problem_after_the_last_value_is_found() -> None:
    front = read("a: 1\n] x: 2")
    assert front.problem


def test_the_line_in_the_problem_is_the_line_on_disk() -> None:
    front = read("a: 1\nb: 'open\nc: 2")
    assert front.problem
    assert "in line" in front.problem


@pytest.mark.parametrize(
    "yaml",
    [
        "a: " + "[" * 5000,
        "a: " + "[" * 200 + "]" * 200,
        "{" * 5000,
        "a: &a [x, x]\n" + "\n".join(f"b{i}: [*a, *a, *a]" for i in range(9)),
        "a: &a [*a]",
        "a: *missing",
        "k: v\n" * MAX_CHARS,
        "- just\n- a: list",
        "? [complex, key]\n: {nested: 1}\n? {{x}}\n: y: z: 1",
    ],
)
def test_hostile_or_odd_yaml_is_a_sentence_and_the_body_is_kept(yaml: str) -> None:
    front = read("tags: kept\n" + yaml)
    assert front.problem
    assert front.body_line == yaml.count("\n") + 5
    assert front.properties["tags"] == "kept"


def test_a_few_aliases_are_fine() -> None:
    assert read("a: &x [1]\nb: *x").properties == {"a": [1], "b": [1]}


def test_complex_keys_become_text() -> None:
    assert read("z: 1\n? [a, b]\n: 2").properties == {"z": 1, "['a', 'b']": 2}


@given(st.text(alphabet="ab:-[]{}&*#|>'\"%@`!?, \n\t\r{<文\x00\x85\u2028\ufeff", max_size=200))
def test_never_raises(text: str) -> None:
    front = read_frontmatter(f"---\n{text}\n---\nbody")
    assert front.body_line >= 1
