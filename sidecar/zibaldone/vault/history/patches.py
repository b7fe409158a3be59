"""git's own text of commits, with their patches, as `Commit`s. Pure, and in one pass over lines as they come.

A commit begins with a line whose first byte is NUL (`FORMAT`; no message can hold one), then come a line with a colon
for each file and the patches, in which the first character tells what a line is: a changed file cannot imitate any
of it. What is kept of a commit is bounded, however large it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from zibaldone.domain.commits import Commit, FileChange, Hunk

FORMAT = "--format=tformat:%x00%H%n%P%n%aI%n%ct%n%an%n%ae%n%B%x00"
PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")

# A file's patch beyond some 700 lines, or a commit's beyond some 2,500, repeats what it is about, and all of it would
# have to be embedded. Files of a commit that is too long are cut at the same length: the small ones stay whole.
FILE_CHARS = 30_000
COMMIT_CHARS = 100_000
MESSAGE_CHARS = 20_000
MOST_FILES = 500
_HELD_CHARS = 2_000_000  # while the commit is being read, before it is cut

_RAW = re.compile(rb":(?P<was>\d{6}) (?P<is>\d{6}) [0-9a-f.]+ [0-9a-f.]+ (?P<status>[A-Z])\d*\t(?P<names>[^\n]+)\n?")
_HUNK = re.compile(rb"@@ -(?P<old>\d+)(?:,\d+)? \+(?P<new>\d+)(?:,\d+)? @@ ?(?P<context>[^\n]*)\n?")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_STATUS = {b"A": "new", b"D": "deleted", b"T": "of another kind now"}
_MODES = {b"160000": "a submodule", b"120000": "a link"}
# Whatever would end a line, or act in a terminal, is a space: names and lines stay what they are, one line each.
_INERT = dict.fromkeys((*range(9), *range(10, 32), *range(127, 160), 8232, 8233), " ")


@dataclass(slots=True)
class _OpenHunk:
    old_start: int
    new_start: int
    context: str
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _OpenFile:
    path: str
    old_path: str | None
    notes: list[str]
    added: int = 0
    removed: int = 0
    chars: int = 0
    is_cut: bool = False
    hunks: list[_OpenHunk] = field(default_factory=list)

    def cut(self, chars: int) -> None:
        """Keep what fits into so many characters, in whole lines."""
        room = chars
        kept: list[_OpenHunk] = []
        for hunk in self.hunks:
            fits = 0
            for line in hunk.lines:
                room -= len(line)
                if room < 0:
                    break
                fits += 1
            if fits:
                kept.append(_OpenHunk(hunk.old_start, hunk.new_start, hunk.context, hunk.lines[:fits]))
            if room < 0:
                break
        self.hunks = kept
        self.is_cut = True


def parse_commits(lines: Iterable[bytes], leaves_out: Callable[[str], bool] = lambda path: False) -> Iterator[Commit]:
    """The commits of `git diff-tree --stdin` with `FORMAT`, `PREFIXES`, `--raw` and `--patch`, in their order.

    Of a merge there are the files and no hunks: its lines came with the commits that it merges.

    Args:
        lines: with their newlines.
        leaves_out: whether a file with this path, or one that was renamed from it, is left out with all its lines;
            bytes that are not UTF-8 are surrogates.
    """
    source = iter(lines)
    commit: _OpenCommit | None = None
    for line in source:
        if line.startswith(b"\0"):
            if commit:
                yield commit.close()
            commit = _OpenCommit(line[1:], source, leaves_out)
        elif commit:
            commit.take(line)
    if commit:
        yield commit.close()


class _OpenCommit:
    """A commit while its lines come."""

    def __init__(self, sha: bytes, following: Iterator[bytes], leaves_out: Callable[[str], bool]) -> None:
        parents, written, committed, author, email = (next(following, b"\n") for _ in range(5))
        message = "".join(map(_decode, _until_nul(following))).replace("\r\n", "\n").strip()
        subject, _, body = message.partition("\n\n")
        self._sha = sha.strip().decode("ascii", "replace")
        self._is_merge = len(parents.split()) > 1
        self._at = _read_time(written, committed)
        self._author, self._email = _show(author), _show(email)
        self._subject = " ".join(subject.translate(_INERT).split())
        self._body = "\n".join(line.translate(_INERT).rstrip() for line in body.strip().split("\n"))
        self._leaves_out = leaves_out
        self._files: list[_OpenFile] = []
        self._sections: dict[bytes, _OpenFile] = {}
        self._left_out = 0
        self._unnamed = 0
        self._held = 0
        self._file: _OpenFile | None = None
        self._hunk: _OpenHunk | None = None

    def take(self, line: bytes) -> None:
        sign = line[:1]
        if self._hunk is not None and sign in b"+- \\":
            self._take_line(sign, line)
        elif sign == b"@" and (found := _HUNK.match(line)):
            self._hunk = _OpenHunk(int(found["old"]), int(found["new"]), _show(found["context"]))
            if self._file and not self._is_merge:
                self._file.hunks.append(self._hunk)
        elif sign == b":" and (raw := _RAW.match(line)):
            self._take_file(raw)
        else:
            self._hunk = None
            if line.startswith(b"diff --git "):
                self._file = self._sections.get(line.rstrip(b"\n"))
            elif self._file and line.startswith(b"Binary files "):
                self._file.notes.append("binary")

    def _take_file(self, raw: re.Match[bytes]) -> None:
        old, _, new = raw["names"].partition(b"\t")
        new = new or old
        names = [_unquote(old), _unquote(new)]
        if any(self._leaves_out(name.decode("utf-8", "surrogateescape")) for name in names):
            self._left_out += 1
            return
        if len(self._files) == MOST_FILES:
            self._unnamed += 1
            return
        modes = (raw["was"], raw["is"])
        notes = [_STATUS.get(raw["status"], ""), next((_MODES[mode] for mode in modes if mode in _MODES), "")]
        old_path, path = (_show(name) for name in names)
        file = _OpenFile(path, old_path if old != new else None, [note for note in notes if note])
        self._files.append(file)
        self._sections[b"diff --git " + _prefix(b"a/", old) + b" " + _prefix(b"b/", new)] = file

    def _take_line(self, sign: bytes, line: bytes) -> None:
        file = self._file
        if file is None or sign == b"\\":  # "No newline at end of file"
            return
        file.added += sign == b"+"
        file.removed += sign == b"-"
        if self._is_merge or file.is_cut:
            return
        if file.chars + len(line) > FILE_CHARS or self._held > _HELD_CHARS:
            file.is_cut = True
            return
        assert self._hunk is not None
        self._hunk.lines.append(_decode(line).rstrip("\n").removesuffix("\r").translate(_INERT))
        file.chars += len(line)
        self._held += len(line)

    def close(self) -> Commit:
        most = _share([file.chars for file in self._files], COMMIT_CHARS)
        for file in self._files:
            if file.chars > most:
                file.cut(most)
        cut = sum(file.is_cut for file in self._files)
        problems = []
        if cut:
            problems.append(f"The patch is long: of {cut} of {len(self._files)} files only the beginning is read.")
        if len(self._body) > MESSAGE_CHARS:
            problems.append(f"Of the message only the first {MESSAGE_CHARS:,} characters are read.")
        return Commit(
            sha=self._sha,
            at=self._at,
            author=self._author,
            email=self._email,
            subject=self._subject[:MESSAGE_CHARS],
            body=self._body[:MESSAGE_CHARS],
            is_merge=self._is_merge,
            files=tuple(_close_file(file) for file in self._files),
            files_left_out=self._left_out,
            files_unnamed=self._unnamed,
            problems=tuple(problems),
        )


def _close_file(file: _OpenFile) -> FileChange:
    return FileChange(
        path=file.path,
        old_path=file.old_path,
        added=file.added,
        removed=file.removed,
        note=", ".join(dict.fromkeys([*file.notes, *(["its beginning only"] if file.is_cut else [])])),
        hunks=tuple(
            Hunk(hunk.old_start, hunk.new_start, hunk.context, tuple(hunk.lines)) for hunk in file.hunks if hunk.lines
        ),
    )


def _share(sizes: list[int], whole: int) -> int:
    """The largest length at which all can be cut so that together they fit into `whole`."""
    left = whole
    for count, size in zip(range(len(sizes), 0, -1), sorted(sizes), strict=True):
        if size * count > left:
            return left // count
        left -= size
    return whole


def _until_nul(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        if line.endswith(b"\0\n"):
            yield line[:-2]
            return
        yield line


def _read_time(written: bytes, committed: bytes) -> datetime:
    """The author's time; the committer's where that cannot be read, as of broken commits of old tools."""
    try:
        return datetime.fromisoformat(written.strip().decode("ascii"))
    except ValueError:
        try:
            return datetime.fromtimestamp(int(committed), UTC)
        except (ValueError, OverflowError, OSError):
            return datetime.fromtimestamp(0, UTC)


def _prefix(prefix: bytes, name: bytes) -> bytes:
    """As git writes it: inside of the quotes where a name has them."""
    return b'"' + prefix + name[1:] if name.startswith(b'"') else prefix + name


def _unquote(name: bytes) -> bytes:
    if not name.startswith(b'"'):
        return name
    return _ESCAPE.sub(lambda found: _unescape(found[1]), name[1:-1])


def _unescape(code: bytes) -> bytes:
    return bytes([int(code, 8) & 0xFF]) if code.isdigit() else _ESCAPED.get(code, code)


def _decode(text: bytes) -> str:
    """UTF-8, or what text of Western Europe was before it; anything else with replacement characters."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace")


def _show(name: bytes) -> str:
    return _decode(name).translate(_INERT).strip()
