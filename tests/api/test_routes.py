"""What each route answers, and how failures look."""

from __future__ import annotations

import logging

import pytest

from support.fakes import every_error, example
from support.serving import VAULT, Served
from zibaldone.api.routes import all_routes
from zibaldone.errors import ZibaldoneError
from zibaldone.schemas.history import RenameConversationRequest

ANSWERS = {
    "/v1/status": "Status.typical",
    "/v1/doctor": "DoctorReport.typical",
    "/v1/config": "ConfigReport.typical",
    "/v1/coverage": "Coverage.typical",
    "/v1/pages": "Pages.two",
    "/v1/pages/bees%3Avarroa": "PageContent.typical",
    "/v1/pages/bees:varroa/history": "PageHistory.two",
    "/v1/pages/bees:varroa/blame": "PageBlame.typical",
    "/v1/backlinks/Bees%2FHome.md": "Backlinks.one",
    "/v1/memory?as_of=2026-03-01&all=1": "Memory.typical",
    "/v1/memory/history?id=3f9a": "MemoryHistory.two",
    "/v1/rules?agent=relay&layer=user": "Rules.two",
    "/v1/jobs": "Jobs.running",
    "/v1/conversations": "Conversations.one",
    "/v1/conversations/conv-20260304-1": "Conversation.one",
}


@pytest.mark.parametrize(("path", "name"), ANSWERS.items())
async def test_get_gives_the_engines_answer(served: Served, path: str, name: str) -> None:
    async with served.session.get(served.url + path, headers=served.headers) as response:
        assert response.status == 200
        assert response.content_type == "application/json"
        assert await response.json() == example(name)


async def test_handshake_and_health(served: Served) -> None:
    async with served.session.get(f"{served.url}/v1/handshake", headers=served.headers) as response:
        assert await response.json() == {
            "product": "zibaldone", "protocol": 1, "version": "0.1.0", "vault": VAULT, "pid": 1,
        }  # fmt: skip
        assert response.headers["X-Zibaldone-Protocol"] == "1"
        assert response.headers["Cache-Control"] == "no-store"
    async with served.session.get(f"{served.url}/v1/health", headers=served.headers) as response:
        health = await response.json()
    assert health["ok"] is True
    assert health["can_write"] is True
    assert health["uptime_s"] >= 0


async def test_search_changes_and_deletions_reach_the_engine(served: Served) -> None:
    async with served.session.post(
        f"{served.url}/v1/search", json={"query": "Kestrel", "k": 3}, headers=served.headers
    ) as response:
        assert await response.json() == example("SearchResponse.hit")
    async with served.session.post(
        f"{served.url}/v1/vault/changes", json={"paths": ["a.md", "b.md"]}, headers=served.headers
    ) as response:
        assert await response.json() == {"accepted": 2}
    async with served.session.delete(f"{served.url}/v1/jobs/job-1", headers=served.headers) as response:
        assert await response.json() == {"jobs": []}
    async with served.session.delete(f"{served.url}/v1/conversations/a%2Fb", headers=served.headers) as response:
        assert await response.json() == {"deleted": 1}
    async with served.session.get(f"{served.url}/v1/conversations?q=caf%C3%A9", headers=served.headers) as response:
        assert await response.json() == example("Conversations.one")
    async with served.session.post(
        f"{served.url}/v1/conversations/a%2Fb", json={"title": "Ä"}, headers=served.headers
    ) as response:
        assert await response.json() == example("Conversation.one")
    names = [name for name, _ in served.engine.calls]
    assert names == [
        "search", "note_changes", "cancel_job", "delete_conversation", "conversations", "rename_conversation",
    ]  # fmt: skip
    assert served.engine.calls[-2][1] == "café"
    assert served.engine.calls[-1][1] == ("a/b", RenameConversationRequest(title="Ä"))
    assert served.engine.calls[-3][1] == "a/b"


POSTS = {
    "/v1/config": ("SettingsChange.two", "ConfigReport.typical", "change_config"),
    "/v1/related": ("RelatedRequest.note", "RelatedNotes.two", "related"),
    "/v1/sync/pause": ("PauseRequest.on", "SyncState.paused", "pause"),
    "/v1/links/suggest": ("SuggestLinksRequest.note", "Suggested.none", "suggest_links"),
    "/v1/proposals/2/edit": ("HunkEdit.typical", "Proposal.two-files", "edit_proposal"),
    "/v1/memory/9b1d/keep": ("KeepRequest.one", "Remembered.new", "memory.prevail"),
}


@pytest.mark.parametrize(("path", "names"), POSTS.items())
async def test_post_hands_the_request_on(served: Served, path: str, names: tuple[str, str, str]) -> None:
    sent, answered, call = names
    async with served.session.post(served.url + path, json=example(sent), headers=served.headers) as response:
        assert response.status == 200
        assert await response.json() == example(answered)
    assert [name for name, _ in served.engine.calls] == [call]


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.code)
async def test_each_error_keeps_code_words_and_status(served: Served, error: type[ZibaldoneError]) -> None:
    served.engine.failure = error("What happened.", "What to do.")
    async with served.session.get(f"{served.url}/v1/status", headers=served.headers) as response:
        assert response.status == error.status
        assert await response.json() == {
            "error": {
                "code": error.code,
                "message": "What happened.",
                "hint": "What to do.",
                "retryable": error.retryable,
            }
        }


async def test_an_unexpected_error_is_logged_without_its_text(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    served.engine.failure = KeyError("the person's secret")
    with caplog.at_level(logging.ERROR):
        async with served.session.get(f"{served.url}/v1/status", headers=served.headers) as response:
            assert response.status == 500
            error = (await response.json())["error"]
    assert error["code"] == "internal"
    assert "KeyError at fakes.py" in caplog.text
    assert "secret" not in caplog.text + str(error)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": "x", "k": 0}, "k"),
        ({"query": "x", "k": 101}, "k"),
        ({"query": "x", "profile": "nice"}, "profile"),
        ({"query": "x", "kk": 1}, "kk"),
        ({"query": "x" * 4001}, "query"),
        ([], "the body"),
    ],
)
async def test_a_bad_request_names_its_field(served: Served, body: object, field: str) -> None:
    async with served.session.post(f"{served.url}/v1/search", json=body, headers=served.headers) as response:
        assert response.status == 400
        error = (await response.json())["error"]
    assert error["code"] == "invalid_request"
    assert error["message"].startswith(f"{field}: ")
    assert served.engine.calls == []


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"NaN", b"[" * 20_000, b'{"query": "x"'])
async def test_broken_json(served: Served, body: bytes) -> None:
    headers = {**served.headers, "Content-Type": "application/json"}
    async with served.session.post(f"{served.url}/v1/search", data=body, headers=headers) as response:
        assert response.status == 400
        assert (await response.json())["error"]["code"] == "invalid_request"


async def test_unknown_routes_and_methods(served: Served) -> None:
    async with served.session.get(f"{served.url}/v2/nothing", headers=served.headers) as response:
        assert response.status == 404
        assert (await response.json())["error"]["code"] == "not_found"
    async with served.session.put(f"{served.url}/v1/search", json={}, headers=served.headers) as response:
        assert response.status == 405
        assert (await response.json())["error"]["code"] == "invalid_request"
    async with served.session.get(f"{served.url}/v2/nothing") as response:
        assert response.status == 401


async def test_openapi_document_describes_the_routes(served: Served) -> None:
    async with served.session.get(f"{served.url}/v1/openapi.json", headers=served.headers) as response:
        document = await response.json()
    assert document["openapi"] == "3.1.0"
    operations = {
        (method, path, operation["operationId"])
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }
    assert ("post", "/v1/ask", "ask") in operations
    assert ("delete", "/v1/conversations/{id}", "delete_conversation") in operations
    assert len(operations) == len(all_routes())
    ask = document["paths"]["/v1/ask"]["post"]
    assert list(ask["responses"]["200"]["content"]) == ["application/x-ndjson"]
    schemas = document["components"]["schemas"]
    assert "type" in schemas["Token"]["required"]
    assert schemas["AskRequest"]["required"] == ["question"]
