"""Names by words, by a central title, and by a model."""

from __future__ import annotations

import pytest

from zibaldone.hierarchy.naming import is_name, keeps_name, name_groups

ROOF = ["Insulate the roof", "Roof tiles ordered", "Dach and roof inspected"]
TAX = ["Steuererklärung abgegeben", "Belege für die Steuererklärung", "Frist der Steuererklärung"]
CHINESE = ["今天学习了冥想的方法", "冥想让我平静"]


def test_groups_are_named_by_what_tells_them_from_others() -> None:
    assert name_groups([ROOF, TAX, CHINESE], [*ROOF, *TAX, *CHINESE]) == [
        "roof",
        "Steuererklärung",
        "今天学习了冥想的方法 (+1)",
    ]


def test_what_only_one_title_says_names_nothing() -> None:
    assert name_groups([["Bought a saddle", "Chain oiled"]], ["Bought a saddle", "Chain oiled"]) == [
        "Bought a saddle (+1)"
    ]


def test_a_name_holds_until_a_group_is_another_one() -> None:
    assert keeps_name("abc", "abcdefghi")
    assert not keeps_name("abc", "abcdefghijklm")


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("Heat pump and insulation", True),
        ("Wärmepumpe", True),
        ("冥想", True),
        ("", False),
        ("—", False),
        ("This is about taxes", False),
        ("Taxes: 2025", False),
        ("The person moved house.", False),
        ("one two three four five six seven eight nine", False),
        ("x" * 81, False),
        ("TAXES", False),
    ],
)
def test_a_name_is_a_few_words_and_no_sentence(name: str, valid: bool) -> None:
    assert is_name(name, taken={"taxes"}) is valid
