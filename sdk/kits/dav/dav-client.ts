import type { DAVAccount, DAVResponse } from "tsdav";
import { isObject, stringOf, type ToolContext } from "@pergola/sdk";
import { accountFetch } from "./account-fetch.ts";
import type { DavAccount } from "./dav-account.ts";
import { callDav, checkChange } from "./dav-failures.ts";
import type { StoredText } from "./stored-text.ts";

/** A calendar collection. */
export interface DavCalendar {
  readonly url: string;
  /** What a server says, mostly a text. */
  readonly displayName?: string | Readonly<Record<string, unknown>> | undefined;
  /** What it takes: `VEVENT`, `VTODO`; absent = the server does not say. */
  readonly components?: readonly string[] | undefined;
}

/** A `comp-filter` element in tsdav's notation (RFC 4791, section 9.7). */
export type CalendarFilter = object;

/** Small servers and big ones differ: some send the data as CDATA. */
const dataIn = (value: unknown): unknown => (isObject(value) ? value["_cdata"] : value);

/** The objects of a REPORT answer that carry data, with absolute addresses. */
function storedTexts(answers: readonly DAVResponse[], collection: string, field: string): StoredText[] {
  return answers.flatMap(({ href = "", props = {} }) => {
    const { getetag, [field]: value } = props as Readonly<Record<string, unknown>>;
    const text = dataIn(value);
    if (typeof text !== "string" || href === "") return [];
    return [{ place: new URL(href, collection).href, text, version: stringOf(getetag) || undefined }];
  });
}

/**
 * A CalDAV or CardDAV account: finds its collections, and reads and changes the objects in them. Requests go
 * through `accountFetch`. tsdav is loaded with the first call. Every method throws ToolError
 * `permission_denied` or `network_error`.
 */
export class DavClient {
  readonly #account: DavAccount;
  readonly #fetch: typeof fetch;

  constructor(context: Pick<ToolContext, "fetch" | "signal">, account: DavAccount) {
    this.#account = account;
    this.#fetch = accountFetch(context, account);
  }

  /** All calendars of the account (RFC 6764 discovery). */
  async calendars(): Promise<readonly DavCalendar[]> {
    return callDav(async () => {
      const { fetchCalendars } = await import("tsdav");
      return fetchCalendars({ account: await this.#discover("caldav"), fetch: this.#fetch });
    });
  }

  /** The URLs of all address books of the account. */
  async addressBooks(): Promise<readonly string[]> {
    return callDav(async () => {
      const { fetchAddressBooks } = await import("tsdav");
      const books = await fetchAddressBooks({
        account: await this.#discover("carddav"),
        fetch: this.#fetch,
      });
      return books.map(({ url }) => url);
    });
  }

  /** The iCalendar objects of a calendar that match the filter (CalDAV `calendar-query`). */
  async calendarObjects(url: string, filter: CalendarFilter): Promise<readonly StoredText[]> {
    return callDav(async () => {
      const { calendarQuery } = await import("tsdav");
      const props = { "d:getetag": {}, "c:calendar-data": {} };
      const answers = await calendarQuery({
        url,
        props,
        filters: [filter],
        depth: "1",
        fetch: this.#fetch,
      });
      return storedTexts(answers, url, "calendarData");
    });
  }

  /** The vCards of an address book (CardDAV `addressbook-query`). */
  async cards(url: string): Promise<readonly StoredText[]> {
    return callDav(async () => {
      const { addressBookQuery } = await import("tsdav");
      const props = { "d:getetag": {}, "card:address-data": {} };
      const answers = await addressBookQuery({
        url,
        props,
        depth: "1",
        fetch: this.#fetch,
      });
      return storedTexts(answers, url, "addressData");
    });
  }

  /**
   * Adds an object to a collection; `type` is its media type. Throws ToolError `conflict` if the collection
   * has an object with that file name.
   */
  async create(collection: string, fileName: string, type: string, text: string): Promise<void> {
    const url = new URL(fileName, collection.replace(/\/*$/, "/")).href;
    await this.#change(url, "PUT", { "content-type": `${type}; charset=utf-8`, "if-none-match": "*" }, text);
  }

  /**
   * Replaces an object's text. Throws ToolError `conflict` if another program changed it since `stored` was
   * read.
   */
  async replace({ place, version }: StoredText, type: string, text: string): Promise<void> {
    await this.#change(
      place,
      "PUT",
      { "content-type": `${type}; charset=utf-8`, ...unchangedSince(version) },
      text,
    );
  }

  /** Deletes an object. Throws ToolError `conflict` if another program changed it since it was read. */
  async delete({ place, version }: StoredText): Promise<void> {
    await this.#change(place, "DELETE", unchangedSince(version));
  }

  async #discover(accountType: "caldav" | "carddav"): Promise<DAVAccount> {
    const { createAccount } = await import("tsdav");
    const account: DAVAccount = { serverUrl: this.#account.url, accountType };
    return createAccount({ account, fetch: this.#fetch });
  }

  async #change(
    url: string,
    method: "PUT" | "DELETE",
    headers: Readonly<Record<string, string>>,
    body: string | null = null,
  ): Promise<void> {
    await callDav(async () => checkChange(await this.#fetch(url, { method, headers, body })));
  }
}

const unchangedSince = (version: string | undefined): Readonly<Record<string, string>> =>
  version === undefined ? {} : { "if-match": version };
