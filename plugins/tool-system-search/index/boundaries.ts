import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { isBelow } from "@pergola/sdk";
import type { IndexSettings } from "../service/messages.ts";
import { leftOutBelowHome, leftOutFolders } from "./left-out.ts";

/** Case and composition do not hide a folder: on some file systems they mean nothing. */
const spelling = (file: string): string => file.normalize("NFC").toLowerCase();

/** The path with its links followed; undefined when nothing is there, or nothing that may be seen. */
function realOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

const expanded = (file: string): string => path.resolve(file.replace(/^~(?=$|[/\\])/, () => homedir()));

/** What is searched, and what inside of it is not: closed places by their path, and folders by their name. */
export class Boundaries {
  /** Real paths, none below another. */
  readonly roots: readonly string[];
  readonly #closed: ReadonlySet<string>;
  readonly #leftOut: ReadonlySet<string>;

  constructor({ roots, closed }: Pick<IndexSettings, "roots" | "closed">) {
    const places = closed.map(expanded).flatMap((file) => [file, realOf(file) ?? file]);
    this.#closed = new Set(places.map(spelling));
    const open = [...new Set(roots.map(expanded).flatMap((root) => realOf(root) ?? []))].filter(
      (root) => !this.#isClosed(root),
    );
    this.roots = open.filter((root) => open.every((other) => other === root || !isBelow(other, root)));
    const home = realOf(homedir()) ?? homedir();
    this.#leftOut = new Set(leftOutBelowHome.map((name) => spelling(path.join(home, name))));
  }

  /** The root that a real path belongs to. */
  rootOf(file: string): string | undefined {
    return this.roots.find((root) => isBelow(root, file));
  }

  /**
   * Whether something that stands in a folder that is searched is searched too. Roots themselves always are.
   */
  holds(file: string, isFolder: boolean): boolean {
    const name = path.basename(file);
    if (name.startsWith(".") || this.#closed.has(spelling(file))) return false;
    return !isFolder || !(leftOutFolders.has(name) || this.#leftOut.has(spelling(file)));
  }

  /** Whether a real path, and all between its root and it, is searched. */
  covers(file: string, isFolder: boolean): boolean {
    const root = this.rootOf(file);
    if (root === undefined) return false;
    const steps = path.relative(root, file).split(path.sep).filter(Boolean);
    return steps.every((_, index) =>
      this.holds(path.join(root, ...steps.slice(0, index + 1)), isFolder || index < steps.length - 1),
    );
  }

  #isClosed(file: string): boolean {
    return spelling(file) !== "" && [...this.#closed].some((place) => isBelow(place, spelling(file)));
  }
}
