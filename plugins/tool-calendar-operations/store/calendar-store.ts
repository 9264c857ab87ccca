import type { StoredText, TextEdit } from "@pergola/kit-dav";
import type { Kind } from "../ics/items.ts";
import type { Range } from "../ics/occurrences.ts";

export interface Calendar {
  readonly name: string;
  /** Other names it can be addressed by. */
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
  /** The path of its file, or its URL. */
  readonly place: string;
}

/** An iCalendar text: a whole calendar, or one event or reminder of it. */
export interface CalendarText extends StoredText {
  readonly calendar: Calendar;
}

export interface CalendarQuery {
  readonly kind: Kind;
  /** The store may leave out texts with nothing in this range. */
  readonly range?: Range;
  /** The store may leave out texts without this UID. */
  readonly uid?: string;
}

/** A folder of iCalendar files, or a CalDAV account. */
export interface CalendarStore {
  calendars(): Promise<readonly Calendar[]>;
  texts(calendar: Calendar, query: CalendarQuery): Promise<readonly CalendarText[]>;
  /** The calendar to use when a call names none. The first `add` may have to create it. */
  defaultCalendar(kind: Kind): Promise<Calendar>;
  /** Adds a component, given as its text. */
  add(calendar: Calendar, uid: string, component: string): Promise<void>;
  /** Edits a text. Throws ToolError `conflict` if another program changed it since it was read. */
  change(text: CalendarText, edit: TextEdit): Promise<void>;
}
