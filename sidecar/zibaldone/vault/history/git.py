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

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from zibaldone.errors import DeadlineExceeded, GitUnavailable

_OLDEST = (2, 32)  # the first to know GIT_CONFIG_GLOBAL
_GRACE_S = 2.0
# Nothing can exist beneath a regular file, on any system: a hooks folder that stays empty.
_NOWHERE = str(Path(__file__).resolve())

_CONFIG: tuple[tuple[str, str], ...] = (
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
    """Runs git in a folder. Stateless but for the driver names that `refresh` last saw.

    Args:
        folder: where git is run; the vault's root, which may lie anywhere in a work tree.
        executable: the git to run; None: the one on PATH. Never from the vault's own settings.
        timeout_s: after this long a call is ended (gently first, so that git removes its lock files).

    Raises:
        GitUnavailable: git is missing or older than 2.32.
    """

    def __init__(self, folder: Path, *, executable: str | None = None, timeout_s: float = 60.0) -> None:
        self.folder = folder.resolve()
        self._executable = _usable_git(executable or _find_git())
        self._timeout_s = timeout_s
        self._drivers: tuple[tuple[str, str], ...] | None = None

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

    def refresh(self) -> None:
        """Look again at which filters, hooks and drivers the configuration names, to switch each off.

        Raises:
            GitUnavailable: as `run`.
        """
        command = ("config", "--includes", "--list", "--name-only", "-z")
        listed = self._call(command, b"", {}, (), None)
        if listed.code != 0:  # unreadable configuration: then we cannot say what it would run
            raise GitFailed(command, listed)
        names: set[tuple[str, str]] = set()
        for key in listed.fields():
            section, _, rest = key.partition(".")
            name, dot, _ = rest.rpartition(".")
            if dot and section in _FREE_NAMES:
                names.add((section, name))
        self._drivers = tuple(
            (f"{section}.{name}.{key}", value) for section, name in sorted(names) for key, value in _FREE_NAMES[section]
        )

    def _call(
        self,
        arguments: Sequence[str],
        stdin: bytes,
        env: Mapping[str, str],
        config: Sequence[tuple[str, str]],
        timeout_s: float | None,
    ) -> GitResult:
        deadline_s = self._timeout_s if timeout_s is None else timeout_s
        try:
            process = subprocess.Popen(
                [self._executable, "--no-pager", *arguments],
                cwd=self.folder,
                env={**_environment((*_CONFIG, *config)), **env},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise GitUnavailable(f"git cannot be started: {error}", "check that git is installed") from error
        with process:
            try:
                stdout, stderr = process.communicate(stdin, timeout=deadline_s)
            except subprocess.TimeoutExpired as error:
                _end(process)
                raise DeadlineExceeded(
                    f"git {arguments[0]} took longer than {deadline_s:g} s", "try again later"
                ) from error
            except BaseException:
                _end(process)
                raise
        return GitResult(process.returncode, stdout, stderr.decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _environment(config: Sequence[tuple[str, str]]) -> dict[str, str]:
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


def _find_git() -> str:
    found = shutil.which("git")
    if found is None or not Path(found).is_absolute():  # relative: Windows found one in the current folder
        raise GitUnavailable("git is not installed", "install git, or switch write-back off")
    return found


@cache
def _usable_git(executable: str) -> str:
    try:
        shown = subprocess.run(
            [executable, "version"], env=_environment(()), capture_output=True, timeout=30, check=False
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
