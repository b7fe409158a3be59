"""The title of a new page: the model's words where they are about the matter, else the question's. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence

from zibaldone.domain.words import index_terms, query_terms
from zibaldone.inference.roles import Message, Sampling

MOST_CHARS = 60
MOST_WORDS = 8
# Words of a title that stand in the question or the answer, of all that it has.
LEAST_SHARED = 0.5

TITLE_SAMPLING = Sampling(
    max_tokens=40,
    deadline_s=60.0,
    schema={
        "type": "object",
        "properties": {"title": {"type": "string", "minLength": 3, "maxLength": MOST_CHARS}},
        "required": ["title"],
        "additionalProperties": False,
    },
)

_EXAMPLES = (
    (
        "How often do I have to descale the Gaggia Classic?",
        "Every two months, with citric acid.",
        "Gaggia Classic: descaling",
    ),
    ("Was hat Dr. Brenner zur Zahnschiene gesagt?", "Sie soll nachts getragen werden.", "Zahnschiene von Dr. Brenner"),
)


def title_messages(question: str, statements: Sequence[str]) -> list[Message]:
    """Asks for the topic of a page that this answer begins."""
    messages = [
        Message("system", "You name the topic of a note in two to five words, in the language of the question.")
    ]
    for asked, said, title in _EXAMPLES:
        messages.append(Message("user", f"Question: {asked}\nAnswer: {said}"))
        messages.append(Message("assistant", json.dumps({"title": title}, ensure_ascii=False)))
    messages.append(Message("user", f"Question: {question}\nAnswer: {' '.join(statements)}"))
    return messages


def read_title(output: str, question: str, statements: Sequence[str]) -> str:
    """The title that the model gave, or one from the question where its is none of the matter."""
    try:
        title = " ".join(str(json.loads(output)["title"]).split()).strip(" .?!:;\"'“”„«»")
    except (ValueError, KeyError, TypeError):
        title = ""
    terms = query_terms(title)
    known = set(index_terms(" ".join([question, *statements])))
    fits = terms and len(title) <= MOST_CHARS and len(title.split()) <= MOST_WORDS
    if fits and sum(term in known for term in terms) >= LEAST_SHARED * len(terms):
        return title
    return plain_title(question)


def plain_title(question: str) -> str:
    """The question's own words that mean something, as they are spelt there."""
    asked = set(query_terms(question))
    words = [word.strip("?!.,:;\"'“”„«»()") for word in question.split()]
    kept = [word for word in words if any(term in asked for term in index_terms(word))]
    title = " ".join(list(dict.fromkeys(kept))[:MOST_WORDS])
    return title[:MOST_CHARS].strip() or question.strip()[:MOST_CHARS]
