/** What a question is limited to: notes, lines of a note, folders, tags. As a value, on the wire and in words. */
import { noteName } from "../place";
import { say } from "../words";

export type Scope =
  | { readonly kind: "note" | "folder" | "tag"; readonly name: string }
  | { readonly kind: "lines"; readonly name: string; readonly first: number; readonly last: number };

/** As `AskRequest.within` has it. The name of a folder has no slash at its end, that of a tag no sign before it. */
export function writeScope(scope: Scope): string {
  switch (scope.kind) {
    case "note":
      return scope.name;
    case "lines":
      return `${scope.name}:${scope.first}-${scope.last}`;
    case "folder":
      return `${scope.name}/`;
    case "tag":
      return `#${scope.name}`;
  }
}

export function readScope(entry: string): Scope {
  if (entry.startsWith("#")) return { kind: "tag", name: entry.slice(1) };
  if (entry.endsWith("/")) return { kind: "folder", name: entry.slice(0, -1) };
  const [, name, first, last] = /^(.+):(\d+)-(\d+)$/.exec(entry) ?? [];
  return name === undefined
    ? { kind: "note", name: entry }
    : { kind: "lines", name, first: Number(first), last: Number(last) };
}

export function sayScope(scope: Scope): string {
  switch (scope.kind) {
    case "note":
      return noteName(scope.name);
    case "folder":
      return `${scope.name}/`;
    case "tag":
      return `#${scope.name}`;
    case "lines":
      return scope.first === scope.last
        ? say("scope.line", { note: noteName(scope.name), line: scope.first })
        : say("scope.lines", { note: noteName(scope.name), first: scope.first, last: scope.last });
  }
}

export const SCOPE_ICONS = { note: "file-text", lines: "text-select", folder: "folder", tag: "hash" } as const;

/** Whether it names a file or folder of the vault. */
export function hasPath(scope: Scope, path: string): boolean {
  return scope.kind !== "tag" && scope.name === path;
}

/** After a file or folder was renamed. */
export function moveScope(scope: Scope, from: string, to: string): Scope {
  return hasPath(scope, from) ? { ...scope, name: to } : scope;
}
