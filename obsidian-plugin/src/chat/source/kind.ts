/** What a citation or a passage is of, by the fields that say so. Pure. */
import type { Citation } from "../../../../shared-schemas/zibaldone";
import { noteName } from "../../place";
import { say } from "../../words";

export type Sourced = Pick<
  Citation,
  "path" | "source_uri" | "heading" | "locator" | "line_start" | "page" | "modality" | "commit"
>;

/** The repository and the id of a commit that is a source of its own: `git:NAME@ID`. */
const COMMIT = /^git:(.+)@([0-9a-f]{7,64})$/i;
/** What the person said in a conversation: `chat:ID#MESSAGE`. */
const SAID = /^chat:/;
const IMAGE = /\.(?:png|jpe?g|webp|gif|bmp|tiff?|svg|avif)$/i;

export interface CommitSource {
  readonly repository: string;
  readonly id: string;
}

/** Where it is a change that was committed, or a note as it was then; else null. */
export function commitOf({ source_uri: uri, commit }: Pick<Sourced, "source_uri" | "commit">): CommitSource | null {
  const [, repository, id] = COMMIT.exec(uri) ?? [];
  if (repository !== undefined && id !== undefined) return { repository, id };
  return commit === null ? null : { repository: "", id: commit };
}

export function isSaid({ source_uri: uri }: Pick<Sourced, "source_uri">): boolean {
  return SAID.test(uri);
}

/** What the file is called; what was said has no file. */
export function nameOf(source: Sourced): string {
  return isSaid(source) ? say("source.said") : noteName(source.path);
}

export function iconOf(source: Sourced): string {
  if (isSaid(source)) return "message-square-quote";
  if (commitOf(source)) return "git-commit-horizontal";
  switch (source.modality) {
    case "pdf":
      return "file-type";
    case "image":
      return "image";
    case "canvas":
      return "layout-dashboard";
    case "code":
      return "file-code";
    case "document":
      return "file";
    default:
      return "file-text";
  }
}

/** Where in the file, in words; empty where the file is all that there is to say. */
export function sayWhere(source: Sourced): string {
  if (isSaid(source)) return "";
  const commit = commitOf(source);
  if (commit) return [commit.repository, shortId(commit.id)].filter((part) => part !== "").join("@");
  if (source.page !== null) return say("source.page", { page: source.page });
  if (source.modality === "canvas") return say("source.card");
  if (source.modality === "image" || IMAGE.test(source.path)) return say("source.image");
  return source.modality === "text" ? say("source.line", { line: source.line_start }) : "";
}

export function shortId(id: string): string {
  return id.slice(0, 7);
}
