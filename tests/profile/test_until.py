"""The last day of a plan, as it says."""

from __future__ import annotations

from datetime import date

import pytest

from zibaldone.profile.until import last_day

THURSDAY = date(2026, 4, 2)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("I'm rehearsing the Fauré until the 17th", date(2026, 4, 17)),
        ("bis zum 1. bin ich in Ulm", date(2026, 5, 1)),
        ("Estoy en Lima hasta el 12", date(2026, 4, 12)),
        ("Die Prüfung ist am 25. April", date(2026, 4, 25)),
        ("The exam is on 3 March", date(2027, 3, 3)),
        ("The exam is on 31 May 2026", date(2026, 5, 31)),
        ("On Saturday we'll paint the fence", date(2026, 4, 4)),
        ("Nächste Woche bin ich am Dienstag beim Notar", date(2026, 4, 7)),
        ("this week I'm at home", date(2026, 4, 5)),
        ("morgen streichen wir den Zaun", date(2026, 4, 3)),
        ("I was in Ulm last Saturday", None),
        ("since Monday I've been learning Go", None),
        ("every Saturday I paint", None),
        ("Ab Montag lerne ich Go", None),
        ("Von Montag an lerne ich Go", None),
        ("From Monday on I'm learning Go", None),
        ("immer am Samstag streiche ich", None),
        ("Ich streiche immer noch jede Stunde, am Samstag kommt der Prüfer", date(2026, 4, 4)),
        ("I paint every day until Friday", date(2026, 4, 3)),
        ("I'm learning Go", None),
        ("We're moving in May", None),
        ("I'm waiting until the 45th", None),
    ],
)
def test_the_last_day_that_is_named(text: str, last: date | None) -> None:
    assert last_day(text, THURSDAY) == last
