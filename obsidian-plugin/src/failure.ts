/** What a failure says, wherever it comes from. */
import { typed } from "./command";
import { SidecarFailure } from "./sidecar/failure";
import { say } from "./words";

/** `SidecarFailure` is one, and so is the error of a `failed` event. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly retryable: boolean;
  /** What the program said last. */
  readonly details?: string;
}

export function asFailure(error: unknown): Failure {
  if (error instanceof SidecarFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message: say("failure.unknown", { message }), hint: "", retryable: false };
}

/** As one line of plain text. */
export function sayFailure({ message, hint }: Failure): string {
  return sayPlain(`${message} ${hint}`.trim());
}

/** Words with commands between backticks, these as they are to be typed. */
export function sayPlain(text: string): string {
  const parts = text.split("`");
  return parts.map((part, index) => (index % 2 === 0 ? part : typed(part))).join("");
}
