/** The sidecar's HTTP API, typed by the wire. Knows nothing of who started the sidecar. */
import {
  PROTOCOL,
  type Agenda,
  type AgendaRequest,
  type AskEventLine,
  type AskRequest,
  type BuildEventLine,
  type BuildRequest,
  type Changes,
  type ChangesAccepted,
  type ConceptNotesWritten,
  type Concepts,
  type ConfigReport,
  type Conversation,
  type Conversations,
  type Coverage,
  type Decided,
  type Decision,
  type Deleted,
  type DoctorReport,
  type Drift,
  type EditMemoryRequest,
  type Evolution,
  type EvolutionRequest,
  type Forgetting,
  type Forgotten,
  type Graded,
  type GradeRequest,
  type Handshake,
  type Health,
  type HunkEdit,
  type IngestReport,
  type IngestRequest,
  type Jobs,
  type Memory,
  type MemoryHistory,
  type MemoryStats,
  type Proposal,
  type Proposals,
  type Recall,
  type RecallRequest,
  type RelatedNotes,
  type Remembered,
  type RememberRequest,
  type Rules,
  type SearchRequest,
  type SearchResponse,
  type Status,
  type Suggested,
  type SyncEventLine,
  type SyncRequest,
  type SyncState,
  type Timeline,
  type TouchRequest,
  type Undone,
  type Usage,
} from "../../../shared-schemas/zibaldone";
import { reasonOf, windowClock, within, type Clock } from "./clock";
import { fail, SidecarFailure } from "./failure";
import { decodeLines } from "./ndjson";
import { checkEvent, hasShape, isHandshake, parseJson, readError, REMEMBERED, type Shape } from "./wire";

export interface ClientOptions {
  /** `http://127.0.0.1:PORT` or `http://[::1]:PORT`. */
  url: string;
  token: string;
  fetch?: typeof window.fetch;
  clock?: Clock;
  /** Called when a request finds nobody, or somebody else, where the sidecar was. */
  onLost?: (failure: SidecarFailure) => void;
}

const CONVERSATION: Shape = { id: "string", title: "string", messages: "array" };
/** A first search may have to wait for a model to load. */
const ANSWER_MS = 180_000;
/** A first look at a long history, or a document that is read by a model. */
const HISTORY_MS = 1_800_000;
const STATS: Shape = { state: "string", sources: "number", read: "number", left: "number", failed: "array" };
const PROPOSAL: Shape = { id: "number", files: "array", revision: "number" };

/**
 * Every method throws `SidecarFailure`, and the signal's reason (an `AbortError`) once its signal is aborted.
 *
 * The streams yield events up to and including exactly one terminal event. Aborting the signal, or leaving the loop,
 * closes the connection; that is what stops the sidecar's compute. After an abort the loop throws the `AbortError`.
 */
export class SidecarClient {
  readonly #options: ClientOptions;
  readonly #fetch: typeof window.fetch;

  constructor(options: ClientOptions) {
    this.#options = options;
    // Not `requestUrl`, which can neither stream nor be aborted. It goes to the loopback address only.
    this.#fetch = options.fetch ?? window.fetch.bind(window);
  }

  async handshake(signal?: AbortSignal): Promise<Handshake> {
    const reply = await this.#call("GET", "/v1/handshake", {}, signal);
    if (!isHandshake(reply)) throw fail("bad_reply", "sidecar.badReply");
    return reply;
  }

  health(signal?: AbortSignal): Promise<Health> {
    return this.#call("GET", "/v1/health", { ok: "boolean" }, signal);
  }

  status(signal?: AbortSignal): Promise<Status> {
    const shape: Shape = { notes: "object", skipped: "array", problems: "array", models: "object", git: "object" };
    return this.#call("GET", "/v1/status", shape, signal);
  }

  config(signal?: AbortSignal): Promise<ConfigReport> {
    return this.#call("GET", "/v1/config", { settings: "object", warnings: "array" }, signal);
  }

  /** Settings of this device by their dotted keys; they hold from the sidecar's next start on. */
  changeConfig(values: Record<string, unknown>, signal?: AbortSignal): Promise<ConfigReport> {
    return this.#call("POST", "/v1/config", { settings: "object", warnings: "array" }, signal, { values });
  }

  coverage(signal?: AbortSignal): Promise<Coverage> {
    const shape: Shape = { indexed: "array", pending: "array", skipped: "array", failed: "array", problems: "array" };
    return this.#call("GET", "/v1/coverage", shape, signal);
  }

  doctor(signal?: AbortSignal): Promise<DoctorReport> {
    return this.#call("GET", "/v1/doctor", { findings: "array" }, signal);
  }

  jobs(signal?: AbortSignal): Promise<Jobs> {
    return this.#call("GET", "/v1/jobs", { jobs: "array" }, signal);
  }

  /** The latest first; with `words` those that hold them. */
  conversations(words = "", signal?: AbortSignal): Promise<Conversations> {
    const path = `/v1/conversations?q=${encodeURIComponent(words)}`;
    return this.#call("GET", path, { conversations: "array" }, signal);
  }

  conversation(id: string, signal?: AbortSignal): Promise<Conversation> {
    return this.#call("GET", `/v1/conversations/${encodeURIComponent(id)}`, CONVERSATION, signal);
  }

  renameConversation(id: string, title: string, signal?: AbortSignal): Promise<Conversation> {
    return this.#call("POST", `/v1/conversations/${encodeURIComponent(id)}`, CONVERSATION, signal, { title });
  }

  deleteConversation(id: string, signal?: AbortSignal): Promise<Deleted> {
    return this.#call("DELETE", `/v1/conversations/${encodeURIComponent(id)}`, { deleted: "number" }, signal);
  }

  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResponse> {
    return this.#call("POST", "/v1/search", { abstain: "boolean", hits: "array", notes: "array" }, signal, request);
  }

  /** Notes near to the one at `path`; no model is asked. */
  related(path: string, k: number, signal?: AbortSignal): Promise<RelatedNotes> {
    return this.#call("POST", "/v1/related", { notes: "array", waiting: "boolean" }, signal, { path, k });
  }

  evolution(request: EvolutionRequest, signal?: AbortSignal): Promise<Evolution> {
    return this.#call("POST", "/v1/evolution", { steps: "array", citations: "array" }, signal, request, HISTORY_MS);
  }

  /** Copies and reads files of this machine, by absolute paths. */
  ingest(request: IngestRequest, signal?: AbortSignal): Promise<IngestReport> {
    return this.#call("POST", "/v1/sources", { files: "array" }, signal, request, HISTORY_MS);
  }

  /** Whether what changes in the vault is left for later. */
  pause(paused: boolean, signal?: AbortSignal): Promise<SyncState> {
    return this.#call("POST", "/v1/sync/pause", { state: "string" }, signal, { paused });
  }

  /** Vault-relative paths that may have changed. */
  noteChanges(paths: string[], signal?: AbortSignal): Promise<ChangesAccepted> {
    return this.#call("POST", "/v1/vault/changes", { accepted: "number" }, signal, { paths });
  }

  remember(request: RememberRequest, signal?: AbortSignal): Promise<Remembered> {
    return this.#call("POST", "/v1/memory", REMEMBERED, signal, request);
  }

  /** What is remembered; with `all` what faded, was replaced or struck out too. */
  memory(all = false, signal?: AbortSignal): Promise<Memory> {
    const shape: Shape = { entries: "array", expired: "array", problems: "array" };
    return this.#call("GET", all ? "/v1/memory?all=1" : "/v1/memory", shape, signal);
  }

  editMemory(id: string, request: EditMemoryRequest, signal?: AbortSignal): Promise<Remembered> {
    return this.#call("POST", `/v1/memory/${encodeURIComponent(id)}`, REMEMBERED, signal, request);
  }

  forgetMemory(ids: string[], signal?: AbortSignal): Promise<Forgotten> {
    const shape: Shape = { entries: "array", places: "array", history: "array", notes: "array" };
    return this.#call("POST", "/v1/memory/forget", shape, signal, { ids });
  }

  /** Retires what does not go together with the entry `id`. */
  keepMemory(id: string, over: string[] = [], signal?: AbortSignal): Promise<Remembered> {
    return this.#call("POST", `/v1/memory/${encodeURIComponent(id)}/keep`, REMEMBERED, signal, { over });
  }

  /** What happened to one entry and those that it replaced, or to all. */
  memoryHistory(id: string | null, signal?: AbortSignal): Promise<MemoryHistory> {
    const query = id === null ? "" : `?id=${encodeURIComponent(id)}`;
    return this.#call("GET", `/v1/memory/history${query}`, { events: "array" }, signal);
  }

  rules(signal?: AbortSignal): Promise<Rules> {
    return this.#call("GET", "/v1/rules", { rules: "array" }, signal);
  }

  /** How far the memory of the vault is. */
  memoryStats(signal?: AbortSignal): Promise<MemoryStats> {
    return this.#call("GET", "/v1/memory-stats", STATS, signal);
  }

  /** Whether the memory of the vault builds itself. */
  pauseBuilding(paused: boolean, signal?: AbortSignal): Promise<MemoryStats> {
    return this.#call("POST", "/v1/memory-stats/pause", STATS, signal, { paused });
  }

  /** Closing the connection stops it; what was read is kept. */
  buildMemory(request: BuildRequest, signal: AbortSignal): AsyncGenerator<BuildEventLine, void> {
    return this.#stream<BuildEventLine>("/v1/build-memory", request, signal);
  }

  /** The most important first. */
  concepts(top: number, signal?: AbortSignal): Promise<Concepts> {
    return this.#call("GET", `/v1/concepts?top=${top}`, { concepts: "array", total: "number" }, signal);
  }

  /** A note for each concept and episode, in one commit. */
  writeConceptNotes(signal?: AbortSignal): Promise<ConceptNotesWritten> {
    const shape: Shape = { written: "number", removed: "number", unchanged: "number" };
    return this.#call("POST", "/v1/concepts/notes", shape, signal, {});
  }

  /** The newest `top` episodes, the oldest of them first; those of no day at the end. */
  timeline(top: number, signal?: AbortSignal): Promise<Timeline> {
    return this.#call("GET", `/v1/timeline?top=${top}`, { timeline: "array", total: "number" }, signal);
  }

  drift(top: number, signal?: AbortSignal): Promise<Drift> {
    return this.#call("GET", `/v1/drift?top=${top}`, { drift: "array", total: "number" }, signal);
  }

  /** What is slipping away, the most at risk first. */
  forgetting(top: number, signal?: AbortSignal): Promise<Forgetting> {
    return this.#call("GET", `/v1/forgetting?top=${top}`, { forgetting: "array", total: "number" }, signal);
  }

  /** Cards that are due; a model may write them first. */
  recall(request: RecallRequest, signal?: AbortSignal): Promise<Recall> {
    return this.#call("POST", "/v1/recall", { recall: "array", total: "number" }, signal, request, HISTORY_MS);
  }

  gradeCard(card: string, grade: GradeRequest["grade"], signal?: AbortSignal): Promise<Graded> {
    return this.#call("POST", `/v1/recall/${encodeURIComponent(card)}`, { due: "string" }, signal, { grade });
  }

  /** That something was opened; counted where the person wants that. */
  touch(request: TouchRequest, signal?: AbortSignal): Promise<Usage> {
    return this.#call("POST", "/v1/usage", { usage: "array" }, signal, request);
  }

  proposals(signal?: AbortSignal): Promise<Proposals> {
    return this.#call("GET", "/v1/proposals", { proposals: "array" }, signal);
  }

  proposal(id: number, signal?: AbortSignal): Promise<Proposal> {
    return this.#call("GET", `/v1/proposals/${id}`, PROPOSAL, signal);
  }

  editProposal(id: number, edit: HunkEdit, signal?: AbortSignal): Promise<Proposal> {
    return this.#call("POST", `/v1/proposals/${id}/edit`, PROPOSAL, signal, edit);
  }

  decide(id: number, verdict: "apply" | "reject", decision: Decision, signal?: AbortSignal): Promise<Decided> {
    return this.#call("POST", `/v1/proposals/${id}/${verdict}`, { proposal: "object" }, signal, decision);
  }

  suggestLinks(path: string, signal?: AbortSignal): Promise<Suggested> {
    return this.#call("POST", "/v1/links/suggest", {}, signal, { path });
  }

  /** The newest first. */
  changes(limit: number, signal?: AbortSignal): Promise<Changes> {
    return this.#call("GET", `/v1/changes?limit=${limit}`, { changes: "array" }, signal);
  }

  /** Takes back one change of the vault. */
  undo(change: number, signal?: AbortSignal): Promise<Undone> {
    return this.#call("POST", "/v1/undo", { change: "number", paths: "array" }, signal, { change });
  }

  agenda(request: AgendaRequest, signal?: AbortSignal): Promise<Agenda> {
    return this.#call("POST", "/v1/agenda", { today: "string", until: "string", items: "array" }, signal, request);
  }

  ask(request: AskRequest, signal: AbortSignal): AsyncGenerator<AskEventLine, void> {
    return this.#stream<AskEventLine>("/v1/ask", request, signal);
  }

  /** Closing the connection stops watching only; the sync goes on. */
  sync(request: SyncRequest, signal: AbortSignal): AsyncGenerator<SyncEventLine, void> {
    return this.#stream<SyncEventLine>("/v1/sync", request, signal);
  }

  /** One document, within a bound that only a sidecar that hangs reaches. */
  async #call<T>(
    method: string,
    path: string,
    shape: Shape,
    signal?: AbortSignal,
    body?: object,
    answerMs = ANSWER_MS,
  ): Promise<T> {
    const connection = new AbortController();
    const late = () => this.#noted(fail("unreachable", "sidecar.unreachable"));
    const work = this.#readDocument<T>(method, path, shape, connection.signal, body);
    try {
      return await within(this.#options.clock ?? windowClock, answerMs, work, late, signal);
    } finally {
      connection.abort();
    }
  }

  async #readDocument<T>(method: string, path: string, shape: Shape, signal: AbortSignal, body?: object): Promise<T> {
    const response = await this.#request(method, path, signal, body);
    const reply = parseJson(await this.#readText(response, signal));
    if (!hasShape(reply, shape)) throw fail("bad_reply", "sidecar.badReply");
    return reply as T;
  }

  async *#stream<E>(path: string, body: object, signal: AbortSignal): AsyncGenerator<E, void> {
    const connection = new AbortController();
    const abort = () => connection.abort(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      if (signal.aborted) throw reasonOf(signal);
      const response = await this.#request("POST", path, connection.signal, body);
      if (!response.body) throw fail("interrupted", "sidecar.interrupted");
      // Not left to fetch's own signal: Node's forgets it once the response is there and memory is collected.
      for await (const value of decodeLines(response.body, signal)) {
        if (signal.aborted) throw reasonOf(signal); // what had come already is not wanted any more
        const found = checkEvent(value);
        if (found === "invalid") throw fail("bad_reply", "sidecar.badReply");
        if (found === "unknown") continue;
        yield value as E;
        if (found === "last event") return;
      }
      throw fail("interrupted", "sidecar.interrupted");
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal);
      throw this.#noted(error instanceof SidecarFailure ? error : fail("interrupted", "sidecar.interrupted"));
    } finally {
      signal.removeEventListener("abort", abort);
      connection.abort();
    }
  }

  /** A response that is no refusal. */
  async #request(method: string, path: string, signal: AbortSignal, body?: object): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(this.#options.url + path, {
        method,
        signal,
        headers: {
          Authorization: `Bearer ${this.#options.token}`,
          "X-Zibaldone-Protocol": String(PROTOCOL),
          ...(body ? { "Content-Type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        cache: "no-store",
        credentials: "omit",
        redirect: "error", // our server never redirects: a stranger on its port cannot send the token elsewhere
      });
    } catch {
      if (signal.aborted) throw reasonOf(signal);
      throw this.#noted(fail("unreachable", "sidecar.unreachable"));
    }
    if (response.ok) return response;
    const error = readError(await this.#readText(response, signal));
    throw this.#noted(error ? SidecarFailure.from(error) : fail("bad_reply", "sidecar.badReply"));
  }

  async #readText(response: Response, signal: AbortSignal): Promise<string> {
    try {
      return await response.text();
    } catch {
      if (signal.aborted) throw reasonOf(signal);
      throw this.#noted(fail("unreachable", "sidecar.unreachable"));
    }
  }

  /** A new owner has a new token, so `unauthorized` means that this one's time is over. */
  #noted(failure: SidecarFailure): SidecarFailure {
    if (["unreachable", "interrupted", "unauthorized"].includes(failure.code)) this.#options.onLost?.(failure);
    return failure;
  }
}
