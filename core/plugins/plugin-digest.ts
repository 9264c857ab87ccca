import { hash, webcrypto } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync, type Stats } from "node:fs";
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

/** What small files are read into, one after the other; one that has grown since fills it. */
const content = Buffer.allocUnsafe(small + 1);

async function sha256(data: Uint8Array): Promise<string> {
  if (data.length <= small) return hash("sha256", data);
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", data)).toString("hex");
}

/** Of a file that is small. */
function sha256Of(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    return hash("sha256", content.subarray(0, readSync(descriptor, content)));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * SHA-256 of all that lies in a plugin's folder: names, contents and which files are programs. Rejects with
 * what keeps the folder from being pinned: links that leave it, devices, too much of it.
 */
export async function pluginDigest(folder: string): Promise<string> {
  const root = realpathSync.native(folder);
  const lines = await linesOf(root, "", { files: 0, bytes: 0 });
  return sha256(Buffer.from(lines.join("\n")));
}

/** `folder`: from the root, with a separator at its end; empty = the root. */
async function linesOf(root: string, folder: string, taken: Taken): Promise<readonly string[]> {
  const names = readdirSync(root + path.sep + folder).sort(compareText);
  const lines: string[] = [];
  for (const each of names) {
    const name = folder + each;
    const file = root + path.sep + name;
    const facts = lstatSync(file);
    take(taken, facts.isFile() ? facts.size : 0);
    if (taken.files % atOnce === 0) await setImmediate();
    if (facts.isDirectory()) lines.push(...(await linesOf(root, name + path.sep, taken)));
    else lines.push(facts.isFile() ? await fileLine(file, name, facts) : await linkLine(root, name));
  }
  return lines;
}

function take(taken: Taken, bytes: number): void {
  taken.files += 1;
  taken.bytes += bytes;
  if (taken.files > mostOfPlugin.files || taken.bytes > mostOfPlugin.bytes) throw new Error(tooLarge);
}

async function fileLine(file: string, name: string, { mode, size }: Stats): Promise<string> {
  const digest = size <= small ? sha256Of(file) : await sha256(await readFile(file));
  return JSON.stringify([name, mode & 0o111, digest]);
}

/** A link to a file is taken as that file. */
async function linkLine(root: string, name: string): Promise<string> {
  const real = realpathSync.native(root + path.sep + name);
  if (!real.startsWith(root + path.sep)) throw new Error(`its file ${name} is a link to somewhere else`);
  const facts = lstatSync(real);
  if (!facts.isFile() && !facts.isDirectory()) throw new Error(`its file ${name} is no ordinary file`);
  if (facts.isDirectory()) return JSON.stringify([name, "link", path.relative(root, real)]);
  return fileLine(real, name, facts);
}
