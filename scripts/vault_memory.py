"""What the memory of a vault does through the whole program: `zib` on a vault of a throw-away place. Prints figures.

    scripts/vault_memory.py planted SEED... [--no-llm]  planted years: what is found, and 20 broad questions
    scripts/vault_memory.py changes SEED...             planted years of which 50 notes are deleted, renamed and edited
    scripts/vault_memory.py gate VAULT...               whether searches may read the stand-ins of nodes alone
    scripts/vault_memory.py build VAULT                 a build that is killed at half, and a question beside it
    scripts/vault_memory.py notes VAULT                 ten builds that write notes around a person's paragraph

VAULT is a path, or `planted:SEED`; `--notes N` takes only so many of its notes, always the same. Vaults are copied, and
what is built of them is thrown away; the models, settings and cache are this machine's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.planted_vault.measure import (
    label_groups,
    measure_concepts,
    measure_episodes,
    measure_events,
    share_in_top,
    share_under_top,
)
from support.planted_vault.questions import Cited, ask_about, is_right
from support.planted_vault.year import Year, plant_year
from zibaldone.config.places import vault_places
from zibaldone.store.hierarchy import HierarchyStore
from zibaldone.vault.listing import list_files
from zibaldone.wiki.resolve import LinkResolver

# What is asked here is neither remembered nor evidence, and nothing is built beside what is measured.
os.environ.update(ZIBALDONE_MEMORY_ENABLED="false", ZIBALDONE_MEMORY_OF_VAULT_BACKGROUND="false")
ZIB = str(Path(sys.executable).parent / "zib")
ALL = ("--top", "10000")
DELETED, RENAMED, EDITED = 17, 17, 16
DRIFTS_SHOWN, FADING_SHOWN = 8, 15
REBUILDS, LATENCIES, ASKED = 10, 5, 5
OWN = "This paragraph is mine, and nobody else writes it."
PLANTED = "planted:"
LINK = re.compile(r"\[\[([^\]|#]+)")
LEVELS = ("event", "episode", "concept")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("planted", "changes", "gate", "build", "notes"))
    parser.add_argument("vaults", nargs="+", help="paths; of planted years their seeds")
    parser.add_argument("--no-llm", action="store_true", help="no model writes the answers of the flat search")
    parser.add_argument("--notes", type=int, help="only so many notes, the same for the same vault")
    options = parser.parse_args()
    for vault in options.vaults:
        with tempfile.TemporaryDirectory() as folder:
            match options.what:
                case "planted":
                    measure_planted(int(vault), Path(folder), [*(("--no-llm",) if options.no_llm else ())])
                case "changes":
                    measure_changes(int(vault), Path(folder))
                case "gate":
                    measure_gate(vault, copy_vault(vault, Path(folder), options.notes))
                case "build":
                    measure_build(copy_vault(vault, Path(folder), options.notes))
                case "notes":
                    measure_notes(copy_vault(vault, Path(folder), options.notes))


# -- the program -------------------------------------------------------------------------------------------


def zib(vault: Path, *arguments: str) -> Any:
    """The JSON that a command prints."""
    done = subprocess.run([ZIB, "--vault", str(vault), *arguments, "--json"], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"zib {' '.join(arguments)}: {done.stderr.decode()}")
    return json.loads(done.stdout)


@contextmanager
def serve(vault: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A sidecar that builds nothing by itself; models stay loaded between the commands."""
    process = subprocess.Popen(
        [ZIB, "--vault", str(vault), "serve", "--stdin-watch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin and process.stdout
    try:
        process.stdout.readline()
        yield process
    finally:
        process.stdin.close()
        process.wait(timeout=60)


def prepare(vault: Path) -> None:
    subprocess.run([ZIB, "init", str(vault), "--yes"], check=True, stdout=subprocess.DEVNULL)
    zib(vault, "sync", "--yes")


def say(name: str, **figures: object) -> None:
    shown = (f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}" for key, value in figures.items())
    print(f"{name:12}", "  ".join(shown), flush=True)


# -- a planted year ----------------------------------------------------------------------------------------


def measure_planted(seed: int, folder: Path, flat: Sequence[str]) -> None:
    year, vault = plant_year(seed), folder / "vault"
    year.write(vault)
    prepare(vault)
    with serve(vault):  # before anything is built: a vault without a memory leaves all questions to the search
        without = [answer_of(vault, one.text, *flat) for one in ask_about(year, seed)]
        built = zib(vault, "build-memory")
        say("build", seconds=built["seconds"], calls=built["model_calls"], events=built["events"])
        measure_levels(year, vault)
        right = {"flat": 0, "level": 0}
        for question, alone in zip(ask_about(year, seed), without, strict=True):
            marks = {"flat": is_right(question, alone, year)}
            marks["level"] = is_right(question, answer_of(vault, question.text), year)
            right = {name: right[name] + marks[name] for name in right}
            say("question", **{name: "right" if mark else "wrong" for name, mark in marks.items()}, text=question.text)
        say("questions", **right, of=len(without))


def measure_changes(seed: int, folder: Path) -> None:
    year, vault = plant_year(seed), folder / "vault"
    year.write(vault)
    prepare(vault)
    zib(vault, "build-memory")
    report_ghosts("before", vault, year)
    change_sources(vault, year, seed)
    zib(vault, "sync", "--yes")
    report_ghosts("not rebuilt", vault, year)
    built = zib(vault, "build-memory")
    say("rebuild", seconds=built["seconds"], calls=built["model_calls"], retired=built["retired"])
    report_ghosts("rebuilt", vault, year)


def answer_of(vault: Path, question: str, *arguments: str) -> list[Cited]:
    """What an answer cites; nothing of one that abstains."""
    answer = zib(vault, "ask", question, "--no-writeback", *arguments)
    if answer["abstained"]:
        return []
    return [Cited(one["path"], one["line_start"], one["line_end"]) for one in answer["citations"] if one["supported"]]


def measure_levels(year: Year, vault: Path) -> None:
    with_store = HierarchyStore(vault_places(vault).hierarchy_db)
    events = [one.event for one in with_store.events()]
    with_store.close()
    concepts = {one["node_id"]: one["events"] for one in zib(vault, "concepts", *ALL)["concepts"]}
    episodes = {one["node_id"]: one["events"] for one in zib(vault, "timeline", *ALL)["timeline"]}
    drifts = [one["node_id"] for one in zib(vault, "drift", *ALL)["drift"]]
    risks = [one["node_id"] for one in zib(vault, "forgetting", *ALL)["forgetting"]]
    found = measure_events(year.ledger, events, year.notes)
    labels = label_groups(year.ledger, events, concepts, "concept")
    of = {name: {event: id_ for id_, its in groups.items() for event in its} for name, groups in
          (("concepts", concepts), ("episodes", episodes))}  # fmt: skip
    shown = {event for id_ in risks[:FADING_SHOWN] for event in {**concepts, **episodes}[id_]}
    say("events", recall=found.recall, precision=found.precision, verbatim=found.verbatim)
    say("episodes", rand=measure_episodes(year.ledger, events, of["episodes"]))
    say("concepts", v=measure_concepts(year.ledger, events, of["concepts"]))
    say("drift", drifted=share_in_top(year.drifted, drifts, labels, DRIFTS_SHOWN),
        relearned=share_in_top(year.relearned, drifts, labels, DRIFTS_SHOWN))  # fmt: skip
    say("forgetting", concepts=share_in_top(year.forgotten, risks, labels, FADING_SHOWN),
        episodes=share_under_top(year.ledger, events, year.forgotten_episodes, shown))  # fmt: skip


# -- changed sources ---------------------------------------------------------------------------------------


def change_sources(vault: Path, year: Year, seed: int) -> None:
    """Delete some notes that tell of events, rename some, and of others change the words of one event and move the
    rest down."""
    notes = sorted({entry.note for entry in year.ledger})
    chosen = random.Random(seed).sample(notes, DELETED + RENAMED + EDITED)
    for path in chosen[:DELETED]:
        (vault / path).unlink()
    for path in chosen[DELETED : DELETED + RENAMED]:
        (vault / path).rename((vault / path).with_name(f"{Path(path).stem} renamed.md"))
    for path in chosen[DELETED + RENAMED :]:
        lines = (vault / path).read_text(encoding="utf-8").split("\n")
        at = next(entry.line_start for entry in year.ledger if entry.note == path) - 1
        lines[at] = f"{lines[at]} Edited."
        top = lines.index("---", 1) + 1 if lines[0] == "---" else 0
        lines[top:top] = ["A new paragraph before all others.", ""]
        (vault / path).write_text("\n".join(lines), encoding="utf-8")


def report_ghosts(when: str, vault: Path, year: Year) -> None:
    evidence = [one for node in all_nodes(vault) for one in node["evidence"]]
    concepts = zib(vault, "concepts", *ALL)["concepts"]
    there = {one["node_id"] for one in zib(vault, "timeline", *ALL)["timeline"]} | {one["node_id"] for one in concepts}
    events = {one["node_id"] for one in zib(vault, "timeline", "--level", "event", *ALL)["timeline"]}
    tied = [id_ for one in concepts for id_ in (*one["episodes"], *(its["node_id"] for its in one["related"]))]
    held = [id_ for one in concepts for id_ in one["events"]]
    say(
        when,
        evidence=len(evidence),
        not_verbatim=sum(not is_verbatim(vault, one) for one in evidence),
        dangling=sum(id_ not in there for id_ in tied) + sum(id_ not in events for id_ in held),
        ghosts=sum(not (vault / path).is_file() for path in answered(vault, year)),
    )


def all_nodes(vault: Path) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []
    for command in ("concepts", "timeline", "forgetting", "drift", "distill"):
        nodes += zib(vault, command, *ALL)[command]
    return [*nodes, *zib(vault, "timeline", "--level", "event", *ALL)["timeline"], *zib(vault, "recall")["recall"]]


def is_verbatim(vault: Path, evidence: dict[str, Any]) -> bool:
    file = vault / evidence["path"]
    if not file.is_file():
        return False
    lines = file.read_text(encoding="utf-8").split("\n")
    return evidence["quote"] in "\n".join(lines[evidence["line_start"] - 1 : evidence["line_end"]])


def answered(vault: Path, year: Year) -> list[str]:
    """The notes that searches and answers at each level show, asked for what the deleted and renamed notes said."""
    gone = [entry.text for entry in year.ledger if not (vault / entry.note).is_file()] or [year.ledger[0].text] * ASKED
    paths = []
    for text in random.Random(0).sample(gone, ASKED):
        for level in LEVELS:
            paths += [hit["path"] for hit in zib(vault, "search", text, "--level", level)["hits"]]
            answer = zib(vault, "ask", text, "--level", level, "--no-llm", "--no-writeback")
            paths += [one["path"] for one in answer["citations"]]
    return paths


# -- real vaults -------------------------------------------------------------------------------------------


def copy_vault(vault: str, folder: Path, notes: int | None) -> Path:
    """Without what was written for it before."""
    copy = folder / "vault"
    if vault.startswith(PLANTED):
        plant_year(int(vault.removeprefix(PLANTED))).write(copy)
    else:
        shutil.copytree(vault, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "Zibaldone"))
    every = sorted(copy.rglob("*.md"))
    for path in random.Random(0).sample(every, max(0, len(every) - (notes or len(every)))):
        path.unlink()
    return copy


def measure_gate(name: str, vault: Path) -> None:
    prepare(vault)
    built = zib(vault, "build-memory")
    say("gate", vault=Path(name).name, events=built["events"], concepts=built["concepts"], **built["gate"])


def measure_build(copy: Path) -> None:
    began = time.monotonic()
    prepare(copy)
    say("sync", seconds=round(time.monotonic() - began, 1))
    kill_at_half(copy, zib(copy, "memory-stats")["left"])
    question = f"What is said about {max(copy.rglob('*.md'), key=lambda path: path.stat().st_size).stem}?"
    with serve(copy):
        ask_for_s(copy, question)  # loads the models
        usual = [ask_for_s(copy, question) for _ in range(LATENCIES)]
        building = subprocess.Popen(
            [ZIB, "--vault", str(copy), "build-memory", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        beside: list[float] = []
        while building.poll() is None and len(beside) < LATENCIES:
            beside.append(ask_for_s(copy, question))
        is_beside = building.poll() is None
        assert building.stdout
        built = json.loads(building.stdout.read())
        building.wait()
    say("asked", usual_s=median(usual), beside_s=median(beside), all_beside=is_beside,
        ratios=[round(one / median(usual), 2) for one in beside])  # fmt: skip
    say("resumed", **{name: built[name] for name in ("read", "unchanged", "events", "concepts", "seconds")},
        calls=built["model_calls"], asked_before=built["asked_before"])  # fmt: skip
    again = zib(copy, "build-memory")
    say("again", read=again["read"], calls=again["model_calls"], seconds=again["seconds"])


def kill_at_half(vault: Path, sources: int) -> None:
    """Kill a build when half of the sources were read, and say what is kept."""
    began = time.monotonic()
    building = subprocess.Popen(
        [ZIB, "--vault", str(vault), "build-memory", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while building.poll() is None and len(read_sources(vault)) < sources // 2:
        time.sleep(0.2)
    building.kill()
    building.wait()
    say("killed", sources=sources, kept=len(read_sources(vault)), seconds=round(time.monotonic() - began, 1))


def read_sources(vault: Path) -> dict[str, Any]:
    store = HierarchyStore(vault_places(vault).hierarchy_db)
    try:
        return dict(store.sources())
    finally:
        store.close()


def ask_for_s(vault: Path, question: str) -> float:
    began = time.monotonic()
    zib(vault, "ask", question, "--no-writeback")
    return time.monotonic() - began


def measure_notes(copy: Path) -> None:
    prepare(copy)
    zib(copy, "build-memory")
    first = zib(copy, "concepts", "--write")
    mine = copy / first["paths"][0]
    mine.write_text(f"{mine.read_text(encoding='utf-8')}\n{OWN}\n", encoding="utf-8")
    notes = sorted(path for path in copy.rglob("*.md") if "Zibaldone" not in path.parts)
    draw = random.Random(0)
    kept = written = 0
    for number in range(REBUILDS):
        changed = draw.choice(notes)
        text = changed.read_text(encoding="utf-8", errors="surrogateescape")
        added = f"{text}\n\nOn 2026-11-{number + 1:02} we decided to revise this page.\n"
        changed.write_text(added, encoding="utf-8", errors="surrogateescape")
        zib(copy, "sync", "--yes")
        zib(copy, "build-memory")
        written += zib(copy, "concepts", "--write")["written"]
        kept += mine.is_file() and OWN in mine.read_text(encoding="utf-8")
    lint = zib(copy, "lint")
    resolver = LinkResolver(list_files(copy))
    pages = {path: (copy / path).read_text(encoding="utf-8") for path in list_files(copy) if is_node_note(path)}
    links = [(page, link) for page, text in pages.items() for link in LINK.findall(text)]
    unresolved = [link for page, link in links if resolver.resolve(link, page) is None]
    say("notes", first=first["written"], rebuilds=REBUILDS, written=written, paragraph_kept=kept)
    say("links", notes=len(pages), links=len(links), unresolved=unresolved)
    say("lint", errors=lint["errors"], warnings=lint["warnings"])


def is_node_note(path: str) -> bool:
    return path.startswith(("Zibaldone/concepts/", "Zibaldone/episodes/"))


if __name__ == "__main__":
    main()
