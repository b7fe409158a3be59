"""The two git calls that leave the machine: fetch and push of one branch.

They need what every other call is denied: the person's own settings (`~/.gitconfig` and the system's, for credential
helpers, proxies, certificates and rewritten addresses), their ssh and its agent. So these calls never run in the
vault's repository, whose configuration could name a program or another server. They run in an empty repository of
our own that lasts as long as the call and uses the vault's objects; of the vault's configuration they get one
address, of a kind that is allowed, and the name of a branch. Nobody is asked for anything: no terminal, no askpass,
ssh in batch mode.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from zibaldone.errors import DeadlineExceeded, InvalidRequest, NetworkFailed
from zibaldone.vault.history.git import HARDENED, Git, GitResult, personal_environment, plain_environment
from zibaldone.vault.history.state import Checkout

_PROTOCOLS = "ssh:https:file"
_CONNECT_S = 10
# The person's own, from their files or the environment.
_THEIRS = ("credential.helper", "core.sshCommand")
_NETWORK: tuple[tuple[str, str], ...] = (
    *(one for one in HARDENED if one[0] not in _THEIRS),
    ("push.gpgSign", "false"),
    ("push.followTags", "false"),
    ("push.recurseSubmodules", "no"),
    ("http.followRedirects", "initial"),
)
_PASSED_ON = (
    "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "USER", "LOGNAME", "SSH_AUTH_SOCK", "GNUPGHOME", "DBUS_SESSION_BUS_ADDRESS",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy",
    "NO_PROXY", "all_proxy", "ALL_PROXY",
)  # fmt: skip
_NEVER_ASK = {"GCM_INTERACTIVE": "never", "SSH_ASKPASS_REQUIRE": "never"}
# At a file path the other side is a git that we start, in a repository that may have been prepared as well.
_AT_A_PATH = " ".join(
    [
        "git",
        *(f"-c {shlex.quote(f'{key}={value}')}" for key, value in (*HARDENED, ("receive.denyCurrentBranch", "refuse"))),
    ]
)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_SCP = re.compile(r"[^/:\\]{2,}:")
_NOT_THERE = "couldn't find remote ref"
_BEHIND = ("(fetch first)", "(non-fast-forward)", "(stale info)")


class Behind(Exception):
    """The remote has commits that we have not."""


def check_address(address: str, top: Path) -> str:
    """The address as git is to be given it; a path is made absolute from the work tree's `top`.

    Raises:
        InvalidRequest: a kind that is not allowed, or a repository inside the work tree, which the vault brought along.
    """
    if scheme := _SCHEME.match(address):
        if scheme[1].lower() not in _PROTOCOLS.split(":"):
            raise _refused(address)
        if scheme[1].lower() != "file":
            return address
        address = address[scheme.end() :]
    elif _SCP.match(address):
        if "::" in address:
            raise _refused(address)
        return address
    place = Path(top, address).resolve()
    if not address or place.is_relative_to(top.resolve()):
        raise InvalidRequest(
            f"The remote {redact(address)!r} lies inside the vault's own work tree.", "Keep it somewhere else."
        )
    return str(place)


def redact(address: str) -> str:
    """Without a user's name and password."""
    return re.sub(r"(?<=://)[^/@\s]*@", "", address)


def fetch(
    git: Git, checkout: Checkout, address: str, branch: str, known: Sequence[str], timeout_s: float
) -> str | None:
    """Bring the commits of a remote's branch into the vault's objects; its newest, None where there is no such branch.

    Args:
        address: as `check_address` gives it.
        known: commits that are here already.

    Raises:
        NetworkFailed: the remote is not reached within `timeout_s` or turns us away.
    """
    with _outside(git, checkout, known) as net:
        options = [f"--upload-pack={_AT_A_PATH} upload-pack"] if _is_path(address) else []
        result = net.call(
            address, timeout_s, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
            *options, "--", address, f"+{branch}:refs/theirs",
        )  # fmt: skip
        if result.code == 0:
            return net.run("rev-parse", "--verify", "refs/theirs").text
    if _NOT_THERE in result.stderr:
        return None
    raise _failed("fetch", address, result)


def push(git: Git, checkout: Checkout, address: str, branch: str, commit: str, timeout_s: float) -> None:
    """Move a remote's branch forward to `commit`, never back.

    Raises:
        Behind: it has commits that `commit` does not rest on.
        NetworkFailed: as `fetch`.
    """
    with _outside(git, checkout, [commit]) as net:
        options = [f"--receive-pack={_AT_A_PATH} receive-pack"] if _is_path(address) else []
        result = net.call(
            address, timeout_s, "push", "--quiet", "--porcelain", "--no-verify", *options, "--", address,
            f"{commit}:{branch}",
        )  # fmt: skip
    if result.code == 0:
        return
    if any(why in result.text for why in _BEHIND):
        raise Behind
    raise _failed("push", address, result)


class _NetworkGit(Git):
    """Runs in a repository of ours, as the person, towards one server."""

    def __init__(self, folder: Path, objects: Path) -> None:
        super().__init__(folder, personal=True)
        self._drivers = ()  # there is no configuration but the person's
        self._objects = objects

    def call(self, address: str, timeout_s: float, *arguments: str) -> GitResult:
        ssh = {} if _is_path(address) or address.lower().startswith("https:") else {"GIT_SSH_COMMAND": self._ssh()}
        try:
            return self.run(*arguments, env=ssh, ok=range(256), timeout_s=timeout_s)
        except DeadlineExceeded as error:
            raise NetworkFailed(
                f"{redact(address)} did not answer within {timeout_s:g} s.", "Try again later."
            ) from error

    def _ssh(self) -> str:
        """The person's ssh, told not to ask. Another program than OpenSSH is left as it is; it has no terminal."""
        chosen = os.environ.get("GIT_SSH_COMMAND") or self.run("config", "--get", "core.sshCommand", ok=(0, 1)).text
        command = chosen or "ssh"
        try:
            program = Path(shlex.split(command)[0]).name
        except (ValueError, IndexError):
            return command
        return f"{command} -o BatchMode=yes -o ConnectTimeout={_CONNECT_S}" if program == "ssh" else command

    def _environment(self, config: Sequence[tuple[str, str]]) -> dict[str, str]:
        env = personal_environment(plain_environment((*_NETWORK, *config)))
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        place = {"GIT_DIR": str(self.folder), "GIT_OBJECT_DIRECTORY": str(self._objects)}
        return {**env, **passed_on, **_NEVER_ASK, **place, "GIT_ALLOW_PROTOCOL": _PROTOCOLS}


@contextlib.contextmanager
def _outside(git: Git, checkout: Checkout, known: Sequence[str]) -> Iterator[_NetworkGit]:
    """An empty repository with the vault's objects, which has `known` to tell the other side of."""
    if (checkout.common_dir / "shallow").exists() or "extensions.partialclone" in git.keys:
        raise InvalidRequest(
            "This repository is a shallow or partial clone, which Zibaldone does not pull into or push from.",
            "Fetch the rest of it with `git fetch --unshallow`, or use git itself.",
        )
    with tempfile.TemporaryDirectory(prefix="zibaldone-git-") as name:
        place = Path(name)
        is_sha1 = checkout.algorithm == "sha1"
        extensions = "" if is_sha1 else f"[extensions]\n\tobjectFormat = {checkout.algorithm}\n"
        config = f"[core]\n\trepositoryformatversion = {int(not is_sha1)}\n\tbare = true\n{extensions}"
        (place / "config").write_text(config, encoding="ascii")
        (place / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        (place / "refs/known").mkdir(parents=True)
        for number, commit in enumerate(known):
            (place / f"refs/known/{number}").write_text(f"{commit}\n", encoding="ascii")
        yield _NetworkGit(place, checkout.common_dir / "objects")


def _is_path(address: str) -> bool:
    return address.startswith("/") or (os.name == "nt" and Path(address).is_absolute())


def _refused(address: str) -> InvalidRequest:
    return InvalidRequest(
        f"The remote {redact(address)!r} is of a kind that Zibaldone does not use.", "Give it an ssh or https address."
    )


def _failed(what: str, address: str, result: GitResult) -> NetworkFailed:
    refused = [line for line in result.text.splitlines() if line.startswith("!")]
    said = [line for line in result.stderr.splitlines() if line.strip() and not line.lower().startswith("warning:")]
    told = next(iter([*refused, *said]), "")
    reason = redact(" ".join(told.split())) or f"exit code {result.code}"
    return NetworkFailed(
        f"git could not {what} with {redact(address)}: {reason}",
        "Run the same with git itself; Zibaldone never asks for a password or passphrase.",
    )
