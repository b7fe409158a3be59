"""Saved conversations."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zibaldone.schemas.ask import Answer, Citation
from zibaldone.schemas.base import Wire


class ConversationSummary(Wire):
    id: str
    title: str
    started_at: str
    updated_at: str
    turns: int
    found: str | None = Field(
        default=None, description="the words around what was searched for, where the title has it not"
    )


class Message(Wire):
    """`answer` is the whole of a complete answer, its passages shortened."""

    role: Literal["user", "assistant"]
    text: str
    at: str
    state: Literal["complete", "partial", "failed"] = "complete"
    citations: list[Citation] = []
    answer: Answer | None = None


class Conversation(Wire):
    id: str
    title: str
    started_at: str
    updated_at: str
    messages: list[Message]


class Conversations(Wire):
    conversations: list[ConversationSummary]


class RenameConversationRequest(Wire):
    title: str = Field(min_length=1, max_length=200, pattern=r"\S")


class Deleted(Wire):
    deleted: int
