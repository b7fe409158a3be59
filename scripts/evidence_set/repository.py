"""The repository of the set: 300 commits by four people, with branches and renames, the same from the same seed.

It is written through `git fast-import`, with dates of its own, so that the ids of the commits depend on nothing else.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAME = "pegel"
COUNT = 300
_TEXTS = Path(__file__).parent / "texts"
_START = 1736755200  # 2025-01-13 08:00 UTC
_STEP_S = 98_000  # 300 commits are a year then
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")

_PLACES = (
    "Viehland Heißenbüttel Hambergen Vollersode Axstedt Lübberstedt Holste Oldendorf Freißenbüttel Pennigbüttel "
    "Sandhausen Teufelsmoor Waakhausen Weyermoor Viehspecken Hüttenbusch Ostersode Nordsode Mevenstedt "
    "Neu-Sankt-Jürgen Überhamm Bergedorf Schlußdorf Otterstein Rautendorf Huxfeld Eickedorf Tüschendorf "
    "Adolphsdorf Mooringen Worphausen Heidberg Seebergen Falkenberg Moorhausen Butendiek Frankenburg Klostermoor "
    "Trupe Feldhausen Wümmingen Kuhsiel Dammsiel "
).split()  # fmt: skip
_RIVERS = "Giehler Bach|Wallhöfener Aue|Rummeldeisbeek|Beek|Schmoo|Umbeck|Alte Wörpe|Kleine Wümme".split("|")
_KINDS = "station station test test changes chart chart threshold typo".split()


@dataclass
class _Tree:
    """The files as they are on the main branch, and what is still to be said to `fast-import`."""

    rng: random.Random
    authors: dict[str, str]
    files: dict[str, str]
    stream: list[bytes] = field(default_factory=list)
    made: int = 0
    placed: int = 0

    def commit(self, author: str, message: str, changed: dict[str, str], gone: list[str], parents: list[int]) -> int:
        """Adds a commit with whole files; its mark."""
        mark = self.made + 1
        when = _START + self.made * _STEP_S + self.rng.randint(0, 50_000)
        text = message.strip().encode() + b"\n"
        lines = [
            b"commit refs/heads/main",
            f"mark :{mark}".encode(),
            f"author {self.authors[author]} {when} +0100".encode(),
            f"committer {self.authors[author]} {when} +0100".encode(),
            b"data %d\n%s" % (len(text), text),
        ]
        lines += [f"{word} :{parent}".encode() for word, parent in zip(("from", "merge"), parents, strict=False)]
        lines += [f'D "{path}"'.encode() for path in gone]
        for path, content in changed.items():
            data = content.encode()
            lines.append(b'M 100644 inline "%s"\ndata %d\n%s' % (path.encode(), len(data), data))
        self.stream.append(b"\n".join(lines) + b"\n\n")
        self.made += 1
        return mark


def write_repository(folder: Path, seed: int) -> list[tuple[str, list[dict[str, Any]]]]:
    """Makes the repository; the id and the places of each commit, oldest first."""
    told = tomllib.loads((_TEXTS / "repository.toml").read_text(encoding="utf-8"))
    files = {path: content.removeprefix("\n") for path, content in told["files"].items()}
    tree = _Tree(random.Random(f"{seed}:repository"), told["authors"], files)
    planned = {commit["at"]: commit for commit in told["commit"]}
    head = tree.commit("wiebke", "Begin", files, [], [])
    while tree.made < COUNT:
        if tree.made in planned:
            head = _commit_planned(tree, planned[tree.made], head)
        elif tree.made % 23 == 20 and not planned.keys() & set(range(tree.made, tree.made + 4)):
            head = _merge_branch(tree, head)
        else:
            head = _commit_usual(tree, head)
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "--object-format=sha1", "-b", "main")
    git(folder, "fast-import", "--quiet", stdin=b"".join(tree.stream))
    git(folder, "reset", "-q", "--hard", "main")
    shown = git(folder, "log", "--reverse", "--topo-order", "-p", "-M", "--format=%x00%H%n%B%x01", "main")
    return [(commit[:40], _list_places(commit[41:])) for commit in shown.split("\0")[1:]]


def _list_places(shown: str) -> list[dict[str, Any]]:
    """The message and each hunk of a commit, by `path:first-last` in the new version, as they stand there."""
    message, patch = shown.split("\1")
    places: list[dict[str, Any]] = [{"place": "", "texts": [message.strip()]}]
    path = ""
    for line in patch.splitlines():
        if line.startswith("+++ "):  # no line of ours begins with ++
            path = line.removeprefix("+++ b/")
        elif match := _HUNK.match(line):
            first, count = int(match[1]), int(match[2] or 1)
            places.append({"place": f"{path}:{first}-{first + max(count, 1) - 1}", "texts": [""]})
        elif len(places) > 1 and line[:1] in ("+", "-", " ") and not line.startswith("--- "):
            places[-1]["texts"][0] += f"{line}\n"
    return places


def _commit_planned(tree: _Tree, told: dict[str, Any], head: int) -> int:
    changed: dict[str, str] = {}
    gone: list[str] = []
    for path, old, *new in told["change"]:
        if new:
            assert tree.files[path].count(old) == 1, (told["at"], path, old)
            tree.files[path] = tree.files[path].replace(old, new[0])
            changed[path] = tree.files[path]
        else:
            tree.files[old] = changed[old] = tree.files.pop(path)
            changed.pop(path, None)
            gone.append(path)
    return tree.commit(told["author"], told["message"], changed, gone, [head])


def _merge_branch(tree: _Tree, head: int) -> int:
    """Two commits beside the main branch, one on it, and the merge of both."""
    ours = _commit_usual(tree, head, kinds=["station"])
    author = tree.rng.choice(("oskar", "lena", "tomasz"))
    topic = f"drawing-{tree.made}"
    name = f"docs/{topic}.md"
    first = f"# {topic.capitalize()}\n\nHow the arm of {_PLACES[(tree.placed - 1) % len(_PLACES)]} is bent.\n"
    theirs = tree.commit(author, f"Sketch {topic}", {name: first}, [], [head])
    more = f"{first}\nThe bracket is {tree.rng.randint(31, 59)} millimetres wide.\n"
    theirs = tree.commit(author, f"Measure {topic}", {name: more}, [], [theirs])
    tree.files[name] = more
    return tree.commit("wiebke", f"Merge branch '{topic}'", {name: more}, [], [ours, theirs])


def _commit_usual(tree: _Tree, head: int, kinds: list[str] = _KINDS) -> int:
    """A commit as there are many of in any repository: a station more, a test, a curve, a typo."""
    kind = tree.rng.choice(kinds if tree.placed > 3 else ["station"])
    path, old, new, message = _USUAL[kind](tree)
    changed = {path: tree.files.get(path, "").replace(old, new, 1) if old else tree.files.get(path, "") + new}
    tree.files |= changed
    return tree.commit(tree.rng.choice(list(tree.authors)), message, changed, [], [head])


_Change = tuple[str, str, str, str]  # path, what is replaced (empty: appended to), by what, message


def _add_station(tree: _Tree) -> _Change:
    place, river = _PLACES[tree.placed % len(_PLACES)], tree.rng.choice(_RIVERS)
    number = tree.placed // len(_PLACES) + 1
    tree.placed += 1
    block = (
        f'\n[{_slug(place)}-{number}]\nname = "{place} {number}"\nwater = "{river}"\n'
        f"arm = {tree.rng.randint(18, 62) / 10}\n"
    )
    return "stations.toml", "", block, f"Add station {place} {number}\n\nAt the {river}."


def _add_test(tree: _Tree) -> _Change:
    place = tree.rng.choice(_PLACES[: tree.placed])
    name = f"test_{_slug(place).replace('-', '_')}_{tree.made}"
    body = f'\n\ndef {name}():\n    assert stations.find("{_slug(place)}-1").arm < {tree.rng.randint(63, 99) / 10}\n'
    return "tests/test_stations.py", "", body, f"Test the arm of {place}"


def _add_change(tree: _Tree) -> _Change:
    version = f"{tree.made // 60}.{tree.made % 60}"
    return "docs/CHANGES.md", "# Changes\n", f"# Changes\n\n## {version}\nSmall things.\n", f"Version {version}"


def _add_chart(tree: _Tree) -> _Change:
    unit = tree.rng.choice(("day", "week", "month", "quarter", "season"))
    what = tree.rng.choice(("level", "battery", "echo", "signal"))
    name = f"{what}_by_{unit}_{tree.made}"
    step = tree.rng.randint(2, 9)
    code = f'\n\ndef {name}(values):\n    """The {what} by {unit}."""\n    return scale(values)[::{step}]\n'
    return "pegel/charts.py", "", code, f"Draw the {what} by {unit}"


def _change_arm(tree: _Tree) -> _Change:
    arms = re.findall(r"arm = [\d.]+", tree.files["stations.toml"])
    old = tree.rng.choice(arms)
    new = f"arm = {tree.rng.randint(18, 62) / 10}"
    return "stations.toml", old, new, tree.rng.choice(("Measure an arm again", "Arm nachgemessen", "Correct an arm"))


def _mend_typo(tree: _Tree) -> _Change:
    line = f"\nSee also page {tree.made}.\n"
    return "README.md", "", line, tree.rng.choice(("Typo", "Tippfehler", "Say where to look", "Words"))


_USUAL: dict[str, Callable[[_Tree], _Change]] = {
    "station": _add_station, "test": _add_test, "changes": _add_change, "chart": _add_chart,
    "threshold": _change_arm, "typo": _mend_typo,
}  # fmt: skip


def _slug(place: str) -> str:
    return place.lower().translate(str.maketrans({"ß": "ss", "ü": "ue", "ö": "oe", "ä": "ae"}))


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Nothing of the person's own configuration counts."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    ran = subprocess.run(["git", "-c", "core.autocrlf=false", *arguments], cwd=folder, env=env, input=stdin,
                         capture_output=True, check=True)  # fmt: skip
    return ran.stdout.decode()
