import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Effect, JsonObject } from "@pergola/sdk";
import type { Checked } from "./check-call.ts";

/** Above this a file is told apart by its size and times alone. */
const maxHashedBytes = 64 * 2 ** 20;
const harmless: ReadonlySet<Effect> = new Set<Effect>(["none", "read"]);

/** The first word of a command that is no assignment, without quotes. */
function programIn(command: string): string | undefined {
  const [, word] = /^\s*(?:\w+=\S*\s+)*("[^"]*"|'[^']*'|\S+)/.exec(command) ?? [];
  return word?.replaceAll(/^["']|["']$/g, "");
}

/** The file that a command runs, where its first word names one by a path. */
function programOf({ effect, arguments: args, realDirectory }: Checked): readonly string[] {
  const { command, working_directory: folder } = args;
  if (effect !== "execute" || typeof command !== "string") return [];
  const word = programIn(command);
  if (!word?.includes("/")) return [];
  return [path.resolve(realDirectory, typeof folder === "string" ? folder : ".", word)];
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

async function stateOf(named: string): Promise<JsonObject> {
  try {
    const file = await realpath(named);
    const stats = await lstat(file);
    const { dev, ino, size, mtimeMs } = stats;
    const identity = { path: file, dev, ino };
    if (!stats.isFile()) return identity;
    if (size > maxHashedBytes) return { ...identity, size, mtimeMs };
    return { ...identity, content: await hashOf(file) };
  } catch (error) {
    return { path: named, missing: (error as NodeJS.ErrnoException).code ?? "unknown" };
  }
}

/** The code of a plugin that somebody else has written: a yes is for what it did when it was asked about. */
const codeOf = ({ entry: { plugin } }: Checked): readonly string[] =>
  plugin.package.startsWith("@pergola/") ? [] : [plugin.entry];

/**
 * What the files are that a call would change or run, by its paths or as the program of its command, and the
 * code of the plugin that makes it: a yes is for these, not for what somebody puts in their
 * place.
 */
export async function boundFiles(call: Checked): Promise<readonly JsonObject[]> {
  const paths = call.paths.filter(({ effect }) => !harmless.has(effect)).map(({ real }) => real);
  return Promise.all([...new Set([...paths, ...programOf(call), ...codeOf(call)])].map(stateOf));
}
