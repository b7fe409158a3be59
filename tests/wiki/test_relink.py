"""After a move links lead where they led, in the form that they had."""

from __future__ import annotations

import pytest

from zibaldone.wiki.relink import relink, retarget
from zibaldone.wiki.resolve import LinkResolver

OLD, NEW = "Zibaldone/pages/abx/penicillin.md", "Zibaldone/pages/drugs/pen.md"
FILES = [OLD, "Home.md", "Bees/Varroa.md", "Zibaldone/pages/abx/other.md", "Work/pen.md", "a b/ä.md"]


def moved(text: str, path: str = "Home.md", move: tuple[str, str] = (OLD, NEW), files: list[str] | None = None) -> str:
    before, after = LinkResolver(files or FILES), LinkResolver(files or FILES)
    after.rename(*move)
    return relink(text.encode(), path, move, before, after).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[pages/abx/penicillin|Pen]]", "[[pages/drugs/pen|Pen]]"),
        ("[[abx/penicillin#Dose|x]]", "[[drugs/pen#Dose|x]]"),
        ("[[penicillin]]", "[[drugs/pen]]"),  # `pen` alone is another note
        ("[[penicillin.md]]", "[[drugs/pen.md]]"),
        ("![[Zibaldone/pages/abx/penicillin#^b]]", "![[Zibaldone/pages/drugs/pen#^b]]"),
        ("[x](/Zibaldone/pages/abx/penicillin.md)", "[x](/Zibaldone/pages/drugs/pen.md)"),
        ("[x](./Zibaldone/pages/abx/penicillin.md#Dose)", "[x](./Zibaldone/pages/drugs/pen.md#Dose)"),
        ("[[Varroa]] [[nowhere]] `[[penicillin]]` [[Home]]", "[[Varroa]] [[nowhere]] `[[penicillin]]` [[Home]]"),
    ],
)
def test_links_to_it_follow(before: str, after: str) -> None:
    assert moved(f"{before}\n") == f"{after}\n"


def test_a_link_that_would_lead_to_it_from_now_on_says_more() -> None:
    """Of two notes of a name the one with the shorter path is meant."""
    files = [OLD, "Home.md", "Work/in quite a long folder/pen.md"]
    assert moved("[[pen]]\n", files=files) == "[[in quite a long folder/pen]]\n"


def test_its_own_links_lead_where_they_led() -> None:
    text = "[[other]] [o](../abx/other.md) [[../../../Bees/Varroa]] [[#Dose]] [self](penicillin.md)\n"
    assert moved(text, OLD) == ("[[other]] [o](../abx/other.md) [[../../../Bees/Varroa]] [[#Dose]] [self](pen.md)\n")
    assert moved("[o](./other.md)\n", OLD) == "[o](../abx/other.md)\n"


def test_there_may_be_no_way_to_say_it() -> None:
    assert retarget("x", "not/there.md", "Home.md", LinkResolver(FILES)) is None
    assert retarget("../x", "a b/ä.md", "Bees/Varroa.md", LinkResolver(FILES)) == "../a b/ä"
