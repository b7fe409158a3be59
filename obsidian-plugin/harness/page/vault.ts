/** The vault on disk: an adapter over the bridge, and Obsidian's watcher, which notices what others change there. */
import type { DataWriteOptions, Stat } from "obsidian";
import { FileSystemAdapter as MockAdapter, TFile, TFolder } from "obsidian-test-mocks/obsidian";
import type { Entry } from "../bridge/disk";
import { call, onVaultChange, vaultPath } from "./node";
import type { App } from "./types";

export class FileSystemAdapter extends MockAdapter {
  /** By path: when it was last written, by this page or as far as it has noticed. */
  readonly known = new Map<string, number>();

  constructor() {
    super(vaultPath);
  }

  override async read(path: string): Promise<string> {
    return await call("readText", path);
  }

  override async write(path: string, text: string, _options?: DataWriteOptions): Promise<void> {
    this.#know(await call<Entry>("writeNote", path, text, false));
  }

  override async append(path: string, text: string, _options?: DataWriteOptions): Promise<void> {
    this.#know(await call<Entry>("writeNote", path, text, true));
  }

  override async process(path: string, change: (text: string) => string): Promise<string> {
    const changed = change(await this.read(path));
    await this.write(path, changed);
    return changed;
  }

  override async mkdir(path: string): Promise<void> {
    await call("makeFolder", path);
  }

  override async rename(from: string, to: string): Promise<void> {
    this.known.set(to, this.known.get(from) ?? 0);
    this.known.delete(from);
    await call("rename", from, to);
  }

  override async remove(path: string): Promise<void> {
    this.known.delete(path);
    await call("remove", path);
  }

  override async rmdir(path: string): Promise<void> {
    await this.remove(path);
  }

  override async exists(path: string): Promise<boolean> {
    return (await this.stat(path)) !== null;
  }

  override async stat(path: string): Promise<Stat | null> {
    try {
      const { folder, ctime, mtime, size } = await call<Entry>("stat", path);
      return { type: folder ? "folder" : "file", ctime, mtime, size };
    } catch {
      return null;
    }
  }

  #know({ path, mtime }: Entry): void {
    this.known.set(path, mtime);
  }
}

/** As at Obsidian's start: everything is there, and `create` is told for each. */
export async function loadVault(app: App, adapter: FileSystemAdapter): Promise<void> {
  for (const entry of await call<Entry[]>("listVault")) notice(app, adapter, entry);
  onVaultChange((path) => void look(app, adapter, path));
}

async function look(app: App, adapter: FileSystemAdapter, path: string): Promise<void> {
  const stat = await adapter.stat(path);
  if (stat) return notice(app, adapter, { path, folder: stat.type === "folder", ...stat });
  const gone = app.vault.getAbstractFileByPath(path);
  if (!gone || (await adapter.exists(path))) return;
  adapter.known.delete(path);
  app.vault.deleteVaultAbstractFile__(path);
  app.vault.trigger("delete", gone);
}

function notice(app: App, adapter: FileSystemAdapter, { path, folder, ctime, mtime, size }: Entry): void {
  const { vault } = app;
  const known = vault.getAbstractFileByPath(path);
  if (known && (folder || adapter.known.get(path) === mtime)) return;
  adapter.known.set(path, mtime);
  const parent = path.split("/").slice(0, -1).join("/");
  if (parent && !vault.getFolderByPath(parent))
    notice(app, adapter, { path: parent, folder: true, ctime, mtime, size: 0 });
  const file = known ?? (folder ? TFolder.create__(vault, path) : TFile.create__(vault, path));
  if (file instanceof TFile) file.stat = { ctime, mtime, size };
  if (!known) vault.setVaultAbstractFile__(path, file);
  vault.trigger(known ? "modify" : "create", file);
}
