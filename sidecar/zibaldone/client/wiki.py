"""`RemoteWiki`: the `Wiki` protocol over the owner's HTTP API."""

from __future__ import annotations

from typing import Protocol, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from zibaldone.schemas.wiki import (
    AppendPageRequest,
    Backlinks,
    ExtendPageRequest,
    LintReport,
    LintRequest,
    LogRequest,
    PageBlame,
    PageContent,
    PageHistory,
    Pages,
    RenamePageRequest,
    SimilarPages,
    SimilarRequest,
    WikiChange,
    WritePageRequest,
)

M = TypeVar("M", bound=BaseModel)


class Call(Protocol):
    """One request and its answer; see `RemoteEngine`."""

    async def __call__(self, method: str, path: str, model: type[M], body: BaseModel | None = None) -> M: ...


class RemoteWiki:
    def __init__(self, call: Call) -> None:
        self._call = call

    async def pages(self, prefix: str) -> Pages:
        return await self._call("GET", f"/v1/pages?prefix={_quoted(prefix)}", Pages)

    async def page(self, slug: str) -> PageContent:
        return await self._call("GET", _page(slug), PageContent)

    async def write(self, request: WritePageRequest) -> WikiChange:
        return await self._call("POST", "/v1/pages", WikiChange, request)

    async def extend(self, slug: str, request: ExtendPageRequest) -> WikiChange:
        return await self._call("POST", f"{_page(slug)}/extend", WikiChange, request)

    async def append(self, slug: str, request: AppendPageRequest) -> WikiChange:
        return await self._call("POST", f"{_page(slug)}/append", WikiChange, request)

    async def rename(self, slug: str, request: RenamePageRequest) -> WikiChange:
        return await self._call("POST", f"{_page(slug)}/rename", WikiChange, request)

    async def delete(self, slug: str) -> WikiChange:
        return await self._call("DELETE", _page(slug), WikiChange)

    async def log(self, request: LogRequest) -> WikiChange:
        return await self._call("POST", "/v1/log", WikiChange, request)

    async def backlinks(self, of: str) -> Backlinks:
        return await self._call("GET", f"/v1/backlinks/{_quoted(of)}", Backlinks)

    async def history(self, slug: str, limit: int) -> PageHistory:
        return await self._call("GET", f"{_page(slug)}/history?limit={limit}", PageHistory)

    async def blame(self, slug: str) -> PageBlame:
        return await self._call("GET", f"{_page(slug)}/blame", PageBlame)

    async def lint(self, request: LintRequest) -> LintReport:
        return await self._call("POST", "/v1/lint", LintReport, request)

    async def similar(self, request: SimilarRequest) -> SimilarPages:
        return await self._call("POST", "/v1/similar", SimilarPages, request)


def _page(slug: str) -> str:
    return f"/v1/pages/{_quoted(slug)}"


def _quoted(text: str) -> str:
    return quote(text, safe="")
