"""The parent's side of a model's worker: start it, ask it, stop it, and survive its end.

A worker starts with the first request and is stopped after `idle_s` without one. Requests run one at a time in
the order of their asking. A request that is abandoned (iterator closed, task cancelled, deadline passed) is
cancelled in the worker; a worker that does not come to rest within the grace is killed. Only the process that
was started here is ever signalled, through its own handle.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from zibaldone.errors import DeadlineExceeded, InvalidRequest, ModelFailed, ModelInvalid, ZibaldoneError
from zibaldone.inference.frames import BrokenFrame, Frame, encode_frame, receive_frame
from zibaldone.inference.roles import ModelState

_COMMAND = (sys.executable, "-m", "zibaldone.inference.worker")
_CANCEL_GRACE_S = 2.0
_STOP_GRACE_S = 2.0
_STDERR_BYTES = 8192
_MAX_CRASHES = 3
_CRASH_WINDOW_S = 60.0
_FINAL_EVENTS = ("done", "error", "cancelled")
_SIGNAL_HINTS = {
    -9: "It was killed, most often for lack of memory: use a smaller model or context.",
    -4: "llama-cpp-python was built for another CPU: reinstall it on this machine.",
    -6: "llama.cpp gave up on this model or request: pull the model again or use another one.",
    -11: "llama.cpp crashed on this model or request: pull the model again or use another one.",
}


class ModelProcess:
    """One model in one worker.

    Args:
        name: the model's name, for messages.
        load: the body of the worker's `load` request.
        idle_s: seconds without a request after which the worker is stopped.
        load_deadline_s: seconds that starting and loading may take.
    """

    def __init__(
        self,
        name: str,
        load: Mapping[str, Any],
        *,
        idle_s: float = 600.0,
        load_deadline_s: float = 180.0,
    ) -> None:
        self._name = name
        self._load = dict(load)
        self._idle_s = idle_s
        self._load_deadline_s = load_deadline_s
        self._turn = asyncio.Lock()
        self._child: _Child | None = None
        self._loading = False
        self._failed = False
        self._crashes: deque[float] = deque(maxlen=_MAX_CRASHES)
        self._last_crash = ""
        self._idle_timer: asyncio.TimerHandle | None = None
        self._background: set[asyncio.Task[None]] = set()

    @property
    def state(self) -> ModelState:
        """`failed` lasts from a failed start or a crash to the next request that works."""
        if self._loading:
            return "loading"
        if self._child is not None and self._child.alive:
            return "busy" if self._turn.locked() else "ready"
        return "failed" if self._failed else "idle"

    @property
    def pid(self) -> int | None:
        """Process id of the running worker."""
        return self._child.pid if self._child is not None and self._child.alive else None

    async def call(self, op: str, body: Mapping[str, Any], *, deadline_s: float) -> Frame:
        """Send a request and wait for its `done` frame. Raises what `stream` raises."""
        async with aclosing(self.stream(op, body, deadline_s=deadline_s)) as frames:
            async for frame in frames:
                if frame.header["event"] == "done":
                    return frame
        raise ModelFailed(f"The worker of {self._name} ended a request without an answer.")

    async def stream(self, op: str, body: Mapping[str, Any], *, deadline_s: float) -> AsyncGenerator[Frame, None]:
        """Send a request; its frames as they come, `done` last. Waiting for a turn counts as well.

        Raises:
            InvalidRequest: the worker cannot use the request.
            ModelInvalid: the model cannot be loaded.
            ModelFailed: the worker died, or failed on the request.
            DeadlineExceeded: not done within `deadline_s` seconds; the compute was stopped.
        """
        deadline = time.monotonic() + deadline_s
        try:
            async with asyncio.timeout(deadline_s):
                await self._turn.acquire()
        except TimeoutError as error:
            raise self._late(deadline_s) from error
        child: _Child | None = None
        ended = False
        try:
            self._stop_idle_timer()
            child = await self._ready_child()
            request = child.send(op, body)
            while True:
                try:
                    async with asyncio.timeout(deadline - time.monotonic()):
                        frame = await child.frames.get()
                except TimeoutError as error:
                    raise self._late(deadline_s) from error
                if frame is None:
                    raise await self._crashed(child)
                if frame.header.get("id") != request:
                    continue
                event = frame.header.get("event")
                if event in _FINAL_EVENTS:
                    child.resting = True
                if event == "error":
                    raise _as_error(frame.header)
                if event == "cancelled":
                    raise ModelFailed(f"The worker of {self._name} stopped the request.")
                if event == "done":
                    self._crashes.clear()
                    self._failed = False
                    # Before the last frame is handed on: a consumer may never come back after it.
                    ended = True
                    await self._end_turn(child)
                    yield frame
                    return
                yield frame
        finally:
            if not ended:
                await self._end_turn(child)

    async def close(self) -> None:
        """Stop the worker and wait for its end; a request that runs fails. Can be used again afterwards."""
        self._stop_idle_timer()
        if self._child is not None:
            child, self._child = self._child, None
            await child.stop()
        if self._background:
            await asyncio.gather(*self._background, return_exceptions=True)

    def _late(self, deadline_s: float) -> DeadlineExceeded:
        return DeadlineExceeded(
            f"{self._name} did not finish within {deadline_s:g} s and was stopped.",
            "Ask for less, use a smaller model, or raise models.deadline_s.",
        )

    async def _ready_child(self) -> _Child:
        if self._child is not None:
            if self._child.alive:
                return self._child
            await self._crashed(self._child)
        self._refuse_crash_loop()
        self._loading = True
        try:
            self._child = await self._start()
        except ZibaldoneError:
            self._failed = True
            raise
        finally:
            self._loading = False
        return self._child

    async def _start(self) -> _Child:
        child = await _Child.spawn()
        loaded = False
        try:
            child.send("load", self._load)
            try:
                async with asyncio.timeout(self._load_deadline_s):
                    frame = await child.frames.get()
            except TimeoutError as error:
                raise DeadlineExceeded(
                    f"{self._name} was not loaded within {self._load_deadline_s:g} s.", "Use a smaller model."
                ) from error
            if frame is None:
                raise await self._crashed(child)
            if frame.header.get("event") != "done":
                raise _as_error(frame.header)
            child.resting = True
            loaded = True
            return child
        finally:
            if not loaded:
                child.kill()

    async def _crashed(self, child: _Child) -> ModelFailed:
        """Take note of the end of `child`; returns the error to raise."""
        code = await child.reap()
        if self._child is child:
            self._child = None
        if child.stopping:
            return ModelFailed(f"{self._name} was closed during a request.", "Ask again.")
        self._failed = True
        self._crashes.append(time.monotonic())
        tail = child.stderr_tail()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        self._last_crash = how
        hint = _SIGNAL_HINTS.get(code, "Ask again; if it keeps failing, use another model.")
        detail = f" Its last words: {tail}" if tail else ""
        return ModelFailed(f"The worker of {self._name} ended with {how}.{detail}", hint)

    def _refuse_crash_loop(self) -> None:
        """Three crashes in a row within a minute: no further start until the minute is over."""
        if len(self._crashes) == _MAX_CRASHES and time.monotonic() - self._crashes[0] < _CRASH_WINDOW_S:
            raise ModelFailed(
                f"The worker of {self._name} ended {_MAX_CRASHES} times in a row within a minute, "
                f"last with {self._last_crash}.",
                "Use another model (`zib models list`), or try again in a minute.",
            )

    async def _end_turn(self, child: _Child | None) -> None:
        """Let the next request in once the worker rests, even where the caller is cancelled meanwhile."""
        if child is None or child.resting or not child.alive:
            self._release()
            return
        settle = asyncio.create_task(self._settle(child))
        self._background.add(settle)
        settle.add_done_callback(self._background.discard)
        await asyncio.shield(settle)

    async def _settle(self, child: _Child) -> None:
        try:
            if not await child.cancel(_CANCEL_GRACE_S):
                child.kill()
                await child.reap()
                if self._child is child:
                    self._child = None
        finally:
            if not child.resting:
                child.kill()
            self._release()

    def _release(self) -> None:
        self._turn.release()
        self._stop_idle_timer()
        if self._child is not None:
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle_s, self._unload_soon)

    def _stop_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _unload_soon(self) -> None:
        task = asyncio.get_running_loop().create_task(self._unload())
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _unload(self) -> None:
        if self._turn.locked():
            return
        async with self._turn:
            if self._child is not None:
                child, self._child = self._child, None
                await child.stop()


class _Child:
    """A running worker: its pipes and the frames of the request that runs."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._requests = 0
        self._stderr: deque[bytes] = deque()
        self._stderr_size = 0
        self.resting = True
        self.stopping = False
        self.frames: asyncio.Queue[Frame | None] = asyncio.Queue()
        self._tasks = [
            asyncio.create_task(self._read_frames()),
            asyncio.create_task(self._read_stderr()),
        ]

    @classmethod
    async def spawn(cls) -> _Child:
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(*_COMMAND, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise ModelFailed(f"The model's worker cannot be started: {error}.") from error
        return cls(process)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, op: str, body: Mapping[str, Any]) -> int:
        """Returns the request's id. A dead worker is noticed by the reader, not here."""
        self._requests += 1
        self.resting = False
        while not self.frames.empty():
            if self.frames.get_nowait() is None:
                self.frames.put_nowait(None)
                break
        try:
            message = encode_frame(Frame({"id": self._requests, "op": op, **body}))
        except BrokenFrame as error:
            self.resting = True
            raise InvalidRequest(f"The request is too long: {error}.") from error
        self._write(message)
        return self._requests

    async def cancel(self, grace_s: float) -> bool:
        """Cancel the request that runs; whether the worker came to rest within the grace."""
        self._write(encode_frame(Frame({"id": self._requests, "op": "cancel"})))
        try:
            async with asyncio.timeout(grace_s):
                while (frame := await self.frames.get()) is not None:
                    header = frame.header
                    if header.get("id") == self._requests and header.get("event") in _FINAL_EVENTS:
                        self.resting = True
                        return True
        except TimeoutError:
            return False
        return False

    async def stop(self) -> None:
        """End of stdin ends the worker; kill it where that does not help."""
        self.stopping = True
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self.reap()

    def kill(self) -> None:
        if self.alive:
            try:
                self._process.kill()
            except ProcessLookupError:
                return

    async def reap(self) -> int:
        """Wait for the end; returns the exit code, negative for a signal.

        A worker that does not end by itself is killed, after a grace: `Popen.kill` looks first whether the
        process is dead, and where it is takes the exit code away from asyncio, which then says 255.
        """
        try:
            async with asyncio.timeout(_STOP_GRACE_S):
                await self._process.wait()
        except TimeoutError:
            self.kill()
        code = await self._process.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return code

    def stderr_tail(self) -> str:
        text = b"".join(self._stderr).decode("utf-8", "replace").strip()
        return " ".join(text.splitlines()[-3:])[-500:]

    def _write(self, message: bytes) -> None:
        stdin = self._process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(message)

    async def _read_frames(self) -> None:
        assert self._process.stdout is not None
        try:
            while (frame := await receive_frame(self._process.stdout)) is not None:
                self.frames.put_nowait(frame)
        except (BrokenFrame, OSError) as error:
            self._keep_stderr(str(error).encode())
        finally:
            self.frames.put_nowait(None)

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        while part := await self._process.stderr.read(4096):
            self._keep_stderr(part)

    def _keep_stderr(self, part: bytes) -> None:
        self._stderr.append(part)
        self._stderr_size += len(part)
        while self._stderr_size > _STDERR_BYTES and len(self._stderr) > 1:
            self._stderr_size -= len(self._stderr.popleft())


def _as_error(header: Mapping[str, Any]) -> ZibaldoneError:
    kinds = {kind.code: kind for kind in (InvalidRequest, ModelInvalid, ModelFailed)}
    kind = kinds.get(header.get("code", ""), ModelFailed)
    return kind(str(header.get("message", "The worker failed.")), str(header.get("hint", "")))
