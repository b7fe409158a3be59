"""The files that a vault gets once: how to talk to the agent, an index, who writes here, and safe settings.

Only missing files are made; whatever is there, in whatever form, is the person's.
"""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from zibaldone.config.settings import VAULT_KEYS, Settings
from zibaldone.errors import InvalidRequest
from zibaldone.vault.files import VaultFiles

_AGENTS = """\
# How Zibaldone works in this vault

This file is yours: change anything, in your own words. Zibaldone reads it before it writes.

- Write in the language of the note that is being extended.
- One page per topic, named after the topic, in `{folder}/pages/`. Extend a page rather than starting a second.
- Every statement links to the note that it comes from. What is not in the notes is not on the page.
- Keep pages short: what is known, what is open, where it is said.
- Notes outside `{folder}/` are changed only after you have approved the change.

## What is where
- `pages/`: what was worked out from your notes, topic by topic.
- `log/`: questions and answers, day by day.
- `memory/`: what Zibaldone remembers about you. Edit or delete any line.
- `rules/`: how you like things done.
- `sources/`: documents that you added.
- `chats/`: conversations that you saved.
- `settings.toml`: settings that are safe to sync with the vault.
"""

_INDEX = """\
---
type: index
---

# Index

Pages that Zibaldone keeps, by topic. It adds and removes their lines; headings, order and all other words are yours.
"""

_CONTRIBUTORS = """\
# Contributors

Who writes in `{folder}/`:

- You, and everyone who shares this vault.
- Zibaldone, an assistant that runs on your machine. Its commits are signed `Zibaldone <zibaldone@localhost>`.
"""

_SETTINGS_HEAD = """\
# Settings of this vault. They sync with it, so only what is safe to sync can be set here: models, servers and
# rights are in the configuration folder of each machine (`zib config show` says where).
# Every key is commented out and shows its default. Remove the `#` before it to change it.
"""

_EXPLAINED = {
    "writeback": "what is written after an answer: pages and log, the log only, or nothing",
    "approval": "what waits for your approval: changes of your own notes, or everything",
    "retrieval.strategy": "how passages are found; lexical, bm25, semantic and hyde, joined with +",
    "retrieval.answer_strategy": "how they are found for a question; rerank(...) compares the best once more",
    "retrieval.profile": "what counts more",
    "retrieval.k": "passages per question",
    "retrieval.min_retrieval": "below this probability a question is declined before a model reads",
    "retrieval.min_answerable": "below this probability it is declined after a model read",
    "retrieval.evidence_tokens": "how much of the notes a model is shown",
    "chunking.min_tokens": "shorter passages are joined",
    "chunking.max_tokens": "longer passages are split",
    "exclusions.folders": 'folders that are never read, e.g. ["Private", "Work/Clients"]',
    "exclusions.include": "where not empty, only these folders are read",
    "exclusions.use_obsidian": "leave out what Obsidian's own list of excluded files names",
    "memory.enabled": "remember facts and preferences from conversations",
    "memory.nightly": "tidy it each night",
    "memory.nightly_hour": "at which hour, in your own time",
    "memory.tokens": "how much of what is remembered a model is told with each question",
}


# As much of the person's own conventions as every prompt has room for.
_MOST_CONVENTIONS = 1200
MAX_AGENTS_BYTES = 1_000_000


def added_conventions(text: str, folder: str = "Zibaldone") -> str:
    """What the person wrote into AGENTS.md: lines that were not there at first. What those say is kept to anyhow, by
    code, and a small model's prompt has no room for it. At most 1,200 characters, whole lines."""
    known = {line.strip() for line in _AGENTS.format(folder=folder).splitlines()}
    added = [line.rstrip() for line in text.splitlines() if line.strip() and line.strip() not in known]
    while added and len("\n".join(added)) > _MOST_CONVENTIONS:
        added.pop()
    return "\n".join(added)


# Any one of these tells that a folder is the agent's: an ignore file or a clone may have left out some, and in a vault
# that was not prepared the first thing that is remembered is all that is there.
_SIGNS = (
    "AGENTS.md",
    "CONTRIBUTORS.md",
    "settings.toml",
    "log",
    "memory/user.md",
    "memory/feedback.md",
    "memory/context.md",
)


def check_folder(root: Path, folder: str) -> None:
    """The agent's folder must be its own: what is in it is not read as the person's notes, and is written to.

    Raises:
        InvalidRequest: it holds notes and none of the agent's files.
    """
    place = root / folder
    if any((place / name).exists() for name in _SIGNS) or not place.is_dir():
        return
    if any(place.rglob("*.md")):
        raise InvalidRequest(
            f"The folder {folder} holds notes of yours, so it cannot be Zibaldone's own.",
            "Choose another name with `folder` in config.toml.",
        )


def scaffold(root: Path, folder: str = "Zibaldone") -> dict[str, bytes]:
    """The scaffold files that the vault lacks, by vault path; nothing is written.

    Raises:
        PathOutsideVault: the agent's folder is a link that leads out of the vault.
    """
    texts = {
        "AGENTS.md": _AGENTS.format(folder=folder),
        "index.md": _INDEX,
        "CONTRIBUTORS.md": _CONTRIBUTORS.format(folder=folder),
        "settings.toml": render_settings(),
    }
    files = VaultFiles(root)
    return {f"{folder}/{name}": text.encode() for name, text in texts.items() if not files.exists(f"{folder}/{name}")}


def render_settings() -> str:
    """`settings.toml` with every key that a vault may hold, commented out, at its default."""
    defaults = Settings()
    plain: list[str] = []
    tables: list[str] = []
    for key in VAULT_KEYS:
        value = getattr(defaults, key)
        if isinstance(value, BaseModel):
            tables.append(f"\n[{key}]")
            for name in type(value).model_fields:
                tables += _lines(f"{key}.{name}", name, getattr(value, name), type(value))
        else:
            plain += _lines(key, key, value, Settings)
    return "\n".join([_SETTINGS_HEAD, *plain, *tables]) + "\n"


def _lines(dotted: str, name: str, value: Any, model: type[BaseModel]) -> list[str]:
    choices = _choices(model.model_fields[name].annotation)
    said = [part for part in (_EXPLAINED.get(dotted, ""), f"one of {choices}" if choices else "") if part]
    comment = [f"# {'; '.join(said)}"] if said else []
    return [*comment, f"#{name} = {_toml(value)}"]


def _choices(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(str(choice) for choice in get_args(annotation))
    if get_origin(annotation) in (Union, types.UnionType):
        return ", ".join(filter(None, map(_choices, get_args(annotation))))
    return ""


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
