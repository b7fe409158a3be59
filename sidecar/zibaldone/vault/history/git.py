"""The one way git is called: fixed arguments, an environment built from nothing, no code of the repository.

A vault may be a repository that somebody else prepared, and git's configuration can run programs: hooks,
fsmonitor, filters, textconv, gpg, ssh, credential helpers, pagers. Every call here overrides all of them,
through `GIT_CONFIG_COUNT` (which outranks the repository's files). Drivers that have free names (filters,
hooks of newer gits) are listed first and switched off by name. The person's global and system configuration
is not read, so nothing in it can surprise us, and `safe.directory=*` stands in for their ownership setting:
the check guards against running a stranger's configuration, which is what all of the above does.

This is `subprocess` and not GitPython: GitPython merges the parent's environment (`GIT_DIR`, `GIT_INDEX_FILE`,
`GIT_SSH_COMMAND`, ...) into that of its commands and parses configuration itself, and we need an environment
of which we can say what is in it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from zibaldone.errors import DeadlineExceeded, GitUnavailable

_OLDEST = (2, 32)  # the first to know GIT_CONFIG_GLOBAL
_GRACE_S = 2.0
_MESSAGE_BYTES = 10_000
# Nothing can exist beneath a regular file, on any system: a hooks folder that stays empty.
_NOWHERE = str(Path(__file__).resolve())

HARDENED: tuple[tuple[str, str], ...] = (
    ("safe.directory", "*"),
    ("core.hooksPath", _NOWHERE),
    ("core.fsmonitor", "false"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("core.askPass", ""),
    ("core.sshCommand", "false"),
    ("core.gitProxy", "false"),
    ("core.alternateRefsCommand", "false"),
    ("core.attributesFile", os.devnull),
    ("core.quotePath", "false"),
    ("core.autocrlf", "false"),
    ("core.safecrlf", "false"),
    ("core.commentChar", "#"),
    ("credential.helper", ""),
    ("protocol.allow", "never"),
    ("protocol.ext.allow", "never"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("log.showSignature", "false"),
    ("diff.external", ""),
    ("diff.renames", "false"),
    ("diff.orderFile", os.devnull),
    ("i18n.commitEncoding", "UTF-8"),
    ("i18n.logOutputEncoding", "UTF-8"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("advice.detachedHead", "false"),
)
# `check-ignore` refuses literal pathspecs; its paths are made safe by a leading `./` instead.
PLAIN_PATHSPECS = {"GIT_LITERAL_PATHSPECS": "0"}
_NO_FILES = ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL")
_FREE_NAMES: dict[str, tuple[tuple[str, str], ...]] = {
    "filter": (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")),
    "hook": (("enabled", "false"),),
    "diff": (("textconv", ""), ("command", "")),
    "merge": (("driver", "false"),),
}


@dataclass(frozen=True, slots=True)
class GitResult:
    """What a call gave back. `stderr` is text for a log or a message."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def text(self) -> str:
        """The output without its final newline; undecodable bytes as surrogates."""
        return self.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def fields(self) -> list[str]:
        """NUL-terminated output as a list."""
        return self.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]


class GitFailed(GitUnavailable):
    """A command that should have worked did not; `result` says how."""

    def __init__(self, arguments: Sequence[str], result: GitResult) -> None:
        first = next((line for line in result.stderr.splitlines() if line.strip()), f"exit code {result.code}")
        super().__init__(
            f"git {arguments[0]} failed: {first}", "run `git status` in the vault to see what is the matter"
        )
        self.result = result


class Git:
    """Runs git in a folder. Stateless but for the configuration that `refresh` last saw; `keys` are the names in it.

    Args:
        folder: where git is run; the vault's root, which may lie anywhere in a work tree.
        executable: the git to run; None: the one on PATH. Never from the vault's own settings.
        timeout_s: after this long a call is ended (gently first, so that git removes its lock files).
        personal: the person's own and the system's configuration is read as well, as `network` needs it.

    Raises:
        GitUnavailable: git is missing or older than 2.32.
    """

    def __init__(
        self, folder: Path, *, executable: str | None = None, timeout_s: float = 60.0, personal: bool = False
    ) -> None:
        self.folder = folder.resolve()
        self._executable = _usable_git(executable or _find_git())
        self._timeout_s = timeout_s
        self._personal = personal
        self._drivers: tuple[tuple[str, str], ...] | None = None
        self._sources: Sequence[bytes] = ()
        self.keys: frozenset[str] = frozenset()

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        config: Sequence[tuple[str, str]] = (),
        ok: Sequence[int] = (0,),
        timeout_s: float | None = None,
    ) -> GitResult:
        """Run one command and wait.

        Args:
            env: additions for this call (`GIT_INDEX_FILE`, the author); they outrank the fixed ones.
            config: further configuration for this call.
            ok: exit codes that are no failure.

        Raises:
            GitFailed: any other exit code.
            DeadlineExceeded: it took longer than the timeout.
            GitUnavailable: git cannot be started.
        """
        if self._drivers is None:
            self.refresh()
        result = self._call(arguments, stdin, env or {}, (*(self._drivers or ()), *config), timeout_s)
        if result.code not in ok:
            raise GitFailed(arguments, result)
        return result

    def lines(
        self,
        *arguments: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        config: Sequence[tuple[str, str]] = (),
        timeout_s: float | None = None,
    ) -> Generator[bytes, None, None]:
        """The output of a command, line by line as it comes; a reader who stops early ends the command.

        Args:
            stdin: at most what a pipe holds (64 KiB), as all of it is written before anything is read.

        Raises:
            GitFailed, DeadlineExceeded, GitUnavailable: as `run`; what came before has been given by then.
        """
        if self._drivers is None:
            self.refresh()
        deadline_s = self._timeout_s if timeout_s is None else timeout_s
        with tempfile.TemporaryFile() as stderr:  # a pipe that nobody reads meanwhile could fill up
            process = self._start(arguments, env or {}, (*(self._drivers or ()), *config), stderr)
            with process, _limited(process, deadline_s) as expired:
                assert process.stdin and process.stdout
                with contextlib.suppress(BrokenPipeError), process.stdin as given:
                    given.write(stdin)
                yield from process.stdout
                code = process.wait()
            if expired.is_set():
                raise _deadline_exceeded(arguments, deadline_s)
            if code != 0:
                stderr.seek(0)
                raise GitFailed(arguments, GitResult(code, b"", stderr.read(_MESSAGE_BYTES).decode("utf-8", "replace")))

    @contextlib.contextmanager
    def prepare_refs(self, commands: str, message: str, env: Mapping[str, str]) -> Iterator[Callable[[], None]]:
        """Changes of refs that are ready to be made: the refs are locked, and have the values that `commands` (of
        `update-ref --stdin`) expect. Calling what this gives makes them; left without that, none is made.

        Args:
            message: for the reflog.
            env: who it is that changes them.

        Raises:
            GitFailed: they cannot be made.
            DeadlineExceeded: it takes longer than the timeout.
            GitUnavailable: git cannot be started.
        """
        if self._drivers is None:
            self.refresh()
        arguments = ("update-ref", "-m", message, "--stdin")
        process = self._start(arguments, env, self._drivers or ())
        with process, _limited(process, self._timeout_s) as expired:
            stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
            assert stdin and stdout and stderr

            def say(text: str, answer: bytes) -> None:
                with contextlib.suppress(BrokenPipeError):  # it has ended, and says why
                    os.write(stdin.fileno(), text.encode())
                if any(line == answer for line in iter(stdout.readline, b"")):
                    return
                if expired.is_set():
                    raise _deadline_exceeded(arguments, self._timeout_s)
                said = stderr.read().decode("utf-8", "replace")
                raise GitFailed(arguments, GitResult(process.wait(), b"", said))

            say(f"start\n{commands}prepare\n", b"prepare: ok\n")
            yield lambda: say("commit\n", b"commit: ok\n")

    def refresh(self, sources: Sequence[Path] = ()) -> None:
        """Look again at which filters, hooks and drivers the configuration names, to switch each off.

        Args:
            sources: the files that the configuration comes from; git is asked only if `is_configured` by them is
                not so.

        Raises:
            GitUnavailable: as `run`.
        """
        if self.is_configured(sources):
            return
        content = [_read(path) for path in sources]
        command = ("config", "--includes", "--list", "--name-only", "-z")
        listed = self._call(command, b"", {}, (), None)
        if listed.code != 0:  # unreadable configuration: then we cannot say what it would run
            raise GitFailed(command, listed)
        self.keys = frozenset(listed.fields())
        names: set[tuple[str, str]] = set()
        for key in self.keys:
            section, _, rest = key.partition(".")
            name, dot, _ = rest.rpartition(".")
            if dot and section in _FREE_NAMES:
                names.add((section, name))
        self._drivers = tuple(
            (f"{section}.{name}.{key}", value) for section, name in sorted(names) for key, value in _FREE_NAMES[section]
        )
        includes = any(key.startswith(("include.", "includeif.")) for key in self.keys)
        self._sources = () if includes else content

    def is_configured(self, sources: Sequence[Path]) -> bool:
        """The configuration is that of the last `refresh`: its files hold the same bytes (no other is read, see
        `plain_environment`) and include none."""
        return bool(self._sources) and self._sources == [_read(path) for path in sources]

    def _call(
        self,
        arguments: Sequence[str],
        stdin: bytes,
        env: Mapping[str, str],
        config: Sequence[tuple[str, str]],
        timeout_s: float | None,
    ) -> GitResult:
        deadline_s = self._timeout_s if timeout_s is None else timeout_s
        process = self._start(arguments, env, config)
        with process:
            try:
                stdout, stderr = process.communicate(stdin, timeout=deadline_s)
            except subprocess.TimeoutExpired as error:
                _end(process)
                raise _deadline_exceeded(arguments, deadline_s) from error
            except BaseException:
                _end(process)
                raise
        return GitResult(process.returncode, stdout, stderr.decode("utf-8", "replace"))

    def _environment(self, config: Sequence[tuple[str, str]]) -> dict[str, str]:
        env = plain_environment((*HARDENED, *config))
        return personal_environment(env) if self._personal else env

    def _start(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        config: Sequence[tuple[str, str]],
        stderr: int | IO[bytes] = subprocess.PIPE,
    ) -> subprocess.Popen[bytes]:
        try:
            return _Process(
                [self._executable, "--no-pager", *arguments],
                cwd=self.folder,
                env={**self._environment(config), **env},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=self._personal,
            )
        except OSError as error:
            raise GitUnavailable(f"git cannot be started: {error}", "check that git is installed") from error


class _Process(subprocess.Popen[bytes]):
    """`communicate` with a timeout ends in a `wait` with what is left of it, and that sleeps a millisecond before it
    looks again: as long as git takes for most of what it does here. By then git has closed its outputs, which it
    does when it ends, so that there is nothing to be feared from waiting without a timeout."""

    def wait(self, timeout: float | None = None) -> int:
        ended = all(pipe is not None and pipe.closed for pipe in (self.stdout, self.stderr))
        return super().wait(None if ended else timeout)


def _deadline_exceeded(arguments: Sequence[str], deadline_s: float) -> DeadlineExceeded:
    return DeadlineExceeded(f"git {arguments[0]} took longer than {deadline_s:g} s", "try again later")


def _read(path: Path) -> bytes:
    """Empty where there is no such file; where it cannot be read, git says so itself."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


@contextlib.contextmanager
def _limited(process: subprocess.Popen[bytes], deadline_s: float) -> Iterator[threading.Event]:
    """End the process when the time is up, which the event then tells, or when the block is left by an exception."""
    left, expired = threading.Event(), threading.Event()

    def watch() -> None:
        if not left.wait(deadline_s):
            expired.set()
            _end(process)

    threading.Thread(target=watch, name="git-deadline", daemon=True).start()
    try:
        yield expired
    except BaseException:
        _end(process)
        raise
    finally:
        left.set()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Gently first, so that git removes its lock files."""
    _signal(process, signal.SIGTERM)
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """To its helpers too, where it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None and hasattr(os, "killpg") and os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)


def plain_environment(config: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Built from nothing; `config` outranks the files that git reads."""
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        # Only for `~` in paths of the repository's configuration, which git would otherwise refuse.
        "HOME": str(Path.home()),
        "LC_ALL": "C",
        "LANGUAGE": "",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "GIT_EDITOR": "false",
        "GIT_PAGER": "cat",
        "GIT_SSH_COMMAND": "false",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_CONFIG_COUNT": str(len(config)),
    }
    for number, (key, value) in enumerate(config):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    for name in ("SYSTEMROOT", "TEMP", "TMP", "USERPROFILE"):  # Windows programs do not start without
        if name in os.environ:
            env[name] = os.environ[name]
    return env


def personal_environment(env: Mapping[str, str]) -> dict[str, str]:
    """As `plain_environment`, and the person's configuration is read."""
    return {name: value for name, value in env.items() if name not in _NO_FILES}


def _find_git() -> str:
    found = shutil.which("git")
    if found is None or not Path(found).is_absolute():  # relative: Windows found one in the current folder
        raise GitUnavailable("git is not installed", "install git, or switch write-back off")
    return found


@cache
def _usable_git(executable: str) -> str:
    try:
        shown = subprocess.run(
            [executable, "version"], env=plain_environment(()), capture_output=True, timeout=30, check=False
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitUnavailable(f"git cannot be started: {error}", "check that git is installed") from error
    version = re.search(r"(\d+)\.(\d+)", shown)
    if version is None or (int(version[1]), int(version[2])) < _OLDEST:
        raise GitUnavailable(
            f"git is too old or unknown: {shown.strip()!r}",
            f"install git {_OLDEST[0]}.{_OLDEST[1]} or newer",
        )
    return executable
