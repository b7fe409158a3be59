"""Routes that read files of this machine: for callers on it only."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request

from support.serving import Served
from zibaldone.api.library import is_loopback, require_local
from zibaldone.errors import Unauthorized


class Peer:
    def __init__(self, name: object) -> None:
        self.name = name

    def get_extra_info(self, key: str) -> object:
        return self.name if key == "peername" else None


@pytest.mark.parametrize(
    ("address", "ours"),
    [
        ("127.0.0.1", True),
        ("127.9.8.7", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.168.1.7", False),
        ("::ffff:192.168.1.7", False),
        ("fe80::1%eth0", False),
        ("0.0.0.0", False),
        ("", False),
        ("localhost", False),
    ],
)
def test_who_is_on_this_machine(address: str, ours: bool) -> None:
    assert is_loopback(address) is ours
    request = make_mocked_request("POST", "/v1/import", transport=Peer((address, 4711)))
    if ours:
        require_local(request)
    else:
        with pytest.raises(Unauthorized, match="on it"):
            require_local(request)


def test_a_caller_without_an_address_is_no_local_one() -> None:
    with pytest.raises(Unauthorized):
        require_local(make_mocked_request("POST", "/v1/import", transport=Peer(None)))


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/sources", {"paths": ["/etc/hostname"]}), ("/v1/import", {"path": "/etc"})],
)
async def test_other_machines_are_refused_before_the_engine_is_asked(
    served: Served, path: str, body: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zibaldone.api.library.is_loopback", lambda address: False)
    async with served.session.post(served.url + path, json=body, headers=served.headers) as response:
        assert response.status == 401
    assert served.engine.calls == []


async def test_the_routes_reach_the_engine(served: Served) -> None:
    for method, path, body in (
        ("GET", "/v1/sources", None),
        ("POST", "/v1/sources", {"paths": ["/a"]}),
        ("POST", "/v1/sources/gc", {}),
        ("GET", "/v1/stale", None),
        ("POST", "/v1/import", {"path": "/a"}),
    ):
        async with served.session.request(method, served.url + path, json=body, headers=served.headers) as response:
            assert response.status == 200, path
    assert [name for name, _ in served.engine.calls] == ["list", "add", "collect", "stale", "import_folder"]
    async with served.session.post(f"{served.url}/v1/sources", json={"paths": []}, headers=served.headers) as response:
        assert response.status == 400
