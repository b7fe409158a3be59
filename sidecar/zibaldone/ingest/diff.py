"""What a scan found against what is recorded. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zibaldone.domain.notes import FileStamp, Recorded

# Vanished at once beyond both of these looks like an unmounted disk or a switched branch rather than like a person.
MASS_SHARE = 0.2
MASS_SHARE_MINIMUM = 10
MASS_COUNT = 50


@dataclass(frozen=True, slots=True)
class ScanDiff:
    """`suspects` must be read (new, or their stamp moved); `excluded` are files that are not to be indexed."""

    unchanged: int = 0
    suspects: dict[str, FileStamp] = field(default_factory=dict)
    excluded: dict[str, str] = field(default_factory=dict)
    vanished: dict[str, Recorded] = field(default_factory=dict)


def diff_scan(
    recorded: Mapping[str, Recorded], found: Mapping[str, FileStamp | str], derived_by: Callable[[str], str]
) -> ScanDiff:
    """Compare by stamp (size, mtime, ctime, inode) and by the version that derived the record.

    `found` maps each path to its stamp, or to the reason why it is not to be indexed.
    """
    unchanged = 0
    suspects: dict[str, FileStamp] = {}
    excluded: dict[str, str] = {}
    for path, stamp in found.items():
        known = recorded.get(path)
        if isinstance(stamp, str):
            if known is not None and known.skipped == stamp:
                unchanged += 1
            else:
                excluded[path] = stamp
        elif (
            known and known.stamp == stamp and known.derived_by == derived_by(path) and not (known.failed or known.held)
        ):
            unchanged += 1
        else:
            suspects[path] = stamp
    vanished = {path: source for path, source in recorded.items() if path not in found}
    return ScanDiff(unchanged, suspects, excluded, vanished)


def is_mass_disappearance(vanished: int, recorded: int) -> bool:
    """Whether so much went at once that the person is asked before anything is dropped."""
    return vanished > MASS_COUNT or (vanished >= MASS_SHARE_MINIMUM and vanished > MASS_SHARE * recorded)
