import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { accountSetup } from "@pergola/kit-dav/testing";
import type { Json, Operation } from "@pergola/sdk";
import {
  runOperation,
  temporaryFolder,
  testClock,
  toolContext,
  type TestContext,
  type TestSetup,
} from "@pergola/sdk/testing";

export const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join("");
export const calendar = (...all: readonly string[]): string =>
  lines("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...all, "END:VCALENDAR");
export const event = (uid: string, ...all: readonly string[]): readonly string[] => [
  "BEGIN:VEVENT",
  `UID:${uid}`,
  "DTSTAMP:20260101T000000Z",
  ...all,
  "END:VEVENT",
];

export interface Scene {
  readonly folder: string;
  /** A context for one more call, with an id of its own. */
  readonly call: (more?: Partial<TestSetup>) => TestContext;
  readonly run: (operation: Operation, args?: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly read: (file: string) => string;
}

const keys = { account: "tools.calendar.caldav", folder: "tools.calendar.path" };
let calls = 0;

/** A folder of calendars, seen from Berlin at noon of Monday, 2 March 2026. */
export function scene(
  files: Readonly<Record<string, string>> = {},
  {
    now = Date.UTC(2026, 2, 2, 11),
    preferences = {},
  }: { readonly now?: number; readonly preferences?: Readonly<Record<string, Json>> } = {},
): Scene {
  const folder = path.join(temporaryFolder("pergola-calendars-"), "calendars");
  if (Object.keys(files).length > 0) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const call = (more: Partial<TestSetup> = {}): TestContext => {
    calls += 1;
    const all = {
      "user.time_zone": "Europe/Berlin",
      "tools.calendar.path": folder,
      "tools.calendar.caldav": null,
      ...preferences,
    };
    return toolContext({
      callId: `call_${calls}`,
      clock: testClock(now),
      preferences: all,
      ...accountSetup(all, keys),
      ...more,
    });
  };
  return {
    folder,
    call,
    run: async (operation, args = {}) => (await runOperation(operation, args, call())).data as string,
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
  };
}

/** The starts of the entries in a result. */
export const starts = (data: string): readonly string[] =>
  [...data.matchAll(/^- Start: (\S+)/gm)].map(([, start = ""]) => start);
export const ids = (data: string): readonly string[] =>
  [...data.matchAll(/^- ID: (.+)$/gm)].map(([, id = ""]) => id);
