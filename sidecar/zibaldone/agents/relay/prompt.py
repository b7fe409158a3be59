"""The two prompts of an answer, made for small models: short, and alike up to their last sentence.

System text, evidence and question come first in both, so llama.cpp evaluates them once: the judge's question costs
only its own few tokens, and so does the answer's instruction after it. Neither may refuse: code decides on abstention
from the probabilities of Yes and No (a refusal clause in the prompt makes a small model refuse too much).
"""

from __future__ import annotations

from collections.abc import Sequence

from zibaldone.domain.markup import hide_addresses
from zibaldone.domain.notes import Origin
from zibaldone.inference.roles import Message
from zibaldone.schemas.search import Hit
from zibaldone.vault.cited import hide_cited
from zibaldone.vault.inert import read_inert

VERDICTS = ("Yes", "No")

_SYSTEM = "You help a person with their own notes."
_CONVENTIONS = "They ask you to keep to this:"
_JUDGE = "Is the answer to {asked} written in the notes above? Answer Yes or No."
_ANSWER = (
    "Answer {asked} in one to three short sentences, in the language of the question, using only the notes. "
    "After each statement put the number of its note, like [1]."
)


def judge_messages(
    question: str, evidence: Sequence[str], part: str | None = None, conventions: str = ""
) -> list[Message]:
    """Asks whether the evidence answers the question, or `part` of it; to be continued by Yes or No."""
    return _messages(question, evidence, _JUDGE.format(asked=_asked(part)), conventions)


def answer_messages(
    question: str, evidence: Sequence[str], part: str | None = None, conventions: str = ""
) -> list[Message]:
    """Asks for the answer, or for that to `part`; `evidence` are items by `format_evidence`, `conventions` what the
    person asks of every answer."""
    return _messages(question, evidence, _ANSWER.format(asked=_asked(part)), conventions)


def format_evidence(marker: int, hit: Hit, *, dated: bool = False) -> str:
    """One numbered item: where it stands, the date where the note states one (or in any case: `dated`), the passage
    without addresses."""
    trail = " > ".join([hit.title, *(part for part in hit.heading if part != hit.title)])
    when = f", {hit.date}" if dated or hit.date_source == "note" else ""
    text = read_inert(hide_cited(hit.text)) if hit.origin == Origin.AGENT else hit.text
    return f'[{marker}] From "{trail}"{when}:\n{hide_addresses(text)}'


def show_messages(messages: Sequence[Message]) -> str:
    """A prompt as a person reads it, for `--debug`."""
    return "\n\n".join(f"{message.role}: {message.content}" for message in messages)


def _messages(question: str, evidence: Sequence[str], instruction: str, conventions: str) -> list[Message]:
    notes = "\n\n".join(evidence)
    return [
        Message("system", f"{_SYSTEM} {_CONVENTIONS}\n{conventions}" if conventions else _SYSTEM),
        Message("user", f"Notes:\n{notes}\n\nQuestion: {question}\n\n{instruction}"),
    ]


def _asked(part: str | None) -> str:
    return f'this part of the question: "{part}"' if part else "the question"
