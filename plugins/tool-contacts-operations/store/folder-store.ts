import path from "node:path";
import { Turns, type Awaitable, type Files } from "@pergola/sdk";
import type { CardText, ContactStore } from "./contact-store.ts";

/** Changes of one file, by its path: calls that run at once must not overwrite each other's. */
const changes = new Turns();

/** A folder of .vcf files with one card or several; a new contact gets a file of its own. */
export class FolderStore implements ContactStore {
  readonly #files: Files;
  readonly #folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  async texts(): Promise<readonly CardText[]> {
    if ((await this.#files.stat(this.#folder)) === undefined) return [];
    const texts: CardText[] = [];
    for (const { kind, name } of await this.#files.list(this.#folder)) {
      const place = path.join(this.#folder, name);
      if (kind !== "directory" && /^[^.].*\.vcf$/i.test(name))
        texts.push({ place, text: await this.#files.readText(place) });
    }
    return texts;
  }

  async add(uid: string, card: string): Promise<void> {
    await this.#files.write(path.join(this.#folder, `${uid}.vcf`), card, { create: true });
  }

  async change({ place }: CardText, edit: (text: string) => Awaitable<string>): Promise<void> {
    await changes.take(place, async () =>
      this.#files.write(place, await edit(await this.#files.readText(place))),
    );
  }
}
