"""The text of a link: as the vault's settings ask for it, and always leading to the file that was meant."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zibaldone.ingest.parse import parse_note
from zibaldone.wiki.links import LinkStyle, display_text, heading_text, link_to, read_link_style
from zibaldone.wiki.places import Heading, find_heading
from zibaldone.wiki.resolve import LinkResolver

steady = settings(deadline=None, derandomize=True, max_examples=60)

VAULT = LinkResolver(
    [
        "Zibaldone/index.md",
        "Zibaldone/pages/abx/penicillin.md",
        "Notes/Two.md",
        "Other/Two.md",
        "A b (c).md",
        "p.png",
        "x#y.md",
    ]
)
PAGE = "Zibaldone/pages/abx/penicillin.md"
STYLES = [LinkStyle(form, markdown) for form in ("shortest", "relative", "absolute") for markdown in (False, True)]


@pytest.mark.parametrize(
    ("path", "style", "link"),
    [
        (PAGE, LinkStyle(), "[[penicillin]]"),
        (PAGE, LinkStyle("absolute"), "[[Zibaldone/pages/abx/penicillin]]"),
        (PAGE, LinkStyle("relative"), "[[pages/abx/penicillin]]"),
        (PAGE, LinkStyle("relative", True), "[penicillin](pages/abx/penicillin.md)"),
        ("Notes/Two.md", LinkStyle(), "[[Notes/Two]]"),
        ("Notes/Two.md", LinkStyle("relative"), "[[../Notes/Two]]"),
        ("A b (c).md", LinkStyle(), "[[A b (c)]]"),
        ("A b (c).md", LinkStyle("shortest", True), "[A b (c)](A%20b%20%28c%29.md)"),
        ("p.png", LinkStyle(), "[[p.png]]"),
        ("x#y.md", LinkStyle(), None),
        ("gone.md", LinkStyle(), None),
    ],
)
def test_a_link_in_each_form(path: str, style: LinkStyle, link: str | None) -> None:
    assert link_to(path, "Zibaldone/index.md", VAULT, style) == link


def test_display_place_and_embed() -> None:
    source = "Zibaldone/index.md"
    assert link_to(PAGE, source, VAULT, display="Penicillin [G] | x") == "[[penicillin|Penicillin (G) / x]]"
    assert link_to(PAGE, source, VAULT, display="penicillin") == "[[penicillin]]"
    assert link_to(PAGE, source, VAULT, heading=("Dose: adults", "Oral")) == "[[penicillin#Dose adults#Oral]]"
    assert link_to(PAGE, source, VAULT, block="abc", embed=True) == "![[penicillin#^abc]]"
    assert link_to(source, source, VAULT, heading=("Index",)) == "[[#Index]]"
    markdown = LinkStyle(markdown=True)
    assert link_to(PAGE, source, VAULT, markdown, heading=("A (b)",)) == "[penicillin](penicillin.md#A%20%28b%29)"


def test_nothing_in_a_display_text_acts() -> None:
    assert display_text("a\n[[b]] `= x` <%q%> key:: v %%c%%") == "a ((b)) '= x' ‹%q%› key: v %c%"


@pytest.mark.parametrize(
    ("settings", "style"),
    [
        ({}, LinkStyle()),
        ({"newLinkFormat": "relative", "useMarkdownLinks": True}, LinkStyle("relative", True)),
        ({"newLinkFormat": "absolute"}, LinkStyle("absolute")),
        ({"newLinkFormat": 3, "useMarkdownLinks": "yes"}, LinkStyle()),
    ],
)
def test_the_settings_of_the_vault(settings: dict[str, object], style: LinkStyle) -> None:
    assert read_link_style(settings) == style


names = st.sampled_from(
    [
        "Note",
        "note",
        "Two words",
        "日本語",
        "v1.2",
        "a (b)",
        "100%",
        "100%20",
        "p.png",
        "Ünï",
        "x.md",
        "a&b",
        "semi;colon",
        "'q'",
    ]
)
vaults = st.lists(
    st.builds(
        lambda folders, name, ending: "/".join([*folders, name]) + ending,
        st.lists(st.sampled_from(["a", "b", "sub folder", "日"]), max_size=3),
        names,
        st.sampled_from([".md", ".md", ""]),
    ),
    min_size=1,
    max_size=8,
    unique_by=str.casefold,
)


@steady
@given(vaults, st.sampled_from(STYLES), st.sampled_from(["", "Shown [x]"]))
def test_a_link_leads_to_its_file_from_everywhere(files: list[str], style: LinkStyle, display: str) -> None:
    """Read back by the reader that indexes notes: writing and reading agree."""
    resolver = LinkResolver(files)
    for source in files:
        for path in files:
            link = link_to(path, source, resolver, style, display=display)
            assert link is not None
            [read] = parse_note(source, f"See {link} here.").links
            assert resolver.resolve(read.target, source) == path, link


@steady
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30))
def test_a_heading_is_found_by_its_own_link(text: str) -> None:
    heading = Heading(2, text, text, 1)
    if place := heading_text(text).strip("# "):
        assert find_heading(place, [heading]) in (heading, None)
        if any(char.isalnum() for char in text) and "#" not in place:
            assert find_heading(place, [heading]) is heading
