"""The models of a vault's owner: opened when first needed, closed with it."""

from __future__ import annotations

from threading import Lock

from zibaldone.config.settings import Settings
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder
from zibaldone.schemas.status import RoleStatus


class ModelSet:
    """A model that is missing is looked for again at the next use: the person may have pulled it meanwhile.

    Opening one looks at the disk, so it is done in a thread; from whichever it is, a model is opened once.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening = Lock()
        self._chat: ChatModel | None = None
        self._embedder: Embedder | None = None

    def chat(self) -> ChatModel:
        """Raises: ModelMissing, ModelInvalid."""
        from zibaldone.inference.models import open_chat

        with self._opening:
            if self._chat is None:
                self._chat = open_chat(self._settings)
            return self._chat

    @property
    def opened_embedder(self) -> Embedder | None:
        """The embedder where it was opened before; never looks at the disk."""
        return self._embedder

    def embedder(self) -> Embedder:
        """Raises: ModelMissing, ModelInvalid."""
        from zibaldone.inference.models import open_embedder

        with self._opening:
            if self._embedder is None:
                self._embedder = open_embedder(self._settings)
            return self._embedder

    def find_embedder(self) -> tuple[Embedder | None, ZibaldoneError | None]:
        try:
            return self.embedder(), None
        except ZibaldoneError as error:
            return None, error

    def find_chat(self) -> tuple[ChatModel | None, ZibaldoneError | None]:
        try:
            return self.chat(), None
        except ZibaldoneError as error:
            return None, error

    def status(self) -> list[RoleStatus]:
        """One entry for each role; nothing is loaded to find out."""
        return [
            _role_status("chat", self._settings.models.chat, *self.find_chat()),
            _role_status("embed", self._settings.models.embed, *self.find_embedder()),
        ]

    async def close(self) -> None:
        for model in (self._chat, self._embedder):
            if model is not None:
                await model.close()
        self._chat = self._embedder = None


def _role_status(
    role: str, wanted: str, model: ChatModel | Embedder | None, error: ZibaldoneError | None
) -> RoleStatus:
    if model is None:
        return RoleStatus(role=role, model=wanted, state="missing", hint=error.hint if error else None)
    return RoleStatus(role=role, model=model.name, state=model.state)
