/** The disk as the page sees it: the room and nothing else. Elsewhere nothing exists. */
import { type Stats, watch } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Room } from "./room";

export interface Entry {
  path: string;
  folder: boolean;
  size: number;
  ctime: number;
  mtime: number;
}

export class Disk {
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  async readText(path: string): Promise<string> {
    return await fs.readFile(this.#inRoom(path), "utf8");
  }

  async realPath(path: string): Promise<string> {
    return await fs.realpath(this.#inRoom(path));
  }

  async stat(path: string): Promise<Entry> {
    const place = this.#inRoom(path);
    return describe(relative(this.#room.vault, place), await fs.stat(place));
  }

  async names(path: string): Promise<string[]> {
    return await fs.readdir(this.#inRoom(path));
  }

  /** Everything in the vault that Obsidian shows, folders before what they hold. */
  async listVault(): Promise<Entry[]> {
    const names = await fs.readdir(this.#room.vault, { recursive: true });
    const shown = names.filter((name) => !isHidden(name)).sort();
    return await Promise.all(shown.map(async (name) => describe(name, await fs.stat(join(this.#room.vault, name)))));
  }

  async write(path: string, text: string, append: boolean): Promise<Entry> {
    const place = this.#inVault(path);
    await fs.mkdir(dirname(place), { recursive: true });
    await (append ? fs.appendFile(place, text) : fs.writeFile(place, text));
    return describe(path, await fs.stat(place));
  }

  async makeFolder(path: string): Promise<void> {
    await fs.mkdir(this.#inVault(path), { recursive: true });
  }

  async rename(from: string, to: string): Promise<void> {
    await fs.mkdir(dirname(this.#inVault(to)), { recursive: true });
    await fs.rename(this.#inVault(from), this.#inVault(to));
  }

  async remove(path: string): Promise<void> {
    await fs.rm(this.#inVault(path), { recursive: true });
  }

  /** Tells the vault-relative path of whatever changes, as Obsidian's own watcher does. Returns what ends it. */
  watchVault(changed: (path: string) => void): () => void {
    const watcher = watch(this.#room.vault, { recursive: true }, (_event, name) => {
      if (name && !isHidden(name)) changed(name);
    });
    watcher.on("error", () => undefined); // a folder that went while it was looked at
    return () => watcher.close();
  }

  #inRoom(path: string): string {
    const place = resolve(this.#room.vault, path);
    if (place !== this.#room.root && !place.startsWith(this.#room.root + sep))
      throw Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: "ENOENT" });
    return place;
  }

  #inVault(path: string): string {
    const place = this.#inRoom(join(this.#room.vault, path));
    if (!place.startsWith(this.#room.vault + sep)) throw new Error(`${path} is not in the vault.`);
    return place;
  }
}

function isHidden(path: string): boolean {
  return path.split(sep).some((name) => name.startsWith("."));
}

function describe(path: string, stats: Stats): Entry {
  return { path, folder: stats.isDirectory(), size: stats.size, ctime: stats.birthtimeMs, mtime: stats.mtimeMs };
}
