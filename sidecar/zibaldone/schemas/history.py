"""Saved conversations."""

from __future__ import annotations

from typing import Literal

from zibaldone.schemas.ask import Citation
from zibaldone.schemas.base import Wire


class ConversationSummary(Wire):
    id: str
    title: str
    started_at: str
    updated_at: str
    turns: int


class Message(Wire):
    role: Literal["user", "assistant"]
    text: str
    at: str
    state: Literal["complete", "partial", "failed"] = "complete"
    citations: list[Citation] = []


class Conversation(Wire):
    id: str
    title: str
    started_at: str
    updated_at: str
    messages: list[Message]


class Conversations(Wire):
    conversations: list[ConversationSummary]


class Deleted(Wire):
    deleted: int
