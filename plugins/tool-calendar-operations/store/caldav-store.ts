import type { DAVAccount, DAVCalendar } from "tsdav";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { addBlock, blocksOf } from "../ics/blocks.ts";
import type { Kind } from "../ics/items.ts";
import type { Account } from "./account.ts";
import type { Calendar, CalendarStore, CalendarText, Edit, Wanted } from "./calendar-store.ts";
import { checkAnswer, doorFetch, overDav } from "./door-fetch.ts";

const empty = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Pergola//Calendar//EN\r\nEND:VCALENDAR\r\n";
const stamp = (instant: number): string =>
  `${new Date(instant)
    .toISOString()
    .replace(/[-:]|\.\d+/g, "")
    .slice(0, 15)}Z`;

const isKind = (name: string): name is Kind => name === "VEVENT" || name === "VTODO";

const calendarOf = ({ url, displayName, components = [] }: DAVCalendar): Calendar => {
  const last = decodeURIComponent(new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "");
  const name =
    typeof displayName === "string" || typeof displayName === "number" ? String(displayName) : last;
  const kinds = components.filter(isKind);
  return {
    name,
    names: [...new Set([name, last])],
    kinds: kinds.length === 0 ? ["VEVENT", "VTODO"] : kinds,
    place: url,
  };
};

/** Which objects of a calendar the server is to send (RFC 4791, 9.7). */
function filterOf({ kind, range, uid }: Wanted): object {
  const inside = {
    ...(range && { "time-range": { _attributes: { start: stamp(range.from), end: stamp(range.to) } } }),
    ...(uid !== undefined && {
      "prop-filter": {
        _attributes: { name: "UID" },
        "text-match": { _attributes: { collation: "i;octet" }, _text: uid },
      },
    }),
  };
  return {
    "comp-filter": {
      _attributes: { name: "VCALENDAR" },
      "comp-filter": { _attributes: { name: kind }, ...inside },
    },
  };
}

interface Found {
  readonly getetag?: unknown;
  readonly calendarData?: string | { readonly _cdata?: string };
}

/** The calendars of a CalDAV account, by tsdav over the door. */
export class CaldavStore implements CalendarStore {
  readonly #account: Account;
  readonly #fetch: typeof fetch;
  #calendars: Promise<readonly Calendar[]> | undefined;

  constructor(context: ToolContext, account: Account) {
    this.#account = account;
    this.#fetch = doorFetch(context, account);
  }

  async calendars(): Promise<readonly Calendar[]> {
    return (this.#calendars ??= overDav(async () => {
      const { createAccount, fetchCalendars } = await import("tsdav");
      const wanted: DAVAccount = { serverUrl: this.#account.url, accountType: "caldav" };
      const account = await createAccount({ account: wanted, fetch: this.#fetch });
      return (await fetchCalendars({ account, fetch: this.#fetch })).map(calendarOf);
    }));
  }

  async texts(calendar: Calendar, wanted: Wanted): Promise<readonly CalendarText[]> {
    if (!calendar.kinds.includes(wanted.kind)) return [];
    return overDav(async () => {
      const { calendarQuery } = await import("tsdav");
      const props = { "d:getetag": {}, "c:calendar-data": {} };
      const answers = await calendarQuery({
        url: calendar.place,
        props,
        filters: [filterOf(wanted)],
        depth: "1",
        fetch: this.#fetch,
      });
      return answers.flatMap(({ href = "", props: found }) => {
        const { getetag, calendarData } = (found ?? {}) as Found;
        const text = typeof calendarData === "object" ? calendarData._cdata : calendarData;
        if (typeof text !== "string" || href === "") return [];
        return [
          {
            calendar,
            place: new URL(href, calendar.place).href,
            text,
            version: typeof getetag === "string" ? getetag : undefined,
          },
        ];
      });
    });
  }

  async standard(kind: Kind): Promise<Calendar> {
    const found = (await this.calendars()).find(({ kinds }) => kinds.includes(kind));
    if (found !== undefined) return found;
    throw new ToolError(
      "not_found",
      `The account has no calendar for ${kind === "VEVENT" ? "events" : "reminders"}.`,
      {
        hint: "Ask the person to make one in the account.",
      },
    );
  }

  async add(calendar: Calendar, uid: string, component: string): Promise<void> {
    await overDav(async () => {
      const { createCalendarObject } = await import("tsdav");
      const iCalString = addBlock(empty, component) ?? "";
      const filename = `${uid}.ics`;
      checkAnswer(
        await createCalendarObject({
          calendar: { url: calendar.place },
          iCalString,
          filename,
          fetch: this.#fetch,
        }),
      );
    });
  }

  async change({ place, text, version }: CalendarText, edit: Edit): Promise<void> {
    const changed = await edit(text);
    await overDav(async () => {
      const { deleteCalendarObject, updateCalendarObject } = await import("tsdav");
      const isEmpty = !blocksOf(changed).some(({ kind }) => isKind(kind));
      const calendarObject = { url: place, data: changed, ...(version !== undefined && { etag: version }) };
      checkAnswer(
        await (isEmpty ? deleteCalendarObject : updateCalendarObject)({ calendarObject, fetch: this.#fetch }),
      );
    });
  }
}
