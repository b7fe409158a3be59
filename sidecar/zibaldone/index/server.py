"""A Chroma server as the place of the vectors, instead of a folder of this machine. Ids and vectors go there, no text.

Vaults and machines may share a server: the names of an index's collections begin with an id drawn at random, which is
kept where its vectors would be otherwise. No other collection is ever touched.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from zibaldone.errors import VectorServerFailed

# The first answer of a server is waited for that long, each later one longer.
_CONNECT_S = 3.0
_ANSWER_S = 20.0
_RECORD = "server.json"


def is_kept(folder: Path, url: str) -> bool:
    """Whether the vectors of an index were kept at `url` (empty: in `folder` itself) when it was last opened."""
    return folder.is_dir() and _read_record(folder).get("url", "") == url


def move_in(folder: Path, url: str) -> None:
    """Let `url` be the place from now on. A new one begins empty: what was kept in `folder`, or is known of another
    server, is dropped, and all vectors are published again from the cache."""
    if is_kept(folder, url):
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if url:
        (folder / _RECORD).write_text(json.dumps({"url": url, "id": uuid4().hex}), encoding="utf-8")


def name_prefix(folder: Path) -> str:
    """What the names of this index's collections begin with; empty where they have a folder of their own."""
    record = _read_record(folder)
    return f"zibaldone-{record['id']}-" if record else ""


def connect(url: str) -> Any:
    """A client of the server at `url`.

    Raises:
        VectorServerFailed: nothing that is a Chroma server answers there in time.
    """
    import chromadb
    from chromadb.config import Settings

    try:
        address = urlsplit(url)
        secure = address.scheme == "https"
        host, port = address.hostname or "", address.port or (443 if secure else 80)
        _look(host, port, secure)
        settings = Settings(
            _env_file=None, anonymized_telemetry=False, chroma_server_host=host, chroma_server_http_port=port
        )
        client = chromadb.HttpClient(host, port, ssl=secure, settings=settings)
    except Exception as error:  # whatever it is: see `describe_failure`
        raise describe_failure(url, error) from error
    client._server._session.timeout = _ANSWER_S  # there is no setting: it waits for ever
    return client


def count_vectors(folder: Path, url: str) -> int:
    """How many vectors of an index the server holds, those of another embedder included; nothing is changed.

    Raises:
        VectorServerFailed: it cannot be used.
    """
    client = connect(url)
    try:
        prefix = name_prefix(folder) if is_kept(folder, url) else None
        return sum(one.count() for one in client.list_collections() if prefix and one.name.startswith(prefix))
    except Exception as error:  # as in `connect`
        raise describe_failure(url, error) from error
    finally:
        client.close()


def describe_failure(url: str, error: Exception) -> VectorServerFailed:
    """Chroma's client raises errors of its own, of httpx, and bare ones: to a person they are all the same."""
    if isinstance(error, VectorServerFailed):
        return error
    said = " ".join(str(error).split())[:200] or type(error).__name__
    return VectorServerFailed(
        f"The Chroma server {url} cannot be used: {said.rstrip('.')}.",
        f"Start it, correct `index.url` ({url}), or take that out: then vectors are kept on this machine.",
    )


def _look(host: str, port: int, secure: bool) -> None:
    """Chroma's client would wait for ever for its first answer."""
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    with contextlib.closing(kind(host, port, timeout=_CONNECT_S)) as connection:
        connection.request("GET", "/api/v2/heartbeat")
        status = connection.getresponse().status
        if status != http.client.OK:
            raise ConnectionError(f"it answers with status {status}")


def _read_record(folder: Path) -> dict[str, str]:
    """Its `url` and `id`; empty where vectors are in `folder` itself."""
    try:
        record: dict[str, str] = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError:
        return {"url": "damaged", "id": ""}
    return record
