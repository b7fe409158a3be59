"""Stop strings over a stream of text pieces. Pure."""

from __future__ import annotations

from collections.abc import Sequence


class StopFilter:
    """Passes text on until the first stop string, holding back what may be the start of one."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.stopped = False

    def feed(self, text: str) -> str:
        """The text that is certain; `stopped` tells whether a stop string came (it is never passed on)."""
        if self.stopped:
            return ""
        self._held += text
        found = [at for stop in self._stops if (at := self._held.find(stop)) >= 0]
        if found:
            self.stopped = True
            passed, self._held = self._held[: min(found)], ""
            return passed
        keep = max((self._overlap(stop) for stop in self._stops), default=0)
        cut = len(self._held) - keep
        passed, self._held = self._held[:cut], self._held[cut:]
        return passed

    def finish(self) -> str:
        """What was held back at the end of the stream."""
        passed, self._held = self._held, ""
        return passed

    def _overlap(self, stop: str) -> int:
        """Length of the longest end of the held text that begins `stop`."""
        longest = min(len(stop) - 1, len(self._held))
        return next((size for size in range(longest, 0, -1) if self._held.endswith(stop[:size])), 0)
