"""The models of a vault's owner: opened when first needed, closed with it."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from zibaldone.config.settings import Settings
from zibaldone.errors import ZibaldoneError
from zibaldone.inference.roles import ChatModel, Embedder, Reranker
from zibaldone.retrieval.rerankers import LateInteraction, YesOrNo
from zibaldone.schemas.status import RoleStatus

if TYPE_CHECKING:
    from zibaldone.inference.llama import LlamaReranker

# In `models.rerank`, where a file is named otherwise.
_BY_CHAT = "chat"


class ModelSet:
    """A model that is missing is looked for again at the next use: the person may have pulled it meanwhile.

    Opening one looks at the disk, so it is done in a thread; from whichever it is, a model is opened once.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening = Lock()
        self._chat: ChatModel | None = None
        self._embedder: Embedder | None = None
        self._cross_encoder: LlamaReranker | None = None

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

    def reranker(self) -> Reranker:
        """What the setting `models.rerank` asks for. Raises: ModelMissing, ModelInvalid, InvalidRequest."""
        wanted = self._settings.models.rerank
        if not wanted:
            return LateInteraction(self.embedder())
        return YesOrNo(self.chat()) if wanted == _BY_CHAT else self._open_cross_encoder()

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

    def find_reranker(self) -> tuple[Reranker | None, ZibaldoneError | None]:
        try:
            return self.reranker(), None
        except ZibaldoneError as error:
            return None, error

    def status(self) -> list[RoleStatus]:
        """One entry for each role that a model of its own serves; nothing is loaded to find out."""
        models = self._settings.models
        roles = [
            _role_status("chat", models.chat, *self.find_chat()),
            _role_status("embed", models.embed, *self.find_embedder()),
        ]
        if models.rerank not in ("", _BY_CHAT):
            roles.append(_role_status("rerank", models.rerank, *self._find_cross_encoder()))
        return roles

    async def close(self) -> None:
        for model in (self._chat, self._embedder, self._cross_encoder):
            if model is not None:
                await model.close()
        self._chat = self._embedder = self._cross_encoder = None

    def _open_cross_encoder(self) -> LlamaReranker:
        from zibaldone.inference.models import open_reranker

        with self._opening:
            if self._cross_encoder is None:
                self._cross_encoder = open_reranker(self._settings)
            return self._cross_encoder

    def _find_cross_encoder(self) -> tuple[LlamaReranker | None, ZibaldoneError | None]:
        try:
            return self._open_cross_encoder(), None
        except ZibaldoneError as error:
            return None, error


def _role_status(
    role: str, wanted: str, model: ChatModel | Embedder | LlamaReranker | None, error: ZibaldoneError | None
) -> RoleStatus:
    if model is None:
        return RoleStatus(role=role, model=wanted, state="missing", hint=error.hint if error else None)
    return RoleStatus(role=role, model=model.name, state=model.state)
