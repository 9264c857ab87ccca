import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { accountSetup } from "@pergola/kit-dav/testing";
import type { Json, Operation } from "@pergola/sdk";
import { runOperation, temporaryFolder, toolContext, type TestContext } from "@pergola/sdk/testing";

export const card = (...all: readonly string[]): string =>
  ["BEGIN:VCARD", ...all, "END:VCARD"].map((line) => `${line}\r\n`).join("");

export interface Scene {
  readonly folder: string;
  /** A context for one more call, with an id of its own. */
  readonly call: () => TestContext;
  readonly run: (operation: Operation, args?: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly read: (file: string) => string;
  readonly names: () => readonly string[];
}

const keys = { account: "tools.contacts.carddav", folder: "tools.contacts.path" };
let calls = 0;

/** A folder of contacts; the clock stands at 2026-01-02T03:04:05Z. */
export function scene(
  files: Readonly<Record<string, string>> = {},
  preferences: Readonly<Record<string, Json>> = {},
): Scene {
  const folder = path.join(temporaryFolder("pergola-contacts-"), "contacts");
  if (Object.keys(files).length > 0) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const call = (): TestContext => {
    calls += 1;
    const all = { "tools.contacts.path": folder, "tools.contacts.carddav": null, ...preferences };
    return toolContext({ callId: `call_${calls}`, preferences: all, ...accountSetup(all, keys) });
  };
  return {
    folder,
    call,
    run: async (operation, args = {}) => (await runOperation(operation, args, call())).data as string,
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    names: () => readdirSync(folder),
  };
}

export const names = (data: string): readonly string[] =>
  [...data.matchAll(/^### (.+)$/gm)].map(([, name = ""]) => name);
export const idIn = (data: string): string => /^- ID: (.+)$/m.exec(data)?.[1] ?? "";
