"""Rules: how each agent works with this person. Pure.

System rules ship with the package and say what an agent may do. User rules grow out of wishes that have proved stable,
one line each with its date and the entries that it rests on; a line that a person writes is theirs, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from importlib.resources import files

from zibaldone.domain.words import fold
from zibaldone.profile.classify import is_lasting
from zibaldone.schemas.memory import MemoryEntry
from zibaldone.schemas.rules import AGENTS, Agent, Rule
from zibaldone.vault.inert import make_inert_line, read_inert

_MOST_CHARS = 1_000
# An inferred wish becomes a rule when it was said so often, and is so sure; an explicit one that is to last, at once.
_OFTEN, _SURE = 3, 0.9
_OF_AGENT = {
    "agenda": re.compile(
        r"\b(?:agenda|calend\w+|kalender\w*|termin\w*|tasks?|aufgaben?|deadlines?|frist\w*|reminders?)\b"
    ),
    "data": re.compile(r"\b(?:search\w*|such\w*|find\w*|look(?:ing)? up|retriev\w*)\b"),
}
_LINE = re.compile(r"[ \t]*[-*+][ \t]+(?P<text>.*?)[ \t]*(?:%%(?P<fields>(?:(?!%%).)*)%%)?[ \t]*$")


@dataclass(frozen=True, slots=True)
class RulePage:
    """`rules` by line number, from 0."""

    rules: dict[int, Rule]


@cache
def system_rules() -> tuple[Rule, ...]:
    """Those that ship with the package."""
    found: list[Rule] = []
    for agent in AGENTS:
        text = files(__package__).joinpath(f"system_rules/{agent}.md").read_text(encoding="utf-8")
        lines = (line.removeprefix("- ").strip() for line in text.splitlines() if line.startswith("- "))
        found.extend(Rule(agent=agent, text=line, layer="system") for line in lines)
    return tuple(found)


def rules_path(folder: str, agent: Agent) -> str:
    return f"{folder}/rules/{agent}.md"


def read_rules(data: bytes, agent: Agent) -> RulePage:
    rules: dict[int, Rule] = {}
    for number, raw in enumerate(data.splitlines()):
        match = _LINE.match(raw.decode("utf-8", "replace"))
        if match is None or not match["text"]:
            continue
        fields = match["fields"] or ""
        added = re.search(r"added (\d{4}-\d\d-\d\d)", fields)
        rests = re.search(r"rests on ([0-9a-z ]+)", fields)
        rules[number] = Rule(
            agent=agent,
            text=_read_text(match["text"]),
            layer="user",
            added=added[1] if added else None,
            rests_on=rests[1].split() if rests else [],
        )
    return RulePage(rules)


def write_rule(rule: Rule) -> str:
    rests = f", rests on {' '.join(rule.rests_on)}" if rule.rests_on else ""
    return f"- {make_inert_line(rule.text, _MOST_CHARS)} %%added {rule.added}{rests}%%"


def edit_rules(
    existing: bytes | None,
    agent: Agent,
    added: Sequence[Rule],
    gone: frozenset[str],
    outdated: Mapping[str, str] | None = None,
) -> bytes | None:
    """The page with new rules at its end, and without those that rest on nothing but entries that are `gone`, or that
    say what an entry said once (`outdated`, by id) and does no more. A line that the person reworded stays."""
    page = read_rules(existing or b"", agent)
    old = {(id_, rule_text(text)) for id_, text in (outdated or {}).items()}
    dropped = {
        number
        for number, rule in page.rules.items()
        if rule.rests_on and (gone.issuperset(rule.rests_on) or any((id_, rule.text) in old for id_ in rule.rests_on))
    }
    lines = (existing or b"").splitlines(keepends=True)
    kept = [line for number, line in enumerate(lines) if number not in dropped]
    left = [rule for number, rule in page.rules.items() if number not in dropped]
    known = {rule.text for rule in left}
    carried = {id_ for rule in left for id_ in rule.rests_on}
    new = [rule for rule in added if rule_text(rule.text) not in known and carried.isdisjoint(rule.rests_on)]
    if not existing:
        if not new:
            return None
        kept = [f"---\ntype: rules\nwritten_by: Zibaldone\n---\n\n# Rules for {agent}\n\n".encode()]
    ending = b"\r\n" if b"\r\n" in (existing or b"") else b"\n"
    if new and kept and not kept[-1].endswith(b"\n"):
        kept[-1] += ending
    return b"".join([*kept, *(write_rule(rule).encode("utf-8", "replace") + ending for rule in new)])


def rule_text(text: str) -> str:
    """A rule's words, as they are read from its line."""
    return _read_text(make_inert_line(text, _MOST_CHARS))


def _read_text(line: str) -> str:
    return " ".join(read_inert(line).split())


def promote(entries: Sequence[MemoryEntry], now: datetime) -> list[Rule]:
    """The wishes that have proved stable, as rules."""
    return [
        Rule(
            agent=choose_agent(one.content),
            text=one.content,
            layer="user",
            added=now.date().isoformat(),
            rests_on=[one.id],
        )
        for one in entries
        if one.type == "feedback" and one.state == "active" and not one.conflicts_with and is_stable(one, now.date())
    ]


def is_stable(entry: MemoryEntry, today: date) -> bool:
    """Said expressly and to last; or inferred often, on several days, and surely."""
    if entry.is_explicit:
        return is_lasting(entry.content) or entry.source_count >= _OFTEN
    older = datetime.fromisoformat(entry.created_at).date() < today
    return older and entry.source_count >= _OFTEN and entry.confidence >= _SURE


def choose_agent(text: str) -> Agent:
    """Whom a wish is for: the agenda, the search, or the conversation."""
    folded = fold(text)
    for agent, words in _OF_AGENT.items():
        if words.search(folded):
            return "agenda" if agent == "agenda" else "data"
    return "relay"
