"""Whether vaults survive `zib import` whole: each is taken into a fresh vault, counted and linted before and after.

    python scripts/imports.py FOLDER_OF_VAULTS [NAME ...]

Works on copies in a temporary folder. What is counted is read from the raw files here, by none of the program's own
readers. Exit code 1 where something is lost, or where lint finds what the original did not have.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ZIB = (sys.executable, "-c", "from zibaldone.cli.main import main; main()")
OWN = "Zibaldone"

FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+).+?\1")
TAG = re.compile(r"(?<![^\s(])#([\w/-]*[^\W\d][\w/-]*)")
CANVAS_FOLDER = re.compile(rb'("file":\s*")[^"]*/')
LISTED = re.compile(r"^(tags?|alias(?:es)?):[ \t]*(.*(?:\n[ \t]*-.*|\n[ \t]+\S.*)*)", re.MULTILINE | re.IGNORECASE)


@dataclass
class Counts:
    """What a vault holds. `tags` and `aliases` by how often, `attachments` by the hash of their bytes."""

    notes: int = 0
    frontmatter: int = 0
    tags: Counter[str] = field(default_factory=Counter)
    aliases: Counter[str] = field(default_factory=Counter)
    attachments: Counter[str] = field(default_factory=Counter)

    def figures(self) -> list[int]:
        return [self.notes, self.frontmatter, len(self.tags), self.aliases.total(), self.attachments.total()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vaults", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not options.vaults.is_dir():
        print(f"skipped: there is no folder {options.vaults}")
        return 0
    names = options.names or sorted(path.name for path in options.vaults.iterdir() if path.is_dir())
    head = ("notes", "frontmatter", "tags", "aliases", "attachments", "lint errors", "findings")
    print(f"{'vault':<18}" + "".join(f"{name:>14}" for name in head) + "   s  verdict")
    good = [measure(options.vaults / name) for name in names]
    return 0 if all(good) else 1


def measure(source: Path) -> bool:
    if not source.is_dir():
        print(f"{source.name:<18}  skipped: there is no folder {source}")
        return True
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="zibaldone-imports-") as folder:
        place = Path(folder)
        original, fresh = place / "original" / source.name, place / "fresh"
        shutil.copytree(source, original, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        fresh.mkdir()
        before = count(original)
        for vault in (original, fresh):
            zib(place, vault, "init", "--yes")
        found_before = lint(place, original, "")
        zib(place, fresh, "import", str(source))
        after = count(fresh / source.name)
        found_after = lint(place, fresh, f"{source.name}/")
    new = found_after[1] - found_before[1]
    problems = [f"other {name}" for name in vars(before) if getattr(before, name) != getattr(after, name)]
    problems += [f"{one[2]} in {one[0]}:{one[1]}" for one in list(new.elements())[:3]]
    problems += ["more errors"] if found_after[0] > found_before[0] else []
    pairs = [*zip(before.figures(), after.figures(), strict=True), (found_before[0], found_after[0])]
    pairs.append((found_before[1].total(), found_after[1].total()))
    cells = "".join(f"{f'{one} {other}':>14}" for one, other in pairs)
    verdict = "; ".join(problems) or "whole"
    print(f"{source.name:<18}{cells} {time.monotonic() - started:3.0f}  {verdict}", flush=True)
    return not problems


def zib(place: Path, vault: Path, *arguments: str) -> Any:
    """Run a command; its JSON document. Lint's exit code 1 is its answer."""
    places = {f"XDG_{kind}_HOME": str(place / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
    command = [*ZIB, "--vault", str(vault), *arguments, "--json"]
    done = subprocess.run(command, env=os.environ | places, capture_output=True, text=True, check=False)
    document = json.loads(done.stdout or "{}")
    if done.returncode and (arguments[0] != "lint" or "error" in document):
        raise SystemExit(f"zib {' '.join(arguments)} failed: {done.stdout}{done.stderr}")
    return document


def lint(place: Path, vault: Path, under: str) -> tuple[int, Counter[tuple[str, int, str]]]:
    """The number of errors in the notes below `under`, and all findings there by path, line and kind."""
    report = zib(place, vault, "lint", "--all")
    found = [one for one in report["findings"] if one["path"].startswith(under) and not one["path"].startswith(OWN)]
    kinds = Counter((one["path"].removeprefix(under), one["line"], one["kind"]) for one in found)
    return sum(one["severity"] == "error" for one in found), kinds


def count(vault: Path) -> Counts:
    counts = Counts()
    for path in shown_files(vault):
        data = path.read_bytes()
        if path.suffix.lower() != ".md":
            # A canvas names files from the vault's root, so their folders are others after an import.
            kept = CANVAS_FOLDER.sub(rb"\1", data) if path.suffix == ".canvas" else data
            counts.attachments[hashlib.sha256(kept).hexdigest()] += 1
            continue
        counts.notes += 1
        lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)
        properties = "\n".join(lines[1:end]) if lines[0].rstrip() == "---" and end else None
        body = "\n".join(lines if properties is None else lines[end + 1 :])
        counts.tags.update(TAG.findall(CODE.sub(" ", FENCED.sub("", body))))
        if properties is not None:
            counts.frontmatter += 1
            for key, value in LISTED.findall(properties):
                where = counts.tags if key.lower().startswith("tag") else counts.aliases
                where.update(listed(value))
    return counts


def shown_files(vault: Path) -> Iterator[Path]:
    """What Obsidian shows: nothing that is hidden, and no links."""
    for path in sorted(vault.rglob("*")):
        if not any(part.startswith(".") for part in path.relative_to(vault).parts) and path.is_file():
            yield path


def listed(value: str) -> Iterator[str]:
    """The items of a YAML list, in either form, or of one line with commas."""
    for line in value.split("\n"):
        for item in line.strip().removeprefix("- ").strip("[]").split(","):
            if word := item.strip(" \t\"'"):
                yield word.removeprefix("#")


if __name__ == "__main__":
    sys.exit(main())
