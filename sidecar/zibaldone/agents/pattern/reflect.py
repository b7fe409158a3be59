"""What works for this person, as the nightly run sees it: `memory/pattern.md`. Pure; figures, no prose of a model.

The file does not fade. Only the part between the marks is written anew; what a person adds around it stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from zibaldone.domain.language import guess_language
from zibaldone.schemas.memory import MEMORY_TYPES, MemoryEntry

_BEGIN, _END = "%%written by Zibaldone: begin%%", "%%written by Zibaldone: end%%"
_BETWEEN = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
_WORD = re.compile(r"\w+")
_HEAD = "---\ntype: memory\nwritten_by: Zibaldone\n---\n\n# What works\n\n"


def write_pattern(existing: bytes | None, body: str) -> bytes:
    part = f"{_BEGIN}\n{body}\n{_END}"
    if not existing:
        return f"{_HEAD}{part}\n".encode()
    text = existing.decode("utf-8", "surrogateescape")
    whole = _BETWEEN.sub(lambda _: part, text, count=1) if _BETWEEN.search(text) else f"{text.rstrip()}\n\n{part}\n"
    return whole.encode("utf-8", "surrogateescape")


def describe_pattern(messages: Sequence[str], entries: Sequence[MemoryEntry]) -> str:
    """How the person writes, where their memory comes from, and which of what was inferred they kept."""
    lines = []
    if messages:
        spoken = [_WORD.findall(text.casefold()) for text in messages]
        usual = guess_language(word for words in spoken for word in words)
        languages = Counter(filter(None, (guess_language(words, {usual} if usual else ()) for words in spoken)))
        shares = ", ".join(f"{language} {count / len(messages):.0%}" for language, count in languages.most_common(3))
        words = sorted(len(text.split()) for text in messages)
        asked = sum("?" in text or "？" in text for text in messages)
        lines += [
            f"- Messages of the last night's review: {len(messages)}; languages: {shares or 'not told'}.",
            f"- They write {words[len(words) // 2]} words in the median; {asked / len(messages):.0%} ask something.",
        ]
    for kind in MEMORY_TYPES:
        own = [one for one in entries if one.type == kind]
        if not own:
            continue
        stands = sum(one.state == "active" for one in own)
        explicit = sum(one.is_explicit for one in own)
        inferred = [one for one in own if not one.is_explicit]
        refused = sum(one.why in ("deleted by hand", "struck out by hand") for one in inferred)
        lines.append(
            f"- {kind}: {stands} stand of {len(own)}; {explicit} said expressly, {len(inferred)} noticed,"
            f" {refused} of these taken out by the person."
        )
    said = Counter(one.sources[0].partition(":")[0] for one in entries if one.sources)
    if said:
        origins = ", ".join(f"{source} {count}" for source, count in said.most_common())
        lines.append(f"- Where it comes from: {origins}.")
    return "\n".join(lines) or "- Nothing yet."


def pattern_path(folder: str) -> str:
    return f"{folder}/memory/pattern.md"
