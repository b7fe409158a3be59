"""A run file says where to ask, no more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.fakes import ScriptedEngine
from support.serving import TOKEN, Serve, Served
from zibaldone.client import attach as attach_module
from zibaldone.client.attach import attach
from zibaldone.config.places import VaultPlaces
from zibaldone.errors import ProtocolMismatch
from zibaldone.schemas.status import PROTOCOL, RunFile

VAULT = Path("/home/ada/Notes")


@pytest.fixture
def places(tmp_path: Path) -> VaultPlaces:
    return VaultPlaces(tmp_path)


def plant(places: VaultPlaces, url: str, token: str = TOKEN, protocol: int = PROTOCOL) -> None:
    run = RunFile(url=url, token_file="/etc/passwd", pid=os.getppid(), protocol=protocol, version="0")
    places.run_file.write_text(run.model_dump_json())
    places.token.write_text(token)


async def test_the_owner_is_found(served: Served, places: VaultPlaces) -> None:
    plant(places, served.url)
    engine = await attach(places, VAULT)
    assert engine is not None
    assert (await engine.status()).chunks == 1893
    await engine.close()


async def test_no_run_file(places: VaultPlaces) -> None:
    assert await attach(places, VAULT) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"url": 1}', "\xff\xfe"])
async def test_a_broken_run_file(places: VaultPlaces, text: str) -> None:
    places.run_file.write_text(text)
    places.token.write_text(TOKEN)
    assert await attach(places, VAULT) is None


async def test_stale_wrong_token_and_another_vault(served: Served, places: VaultPlaces) -> None:
    plant(places, served.url, token="wrong")
    assert await attach(places, VAULT) is None
    plant(places, served.url)
    assert await attach(places, Path("/home/ada/Other")) is None
    places.token.unlink()
    assert await attach(places, VAULT) is None
    plant(places, served.url)
    await served.runner.cleanup()
    assert await attach(places, VAULT) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://evil.example:80", "http://localhost:{port}", "http://192.168.0.1:{port}", "https://127.0.0.1:{port}",
        "http://u:p@127.0.0.1:{port}", "file:///etc/passwd", "http://127.0.0.1", "http://127.0.0.1:99999", "x", "",
        "http://127.0.0.1.nip.io:{port}", "http://[::ffff:1.2.3.4]:{port}",
    ],
)  # fmt: skip
async def test_the_token_goes_to_a_literal_loopback_address_only(
    served: Served, places: VaultPlaces, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import zibaldone.client.remote as remote

    def refuse(*_: object) -> None:
        raise AssertionError("the token was about to be sent")

    monkeypatch.setattr(remote, "RemoteEngine", refuse)
    plant(places, url.format(port=served.port))
    assert await attach(places, VAULT) is None


async def test_a_newer_protocol_is_told_in_words(
    serve_engine: Serve, places: VaultPlaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = await serve_engine(ScriptedEngine())
    plant(places, served.url)
    monkeypatch.setattr(attach_module, "PROTOCOL", PROTOCOL + 1)
    with pytest.raises(ProtocolMismatch) as caught:
        await attach(places, VAULT)
    assert "restart it after the update" in caught.value.hint
    monkeypatch.setattr(attach_module, "PROTOCOL", PROTOCOL - 1)
    with pytest.raises(ProtocolMismatch) as caught:
        await attach(places, VAULT)
    assert "this `zib` command" in caught.value.hint
