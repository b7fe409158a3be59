"""The prompt for the statements of one portion of a document, and the reading of what came. Pure.

Made for small models: two examples in two languages, and nothing to decide but the words. Where a statement stands is
looked for afterwards (`find`), so the model is not asked for a place that it would get wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from zibaldone.inference.roles import Message

MOST_STATEMENTS = 4
STATEMENTS_SCHEMA = {
    "type": "object",
    "properties": {"statements": {"type": "array", "items": {"type": "string"}, "maxItems": MOST_STATEMENTS}},
    "required": ["statements"],
    "additionalProperties": False,
}
# Enough for that many long sentences in any language.
MOST_TOKENS = 400

_SYSTEM = (
    "You write down what a text says, each statement a full sentence that is understood without the text, in the "
    "language of the text and with its words and figures. You add nothing."
)
_CONVENTIONS = "The person asks you to keep to this:"
_EVERYTHING = "the main statements"
_EXAMPLES = (
    (
        "Coffee > Gaggia",
        "We bought the Gaggia in 2019. It is descaled every two months with citric acid, never with vinegar, since "
        "that eats the seals. The next service is in May.",
        "how to care for it",
        (
            "The Gaggia is descaled every two months with citric acid.",
            "Vinegar is never used for the Gaggia, since it eats the seals.",
        ),
    ),
    (
        "Garten > Tomaten",
        "Von 12 Sorten trug die Ochsenherz am besten, 4,1 kg je Pflanze. Wegen der Braunfäule wird ab Juli nur noch "
        "morgens gegossen.",
        _EVERYTHING,
        (
            "Von 12 Tomatensorten trug die Ochsenherz mit 4,1 kg je Pflanze am besten.",
            "Wegen der Braunfäule werden die Tomaten ab Juli nur noch morgens gegossen.",
        ),
    ),
)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def statement_messages(trail: str, text: str, wanted: str, conventions: str = "") -> list[Message]:
    """Asks for the statements of one portion.

    Args:
        trail: where it stands, as `Title > Heading`.
        wanted: what the person asks for; empty: whatever matters.
        conventions: what the person asks of every text.
    """
    messages = [Message("system", f"{_SYSTEM} {_CONVENTIONS}\n{conventions}" if conventions else _SYSTEM)]
    for example_trail, example, asked, statements in _EXAMPLES:
        messages.append(Message("user", _ask(example_trail, example, asked)))
        messages.append(Message("assistant", json.dumps({"statements": statements}, ensure_ascii=False)))
    return [*messages, Message("user", _ask(trail, text, " ".join(wanted.split()) or _EVERYTHING))]


def read_statements(output: str) -> list[str]:
    """The statements, each on one line; of an output that was cut off those that are whole."""
    _, _, items = output.partition("[")
    found: Sequence[str] = [json.loads(string, strict=False) for string in _STRING.findall(items)]
    return list(dict.fromkeys(text for one in found if (text := " ".join(one.split()))))[:MOST_STATEMENTS]


def _ask(trail: str, text: str, wanted: str) -> str:
    return f'Text from "{trail}":\n{text}\n\nWrite down, in the language of the text and in its words: {wanted}'
