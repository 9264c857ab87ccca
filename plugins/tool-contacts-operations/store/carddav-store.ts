import { DavClient, type DavAccount, type StoredText, type TextEdit } from "@pergola/kit-dav";
import { ToolError, type ToolContext } from "@pergola/sdk";
import type { ContactStore } from "./contact-store.ts";

const vCard = "text/vcard";

/** The address books of a CardDAV account. New contacts go to the first. */
export class CarddavStore implements ContactStore {
  readonly #client: DavClient;

  constructor(context: ToolContext, account: DavAccount) {
    this.#client = new DavClient(context, account);
  }

  async texts(): Promise<readonly StoredText[]> {
    const books = await this.#client.addressBooks();
    const texts = await Promise.all(books.map((url) => this.#client.cards(url)));
    return texts.flat();
  }

  async add(uid: string, card: string): Promise<void> {
    const [book] = await this.#client.addressBooks();
    if (book === undefined)
      throw new ToolError("not_found", "The account has no address book.", {
        hint: "Ask the person to create one in the account.",
      });
    await this.#client.create(book, `${uid}.vcf`, vCard, card);
  }

  async change(stored: StoredText, edit: TextEdit): Promise<void> {
    await this.#client.replace(stored, vCard, await edit(stored.text));
  }
}
