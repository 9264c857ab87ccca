/** Parameters that several operations share: they are offered to a model as one function. */
export const calendarName = {
  type: "string",
  description: "Default: all calendars, or the usual one for a new event",
} as const;
export const listName = {
  type: "string",
  description: "Default: all lists, or the usual one for a new reminder",
} as const;
export const title = { type: "string", minLength: 1 } as const;
export const notes = { type: "string" } as const;
export const query = {
  type: "string",
  minLength: 1,
  description: "Words in title, location or notes",
} as const;
export const dateForm = "ISO 8601; without a zone the person's own; a date alone = all day";
export const daysAhead = <const D extends number>(standard: D) =>
  ({ type: "integer", minimum: 0, maximum: 3660, default: standard }) as const;
