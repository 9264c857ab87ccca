import { readdir, readFile, readlink } from "node:fs/promises";
import type { Socket } from "node:net";
import { accountOf } from "./connection-account.ts";
import { sharedRead } from "./shared-read.ts";

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
const textOf = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");

/** The processes that a process has started, and theirs. */
async function descendantsOf(pid: number | "self"): Promise<readonly string[]> {
  const threads = await namesIn(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => textOf(`/proc/${pid}/task/${thread}/children`)));
  const children = lists.join(" ").split(" ").filter(Boolean);
  const below = await Promise.all(children.map((child) => descendantsOf(Number(child))));
  return [...children, ...below.flat()];
}

const ownDescendants = sharedRead(() => descendantsOf("self"));

async function holdsSocket(pid: string, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const open = await namesIn(folder);
  const targets = await Promise.all(open.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return targets.includes(`socket:[${inode}]`);
}

async function lookUp(socket: Socket): Promise<boolean> {
  const descendants = await ownDescendants();
  if (descendants.length === 0) return false;
  const account = await accountOf(socket);
  if (account === undefined) return true;
  const holders = await Promise.all(descendants.map((pid) => holdsSocket(pid, account.inode)));
  return holders.includes(true);
}

const known = new WeakMap<Socket, Promise<boolean>>();

/**
 * Whether a connection from this computer comes from a program that this process has started: a plugin's
 * process, an MCP server, a command. One whose other end has gone before anyone could look counts as such
 * while there are any. Linux tells; elsewhere the answer is always no.
 */
export function isFromOwnChild(socket: Socket): Promise<boolean> {
  if (process.platform !== "linux") return Promise.resolve(false);
  const answer = known.get(socket) ?? lookUp(socket);
  known.set(socket, answer);
  return answer;
}
