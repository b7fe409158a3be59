"""`zib chat`: a conversation in the terminal.

The engine's loop runs in a thread of its own and the prompt in the main one: so the index goes on being kept
while a person thinks, and Ctrl+C reaches whichever of the two is at work.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
import threading
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, TypeVar

import click

from zibaldone.cli.options import Invocation, common_options, exchange_options, retrieval_options
from zibaldone.cli.output import clean, note
from zibaldone.cli.render import render_sources
from zibaldone.errors import ZibaldoneError

if TYPE_CHECKING:
    from zibaldone.runtime.engine import Engine
    from zibaldone.schemas.ask import Answer
    from zibaldone.schemas.search import Level, Profile

T = TypeVar("T")

_HELP = """\
/help       this list
/sources    the sources of the last answer, in full
/new        start another conversation
/undo       take back the last change of the vault
! TEXT      remember TEXT
/quit       end (Ctrl+D too)
Ctrl+C stops an answer. Anything else is a question."""


@click.command()
@retrieval_options
@click.option("--no-writeback", is_flag=True, help="Record nothing in the vault.")
@exchange_options
@common_options(json=False)
@click.pass_obj
def chat(
    invocation: Invocation,
    k: int | None,
    strategy: str | None,
    profile: Profile | None,
    modality: tuple[str, ...],
    level: Level | None,
    no_writeback: bool,
    no_pull: bool,
    no_push: bool,
) -> None:
    """Hold a conversation in the terminal."""
    from zibaldone.cli.engine import open_engine

    vault = invocation.vault()
    loaded = invocation.load(vault)
    fields: dict[str, object] = {
        "k": k or loaded.settings.retrieval.k,
        "strategy": strategy,
        "profile": profile,
        "modality": list(modality),
        "level": level,
        "writeback": not no_writeback,
        "pull": not no_pull,
        "push": not no_push,
        "debug": invocation.debug,
    }
    stack = AsyncExitStack()
    with _Loop() as loop:
        engine = loop.run(stack.enter_async_context(open_engine(vault, loaded)))
        try:
            _Conversation(loop, engine, fields).hold()
        finally:
            loop.run(stack.aclose())


class _Conversation:
    def __init__(self, loop: _Loop, engine: Engine, fields: dict[str, object]) -> None:
        self._loop = loop
        self._engine = engine
        self._fields = fields
        self._id: str | None = None
        self._last: Answer | None = None

    def hold(self) -> None:
        """Until /quit or the end of stdin."""
        if sys.stdin.isatty():
            note("Ask about your notes. /help lists what else there is, /quit ends.")
        while (line := _read_line()) is not None:
            match line.strip():
                case "":
                    continue
                case "/quit" | "/exit":
                    return
                case "/help":
                    click.echo(_HELP)
                case "/sources":
                    self._show_sources()
                case "/new":
                    self._id = self._last = None
                    note("A new conversation.")
                case "/undo":
                    self._try(self._undo())
                case command if command.startswith("/"):
                    note(f"{command.split()[0]} is no command; /help lists them.")
                case command if command.startswith("!"):
                    self._try(self._remember(command[1:].strip()))
                case question:
                    self._try(self._ask(question))

    def _try(self, work: Coroutine[Any, Any, None]) -> None:
        """A failure ends the work, not the conversation."""
        try:
            self._loop.run(work)
        except KeyboardInterrupt:
            note("\nStopped.")
        except ZibaldoneError as error:
            click.echo(f"error: {clean(error.message)}", err=True)
            if error.hint:
                click.echo(f"hint: {clean(error.hint)}", err=True)

    async def _undo(self) -> None:
        from zibaldone.schemas.changes import UndoRequest

        done = await self._engine.undo(UndoRequest())
        note(f"undone: {', '.join(done.paths)}")

    async def _remember(self, text: str) -> None:
        from zibaldone.cli.requests import checked
        from zibaldone.schemas.memory import RememberRequest

        done = await self._engine.memory.remember(checked(RememberRequest, text=text))
        note(f"{done.path} says so already." if done.already else f"remembered: {done.path}")

    async def _ask(self, question: str) -> None:
        from zibaldone.cli.answering import follow_answer, show_answer
        from zibaldone.cli.requests import checked
        from zibaldone.schemas.ask import AskRequest
        from zibaldone.schemas.failure import restore_error

        request = checked(AskRequest, question=question, conversation_id=self._id, **self._fields)
        answer, streamed = await follow_answer(self._engine.ask(request), stream=True)
        show_answer(answer, streamed=streamed)
        self._last = answer
        self._id = answer.conversation_id or self._id
        if answer.writeback_error:
            raise restore_error(answer.writeback_error)

    def _show_sources(self) -> None:
        if self._last is None or not self._last.citations:
            click.echo("The last answer has no sources." if self._last else "Nothing was asked yet.")
        else:
            click.echo("\n".join(render_sources(self._last.citations)))


class _Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[Any]] = set()

    def __enter__(self) -> _Loop:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result; an interrupt cancels the work, waits for its end and goes on as KeyboardInterrupt."""
        try:
            future = asyncio.run_coroutine_threadsafe(self._tracked(work), self._loop)
            while not future.done():
                # With a timeout, as on Windows an endless wait cannot be interrupted.
                concurrent.futures.wait([future], timeout=0.5)
            return future.result()
        except KeyboardInterrupt:
            asyncio.run_coroutine_threadsafe(self._cancel_all(), self._loop).result()
            raise

    async def _tracked(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await work
        finally:
            self._tasks.discard(task)

    async def _cancel_all(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _read_line() -> str | None:
    """None at the end of stdin. Ctrl+C at the prompt ends the conversation too."""
    prompt = "> " if sys.stdin.isatty() else ""
    try:
        return input(prompt)
    except EOFError:
        return None
