"""Measure the engines of OCR on generated pictures: characters of the ledger found, seconds, memory, and bare speed.

Usage: scripts/ocr.py [--seeds FIRST:COUNT] [--engine NAME] [--kind NAME] [--no-bare]

Each engine reads all pictures in a process of its own, so that its memory is its own. Recall is the share of the
ledger's characters that were found in their order, precision the share of what was read that is in the ledger. Without
print, `read` counts the pictures in which something was taken for it. `bare` is the same library with the same models,
settings and threads, one whole picture a call, over the same files; the ratio is its time to ours.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pictures import PRINTED, WORDLESS, count_found, draw_picture
from zibaldone.domain.documents import Document
from zibaldone.ingest.extract import image, ocr
from zibaldone.ingest.extract.ocr_rapidocr import RapidOCR, load_rapidocr
from zibaldone.ingest.extract.process import FRUGAL


def draw_all(folder: Path, kinds: list[str], seeds: range) -> None:
    for kind in kinds:
        for language in ("en", "de") if kind in PRINTED else ("en",):
            for seed in seeds:
                picture = draw_picture(kind, language, seed, system_fonts=True)
                (folder / picture.name).write_bytes(picture.data)
                ledger = {"kind": kind, "language": language, "blocks": picture.blocks}
                (folder / f"{picture.name}.json").write_text(json.dumps(ledger))


def measure(folder: Path, choice: ocr.Choice) -> None:
    """The table of one engine, on stdout."""
    engine, missing = ocr.find_engine(choice)
    if engine is None:
        print(missing)
        return
    rows: dict[tuple[str, str], list[tuple[int, int, int, float]]] = {}
    for path in sorted(folder.glob("*.json")):
        ledger = json.loads(path.read_text())
        written = " ".join(" ".join(ledger["blocks"]).split())
        start = time.perf_counter()
        outcome = image.read(path.with_suffix("").read_bytes(), path.stem, engine)
        seconds = time.perf_counter() - start
        read = " ".join(part.text for part in outcome.parts) if isinstance(outcome, Document) else ""
        counts = count_found(written, read), len(written), len(" ".join(read.split())), seconds
        rows.setdefault((ledger["kind"], ledger["language"]), []).append(counts)
    print(f"{engine.name}\n{'kind':10} lang   n  recall  worst  precision  s/image")
    for (kind, language), counts in rows.items():
        found, written, read, seconds = (sum(column) for column in zip(*counts, strict=True))
        if kind in WORDLESS:
            taken = sum(row[2] > 0 for row in counts)
            print(f"{kind:10}      {len(counts):3}  read: {taken:<23} {seconds / len(counts):.2f}")
            continue
        worst = min(row[0] / row[1] for row in counts)
        print(
            f"{kind:10} {language:4} {len(counts):3}  {found / written:.4f}  {worst:.3f}  {found / max(1, read):.4f}"
            f"     {seconds / len(counts):.2f}"
        )
    peaks = [resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"peak MB: {peaks[0]}" + (f", of its programs {peaks[1]}" if peaks[1] else ""))


def compare_with_bare(folder: Path) -> None:
    """Our reading of the printed pictures beside the library's own flow, picture by picture in turns."""
    import numpy as np
    from PIL import Image

    engine = RapidOCR()
    bare = load_rapidocr({"Global.use_vertical_padding": True, "Global.use_preprocess_img": True})
    ours = raw = 0.0
    for path in sorted(path for path in folder.glob("*.json") if json.loads(path.read_text())["blocks"]):
        data = path.with_suffix("")
        start = time.process_time()
        image.read(data.read_bytes(), path.stem, engine)
        middle = time.process_time()
        bare(np.asarray(Image.open(data).convert("RGB"))[:, :, ::-1], use_det=True, use_cls=True, use_rec=True)
        raw += time.process_time() - middle
        ours += middle - start
    print(f"processor seconds: bare {raw:.1f}, ours {ours:.1f}; throughput {raw / ours:.2f} of bare")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1000:5", help="first seed and how many")
    parser.add_argument("--engine", choices=("rapidocr", "tesseract"), action="append")
    parser.add_argument("--kind", choices=(*PRINTED, *WORDLESS), action="append")
    parser.add_argument("--no-bare", action="store_true")
    parser.add_argument("--measure", nargs=2, metavar=("FOLDER", "ENGINE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        folder, choice = given.measure
        compare_with_bare(Path(folder)) if choice == "bare" else measure(Path(folder), choice)
        return
    first, count = map(int, given.seeds.split(":"))
    with tempfile.TemporaryDirectory() as folder:
        draw_all(Path(folder), given.kind or [*PRINTED, *WORDLESS], range(first, first + count))
        for choice in [*(given.engine or ("rapidocr", "tesseract")), *([] if given.no_bare else ["bare"])]:
            child = [sys.executable, __file__, "--measure", folder, choice]
            subprocess.run(child, check=True, env={**os.environ, **FRUGAL})


if __name__ == "__main__":
    main()
