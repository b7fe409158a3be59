"""The model files behind the figures. Where one is missing, or is no file, its figures are not measured."""

from __future__ import annotations

from pathlib import Path

from zibaldone.config.places import models_dir
from zibaldone.config.settings import Settings
from zibaldone.errors import ModelMissing
from zibaldone.inference.catalogue import FAKE_CHAT, FAKE_EMBED, ModelEntry, ModelRole, all_models


def find_model(settings: Settings, role: ModelRole) -> tuple[ModelEntry, Path]:
    """The GGUF file that serves `role`.

    Raises:
        ModelMissing: it is not on this machine, or nothing of llama.cpp serves the role.
    """
    name = settings.models.chat if role == "chat" else settings.models.embed
    endpoint = settings.endpoints.chat if role == "chat" else settings.endpoints.embed
    if endpoint.url:
        raise ModelMissing(f"The role {role} is served by {endpoint.url}, not by llama.cpp.", "")
    if name in (FAKE_CHAT, FAKE_EMBED):
        raise ModelMissing(f"{name} is no model of llama.cpp.", "")
    entry = all_models(models_dir()).get(name)
    if entry is None or not entry.path_in(models_dir()).is_file():
        raise ModelMissing(f"The model {name} ({role}) is not on this machine.", f"zib models pull {name}")
    return entry, entry.path_in(models_dir())
