import { readdir, readFile, readlink } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";

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

/** Bytes as the tables of sockets write them: words of four in the order of the machine. */
function wordsOf(bytes: readonly number[]): string {
  const hex = bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0"));
  const starts = hex.flatMap((_, at) => (at % 4 === 0 ? [at] : []));
  const words = starts.map((at) => hex.slice(at, at + 4));
  return words.flatMap((word) => (endianness() === "LE" ? word.toReversed() : word)).join("");
}

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

/** A pattern for a loopback address, which a socket of IPv6 may hold in a form of its own. */
function addressPattern(address = ""): string {
  if (address === "::1") return wordsOf([...zeros(15), 1]);
  const bytes = address
    .replace(/^::ffff:/i, "")
    .split(".")
    .map(Number);
  return `(?:${wordsOf(bytes)}|${wordsOf([...zeros(10), 255, 255, ...bytes])})`;
}

/** Undefined when the other end of the connection is gone. */
async function peerInode(socket: Socket): Promise<string | undefined> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const end = (address: string | undefined, port = 0): string =>
    `${addressPattern(address)}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const peer = `${end(remoteAddress, remotePort)} ${end(localAddress, localPort)}`;
  const line = new RegExp(`^ *\\d+: ${peer} [0-9A-F]{2} .*`, "gm");
  const tables = await Promise.all(["/proc/self/net/tcp", "/proc/self/net/tcp6"].map(textOf));
  const lines = tables.flatMap((table) => table.match(line) ?? []);
  const inodes = lines.map((each) => each.trim().split(/\s+/)[9]);
  return inodes.find((inode) => inode !== undefined && inode !== "0");
}

async function holdsSocket(pid: string, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const open = await namesIn(folder);
  const targets = await Promise.all(open.map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return targets.includes(`socket:[${inode}]`);
}

async function lookUp(socket: Socket): Promise<boolean> {
  const descendants = await descendantsOf("self");
  if (descendants.length === 0) return false;
  const inode = await peerInode(socket);
  if (inode === undefined) return true;
  const holders = await Promise.all(descendants.map((pid) => holdsSocket(pid, inode)));
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
