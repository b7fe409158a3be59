"""Pull and push: the vault's branch and that of its git remote.

Only what the person runs reaches the network, or what they set in this machine's settings, and by itself only an
address that they have pulled from or pushed to by a command before: a repository that came from somewhere else names a
server of its own. Nothing is left half done: commits are joined as objects first, and the vault is brought there
whole, or not at all (`writer.adopt`).
"""

from __future__ import annotations

import json
import logging
import threading
from datetime import datetime
from pathlib import Path

from zibaldone.config.settings import Settings
from zibaldone.errors import GitUnavailable, InvalidRequest, PullRefused, ZibaldoneError
from zibaldone.runtime.writer import Incoming, VaultWriter
from zibaldone.schemas.exchange import Pulled, Pushed
from zibaldone.vault.history.commit import REFLOG_IDENTITY, CommitEngine
from zibaldone.vault.history.entries import Entry
from zibaldone.vault.history.git import Git, GitFailed
from zibaldone.vault.history.network import Behind, fetch, push, redact
from zibaldone.vault.history.past import read_blobs
from zibaldone.vault.history.replay import changed_entries, find_converted, join
from zibaldone.vault.history.state import Checkout, RepositoryState, checkout_state
from zibaldone.vault.history.upstream import Upstream, find_upstream

log = logging.getLogger(__name__)

_COMMAND_S = 120.0  # a command waits for a slow network
_AFTER_TURN_S = 30.0
_FILE_MODES = ("100644", "100755")
_LISTED = 5


class Exchange:
    """For one vault; one pull or push at a time.

    Args:
        known: the file that keeps the addresses that the person has used.
    """

    def __init__(self, writer: VaultWriter, settings: Settings, known: Path) -> None:
        self._writer = writer
        self._settings = settings
        self._known = known
        self._one_at_a_time = threading.Lock()

    def pull(self, now: datetime) -> Pulled:
        """What `zib pull` does.

        Raises:
            InvalidRequest: read-only mode, or there is no remote that can be used.
            NetworkFailed: it is not reached, or turns us away.
            PullRefused: it cannot be joined with what is here; nothing was changed.
            GitUnavailable, VaultBusy: as `writer.adopt`.
        """
        with self._one_at_a_time:
            checkout, upstream = self._open()
            pulled = self._pull(checkout, upstream, now, _COMMAND_S)
            self._remember(upstream.fetch_from)
            return pulled

    def push(self, now: datetime) -> Pushed:
        """What `zib push` does; where the remote has commits that are not here, a pull first, once.

        Raises:
            As `pull`.
        """
        with self._one_at_a_time:
            checkout, upstream = self._open()
            pushed = self._push(checkout, upstream, now, _COMMAND_S)
            self._remember(upstream.push_to)
            return pushed

    def pull_for_turn(self, now: datetime) -> tuple[Pulled | None, str | None]:
        """A pull before a question where the settings want one, and a sentence where it came to nothing. It waits for
        the network no longer than `git.wait_s`, and not at all for a pull or push that is under way."""
        if not self._settings.git.pull or self._settings.read_only:
            return None, None
        if not self._one_at_a_time.acquire(blocking=False):
            return None, None
        try:
            checkout, upstream = self._open()
            self._require_known(upstream.fetch_from, "pull")
            return self._pull(checkout, upstream, now, self._settings.git.wait_s), None
        except (ZibaldoneError, OSError) as error:
            return None, f"Nothing was pulled: {_sentence(error)}"
        finally:
            self._one_at_a_time.release()

    def push_after_turn(self, now: datetime) -> str | None:
        """A push after an answer where the settings want one; a sentence where it failed."""
        if not self._settings.git.push or self._settings.read_only:
            return None
        with self._one_at_a_time:
            try:
                checkout, upstream = self._open()
                self._require_known(upstream.push_to, "push")
                self._push(checkout, upstream, now, _AFTER_TURN_S)
            except (ZibaldoneError, OSError) as error:
                return f"Nothing was pushed: {_sentence(error)}"
        return None

    # -- the steps -------------------------------------------------------------------------------------

    def _open(self) -> tuple[Checkout, Upstream]:
        if self._settings.read_only:
            raise InvalidRequest("Nothing in the vault is changed in read-only mode.", "Set read_only = false.")
        self._writer.drain()
        engine = self._writer.repository()
        checkout = _look(engine)
        upstream = find_upstream(engine.git, checkout)
        if upstream is None:
            raise InvalidRequest("The repository has no remote.", "Add one with `git remote add origin ADDRESS`.")
        return checkout, upstream

    def _pull(self, checkout: Checkout, upstream: Upstream, now: datetime, timeout_s: float) -> Pulled:
        git = self._writer.repository().git
        seen = git.run("rev-parse", "--quiet", "--verify", f"{upstream.tracking}^{{commit}}", ok=(0, 1)).text
        known = sorted({commit for commit in (checkout.head, seen) if commit})
        theirs = fetch(git, checkout, upstream.fetch_from, upstream.branch, known, timeout_s)
        received = replayed = 0
        paths: list[str] = []
        head = checkout.head
        if theirs is not None:
            _track(git, upstream, theirs)
            joined = join(git, checkout, theirs, self._settings.folder, now)
            received, replayed = joined.received, joined.replayed
            if joined.tip != head:
                message = f"pull: {received} from {upstream.remote}"
                incoming = self._incoming(git, checkout, joined.tip, message)
                self._writer.adopt(incoming, now)
                head, paths = joined.tip, sorted(incoming.files)
        return Pulled(
            remote=redact(upstream.fetch_from),
            branch=upstream.branch.removeprefix("refs/heads/"),
            received=received,
            replayed=replayed,
            paths=paths,
            commit=head,
        )

    def _push(self, checkout: Checkout, upstream: Upstream, now: datetime, timeout_s: float) -> Pushed:
        pulled: Pulled | None = None
        git = self._writer.repository().git
        for attempt in range(2):
            if checkout.head is None:
                raise InvalidRequest("There is no commit to push.", "Run `zib init`, or commit something.")
            try:
                push(git, checkout, upstream.push_to, upstream.branch, checkout.head, timeout_s)
            except Behind:
                if attempt:
                    raise PullRefused("The remote's branch keeps moving; nothing was pushed.", "Try again.") from None
                pulled = self._pull(checkout, upstream, now, timeout_s)
                checkout = _look(self._writer.repository())
            else:
                break
        assert checkout.head is not None
        seen = git.run("rev-parse", "--quiet", "--verify", f"{upstream.tracking}^{{commit}}", ok=(0, 1)).text
        sent = git.run("rev-list", "--count", checkout.head, *([f"^{seen}"] if seen else [])).text
        _track(git, upstream, checkout.head)
        return Pushed(
            remote=redact(upstream.push_to),
            branch=upstream.branch.removeprefix("refs/heads/"),
            sent=int(sent),
            commit=checkout.head,
            pulled=pulled,
        )

    def _incoming(self, git: Git, checkout: Checkout, tip: str, message: str) -> Incoming:
        entries = changed_entries(git, checkout.head, tip)
        _refuse(
            sorted(path for path in entries if not path.startswith(checkout.prefix)),
            "changes files outside of the vault",
        )
        both = {path: [one for one in pair if one] for path, pair in entries.items()}
        _refuse(
            sorted(path for path, some in both.items() if any(one.mode not in _FILE_MODES for one in some)),
            "changes links or submodules",
        )
        _refuse(
            sorted(path for path, (was, new) in entries.items() if new and _is_executable(new) != _is_executable(was)),
            "changes what may be executed",
        )
        _refuse(find_converted(git, checkout, sorted(entries)), "changes files that git converts (filters, line ends)")
        blobs = read_blobs(git, {one.object_id for some in both.values() for one in some})

        def content(entry: Entry | None) -> bytes | None:
            return None if entry is None else blobs[entry.object_id]

        files = {path.removeprefix(checkout.prefix): (content(a), content(b)) for path, (a, b) in entries.items()}
        return Incoming(checkout, tip, entries, files, message)

    # -- addresses that the person has used ------------------------------------------------------------

    def _require_known(self, address: str, command: str) -> None:
        if address not in self._addresses():
            raise InvalidRequest(
                f"{redact(address)} is new here, and nothing goes to a new address by itself.",
                f"Run `zib {command}` once.",
            )

    def _addresses(self) -> list[str]:
        try:
            kept = json.loads(self._known.read_text(encoding="utf-8"))
            return [str(one) for one in kept] if isinstance(kept, list) else []
        except (OSError, ValueError):
            return []

    def _remember(self, address: str) -> None:
        if address not in (known := self._addresses()):
            temporary = self._known.with_suffix(".tmp")
            temporary.write_text(json.dumps([*known, address]), encoding="utf-8")
            temporary.replace(self._known)


def _look(engine: CommitEngine) -> Checkout:
    found = engine.look()
    state = found if isinstance(found, RepositoryState) else checkout_state(found)
    if isinstance(found, RepositoryState) or not state.can_commit:
        raise GitUnavailable(f"Now is no time to pull or push: {state.sentence}.", "Try again when it is over.")
    return found


def _track(git: Git, upstream: Upstream, commit: str) -> None:
    """What `git status` compares with; nothing depends on it here."""
    try:
        git.run("update-ref", "-m", "zib: seen at the remote", upstream.tracking, commit, env=REFLOG_IDENTITY)
    except GitFailed as error:
        log.warning("%s was not moved: %s", upstream.tracking, error.message)


def _is_executable(entry: Entry | None) -> bool:
    return entry is not None and entry.mode == _FILE_MODES[1]


def _refuse(paths: list[str], what: str) -> None:
    if paths:
        more = f" and {len(paths) - _LISTED} more" if len(paths) > _LISTED else ""
        raise PullRefused(
            f"The remote {what}: {', '.join(paths[:_LISTED])}{more}; nothing was changed here.",
            "Pull with git itself (`git pull --rebase`).",
        )


def _sentence(error: ZibaldoneError | OSError) -> str:
    return " ".join(f"{error.message} {error.hint}".split()) if isinstance(error, ZibaldoneError) else str(error)
