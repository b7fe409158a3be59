"""Where the branch that is checked out comes from and goes to, as the repository's configuration names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zibaldone.errors import InvalidRequest
from zibaldone.vault.history.git import Git
from zibaldone.vault.history.network import check_address
from zibaldone.vault.history.state import Checkout


@dataclass(frozen=True, slots=True)
class Upstream:
    """`branch` is the full ref at the remote, `tracking` the ref here that keeps what it was last seen at. The
    addresses are as `network.check_address` gives them."""

    remote: str
    branch: str
    tracking: str
    fetch_from: str
    push_to: str


def find_upstream(git: Git, checkout: Checkout) -> Upstream | None:
    """The branch's own upstream; else the branch of the same name at `origin` or the only remote. None where there
    is no remote.

    Raises:
        InvalidRequest: no branch is checked out, it follows a branch of this repository, there are several remotes, or
            its address is not usable.
    """
    if checkout.branch is None:
        raise InvalidRequest("No branch is checked out.", "Check one out with `git switch`.")
    shown = git.run(
        "for-each-ref", "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)%00", checkout.branch
    )
    remote, branch, tracking = [*shown.fields(), "", "", ""][:3]
    if not remote:
        remotes = _values(git, "--name-only", "--get-regexp", r"^remote\..*\.url$")
        names = sorted({key.removeprefix("remote.").removesuffix(".url") for key in remotes})
        if not names:
            return None
        if len(names) > 1 and "origin" not in names:
            raise InvalidRequest(
                f"There are several remotes ({', '.join(names)}) and the branch follows none of them.",
                "Choose one with `git branch --set-upstream-to`.",
            )
        remote, branch = "origin" if "origin" in names else names[0], checkout.branch
    if remote == "." or not branch:
        raise InvalidRequest(
            "The branch follows no branch of a remote.", "Choose one with `git branch --set-upstream-to`."
        )
    name = checkout.branch.removeprefix("refs/heads/")
    fetched = _values(git, "--get", f"remote.{remote}.url")
    if not fetched:
        raise InvalidRequest(f"The remote {remote} has no address.", "Give it one with `git remote set-url`.")
    pushed = _values(git, "--get", f"remote.{remote}.pushurl") or fetched
    top = Path(git.folder, *[".."] * checkout.prefix.count("/"))
    return Upstream(
        remote=remote,
        branch=branch,
        tracking=tracking or f"refs/remotes/{remote}/{name}",
        fetch_from=check_address(fetched[-1], top),
        push_to=check_address(pushed[-1], top),
    )


def _values(git: Git, *query: str) -> list[str]:
    return git.run("config", "-z", *query, ok=(0, 1)).fields()
