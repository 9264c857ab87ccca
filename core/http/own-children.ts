import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { accountOf } from "./connection-account.ts";
import { readProc } from "./read-proc.ts";
import { sharedLook } from "./shared-look.ts";

const namesIn = (folder: string): readonly string[] => readProc(() => readdirSync(folder)) ?? [];

/** The processes that a process has started, and theirs. */
function descendantsOf(pid: number | "self"): readonly string[] {
  const lists = namesIn(`/proc/${pid}/task`).map(
    (thread) => readProc(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")) ?? "",
  );
  const children = lists.join(" ").split(" ").filter(Boolean);
  return children.flatMap((child) => [child, ...descendantsOf(Number(child))]);
}

function openFilesOf(pid: string): readonly (string | undefined)[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).map((name) => readProc(() => readlinkSync(`${folder}/${name}`)));
}

/** What the programs that this process has started hold open; undefined while there are none. */
const heldByDescendants = sharedLook((): ReadonlySet<string | undefined> | undefined => {
  const descendants = descendantsOf("self");
  return descendants.length === 0 ? undefined : new Set(descendants.flatMap(openFilesOf));
});

async function lookUp(socket: Socket): Promise<boolean> {
  const held = await heldByDescendants();
  if (held === undefined) return false;
  const account = await accountOf(socket);
  return account === undefined || held.has(`socket:[${account.inode}]`);
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
