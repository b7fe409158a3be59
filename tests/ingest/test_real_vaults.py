"""Every note of the real vaults is parsed and chunked: nothing raises, all is within limits and in its lines."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

import pytest

from zibaldone.config.settings import ChunkingSettings
from zibaldone.ingest.chunk import chunk_note
from zibaldone.ingest.frontmatter import split_lines
from zibaldone.ingest.parse import SkipReason, decode_note, parse_note

VAULTS = Path(__file__).parents[3] / "shared" / "data" / "vaults"
NAMES = sorted(path.name for path in VAULTS.iterdir() if path.is_dir()) if VAULTS.is_dir() else []


@pytest.mark.skipif(not NAMES, reason=f"the real vaults are not at {VAULTS}")
@pytest.mark.parametrize("name", NAMES)
def test_every_note_of_a_vault(name: str) -> None:
    limits = ChunkingSettings()
    notes = empty = problems = 0
    sizes: list[int] = []
    for path in sorted((VAULTS / name).rglob("*.md")):
        decoded = decode_note(path.read_bytes())
        assert not isinstance(decoded, SkipReason), path
        relative = path.relative_to(VAULTS / name).as_posix()
        note = parse_note(relative, decoded.text)
        chunks = chunk_note(relative, note, limits, relative)
        lines = split_lines(decoded.text)
        for chunk in chunks:
            assert 0 < chunk.tokens <= limits.max_tokens, (path, chunk)
            assert 1 <= chunk.line_start <= chunk.line_end <= len(lines), (path, chunk)
            stands = "\n".join(lines[chunk.line_start - 1 : chunk.line_end])
            stands += re.sub(r"<[^<>]*>|[*~=\[\]]", "", stands)  # words that markup ran through
            assert all(word in stands for word in chunk.text.split() if word.isalnum()), (path, chunk)
        assert len({chunk.id for chunk in chunks}) == len(chunks), path
        notes += 1
        empty += not chunks
        problems += bool(note.problems)
        sizes += [chunk.tokens for chunk in chunks]
    if not sizes:
        return
    sizes.sort()
    short = sum(size < limits.min_tokens for size in sizes)
    print(
        f"\n{name}: {notes} notes ({empty} empty, {problems} with unreadable properties), {len(sizes)} chunks, tokens "
        f"median {statistics.median(sizes):.0f}, 95 % {sizes[len(sizes) * 95 // 100]}, most {sizes[-1]}, "
        f"below {limits.min_tokens}: {short / len(sizes):.1%}"
    )
