/** What the next question is limited to, in step with the vault. */
import { hasPath, moveScope, writeScope, type Scope } from "./scope";

export class Limits {
  private list: readonly Scope[] = [];
  private readonly gone = new Set<string>();

  /** `changed` is called after each change. */
  constructor(private readonly changed: () => void) {}

  get scopes(): readonly Scope[] {
    return this.list;
  }

  set scopes(scopes: readonly Scope[]) {
    this.list = scopes;
    this.gone.clear();
    this.changed();
  }

  /** Whether a note or folder that was named was deleted meanwhile. */
  get broken(): boolean {
    return this.list.some((scope) => this.isGone(scope));
  }

  isGone(scope: Scope): boolean {
    return scope.kind !== "tag" && this.gone.has(scope.name);
  }

  /** Each once. */
  add(scope: Scope): void {
    this.remove(scope);
    this.list = [...this.list, scope];
    this.changed();
  }

  remove(scope: Scope): void {
    this.list = this.list.filter((one) => writeScope(one) !== writeScope(scope));
    this.changed();
  }

  renamed(from: string, to: string): void {
    if (!this.list.some((scope) => hasPath(scope, from))) return;
    this.list = this.list.map((scope) => moveScope(scope, from, to));
    this.changed();
  }

  /** A file or folder was deleted, or (`there`) made again. */
  vanished(path: string, there: boolean): void {
    if (!this.list.some((scope) => hasPath(scope, path))) return;
    if (there) this.gone.delete(path);
    else this.gone.add(path);
    this.changed();
  }
}
