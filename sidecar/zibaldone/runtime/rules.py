"""The rules of the agents: those that ship, and the pages of this person's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from zibaldone.errors import NotFound
from zibaldone.profile.rules import edit_rules, read_rules, rules_path, system_rules
from zibaldone.runtime.writer import Read, VaultWriter
from zibaldone.schemas.rules import AGENTS, Agent, Rule, Rules, RulesRequest
from zibaldone.vault.files import VaultFiles

# The agents whose rules a model is told in a conversation.
_IN_CONVERSATIONS: tuple[Agent, ...] = ("common", "relay", "data")


class RuleBook:
    def __init__(self, files: VaultFiles, writer: VaultWriter, folder: str) -> None:
        self._files = files
        self._writer = writer
        self._folder = folder

    def tell(self, request: RulesRequest) -> Rules:
        rules = [*system_rules(), *(rule for agent in AGENTS for rule in self.of_person(agent))]
        return Rules(
            rules=[
                rule for rule in rules if request.agent in (None, rule.agent) and request.layer in (None, rule.layer)
            ]
        )

    def of_person(self, agent: Agent) -> list[Rule]:
        try:
            data = self._files.read_stable(rules_path(self._folder, agent))
        except NotFound:
            return []
        return list(read_rules(data, agent).rules.values())

    def of_conversations(self) -> list[Rule]:
        return [rule for agent in _IN_CONVERSATIONS for rule in self.of_person(agent)]

    def resting(self) -> frozenset[str]:
        """Entries of the memory that rules rest on."""
        return frozenset(id_ for agent in AGENTS for rule in self.of_person(agent) for id_ in rule.rests_on)

    def update(
        self,
        added: Sequence[Rule],
        gone: frozenset[str],
        outdated: Mapping[str, str],
        now: datetime,
        *,
        dry: bool = False,
    ) -> list[str]:
        """Add rules that are not there, and retire those that rest on nothing any more; what that was, in sentences.
        See `edit_rules`.

        Raises:
            GitUnavailable, VaultChanged: nothing can be committed, or a page keeps changing.
        """
        told: list[str] = []

        def plan(read: Read) -> Mapping[str, bytes | None]:
            told.clear()
            after: dict[str, bytes | None] = {}
            for agent in AGENTS:
                path = rules_path(self._folder, agent)
                existing = read(path)
                new = [rule for rule in added if rule.agent == agent]
                edited = edit_rules(existing, agent, new, gone, outdated)
                if edited is None or edited == existing:
                    continue
                before = {rule.text for rule in read_rules(existing or b"", agent).rules.values()}
                now_there = {rule.text for rule in read_rules(edited, agent).rules.values()}
                told.extend(f"new rule for {agent}: {text}" for text in sorted(now_there - before))
                told.extend(f"rule for {agent} retired: {text}" for text in sorted(before - now_there))
                if not dry:
                    after[path] = edited
            return after

        self._writer.change("rules", "rules of the agents", now, plan)
        return told
