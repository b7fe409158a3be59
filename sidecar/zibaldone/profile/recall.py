"""What of the memory enters a prompt. Pure.

In a fixed order (rules, about the person, how they want things done, what they are at), within a budget: rules that say
what no entry says, what the person said explicitly, the rest by its nearness to the question and how sure it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zibaldone.profile.rules import rule_text
from zibaldone.schemas.memory import MEMORY_TYPES, MemoryEntry
from zibaldone.schemas.rules import Rule

_HEADS = {
    "user": "About them, in their own words:",
    "feedback": "How they want answers:",
    "context": "What they are busy with:",
}
_DOUBTFUL = "(but they said otherwise, too)"


def choose_rules(rules: Sequence[Rule], entries: Sequence[MemoryEntry]) -> list[Rule]:
    """Those that the person wrote or reworded: the others are told by the entries that they rest on."""
    said = {(entry.id, rule_text(entry.content)) for entry in entries}
    return [rule for rule in rules if said.isdisjoint((id_, rule.text) for id_ in rule.rests_on)]


def choose_entries(
    entries: Sequence[MemoryEntry], near: Mapping[str, float], sizes: Mapping[str, int], budget: int
) -> list[MemoryEntry]:
    """Those that are told, by type and age.

    Args:
        near: how near an entry is to the question (0..1), by id.
        sizes: tokens of each entry's line, by id; of all that is told they add up to `budget` at most.
    """
    by_worth = sorted(
        entries, key=lambda one: (not one.is_explicit, -near.get(one.id, 0.0) * one.confidence, one.created_at)
    )
    chosen: set[str] = set()
    left = budget
    for entry in by_worth:
        if sizes[entry.id] <= left:
            left -= sizes[entry.id]
            chosen.add(entry.id)
    return [entry for kind in MEMORY_TYPES for entry in entries if entry.type == kind and entry.id in chosen]


def entry_line(entry: MemoryEntry) -> str:
    return f"- {entry.content}{f' {_DOUBTFUL}' if entry.conflicts_with else ''}"


def rule_line(rule: Rule) -> str:
    return f"- {rule.text}"


def describe_recalled(rules: Sequence[Rule], entries: Sequence[MemoryEntry]) -> str:
    """As it stands in a prompt, behind the person's conventions; empty where there is nothing."""
    parts = [rule_line(rule) for rule in rules]
    for kind in MEMORY_TYPES:
        lines = [entry_line(entry) for entry in entries if entry.type == kind]
        if lines:
            parts.append("\n".join([_HEADS[kind], *lines]))
    return "\n".join(parts)
