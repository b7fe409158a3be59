"""What a run of the pattern agent did, as the conversation says it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from zibaldone.agents.relay.phrases import say
from zibaldone.schemas.memory import PatternReport
from zibaldone.vault.inert import make_inert_line

_MOST_CHARS = 300


def describe_run(report: PatternReport, language: str) -> str:
    lines = _under("run_done", [change for step in report.steps for change in step.changes], language)
    # Our own sentences name commands like `zib doctor`, which would be shown with what makes them inert.
    problems = [step.problem.replace("`", "") for step in report.steps if step.problem]
    lines += _under("run_partial", problems, language)
    return "\n".join(lines) or say("run_nothing", language)


def _under(head: str, sentences: Sequence[str], language: str) -> list[str]:
    items = [f"- {make_inert_line(one, _MOST_CHARS)}" for one in sentences]
    return [say(head, language), *items] if items else []
