import type { Awaitable } from "@pergola/sdk";
import type { Kind } from "../ics/items.ts";
import type { Range } from "../ics/occurrences.ts";

export interface Calendar {
  readonly name: string;
  /** Other names it answers to. */
  readonly names: readonly string[];
  readonly kinds: readonly Kind[];
  /** The path of its file, or its address. */
  readonly place: string;
}

/** An iCalendar text: a whole calendar, or one event or reminder of it. */
export interface CalendarText {
  readonly calendar: Calendar;
  readonly place: string;
  readonly text: string;
  /** The version of the text at its place, where the place tells one. */
  readonly version?: string | undefined;
}

export interface Wanted {
  readonly kind: Kind;
  /** Texts without anything in it may be left out. */
  readonly range?: Range;
  /** Texts without it may be left out. */
  readonly uid?: string;
}

/** Makes the new text of an old one. May throw ToolError. */
export type Edit = (text: string) => Awaitable<string>;

/** Where calendars are kept. */
export interface CalendarStore {
  calendars(): Promise<readonly Calendar[]>;
  texts(calendar: Calendar, wanted: Wanted): Promise<readonly CalendarText[]>;
  /** The calendar for what names none; it may have to be made by the first `add`. */
  standard(kind: Kind): Promise<Calendar>;
  /** Adds a component, given as its text. */
  add(calendar: Calendar, uid: string, component: string): Promise<void>;
  /**
   * Applies the edit to the text as it is now. Throws ToolError `conflict` when that can not be done safely.
   */
  change(text: CalendarText, edit: Edit): Promise<void>;
}
