/** Notes which paths of the vault change. Only the paths: what changed in them the sidecar finds out for itself. */
import type { App, Component, TAbstractFile } from "obsidian";
import type { Supervisor } from "../sidecar/supervisor";
import { Coalescer } from "./coalesce";
import { Outbox } from "./outbox";

/** Call it when the layout is ready: before, `create` fires for every file there is. */
export function listenToVault(
  app: App,
  owner: Component,
  supervisor: Pick<Supervisor, "state" | "subscribe">,
  sent: () => void,
): void {
  const outbox = new Outbox(supervisor, sent);
  const changes = new Coalescer((paths) => void outbox.send(paths), {
    set: (action, ms) => window.setTimeout(action, ms),
    clear: (timer) => window.clearTimeout(timer),
    now: () => Date.now(),
  });
  const note = (...paths: string[]): void => {
    if (!outbox.open) return;
    const seen = paths.filter((path) => !isHidden(path, app.vault.configDir));
    if (seen.length > 0) changes.add(...seen);
  };
  const { vault } = app;
  owner.registerEvent(vault.on("create", (file: TAbstractFile) => note(file.path)));
  owner.registerEvent(vault.on("modify", (file) => note(file.path)));
  owner.registerEvent(vault.on("delete", (file) => note(file.path)));
  owner.registerEvent(vault.on("rename", (file, oldPath) => note(oldPath, file.path)));
  owner.register(supervisor.subscribe(() => void outbox.flush()));
  owner.register(() => changes.close());
}

/** What lies in a hidden folder or in Obsidian's own is nobody's note. */
export function isHidden(path: string, configDir: string): boolean {
  return path === configDir || path.startsWith(`${configDir}/`) || path.split("/").some((part) => part.startsWith("."));
}
