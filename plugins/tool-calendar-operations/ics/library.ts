import type ICAL from "ical.js";

export type Ical = typeof ICAL;

/** ical.js, loaded when it is first needed. */
export const loadIcal = async (): Promise<Ical> => (await import("ical.js")).default;
