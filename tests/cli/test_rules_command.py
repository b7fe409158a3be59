"""`zib rules` and `zib pattern`: what they ask, and how they tell it."""

from __future__ import annotations

import json

import pytest

from support.fake_memory import ScriptedMemory
from support.fakes import ScriptedEngine, example
from zibaldone.schemas.memory import PatternReport, PatternRequest
from zibaldone.schemas.rules import Rules, RulesRequest


def answering(*, rules: object = None, report: object = None) -> type[ScriptedEngine]:
    class Memory(ScriptedMemory):
        async def rules(self, request: RulesRequest) -> Rules:
            return Rules.model_validate(rules)

        async def pattern(self, request: PatternRequest) -> PatternReport:
            return PatternReport.model_validate(report)

    class Engine(ScriptedEngine):
        def __init__(self) -> None:
            super().__init__()
            self.memory = Memory(lambda name, request: None, example)

    return Engine


@pytest.mark.parametrize(
    ("arguments", "request_"),
    [
        ((), RulesRequest()),
        (("relay",), RulesRequest(agent="relay")),
        (("--user",), RulesRequest(layer="user")),
        (("agenda", "--system"), RulesRequest(agent="agenda", layer="system")),
    ],
)
def test_which_rules_are_asked_for(zib, opened, arguments: tuple[str, ...], request_: RulesRequest) -> None:
    assert zib("rules", *arguments).code == 0
    assert opened.calls == [("memory.rules", request_)]
    assert json.loads(zib("rules", *arguments, "--json").out) == example("Rules.two")


def test_rules_are_grouped_with_their_dates(zib) -> None:
    assert zib("rules").out == (
        "[system] common\n  - Say what you do not know.\n[user] relay\n  - Prefers short answers  2026-03-03\n"
    )


def test_an_unknown_agent_is_an_error_of_use(zib) -> None:
    ran = zib("rules", "nobody")
    assert (ran.code, ran.out) == (2, "")
    assert "relay" in ran.err


def test_no_rules_and_long_ones(zib, opened) -> None:
    opened.make = answering(rules={"rules": []})
    assert zib("rules", "--user").out.startswith("There are no rules yet")
    long = {"agent": "relay", "text": "word \x1b[31m" * 40, "layer": "user"}
    opened.make = answering(rules={"rules": [long]})
    out = zib("rules").out
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


@pytest.mark.parametrize(("arguments", "dry"), [((), False), (("--dry-run",), True)])
def test_what_a_run_is_asked(zib, opened, arguments: tuple[str, ...], dry: bool) -> None:
    assert zib("pattern", *arguments).code == 0
    assert opened.calls == [("memory.pattern", PatternRequest(dry_run=dry))]
    assert json.loads(zib("pattern", *arguments, "--json").out) == example("PatternReport.partial")


def test_a_partial_run_says_what_is_left(zib) -> None:
    ran = zib("pattern")
    assert ran.out == "said again:\n  - Prefers short answers: 3 times\n"
    assert "conversations reviewed: The chat model gave no usable answer." in ran.err
    assert "The run is partial" in ran.err


@pytest.mark.parametrize(("state", "sentence"), [("complete", "Nothing to do."), ("partial", "Nothing was changed.")])
def test_a_run_without_changes(zib, opened, state: str, sentence: str) -> None:
    opened.make = answering(report={**example("PatternReport.partial"), "state": state, "steps": []})
    assert zib("pattern").out == f"{sentence}\n"
