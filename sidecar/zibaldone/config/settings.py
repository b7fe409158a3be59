"""What can be set. Frozen, read once by `load`, handed on in slices.

`VAULT_KEYS` are the only keys that the vault's own `Zibaldone/settings.toml` may hold: a vault syncs, so
nothing in it may choose an endpoint, executable, model, port or right.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from zibaldone.domain.strategy import parse_strategy
from zibaldone.errors import InvalidRequest


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _check_strategy(text: str) -> str:
    try:
        parse_strategy(text)
    except InvalidRequest as error:
        why = f"{error.message} {error.hint}".rstrip(".")
        raise PydanticCustomError("strategy", "{why}", {"why": why}) from error
    return text


# A bad one in a file is a warning, and the default counts.
_Strategy = Annotated[str, AfterValidator(_check_strategy)]


class RetrievalSettings(_Settings):
    """`strategy` is that of a search, `answer_strategy` that of a question: a person who waits for a model can wait a
    second longer for the right passages. A question is declined before the model is asked where the probability
    that the passages answer it is below `min_retrieval`, and after the model read them below `min_answerable`."""

    strategy: _Strategy = "bm25+semantic"
    answer_strategy: _Strategy = "rerank(bm25+semantic)"
    profile: Literal["balanced", "relevant", "recent", "usage"] = "balanced"
    k: int = Field(default=12, ge=1, le=100)
    min_retrieval: float = Field(default=0.1, ge=0, le=1)
    min_answerable: float = Field(default=0.5, ge=0, le=1)
    evidence_tokens: int = Field(default=1200, ge=100, le=100_000)


class ChunkingSettings(_Settings):
    """Sizes in tokens as `ingest.chunk` estimates them, independent of any model."""

    min_tokens: int = Field(default=20, ge=1)
    max_tokens: int = Field(default=120, ge=32)


class ExclusionSettings(_Settings):
    """`folders` are exact vault-relative folders; `include`, where not empty, limits the index to its own."""

    folders: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    use_obsidian: bool = True


class MemorySettings(_Settings):
    """`tokens`: how much of the memory a model is told with each question; `nightly_hour`: when it is tidied, in the
    person's own time."""

    enabled: bool = True
    tokens: int = Field(default=300, ge=0)
    nightly: bool = True
    nightly_hour: int = Field(default=4, ge=0, le=23)


class MemoryOfVaultSettings(_Settings):
    """How the events of the notes become episodes and concepts, and what is done with them. `background`: a sidecar
    builds by itself; `track`: what answers used is counted (ids and times); `write`: a note for each concept and
    episode is kept. `deviations` is how much more alike than others events of a concept are, `drift_days` how long the
    windows are that are compared, `half_life_days` after which a use counts half, `core_ratio` the part of a node's
    passages that stands for it, and `core_loss` the recall that this may cost."""

    background: bool = True
    track: bool = False
    write: bool = False
    gap_hours: int = Field(default=24, ge=0)
    deviations: float = Field(default=2.0, gt=0)
    drift_days: int = Field(default=30, ge=1)
    half_life_days: float = Field(default=30.0, gt=0)
    core_ratio: float = Field(default=0.5, gt=0, le=1)
    core_loss: float = Field(default=0.05, ge=0, le=1)


class ModelSettings(_Settings):
    """Names from the catalogue (or added files) for each role; `extract` empty means the chat model, `rerank`
    empty the token vectors of the embedding model, `rerank = "chat"` a yes or no of the chat model."""

    chat: str = "qwen2.5-coder-1.5b"
    extract: str = ""
    embed: str = "multilingual-e5-small"
    rerank: str = ""
    threads: int = Field(default=0, ge=0, description="0: the number of cores")
    context_tokens: int = Field(default=4096, ge=512)
    idle_s: float = Field(default=600.0, gt=0)
    answer_tokens: int = Field(default=400, ge=16)
    deadline_s: float = Field(default=600.0, gt=0)


class EndpointSettings(_Settings):
    """An OpenAI-compatible server for a role. The key is read from the environment variable named here."""

    url: str = ""
    model: str = ""
    api_key_env: str = ""
    context_tokens: int = Field(default=8192, ge=512)


class EndpointsSettings(_Settings):
    chat: EndpointSettings = EndpointSettings()
    embed: EndpointSettings = EndpointSettings()


class IndexSettings(_Settings):
    """`url` is that of a Chroma server for the vectors (empty: a folder of this machine), `ocr` what reads pictures and
    `commits` how many of the vault's own, the newest, are read. Never a vault's to set: vectors are sent there."""

    url: str = Field(default="", pattern=r"^(https?://[^/\\\s@?#]+/?)?$")
    ocr: Literal["auto", "rapidocr", "tesseract", "off"] = "auto"
    commits: int = Field(default=1000, ge=0)


class ServerSettings(_Settings):
    port: int = Field(default=0, ge=0, le=65535, description="0: the system chooses")


class WatchSettings(_Settings):
    debounce_s: float = Field(default=1.0, ge=0.05)


class GitSettings(_Settings):
    """Never a vault's to set: they cause network traffic. `pull` and `push` are before and after each question."""

    pull: bool = False
    push: bool = False
    wait_s: float = Field(default=5.0, gt=0, le=600)


class Settings(_Settings):
    folder: str = Field(default="Zibaldone", pattern=r"^[^/\\.][^/\\]*$")
    writeback: Literal["full", "log", "off"] = "full"
    approval: Literal["notes", "all"] = "notes"
    read_only: bool = False
    retrieval: RetrievalSettings = RetrievalSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    exclusions: ExclusionSettings = ExclusionSettings()
    memory: MemorySettings = MemorySettings()
    memory_of_vault: MemoryOfVaultSettings = MemoryOfVaultSettings()
    models: ModelSettings = ModelSettings()
    endpoints: EndpointsSettings = EndpointsSettings()
    index: IndexSettings = IndexSettings()
    server: ServerSettings = ServerSettings()
    watch: WatchSettings = WatchSettings()
    git: GitSettings = GitSettings()


VAULT_KEYS = ("retrieval", "chunking", "exclusions", "memory", "writeback", "approval")
