"""Which concepts belong together, and which are important."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.planted_year import plant_year
from zibaldone.domain.hierarchy import Concept, Episode, Event
from zibaldone.hierarchy.graph import rank_concepts, rank_episodes, relate_concepts
from zibaldone.hierarchy.projects import NoteLink

ONE = plant_year(events=1).events[0]


def event(name: str, tags: tuple[str, ...] = ()) -> Event:
    return replace(ONE, id=name, path=f"{name}.md", tags=tags)


def concept(name: str, *events: str) -> Concept:
    return Concept(name, name, events, events)


def episode(name: str, *events: str) -> Episode:
    return Episode(name, name, "", events, events)


def test_shared_episodes_links_and_tags_are_the_weights_of_an_edge() -> None:
    events = [event("a1", ("x",)), event("a2"), event("b1", ("x", "y")), event("c1")]
    concepts = [concept("a", "a1", "a2"), concept("b", "b1"), concept("c", "c1")]
    episodes = [episode("one", "a1", "b1"), episode("two", "a2"), episode("three", "c1")]
    links = [NoteLink("c1.md", 4, "a1.md"), NoteLink("c1.md", 5, "a1.md"), NoteLink("c1.md", 6, "elsewhere.md")]
    first, second = relate_concepts(concepts, episodes, events, links)
    assert (first.a, first.b, first.episodes, first.tags, first.links) == ("a", "b", ("one",), ("x",), 0)
    assert first.weight == pytest.approx(1 / 2**0.5 + 0.25 / 2)
    assert (second.a, second.b, second.links) == ("a", "c", 2)
    assert second.weight == pytest.approx(0.5 / 3)


def test_more_events_in_the_same_episodes_make_nothing_more_important() -> None:
    concepts = [concept("a", "a1"), concept("b", "b1"), concept("c", "c1")]
    episodes = [episode("one", "a1", "b1"), episode("two", "c1")]
    events = [event(name) for name in ("a1", "b1", "c1")]
    few = rank_concepts(concepts, relate_concepts(concepts, episodes, events))
    many = [f"a{number}" for number in range(1, 40)]
    concepts[0] = concept("a", *many)
    episodes[0] = episode("one", *many, "b1")
    events = [event(name) for name in (*many, "b1", "c1")]
    assert rank_concepts(concepts, relate_concepts(concepts, episodes, events)) == pytest.approx(few)


def test_what_ties_others_together_is_more_important_than_what_is_large() -> None:
    hub = [f"h{number}" for number in range(4)]
    large = [f"l{number}" for number in range(40)]
    others = [f"o{number}" for number in range(4)]
    concepts = [concept("hub", *hub), concept("large", *large), *(concept(name, name) for name in others)]
    episodes = [episode(f"with-{other}", own, other) for own, other in zip(hub, others, strict=True)]
    episodes += [episode(f"alone-{name}", name) for name in large]
    events = [event(name) for name in (*hub, *large, *others)]
    importance = rank_concepts(concepts, relate_concepts(concepts, episodes, events))
    assert importance["hub"] == 1.0
    small = rank_concepts([*concepts, concept("small", "s")], relate_concepts(concepts, episodes, events))
    assert small["small"] == pytest.approx(small["large"])
    assert 0.5 < small["small"] < small["hub"] == 1.0
    ranked = rank_episodes(episodes, concepts, importance)
    assert ranked["with-o0"] == pytest.approx((1 + importance["o0"]) / 2)
    assert rank_episodes([episode("long", *hub)], concepts, importance) == {"long": 1.0}


def test_nothing_is_related_to_nothing() -> None:
    assert rank_concepts([], []) == {}
    assert rank_concepts([concept("a", "a1")], []) == {"a": 1.0}
    assert rank_episodes([episode("one", "a1")], [], {}) == {"one": 0.0}
