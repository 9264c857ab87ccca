import { readFileSync, watch, type FSWatcher } from "node:fs";
import path from "node:path";
import { isBelow } from "@pergola/sdk";

/** Milliseconds in which changes of a folder are gathered, at least. */
const gather = 200;
const mostFolders = 20_000;

/** Half of what the system allows a user to watch: other programs watch too. */
function allowance(): number {
  try {
    const limit = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
    return Math.min(mostFolders, Math.floor(limit / 2));
  } catch {
    return mostFolders;
  }
}

/**
 * Tells which folders have changed. macOS and Windows watch whole trees; elsewhere each folder is watched by
 * itself, as many as the system allows: what is beyond that is seen by the next round.
 */
export class Watchers {
  readonly #changed: (folder: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #dirty = new Set<string>();
  readonly #isRecursive: boolean;
  readonly #most: number;
  #timer: NodeJS.Timeout | undefined;
  #pause = gather;
  /** Not everything could be watched. */
  limited = false;

  constructor(
    roots: readonly string[],
    changed: (folder: string) => void,
    { most = allowance() }: { readonly most?: number } = {},
  ) {
    this.#changed = changed;
    this.#most = most;
    this.#isRecursive = process.platform === "darwin" || process.platform === "win32";
    if (this.#isRecursive) for (const root of roots) this.#open(root);
  }

  /** Watches a folder from now on; call it before the folder is read, so that nothing is missed. */
  watch(folder: string): void {
    if (this.#isRecursive || this.#watchers.has(folder)) return;
    if (this.#watchers.size >= this.#most) this.limited = true;
    else this.#open(folder);
  }

  /** Forgets a folder that is gone, and all below it. */
  unwatch(folder: string): void {
    if (this.#isRecursive) return;
    for (const watched of [...this.#watchers.keys()]) if (isBelow(folder, watched)) this.#close(watched);
  }

  /** Tells at once what has been gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const folders = [...this.#dirty];
    this.#dirty.clear();
    const begin = performance.now();
    for (const folder of folders) this.#changed(folder);
    this.#pause = Math.max(gather, 20 * (performance.now() - begin));
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #open(folder: string): void {
    try {
      const watcher = watch(folder, { recursive: this.#isRecursive, persistent: false }, (_, name) =>
        this.#note(folder, name),
      );
      watcher.on("error", () => this.#failed(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      this.limited = true;
    }
  }

  #note(folder: string, name: string | null): void {
    // It may be the folder itself that went or was moved: another one at its place is watched anew when it is
    // visited.
    if (!this.#isRecursive && name === path.basename(folder)) this.#close(folder);
    const inside = this.#isRecursive && name !== null;
    this.#dirty.add(inside ? path.dirname(path.join(folder, name)) : folder);
    this.#timer ??= setTimeout(() => this.flush(), this.#pause);
  }

  #close(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  #failed(folder: string): void {
    this.unwatch(folder);
    this.limited = true;
    this.#note(folder, null);
  }
}
