"""What the model wrote, taken apart: claims and their markers. Pure.

Nothing is believed yet: unknown markers are dropped here, and `cite` compares each claim with the passage it names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_MARKERS = re.compile(r"\s*\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
# How a small model repeats the head of an evidence item.
_HEADER = re.compile(r"From \"[^\"\n]{1,200}\"[,:] *")
# A full stop after one or two digits is more often a date or an ordinal (`1. Oktober`) than an end.
_CLAIM_END = re.compile(
    r"(?<!\b[A-ZÄÖÜ]\.)(?<![^\d]\d\.)(?<![^\d]\d\d\.)(?<=[.!?。！？])([ \t]*(?:\[[\d,; ]+\])*)\s+(?=[^\s\[\d])"
    r"|(?<=\])\s+(?=[^\s\[])|(?<=[。！？])(?=[^\s\[])|\n+"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the answer with the markers that stand in it (unknown ones already gone)."""

    text: str
    markers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What the model wrote, taken apart."""

    claims: list[Claim]
    dropped_markers: list[int] = field(default_factory=list)


def read_draft(output: str, known: int) -> Draft:
    """Take an answer apart into sentences with their markers.

    Args:
        known: number of evidence items; markers beyond are dropped.
    """
    claims: list[Claim] = []
    dropped: list[int] = []
    leading: list[int] = []
    for part in _split_claims(output.strip()):
        markers = leading + [int(n) for group in _MARKERS.findall(part) for n in re.split(r"\s*[,;]\s*", group)]
        text = _drop_header(_MARKERS.sub("", part).strip())
        leading = [] if text else markers
        if any(char.isalnum() for char in text):
            dropped.extend(n for n in markers if not 1 <= n <= known)
            claims.append(Claim(text, tuple(dict.fromkeys(n for n in markers if 1 <= n <= known))))
    return Draft(claims, dropped)


def _drop_header(text: str) -> str:
    head = _HEADER.match(text)
    return text[head.end() :][:1].upper() + text[head.end() + 1 :] if head else text


def _split_claims(body: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for match in _CLAIM_END.finditer(body):
        end = match.start() + len(match.group(1) or "")
        parts.append(body[start:end])
        start = match.end()
    parts.append(body[start:])
    return [part.strip() for part in parts if part.strip()]


def render_answer(claims: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Sentences with their final markers."""
    return " ".join(text + "".join(f" [{marker}]" for marker in markers) for text, markers in claims)
