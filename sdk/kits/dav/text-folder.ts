import path from "node:path";
import { KeyedQueue, type Files } from "@pergola/sdk";
import type { TextEdit } from "./stored-text.ts";

/** Concurrent changes to one file wait for each other, in all folders of this process. */
const changes = new KeyedQueue();

/** A folder whose visible files with one extension hold calendars or cards. */
export class TextFolder {
  readonly #files: Files;
  readonly #folder: string;
  readonly #extension: string;

  /** `extension` includes the dot and matches in any case: `.ics`. */
  constructor(files: Files, folder: string, extension: string) {
    this.#files = files;
    this.#folder = folder;
    this.#extension = extension;
  }

  /** The names of the files. None if the folder does not exist. */
  async names(): Promise<readonly string[]> {
    if ((await this.#files.stat(this.#folder)) === undefined) return [];
    const entries = await this.#files.list(this.#folder);
    return entries
      .filter(({ kind, name }) => kind !== "directory" && this.#isText(name))
      .map(({ name }) => name);
  }

  /** The full path of a file in the folder. */
  pathOf(name: string): string {
    return path.join(this.#folder, name);
  }

  async read(place: string): Promise<string> {
    return this.#files.readText(place);
  }

  /** Writes a new file, and the folder if need be. */
  async create(name: string, text: string): Promise<void> {
    await this.#files.write(this.pathOf(name), text, { create: true });
  }

  /** Edits a file's current text; a file that does not exist is made from `initial`. */
  async change(place: string, edit: TextEdit, initial = ""): Promise<void> {
    await changes.run(place, async () => {
      const exists = (await this.#files.stat(place)) !== undefined;
      const current = exists ? await this.#files.readText(place) : initial;
      const changed = await edit(current);
      if (changed !== current) await this.#files.write(place, changed, { create: !exists });
    });
  }

  #isText(name: string): boolean {
    return name.toLowerCase().endsWith(this.#extension) && /^[^.]/.test(name);
  }
}
