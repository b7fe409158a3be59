"""The one exception tree.

Every leaf carries a stable `code`, a message with the offending value in it and a hint that says what to
do next. Edges map it once: `api` to an HTTP status or a `failed` event, `cli` to an exit code. Expected
outcomes (a skipped note, an abstention, a queued commit) are values elsewhere, never exceptions.
"""

from __future__ import annotations

from typing import ClassVar


class ZibaldoneError(Exception):
    """Base of every failure that a person may be shown.

    Args:
        message: one sentence that names the thing and its value.
        hint: one sentence that says what to do about it.
    """

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidRequest(ZibaldoneError):
    """The request, flag or argument cannot be used as given."""

    code = "invalid_request"
    status = 400


class NotFound(ZibaldoneError):
    """The named note, model, conversation or change does not exist."""

    code = "not_found"
    status = 404


class NeedsConfirmation(ZibaldoneError):
    """A question would have to be asked, but nobody is there to answer it."""

    code = "needs_confirmation"
    status = 409


class VaultNotFound(ZibaldoneError):
    """No vault at or above the given folder."""

    code = "vault_not_found"
    status = 404


class PathOutsideVault(ZibaldoneError):
    """A path points outside the vault or at something excluded."""

    code = "path_outside_vault"
    status = 403


class VaultBusy(ZibaldoneError):
    """Another process owns the vault and this one cannot go through it."""

    code = "vault_busy"
    status = 409
    retryable = True


class VaultChanged(ZibaldoneError):
    """The file on disk is not the version that the change was based on."""

    code = "vault_changed"
    status = 409
    retryable = True


class VaultUnwritable(ZibaldoneError):
    """The system lets nothing be written where the vault is."""

    code = "vault_unwritable"
    status = 507


class WritebackError(ZibaldoneError):
    """An answer was given and could not be recorded in the vault."""

    code = "writeback_failed"
    status = 500


class UndoRefused(ZibaldoneError):
    """A change cannot be taken back without touching what was written since."""

    code = "undo_refused"
    status = 409


class TargetMissing(NotFound):
    """What an edit aims at is not in the note. The hint lists what is."""

    code = "target_missing"


class TargetAmbiguous(ZibaldoneError):
    """What an edit aims at is there more than once. The hint lists where."""

    code = "target_ambiguous"
    status = 409


class NotEditable(ZibaldoneError):
    """The note, or this part of it, cannot be changed without touching more than was asked."""

    code = "not_editable"
    status = 422


class GitUnavailable(ZibaldoneError):
    """git is missing or refused."""

    code = "git_unavailable"
    status = 503


class ModelMissing(ZibaldoneError):
    """A role has no usable model on this machine."""

    code = "model_missing"
    status = 503


class ModelInvalid(ZibaldoneError):
    """A model file is damaged or is not what the catalogue says."""

    code = "model_invalid"
    status = 422


class ModelFailed(ZibaldoneError):
    """The model's worker died or answered with an error."""

    code = "model_failed"
    status = 503
    retryable = True


class ReaderUnavailable(ZibaldoneError):
    """The process that files other than notes are read in cannot be started."""

    code = "reader_unavailable"
    status = 503
    retryable = True


class DeadlineExceeded(ZibaldoneError):
    """The work took longer than its deadline and was stopped."""

    code = "deadline_exceeded"
    status = 504
    retryable = True


class DownloadFailed(ZibaldoneError):
    """A download or its checksum failed."""

    code = "download_failed"
    status = 502
    retryable = True


class VectorServerFailed(ZibaldoneError):
    """The Chroma server that the person named does not answer, or answers with an error."""

    code = "vector_server_failed"
    status = 503
    retryable = True


class StoreDamaged(ZibaldoneError):
    """A database cannot be read."""

    code = "store_damaged"
    status = 500


class StoreClosed(ZibaldoneError):
    """The program is ending; the work goes on at the next start."""

    code = "store_closed"
    status = 503
    retryable = True


class StoreNewer(StoreDamaged):
    """A database was written by a newer version of this program."""

    code = "store_newer"


class ProtocolMismatch(ZibaldoneError):
    """The two sides speak different protocol versions."""

    code = "protocol_mismatch"
    status = 426


class Unauthorized(ZibaldoneError):
    """The request lacks the token, or comes from a Host or Origin that is not served."""

    code = "unauthorized"
    status = 401


class PullRefused(ZibaldoneError):
    """What the remote has cannot be brought into the vault without touching something of the person's."""

    code = "pull_refused"
    status = 409


class NetworkFailed(ZibaldoneError):
    """The git remote was not reached, or turned us away."""

    code = "network_failed"
    status = 502
    retryable = True
