"""Questions about whatever is in a vault, from the headings of its longer passages; the same for the same index."""

from __future__ import annotations

import json
from dataclasses import dataclass

from zibaldone.bench.workbench import Workbench
from zibaldone.errors import NotFound

_LEAST_CHARS = 120


@dataclass(frozen=True, slots=True)
class Topic:
    """A heading of a note, to be asked about twice in different words."""

    title: str
    heading: str

    @property
    def name(self) -> str:
        return self.title if self.heading == self.title else f"{self.heading} ({self.title})"

    @property
    def question(self) -> str:
        return f"What do my notes say about {self.name}?"

    def follow_up(self, number: int) -> str:
        """A second question in other words, which take turns."""
        wordings = (
            "Please sum up what I wrote about {name}.",
            "What matters most about {name}, according to my notes?",
            "How would you explain {name} from what I noted?",
        )
        return wordings[number % len(wordings)].format(name=self.name)


def find_topics(bench: Workbench, count: int) -> list[Topic]:
    """Topics of up to `count` different notes, spread over the whole vault.

    Raises:
        NotFound: no note has a passage that is long enough.
    """
    rows = bench.read_index(
        "SELECT s.title, c.heading FROM sources s JOIN chunks c ON c.source_id = s.id"
        " WHERE s.origin = 'person' AND length(c.text) >= ? GROUP BY s.id HAVING c.row = min(c.row) ORDER BY s.path",
        _LEAST_CHARS,
    )
    if not rows:
        raise NotFound("No note of this vault has a passage that is long enough to be asked about.", "")
    step = max(1, len(rows) // count)
    topics = [Topic(title, (json.loads(heading) or [title])[-1]) for title, heading in rows[::step]]
    return topics[:count]
