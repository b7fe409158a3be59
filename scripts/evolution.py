"""Measure `zib evolution` on a generated vault: ten changes of mind, put in other words, among edits that are none.

Usage: scripts/evolution.py [--seed N] [--no-llm]

A planted change counts as found when a step of its commit that says `changed` quotes the old words before and the new
ones after. Every other `changed` step is a false find: of a rewording, of another topic, of a repetition.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ZIB = str(Path(sys.executable).parent / "zib")


@dataclass(frozen=True)
class Mind:
    """What was thought, the same in other words (no change), and what is thought now; `old` and `new` are words that
    only the one or the other has. `asked` is the topic in words of the person."""

    path: str
    title: str
    asked: str
    first: str
    again: str
    later: str
    old: str
    new: str


MINDS = [
    Mind("Projects/Archive app.md", "Archive app", "which database the archive app uses",
         "I am going with Postgres for the archive app, since the queries will get heavy.",
         "For the archive app Postgres it is: heavy queries are to be expected.",
         "After a month of running it, a single SQLite file is all that the archive app needs.", "Postgres", "SQLite"),
    Mind("Health/Coffee.md", "Coffee", "my opinion on coffee in the morning",
         "Two cups before breakfast are the only way that I get going.",
         "Without two cups ahead of breakfast I do not get going at all.",
         "I feel better when I touch no caffeine until noon; the early cups only made me nervous.",
         "breakfast", "until noon"),
    Mind("Family/School.md", "School for Jonas", "which school Jonas should go to",
         "The Waldorf school seems right for Jonas: small classes and a garden.",
         "For Jonas the Waldorf school looks right, with its garden and its small classes.",
         "We enrolled Jonas at the public gymnasium around the corner, where his friends are.", "Waldorf", "gymnasium"),
    Mind("Money/Savings.md", "Savings", "where I keep my savings",
         "All of my savings stay in the bank as fixed-term deposits; shares are gambling.",
         "Shares are gambling, so my savings remain fixed-term deposits in the bank.",
         "Most of what I put aside each month now goes into a world index fund.", "deposits", "index fund"),
    Mind("Work/Remote.md", "Remote work", "working from home or in the office",
         "Being in the office every day keeps the team together, so I am against home office.",
         "I am against home office: a team is kept together by daily presence in the office.",
         "Three days at my own desk at home give me the quiet that design work needs.", "against home office",
         "Three days"),
    Mind("Garden/Slugs.md", "Slugs", "how to deal with slugs in the garden",
         "Slug pellets in April are the only thing that saves the lettuce.",
         "Nothing but slug pellets in April saves the lettuce.",
         "Two runner ducks keep the beds clean, and no poison comes near the salad any more.", "pellets", "ducks"),
    Mind("Writing/Novel.md", "Novel", "who tells the story in the novel",
         "The story is told by Mara herself, in the first person.",
         "Mara tells the story herself, as an I.",
         "An all-knowing narrator carries it better; Mara is only seen from outside.", "herself", "narrator"),
    Mind("Travel/Japan.md", "Japan", "when to travel to Japan",
         "We fly to Japan in April for the cherry blossom, crowds or not.",
         "Crowds or not, for the cherry blossom we fly to Japan in April.",
         "November is the better month for the trip: maples, clear air and empty temples.", "April", "November"),
    Mind("Music/Practice.md", "Practice", "how I practise the cello",
         "One long session of two hours on Sunday is enough to make progress on the cello.",
         "To make progress on the cello, a long two-hour session on Sunday is enough.",
         "Twenty minutes each single day taught me more than any weekend marathon with the bow.", "Sunday",
         "Twenty minutes"),
    Mind("House/Heating.md", "Heating", "what heating the house gets",
         "The old boiler is to be replaced by a new gas condensing boiler.",
         "A new gas condensing boiler is to take the place of the old one.",
         "The installer convinced me: a heat pump it will be, with the radiators that we have.", "gas", "heat pump"),
]  # fmt: skip

# Topics on which nothing was ever decided otherwise: their words change, what they say does not.
CALM = [
    ("Kitchen/Bread.md", "Bread", "The dough rests in the fridge for a night before it is baked.",
     "Before baking, the dough spends a night resting in the fridge."),
    ("Work/Meetings.md", "Meetings", "On Tuesdays at ten the whole team meets in the small room.",
     "The whole team comes together in the small room on Tuesdays at ten."),
    ("Health/Running.md", "Running", "I run along the river twice a week, slowly.",
     "Twice a week I go for a slow run along the river."),
    ("Books/Reading.md", "Reading", "Before sleep I read a few pages on paper, never on a screen.",
     "I read some pages before sleeping, on paper and not on a screen."),
    ("Garden/Roses.md", "Roses", "The climbing rose at the wall is cut back in March.",
     "In March the climbing rose at the wall gets its cut."),
]  # fmt: skip
ASIDES = [
    "Ask Petra for the number of her cousin.", "The receipt is in the blue folder.", "Seen on a walk in the rain.",
    "Copied from the old notebook.", "A photo of this hangs in the hall.", "Look up what the word means.",
    "The shop closes at six.", "Uncle Theo laughed about it.", "Still to be filed.", "The pen was nearly empty.",
    "Written on the train to Linz.", "There is a longer letter about this in the attic.",
]  # fmt: skip
MORE = [
    "The weather was mild this week and the windows stood open.", "Bought stamps, envelopes and a new ink cartridge.",
    "The neighbour's dog has learned to open the gate.", "On the radio they played the old waltz again.",
]  # fmt: skip


@dataclass
class Written:
    """The vault while it is being written: the notes' lines by path, and the commit of each planted change."""

    root: Path
    random: random.Random
    now: datetime
    notes: dict[str, list[str]] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    planted: dict[str, str] = field(default_factory=dict)

    def commit(self, message: str) -> str:
        self.now += timedelta(days=self.random.randint(1, 6), minutes=self.random.randint(0, 300))
        for path in [path for path in self.root.rglob("*.md") if str(path.relative_to(self.root)) not in self.notes]:
            path.unlink()
        for path, lines in self.notes.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text("\n".join(lines) + "\n", encoding="utf-8")
        git(self.root, self.now, "add", "-A")
        git(self.root, self.now, "commit", "-q", "--allow-empty", "-m", message)
        return git(self.root, self.now, "rev-parse", "HEAD")

    def swap(self, topic: str, old: str, new: str) -> None:
        lines = self.notes[self.where[topic]]
        lines[lines.index(old)] = new


def write_vault(root: Path, seed: int) -> dict[str, str]:
    """The commit of each planted change, by topic. The same seed gives the same vault."""
    root.mkdir(parents=True)
    written = Written(root, random.Random(seed), datetime(2024, 1, 6, 9, 0, tzinfo=UTC))
    rng = written.random
    git(root, written.now, "init", "-q", "-b", "main")
    topics = [(mind.path, mind.title, mind.first) for mind in MINDS] + [(p, t, first) for p, t, first, _ in CALM]
    rng.shuffle(topics)
    for path, title, first in topics:
        written.notes[path] = [f"# {title}", "", rng.choice(ASIDES), "", first, "", rng.choice(MORE)]
        written.where[title] = path
        if rng.random() < 0.4:
            written.commit(f"note on {title}")
    written.commit("the rest")

    def plant(mind: Mind, said: str) -> None:
        written.swap(mind.title, said, mind.later)
        written.planted[mind.title] = written.commit(f"{mind.title} again")

    deeds: list[list[Callable[[], object]]] = []
    for number, mind in enumerate(MINDS):
        if number % 2:
            deeds.append([lambda mind=mind: reword(written, mind.title, mind.first, mind.again),
                          lambda mind=mind: plant(mind, mind.again)])  # fmt: skip
        else:
            deeds.append([lambda mind=mind: plant(mind, mind.first)])
    deeds += [[lambda t=title, a=first, b=again: reword(written, t, a, b)] for _, title, first, again in CALM]
    titles = list(written.where)
    deeds += [[lambda t=title: add_aside(written, t)] for title in rng.choices(titles, k=14)]
    deeds += [[lambda t=title: move(written, t)] for title in rng.sample(titles, 5)]
    deeds += [[lambda t=title: split(written, t)] for title in rng.sample(titles, 2)]
    while deeds:
        one = rng.choice(deeds)
        one.pop(0)()
        if not one:
            deeds.remove(one)
    return written.planted


def reword(written: Written, title: str, old: str, new: str) -> None:
    written.swap(title, old, new)
    written.commit(f"{title}: words")


def add_aside(written: Written, title: str) -> None:
    lines = written.notes[written.where[title]]
    lines[2:2] = [written.random.choice(ASIDES), ""]
    written.commit(f"{title}: aside")


def move(written: Written, title: str) -> None:
    old = written.where[title]
    new = f"Archive/{Path(old).name}" if old.split("/")[0] != "Archive" else f"Inbox/{Path(old).name}"
    written.notes[new] = written.notes.pop(old)
    written.where[title] = new
    written.commit(f"{title}: moved")


def split(written: Written, title: str) -> None:
    lines = written.notes[written.where[title]]
    path = f"Split/{title} 2.md"
    written.notes[path] = [f"# {title} 2", "", *lines[4:]]
    written.notes[written.where[title]] = lines[:4]
    written.where[title] = path
    written.commit(f"{title}: split")


def git(root: Path, at: datetime, *arguments: str) -> str:
    stamp = at.strftime("%Y-%m-%dT%H:%M:%S%z")
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
           for key, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"), ("DATE", stamp))}  # fmt: skip
    env = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *arguments], cwd=root, env=env, check=True, capture_output=True, text=True
    ).stdout.strip()


def measure(root: Path, planted: dict[str, str], *, llm: bool = True) -> dict[str, Any]:
    """Ask for each topic, those without a change of mind too; what was found, and what falsely."""
    subprocess.run([ZIB, "init", str(root), "--yes"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([ZIB, "--vault", str(root), "sync", "--json"], check=True, stdout=subprocess.DEVNULL)
    sidecar = subprocess.Popen([ZIB, "--vault", str(root), "serve", "--stdin-watch"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
    assert sidecar.stdin and sidecar.stdout
    found: list[str] = []
    false: list[tuple[str, dict[str, Any]]] = []
    summaries: dict[str, Any] = {}
    try:
        sidecar.stdout.readline()
        for topic, mind in [(m.asked, m) for m in MINDS] + [
            (f"{title.lower()}, how I do it", None) for _, title, _, _ in CALM
        ]:
            began = time.monotonic()
            flags = [] if llm else ["--no-llm"]
            ran = subprocess.run([ZIB, "--vault", str(root), "evolution", topic, "--json", *flags], capture_output=True)
            if ran.returncode:
                raise SystemExit(ran.stdout.decode() + ran.stderr.decode())
            told = json.loads(ran.stdout)
            summaries[topic] = told["summary"], told["citations"]
            right = False
            for step in told["steps"]:
                if step["kind"] != "changed":
                    continue
                if (
                    mind
                    and step["commit"] == planted[mind.title]
                    and mind.old in step["before"]["quote"]
                    and mind.new in step["after"]["quote"]
                ):
                    right = True
                else:
                    false.append((topic, step))
            if right and mind:
                found.append(mind.title)
            if mind or any(one == topic for one, _ in false):
                print(
                    f"{'ok ' if right else 'BAD' if mind else 'FALSE'} {time.monotonic() - began:5.1f} s {topic}: "
                    f"{[s['kind'] for s in told['steps']]} {told['summary']}",
                    file=sys.stderr,
                )
    finally:
        sidecar.stdin.close()
        sidecar.wait(timeout=30)
    return {"found": found, "false": false, "summaries": summaries}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-llm", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        result = measure(root, write_vault(root, arguments.seed), llm=not arguments.no_llm)
    for topic, step in result["false"]:
        print(f"false: {topic}: {step['before']['quote']!r} -> {step['after']['quote']!r}", file=sys.stderr)
    cited = sum(bool(summary and all(c["supported"] and c["commit"] for c in cites))
                for summary, cites in result["summaries"].values())  # fmt: skip
    print(
        f"{len(result['found'])} of {len(MINDS)} changes found, {len(result['false'])} false; {cited} summaries cited"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
