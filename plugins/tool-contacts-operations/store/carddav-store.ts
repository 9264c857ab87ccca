import type { DAVAccount } from "tsdav";
import { ToolError, type Awaitable, type ToolContext } from "@pergola/sdk";
import type { Account } from "./account.ts";
import type { CardText, ContactStore } from "./contact-store.ts";
import { checkAnswer, doorFetch, overDav } from "./door-fetch.ts";

interface Found {
  readonly getetag?: unknown;
  readonly addressData?: string | { readonly _cdata?: string };
}

/** The address books of a CardDAV account, by tsdav over the door. New contacts go to the first. */
export class CarddavStore implements ContactStore {
  readonly #account: Account;
  readonly #fetch: typeof fetch;

  constructor(context: ToolContext, account: Account) {
    this.#account = account;
    this.#fetch = doorFetch(context, account);
  }

  async texts(): Promise<readonly CardText[]> {
    return overDav(async () => {
      const { addressBookQuery } = await import("tsdav");
      const books = await this.#books();
      const props = { "d:getetag": {}, "card:address-data": {} };
      const answers = await Promise.all(
        books.map(async (url) => {
          const found = await addressBookQuery({ url, props, depth: "1", fetch: this.#fetch });
          return found.map((one) => ({ ...one, url }));
        }),
      );
      return answers.flat().flatMap(({ href = "", props: found, url }) => {
        const { getetag, addressData } = (found ?? {}) as Found;
        const text = typeof addressData === "object" ? addressData._cdata : addressData;
        if (typeof text !== "string" || href === "") return [];
        return [
          {
            place: new URL(href, url).href,
            text,
            version: typeof getetag === "string" ? getetag : undefined,
          },
        ];
      });
    });
  }

  async add(uid: string, card: string): Promise<void> {
    await overDav(async () => {
      const { createVCard } = await import("tsdav");
      const [url] = await this.#books();
      if (url === undefined)
        throw new ToolError("not_found", "The account has no address book.", {
          hint: "Ask the person to make one in the account.",
        });
      checkAnswer(
        await createVCard({
          addressBook: { url },
          vCardString: card,
          filename: `${uid}.vcf`,
          fetch: this.#fetch,
        }),
      );
    });
  }

  async change({ place, text, version }: CardText, edit: (text: string) => Awaitable<string>): Promise<void> {
    const data = await edit(text);
    await overDav(async () => {
      const { updateVCard } = await import("tsdav");
      const vCard = { url: place, data, ...(version !== undefined && { etag: version }) };
      checkAnswer(await updateVCard({ vCard, fetch: this.#fetch }));
    });
  }

  async #books(): Promise<readonly string[]> {
    const { createAccount, fetchAddressBooks } = await import("tsdav");
    const wanted: DAVAccount = { serverUrl: this.#account.url, accountType: "carddav" };
    const account = await createAccount({ account: wanted, fetch: this.#fetch });
    return (await fetchAddressBooks({ account, fetch: this.#fetch })).map(({ url }) => url);
  }
}
