import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Awaitable } from "@pergola/sdk";
import { demand } from "../conformance/rule.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A storage's plugin as a host finds it. */
export interface BuiltStorage {
  /** Its folder; what its package.json exports is built. */
  readonly folder: string;
  /**
   * The entry `storage` of the settings; a function gives that of a new, empty store each time, for a storage
   * whose records are not in the data directory. Default: none.
   */
  readonly settings?: StorageSettings | (() => Awaitable<StorageSettings>);
}

type StorageSettings = Readonly<Record<string, unknown>>;

/** A store that any process can open. */
export interface Store {
  readonly folder: string;
  readonly settings: StorageSettings;
  readonly dataDirectory: string;
}

/** A new, empty store. */
export async function newStore({ folder, settings = {} }: BuiltStorage): Promise<Store> {
  return {
    folder,
    settings: typeof settings === "function" ? await settings() : settings,
    dataDirectory: temporaryFolder(),
  };
}

/** What the process does with the store: it goes on writing pairs, writes each thing once, counts pairs. */
export type Task = "write" | "once" | "count";

/** How many whole pairs a store has, from the first one on, and whether half of one is there. */
export interface Pairs {
  readonly whole: number;
  readonly isTorn: boolean;
}

const program = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const [, entry, dataDirectory, settings, task] = process.argv;
// Node's permissions let nobody flush a file that is open; it is not what is tried here.
const flushed = (file, done) => done(null);
if (process.permission !== undefined)
  Object.assign(fs, { fsyncSync() {}, fdatasyncSync() {}, fsync: flushed, fdatasync: flushed });
syncBuiltinESMExports();
const { default: plugin } = await import(entry);
const ignore = () => {};
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const storage = await plugin.storages[0].open(JSON.parse(settings), { dataDirectory, log });
const pairs = storage.collection("pairs", { indexes: [] });
const pair = (index) => ["left", "right"].map((side) => ({ collection: "pairs", put: { id: side + index } }));
const tasks = {
  async write() {
    for (let index = 0; ; index++) {
      await storage.commit(pair(index));
      process.stdout.write(index + "\\n");
    }
  },
  async once() {
    await storage.commit(pair(0));
    await storage.blobs.put("blob", new Uint8Array(100_000));
    const search = storage.search("words", { fields: { text: 1 }, dimensions: 0 });
    await search.index([{ id: "tea", scope: "all", fields: { text: "tea" } }]);
    await search.query({ scopes: ["all"], text: "tea", limit: 1 });
  },
  async count() {
    for (let whole = 0; ; whole++) {
      const sides = await Promise.all(["left", "right"].map((side) => pairs.get(side + whole)));
      const there = sides.filter((side) => side !== undefined).length;
      if (there < 2) return process.stdout.write(JSON.stringify({ whole, isTorn: there === 1 }));
    }
  },
};
await tasks[task]();
await storage.close();
`;

function entryOf(folder: string): string {
  const { exports = {}, main = "index.js" } = JSON.parse(
    readFileSync(path.join(folder, "package.json"), "utf8"),
  ) as { readonly exports?: Readonly<Record<string, string | { readonly default?: string }>>; main?: string };
  const entry = exports["."] ?? main;
  const file = typeof entry === "string" ? entry : (entry.default ?? main);
  return pathToFileURL(path.join(folder, file)).href;
}

/** Node's own permissions, as far as it has them: the data directory is all that may be written. */
function wallsAround(dataDirectory: string): readonly string[] {
  const has = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);
  const flag = ["--permission", "--experimental-permission"].find(has);
  if (flag === undefined) return [];
  const more = ["--allow-worker", "--allow-addons", "--allow-net"].filter(has);
  return [flag, "--allow-fs-read=*", `--allow-fs-write=${path.join(dataDirectory, "*")}`, ...more];
}

/** Opens a store in a process of its own. */
export function openElsewhere(
  { folder, settings, dataDirectory }: Store,
  task: Task,
  { isWalled = false } = {},
): ChildProcess {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const walls = isWalled ? wallsAround(dataDirectory) : [];
  const words = [entryOf(folder), dataDirectory, JSON.stringify(settings), task];
  return spawn(process.execPath, [...walls, "--input-type=module", "--eval", program, "--", ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** All that a stream gives, as text. */
export async function textOf(stream: AsyncIterable<unknown> | null): Promise<string> {
  let text = "";
  for await (const piece of stream ?? []) text += String(piece);
  return text;
}

/** What a process has written once it has ended by itself. Rejects with what it says when it fails. */
export async function outputOf(child: ChildProcess): Promise<string> {
  const [said, complaint] = [textOf(child.stdout), textOf(child.stderr)];
  await once(child, "close");
  demand(child.exitCode === 0, (await complaint).slice(0, 2000));
  return said;
}
