import { createHash, webcrypto } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { compareText } from "@pergola/sdk";

/** The most that a plugin may hold, the packages that it brings included. */
export const mostOfPlugin = { files: 20_000, bytes: 500 * 2 ** 20 };

const megabytes = mostOfPlugin.bytes / 2 ** 20;

/** What is said of one that holds more. */
export const tooLarge = `it is larger than ${mostOfPlugin.files} files or ${megabytes} MiB`;

/** What a digest has taken in. */
interface Taken {
  files: number;
  bytes: number;
}

/** Files after which others have their turn: asking the system for each aside takes ten times as long. */
const atOnce = 100;

/** What is larger is read and computed in a thread, so that a large plugin does not hold up the service. */
const small = 64 * 1024;

async function sha256(data: Uint8Array): Promise<string> {
  if (data.length <= small) return createHash("sha256").update(data).digest("hex");
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", data)).toString("hex");
}

/**
 * SHA-256 of all that lies in a plugin's folder: names, contents and which files are programs. Rejects with
 * what keeps the folder from being pinned: links that leave it, devices, too much of it.
 */
export async function pluginDigest(folder: string): Promise<string> {
  const root = realpathSync.native(folder);
  const lines = await linesOf(root, root, { files: 0, bytes: 0 });
  return sha256(Buffer.from(lines.join("\n")));
}

async function linesOf(root: string, folder: string, taken: Taken): Promise<readonly string[]> {
  const names = readdirSync(folder).sort(compareText);
  const lines: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const facts = lstatSync(file);
    take(taken, facts.isFile() ? facts.size : 0);
    if (taken.files % atOnce === 0) await setImmediate();
    if (facts.isDirectory()) lines.push(...(await linesOf(root, file, taken)));
    else lines.push(facts.isFile() ? await fileLine(root, file, facts) : await linkLine(root, file));
  }
  return lines;
}

function take(taken: Taken, bytes: number): void {
  taken.files += 1;
  taken.bytes += bytes;
  if (taken.files > mostOfPlugin.files || taken.bytes > mostOfPlugin.bytes) throw new Error(tooLarge);
}

async function fileLine(root: string, file: string, { mode, size }: Stats): Promise<string> {
  const data = size <= small ? readFileSync(file) : await readFile(file);
  return JSON.stringify([path.relative(root, file), mode & 0o111, await sha256(data)]);
}

/** A link to a file is taken as that file. */
async function linkLine(root: string, file: string): Promise<string> {
  const name = path.relative(root, file);
  const real = realpathSync.native(file);
  if (!real.startsWith(root + path.sep)) throw new Error(`its file ${name} is a link to somewhere else`);
  const facts = lstatSync(real);
  if (!facts.isFile() && !facts.isDirectory()) throw new Error(`its file ${name} is no ordinary file`);
  if (facts.isDirectory()) return JSON.stringify([name, "link", path.relative(root, real)]);
  return JSON.stringify([name, facts.mode & 0o111, await sha256(await readFile(real))]);
}
