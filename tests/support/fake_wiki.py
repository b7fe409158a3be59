"""A scripted `Wiki`: answers with the golden examples and records what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


class ScriptedWiki:
    """`record` is told each call as `wiki.NAME`, and may raise; `example` reads a golden one by its name.

    `change` and `report` are what changes and lint answer.
    """

    def __init__(self, record: Callable[[str, object], None], example: Callable[[str], Any]) -> None:
        self._record = record
        self._example = example
        self.report = "LintReport.typical"
        self.change: dict[str, Any] | None = None

    async def pages(self, prefix: str) -> Pages:
        self._record("wiki.pages", prefix)
        return Pages.model_validate(self._example("Pages.two"))

    async def page(self, slug: str) -> PageContent:
        self._record("wiki.page", slug)
        return PageContent.model_validate(self._example("PageContent.typical"))

    async def write(self, request: WritePageRequest) -> WikiChange:
        return self._change("write", request)

    async def extend(self, slug: str, request: ExtendPageRequest) -> WikiChange:
        return self._change("extend", (slug, request))

    async def append(self, slug: str, request: AppendPageRequest) -> WikiChange:
        return self._change("append", (slug, request))

    async def rename(self, slug: str, request: RenamePageRequest) -> WikiChange:
        return self._change("rename", (slug, request), "WikiChange.rename")

    async def delete(self, slug: str) -> WikiChange:
        return self._change("delete", slug)

    async def log(self, request: LogRequest) -> WikiChange:
        return self._change("log", request)

    async def backlinks(self, of: str) -> Backlinks:
        self._record("wiki.backlinks", of)
        return Backlinks.model_validate(self._example("Backlinks.one"))

    async def history(self, slug: str, limit: int) -> PageHistory:
        self._record("wiki.history", (slug, limit))
        return PageHistory.model_validate(self._example("PageHistory.two"))

    async def blame(self, slug: str) -> PageBlame:
        self._record("wiki.blame", slug)
        return PageBlame.model_validate(self._example("PageBlame.typical"))

    async def lint(self, request: LintRequest) -> LintReport:
        self._record("wiki.lint", request)
        return LintReport.model_validate(self._example(self.report))

    async def similar(self, request: SimilarRequest) -> SimilarPages:
        self._record("wiki.similar", request)
        return SimilarPages.model_validate(self._example("SimilarPages.one"))

    def _change(self, name: str, argument: object, example: str = "WikiChange.compact") -> WikiChange:
        self._record(f"wiki.{name}", argument)
        return WikiChange.model_validate(self.change or self._example(example))
