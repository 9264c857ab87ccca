import { DavClient, type DavAccount, type DavCalendar, type TextEdit } from "@pergola/kit-dav";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { addBlock, blocksOf, emptyCalendar } from "../ics/blocks.ts";
import { isKind, kinds, nouns, type Kind } from "../ics/items.ts";
import { basicTime } from "../time/stamp.ts";
import type { Calendar, CalendarQuery, CalendarStore, CalendarText } from "./calendar-store.ts";

const iCalendar = "text/calendar";

function lastSegment(url: string): string {
  const segments = new URL(url).pathname.split("/").filter(Boolean);
  return decodeURIComponent(segments.at(-1) ?? "");
}

/** tsdav reads a name such as 1984 as a number. */
const isName = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

function calendarOf({ url, displayName, components = [] }: DavCalendar): Calendar {
  const fileName = lastSegment(url);
  const name = isName(displayName) ? String(displayName) : fileName;
  const supported = components.filter(isKind);
  return {
    name,
    names: [...new Set([name, fileName])],
    kinds: supported.length === 0 ? kinds : supported,
    place: url,
  };
}

const timeRange = (from: number, to: number): object => ({
  "time-range": { _attributes: { start: basicTime(from), end: basicTime(to) } },
});

const hasUid = (uid: string): object => ({
  "prop-filter": {
    _attributes: { name: "UID" },
    "text-match": { _attributes: { collation: "i;octet" }, _text: uid },
  },
});

/** The objects of a calendar that the server should send (RFC 4791, section 9.7). */
function filterOf({ kind, range, uid }: CalendarQuery): object {
  const component = {
    _attributes: { name: kind },
    ...(range && timeRange(range.from, range.to)),
    ...(uid !== undefined && hasUid(uid)),
  };
  return { "comp-filter": { _attributes: { name: "VCALENDAR" }, "comp-filter": component } };
}

/** The calendars of a CalDAV account. */
export class CaldavStore implements CalendarStore {
  readonly #client: DavClient;
  #calendars: Promise<readonly Calendar[]> | undefined;

  constructor(context: ToolContext, account: DavAccount) {
    this.#client = new DavClient(context, account);
  }

  async calendars(): Promise<readonly Calendar[]> {
    this.#calendars ??= this.#client.calendars().then((found) => found.map(calendarOf));
    return this.#calendars;
  }

  async texts(calendar: Calendar, query: CalendarQuery): Promise<readonly CalendarText[]> {
    if (!calendar.kinds.includes(query.kind)) return [];
    const objects = await this.#client.calendarObjects(calendar.place, filterOf(query));
    return objects.map((object) => ({ ...object, calendar }));
  }

  async defaultCalendar(kind: Kind): Promise<Calendar> {
    const found = (await this.calendars()).find((calendar) => calendar.kinds.includes(kind));
    if (found !== undefined) return found;
    throw new ToolError("not_found", `The account has no calendar for ${nouns[kind]}s.`, {
      hint: "Ask the person to create one in the account.",
    });
  }

  async add({ place }: Calendar, uid: string, component: string): Promise<void> {
    const text = addBlock(emptyCalendar, component) ?? "";
    await this.#client.create(place, `${uid}.ics`, iCalendar, text);
  }

  async change(stored: CalendarText, edit: TextEdit): Promise<void> {
    const changed = await edit(stored.text);
    const isEmpty = !blocksOf(changed).some(({ kind }) => isKind(kind));
    if (isEmpty) await this.#client.delete(stored);
    else await this.#client.replace(stored, iCalendar, changed);
  }
}
