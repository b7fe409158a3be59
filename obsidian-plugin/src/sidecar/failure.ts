/** The one kind of failure that this folder throws: what happened, and what the person can do about it. */
import type { ErrorBody } from "../../../shared-schemas/zibaldone";
import { say, type Key, type Values } from "../words";

/** Failures that the plugin notices by itself; the others carry the sidecar's own code. */
export type LocalCode =
  | "zib_missing" // no program to start, or it cannot be run
  | "not_started" // starting automatically is off, or the plugin has been closed
  | "crashed" // it ended by itself
  | "gave_up" // too often
  | "unreachable" // nobody answers, or too late
  | "interrupted" // a stream ended without its last event
  | "protocol_mismatch"
  | "wrong_vault"
  | "bad_reply" // something that is not the wire
  | "busy"; // another zib command holds the vault

const RETRYABLE: ReadonlySet<string> = new Set<LocalCode>(["crashed", "unreachable", "interrupted", "busy"]);

/** Keys of words that have a hint beside them. */
type FailureWords = { [K in Key]: `${K}.hint` extends Key ? K : never }[Key];

/** `message` says what happened, `hint` what to do (may be empty), `details` what the program said last. */
export class SidecarFailure extends Error {
  override readonly name = "SidecarFailure";

  constructor(
    readonly code: string,
    message: string,
    readonly hint = "",
    readonly retryable = false,
    readonly details = "",
  ) {
    super(message);
  }

  /** What the sidecar reports, as it is. */
  static from(body: ErrorBody): SidecarFailure {
    return new SidecarFailure(body.code, body.message, body.hint, body.retryable);
  }
}

/** A failure in the plugin's own words: `words` and `words.hint`. */
export function fail(code: LocalCode, words: FailureWords, values: Values = {}, details = ""): SidecarFailure {
  return new SidecarFailure(code, say(words, values), say(`${words}.hint`, values), RETRYABLE.has(code), details);
}

/** Whether `error` only says that the caller aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
