/**
 * What came over the wire, looked at just closely enough that nothing later trips over a wrong shape. The types are the
 * contract; both sides know by the handshake that they share it.
 */
import type {
  AskEventLine,
  BuildEventLine,
  ErrorBody,
  Handshake,
  RunFile,
  SyncEventLine,
} from "../../../shared-schemas/zibaldone";

type Kind = "string" | "number" | "boolean" | "object" | "array";
export type Shape = Readonly<Record<string, Kind>>;
type EventLine = AskEventLine | SyncEventLine | BuildEventLine;

const ERROR: Shape = { code: "string", message: "string", hint: "string", retryable: "boolean" };
const HANDSHAKE: Shape = { product: "string", protocol: "number", version: "string", vault: "string", pid: "number" };
const RUN_FILE: Shape = { url: "string", token_file: "string", pid: "number", protocol: "number", version: "string" };
const ANSWER: Shape = {
  memory_used: "array",
  remembered: "array",
  question: "string",
  answer: "string",
  abstained: "boolean",
  citations: "array",
  unsupported_claims: "array",
  hits: "array",
  truncated: "array",
  notes: "array",
};
export const REMEMBERED: Shape = {
  entry: "object",
  path: "string",
  already: "boolean",
  unsure: "boolean",
  retired: "array",
  conflicts: "array",
};
const REPORT: Shape = { added: "number", changed: "number", deleted: "number", skipped: "array", notes: "array" };

const BUILT: Shape = { read: "number", left: "number", events: "number", concepts: "number", failed: "array" };

const EVENTS: Record<EventLine["type"], (event: Record<string, unknown>) => boolean> = {
  queued: (event) => hasShape(event, { ahead: "number" }),
  started: (event) => hasShape(event, { turn_id: "string", model: "string" }),
  retrieved: (event) => hasShape(event, { hits: "array" }),
  token: (event) => hasShape(event, { text: "string" }),
  notice: (event) => hasShape(event, { message: "string" }),
  remembered: (event) => hasShape(event.remembered, REMEMBERED),
  answered: (event) => hasShape(event.answer, ANSWER),
  progress: (event) => hasShape(event, { stage: "string", done: "number", total: "number", unit: "string" }),
  synced: (event) => hasShape(event.report, REPORT),
  built: (event) => hasShape(event.report, BUILT),
  failed: (event) => hasShape(event.error, ERROR),
  cancelled: () => true,
};
const TERMINAL: ReadonlySet<string> = new Set<EventLine["type"]>([
  "answered",
  "synced",
  "built",
  "failed",
  "cancelled",
]);

/** Only a literal loopback address is ever sent the token. */
const LOOPBACK_URL = /^http:\/\/(127\.0\.0\.1|\[::1\]):\d{1,5}$/;

export function hasShape(value: unknown, shape: Shape): value is Record<string, unknown> {
  return isRecord(value) && Object.entries(shape).every(([key, kind]) => kindOf(value[key]) === kind);
}

/** `unknown` for an event that a newer sidecar added, `invalid` for one that is not as it should be. */
export function checkEvent(value: unknown): "event" | "last event" | "unknown" | "invalid" {
  if (!hasShape(value, { type: "string" })) return "invalid";
  const type = value.type as string;
  if (!Object.hasOwn(EVENTS, type)) return "unknown";
  if (!EVENTS[type as EventLine["type"]](value)) return "invalid";
  return TERMINAL.has(type) ? "last event" : "event";
}

export function isHandshake(value: unknown): value is Handshake {
  return hasShape(value, HANDSHAKE) && value.product === "zibaldone";
}

export function isRunFile(value: unknown): value is RunFile {
  return hasShape(value, RUN_FILE) && LOOPBACK_URL.test(value.url as string);
}

/** The error of an `ErrorResponse`, or null where `text` is none. */
export function readError(text: string): ErrorBody | null {
  const value = parseJson(text);
  return isRecord(value) && hasShape(value.error, ERROR) ? (value.error as unknown as ErrorBody) : null;
}

/** Undefined where `text` is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === "object";
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}
