"""The one prompt of an answer, made for small models: short, few-shot, its stable part first.

The answer begins with a verdict (Yes, Partly, No) on whether the notes hold what was asked. Code reads the
probabilities of that first word before anything is generated, and decides on abstention itself: a refusal clause
in the prompt makes a small model refuse too much, and without one it invents. The verdict costs no second prompt,
because the answer continues from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from zibaldone.domain.markup import hide_addresses
from zibaldone.inference.roles import Message
from zibaldone.schemas.search import Hit

PROMPT_VERSION = "answer-1"
VERDICTS = ("Yes", "Partly", "No")
MISSING = "Not in the notes:"

_SYSTEM = (
    "You answer a person's question from their own notes. First say whether the notes hold the answer: "
    "Yes, Partly or No. Then answer in one to three short sentences, in the language of the question, using only "
    "the notes. After each statement put the number of its note in brackets, like [1]. "
    f'If a part of the question is not answered by the notes, end with "{MISSING}" and that part.'
)

_EXAMPLES: tuple[tuple[str, str], ...] = (
    (
        "[1] Bike > Service\nRear tyre changed on 3 May at Velo Kranz. Chain oiled with dry lube.\n\n"
        "[2] Bike > Wishes\nA better lamp, mudguards.",
        "",
    ),
)

_SHOTS: tuple[tuple[int, str, str], ...] = (
    (0, "When was the rear tyre changed, and where?", "Yes. The rear tyre was changed on 3 May at Velo Kranz [1]."),
    (0, "What did the new tyre cost?", f"No. {MISSING} the price of the tyre."),
    (
        0,
        "Womit wurde die Kette geölt, und was hat das Öl gekostet?",
        f"Partly. Die Kette wurde mit Trockenschmiermittel (dry lube) geölt [1]. {MISSING} der Preis des Öls.",
    ),
)


def answer_messages(question: str, evidence: Sequence[str]) -> list[Message]:
    """The prompt up to the point where the verdict stands; `evidence` are items by `format_evidence`."""
    messages = [Message("system", _SYSTEM)]
    for example, asked, reply in _SHOTS:
        messages.append(Message("user", _ask(_EXAMPLES[example][0], asked)))
        messages.append(Message("assistant", reply))
    messages.append(Message("user", _ask("\n\n".join(evidence), question)))
    return messages


def format_evidence(marker: int, hit: Hit) -> str:
    """One numbered item: `[1] Title > Heading` and the passage."""
    trail = [hit.title, *(part for part in hit.heading if part != hit.title)]
    return f"[{marker}] {' > '.join(trail)} ({hit.date})\n{hide_addresses(hit.text)}"


def _ask(evidence: str, question: str) -> str:
    return f"Notes:\n{evidence}\n\nQuestion: {question}"
