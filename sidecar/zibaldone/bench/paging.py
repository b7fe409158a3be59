"""What writing a page costs in a large wiki and in a small one."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from zibaldone.bench.figures import PAGE, Row
from zibaldone.bench.notes import generate_notes
from zibaldone.bench.workbench import ZIB, Sidecar, Workbench
from zibaldone.errors import ZibaldoneError
from zibaldone.wiki.page import Page, render_page
from zibaldone.wiki.slug import FOLDER, make_slug, page_path

_TIMES_LARGER = 10
_WRITTEN_SEED = 9_002
_AT = datetime(2026, 1, 5, 9, 0)  # noqa: DTZ001 - a page has local time


def measure_page(bench: Workbench, repeats: int) -> Row:
    """`POST /v1/pages` in two wikis by turns, all pages in one folder, as a turn names them.

    Both are served at once. What the index does with a page comes later and is not in the time.
    """
    sizes = bench.pages, bench.pages // _TIMES_LARGER
    bench.stop_sidecar()
    environment = bench.environment | {
        "XDG_DATA_HOME": str(bench.root / "wiki-data"),  # the other figures look into the one vault's
        "ZIBALDONE_MODELS_EMBED": "fake-embed",
        "ZIBALDONE_WATCH_DEBOUNCE_S": "3600",
    }
    with contextlib.ExitStack() as stack:
        wikis: list[Sidecar] = []
        for count in sizes:
            bench.say(f"preparing a wiki of {count} pages")
            root = bench.root / f"wiki-{count}"
            _make_wiki(root, count, environment)
            wikis.append(Sidecar(root, environment, bench.root / f"wiki-{count}.log"))
            stack.callback(wikis[-1].close)
            wikis[-1].stream("/v1/sync", {})
        bench.say(f"writing {repeats} pages in each")
        pairs = []
        for number, (path, text) in enumerate(generate_notes(repeats + 2, _WRITTEN_SEED)):
            page = {"title": f"{Path(path).stem} {number}", "body": text.split("---\n", 2)[2], "tags": ["bench"]}
            order = (0, 1) if number % 2 else (1, 0)
            taken = {wiki: _write(wikis[wiki], page) for wiki in order}
            pairs.append((taken[0] * 1000, taken[1] * 1000))
    return PAGE.compare(pairs[2:], f"{sizes[0]} pages; raw: {sizes[1]}")


def _write(wiki: Sidecar, page: object) -> float:
    started = time.monotonic()
    done = wiki.call("POST", "/v1/pages", page)
    taken = time.monotonic() - started
    if not done["commit"]:
        raise ZibaldoneError(f"A page was not committed: {done['reason']}", "")
    return taken


def _make_wiki(root: Path, count: int, environment: dict[str, str]) -> None:
    root.mkdir()
    _run([*ZIB, "--vault", str(root), "init", "--yes"], root, environment)
    lines = []
    for path, text in generate_notes(count):
        title = Path(path).stem
        slug = make_slug(title)
        page = Page(title, slug, text.split("---\n", 2)[2], tags=("bench",), created=_AT, updated=_AT)
        target = root / page_path(slug, FOLDER)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(render_page(page))
        lines.append(f"- [[pages/{slug}|{title}]] (bench)\n")
    index = f"# Index\n\n## Pages\n\n{''.join(sorted(lines))}"
    (root / FOLDER / "index.md").write_text(index, encoding="utf-8")
    for command in (["add", "--all"], ["commit", "--quiet", "--message", "pages"], ["gc", "--quiet"]):
        _run(["git", *command], root, environment)


def _run(command: Iterable[str], folder: Path, environment: dict[str, str]) -> None:
    subprocess.run([*command], cwd=folder, env=environment, check=True, capture_output=True)
