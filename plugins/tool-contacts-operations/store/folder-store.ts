import { TextFolder, type StoredText, type TextEdit } from "@pergola/kit-dav";
import type { Files } from "@pergola/sdk";
import type { ContactStore } from "./contact-store.ts";

/** A folder of .vcf files with one card or several. Each new contact gets its own file. */
export class FolderStore implements ContactStore {
  readonly #folder: TextFolder;

  constructor(files: Files, folder: string) {
    this.#folder = new TextFolder(files, folder, ".vcf");
  }

  async texts(): Promise<readonly StoredText[]> {
    const texts: StoredText[] = [];
    for (const name of await this.#folder.names()) {
      const place = this.#folder.pathOf(name);
      texts.push({ place, text: await this.#folder.read(place) });
    }
    return texts;
  }

  async add(uid: string, card: string): Promise<void> {
    await this.#folder.create(`${uid}.vcf`, card);
  }

  async change({ place }: StoredText, edit: TextEdit): Promise<void> {
    await this.#folder.change(place, edit);
  }
}
