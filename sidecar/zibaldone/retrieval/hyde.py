"""HyDE (Gao and others, 2022): what a note that answers the question might say, to be searched for by its meaning.

The text is invented, and only ever embedded: nothing of it may be shown or cited.
"""

from __future__ import annotations

from contextlib import aclosing

from zibaldone.errors import ModelFailed
from zibaldone.inference.roles import ChatModel, Message, Piece, Sampling

_SYSTEM = (
    "Write the passage of a note that would answer the question: two to four short sentences, in the language of the "
    "question. Make up what you do not know. Do not repeat the question and do not say that you are unsure."
)
_SHOTS = (
    (
        "Why did we leave the old bakery supplier?",
        "We stopped ordering from Miller's in March because deliveries came late three weeks in a row. The flour was "
        "also more expensive than at the cooperative. Since then the mill in Ashford has supplied us every Tuesday.",
    ),
    (
        "Wie hoch darf die Vorlauftemperatur der Heizung sein?",
        "Die Vorlauftemperatur der Fußbodenheizung ist auf höchstens 38 Grad eingestellt. Der Installateur hat davor "
        "gewarnt, höher zu gehen, weil sonst der Estrich leidet. Im Januar haben 35 Grad gereicht.",
    ),
)
_SAMPLING = Sampling(max_tokens=96, stop=("\n",), deadline_s=60.0)


async def write_hypothesis(question: str, chat: ChatModel) -> str:
    """Two to four sentences, in the question's language.

    Raises:
        ModelFailed: also where the model wrote nothing.
        ModelMissing, ModelInvalid, DeadlineExceeded, InvalidRequest: as `ChatModel` does.
    """
    written = ""
    async with aclosing(chat.generate(_prompt(question), _SAMPLING)) as deltas:
        async for delta in deltas:
            if isinstance(delta, Piece):
                written += delta.text
    if not written.strip():
        raise ModelFailed(f"{chat.name} wrote nothing that could be searched for.")
    return written.strip()


def _prompt(question: str) -> list[Message]:
    shots = [(Message("user", _ask(asked)), Message("assistant", written)) for asked, written in _SHOTS]
    return [Message("system", _SYSTEM), *(turn for shot in shots for turn in shot), Message("user", _ask(question))]


def _ask(question: str) -> str:
    return f"Question: {question}\nThree sentences of the note:"
