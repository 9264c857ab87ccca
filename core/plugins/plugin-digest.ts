import { createHash } from "node:crypto";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { compareText } from "@pergola/sdk";

const most = { files: 20_000, bytes: 500 * 2 ** 20 };

/** What a digest has taken in. */
interface Taken {
  files: number;
  bytes: number;
}

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/**
 * SHA-256 of all that lies in a plugin's folder: names, contents and which files are programs. Rejects with
 * what keeps the folder from being pinned: links that leave it, devices, too much of it.
 */
export async function pluginDigest(folder: string): Promise<string> {
  const root = await realpath(folder);
  const lines = await linesOf(root, root, { files: 0, bytes: 0 });
  return sha256(lines.join("\n"));
}

async function linesOf(root: string, folder: string, taken: Taken): Promise<readonly string[]> {
  const names = (await readdir(folder)).sort(compareText);
  const lines: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const facts = await lstat(file);
    if (facts.isDirectory()) lines.push(...(await linesOf(root, file, taken)));
    else lines.push(await lineOf(root, file, taken));
  }
  return lines;
}

async function lineOf(root: string, file: string, taken: Taken): Promise<string> {
  const name = path.relative(root, file);
  const real = await realpath(file);
  if (!real.startsWith(root + path.sep)) throw new Error(`its file ${name} is a link to somewhere else`);
  const facts = await lstat(real);
  if (!facts.isFile() && !facts.isDirectory()) throw new Error(`its file ${name} is no ordinary file`);
  if (facts.isDirectory()) return JSON.stringify([name, "link", path.relative(root, real)]);
  taken.files += 1;
  taken.bytes += facts.size;
  if (taken.files > most.files || taken.bytes > most.bytes)
    throw new Error(`it is larger than ${most.files} files or ${most.bytes / 2 ** 20} MiB`);
  return JSON.stringify([name, facts.mode & 0o111, sha256(await readFile(real))]);
}
