"""Make a set of evidence of every kind from a seed, with a ledger of what stands where; or measure the readers on it.

Usage: scripts/evidence.py OUT [--seed N]
       scripts/evidence.py --measure OUT [--read]
       scripts/evidence.py --ask OUT [--strategy NAME]

OUT/vault is a vault with notes, PDFs, pictures, canvases and documents; OUT/pegel a repository of 300 commits;
OUT/ledger.json lists for each of them the texts by page, node, region, row, section, line or hunk. The texts are one
invented year of Wiebke Tams (a small firm, an old house, a choir, a journey): the same for each seed, which decides
how they are laid out, drawn and photographed, and the commits that lie between those that matter.
`tests/questions/evidence.jsonl` asks about the set of the default seed.

--measure prints the share of the ledger's characters that our readers give, by kind (`evidence_set.recall` says how);
--read prints what they give as well. --ask makes an index of a copy of the vault, with the repository as a connector,
and prints of how many of the 60 questions the right source is among the first three, and how many of these are cited
at the right place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evidence_set.ledger import write_ledger

SEED = 7
TEXTS = Path(__file__).parent / "evidence_set" / "texts"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--ask", action="store_true")
    parser.add_argument("--strategy")
    arguments = parser.parse_args()
    if arguments.measure:
        from evidence_set.measuring import measure

        return measure(arguments.out, show=arguments.read)
    if arguments.ask:
        from evidence_set.asking import ask

        return ask(arguments.out, arguments.strategy)
    if arguments.out.exists():
        parser.error(f"{arguments.out} exists")
    sources = make_evidence(arguments.out, arguments.seed)
    print(f"{len(sources)} sources in {arguments.out}")
    return 0


def make_evidence(out: Path, seed: int) -> list[dict[str, Any]]:
    """The ledger's sources, each with `uri`, `kind`, `path` (below `out`), `language` where known, and `places`.

    A place is `page=N`, `node=ID`, `edge=ID` (with its two cards), `region=NAME` (with its box in pixels), `row=N`,
    `heading=TEXT`, `LN` (a line of a note), `PATH:FIRST-LAST` (lines of the new version) or empty (a commit's message).
    """
    out.mkdir(parents=True)
    sources = [*_make_files(out / "vault", seed), *_make_commits(out, seed)]
    write_ledger(out, seed, sources)
    return sources


def _make_files(vault: Path, seed: int) -> Iterator[dict[str, Any]]:
    from evidence_set.canvases import make_canvases
    from evidence_set.documents import make_documents
    from evidence_set.papers import make_papers
    from evidence_set.pictures import make_pictures

    def write(
        scheme: str, kind: str, path: str, data: bytes, places: list[dict[str, Any]], **more: str
    ) -> dict[str, Any]:
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_bytes(data)
        return {"uri": f"{scheme}:{path}", "kind": kind, "path": f"vault/{path}", **more, "places": places}

    (vault / ".obsidian").mkdir(parents=True)
    for note in sorted((TEXTS / "notes").rglob("*.md")):
        lines = note.read_text(encoding="utf-8").splitlines()
        places = [{"place": f"L{number}", "texts": [line]} for number, line in enumerate(lines, 1) if line.strip()]
        yield write("note", "note", note.relative_to(TEXTS / "notes").as_posix(), note.read_bytes(), places)
    for paper in make_papers(TEXTS / "papers", seed):
        yield write("pdf", "pdf", paper.path, paper.data, paper.places, language=paper.language)
    for picture in make_pictures(TEXTS / "pictures.toml", seed):
        scheme = "pdf" if picture.kind == "scan" else "image"
        yield write(scheme, picture.kind, picture.path, picture.data, picture.places, language=picture.language)
    for path, data, places in make_canvases(TEXTS / "canvases.toml", seed):
        yield write("canvas", "canvas", path, data, places)
    for path, data, places in make_documents(TEXTS / "documents.toml"):
        yield write("doc", Path(path).suffix[1:], path, data, places)


def _make_commits(out: Path, seed: int) -> Iterator[dict[str, Any]]:
    from evidence_set.repository import NAME, write_repository

    for sha, places in write_repository(out / NAME, seed):
        yield {"uri": f"git:{NAME}@{sha}", "kind": "commit", "path": NAME, "places": places}


if __name__ == "__main__":
    sys.exit(main())
