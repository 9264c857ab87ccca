import { accessSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { endianness } from "node:os";
import { readAside } from "./read-aside.ts";
import { readProc } from "./read-proc.ts";
import { sharedLook } from "./shared-look.ts";

/** The other end of a connection on this computer: its account, and what its process knows the socket by. */
export interface Account {
  readonly uid: number;
  readonly inode: string;
}

interface Address {
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

const mappedPrefix = Buffer.from("00000000000000000000ffff", "hex");
const loopback6 = Buffer.from("00000000000000000000000000000001", "hex");

/** The first line of a table about each connection, by its two ends as the table writes them. */
type Connections = ReadonlyMap<string, string>;

/** A line begins with its number and a colon, then the two ends. */
function endsIn(line: string): string {
  const begin = line.indexOf(":") + 2;
  return line.slice(begin, line.indexOf(" ", line.indexOf(" ", begin) + 1));
}

function connectionsIn(table: string): Connections {
  const found = new Map<string, string>();
  for (const line of table.split("\n")) {
    const ends = endsIn(line);
    if (!found.has(ends)) found.set(ends, line);
  }
  return found;
}

const reader = (table: string) => {
  const here = (): Connections => connectionsIn(readProc(() => readFileSync(table, "utf8")) ?? "");
  return sharedLook(here, () => readAside(table).then(connectionsIn, here));
};

const table4 = "/proc/self/net/tcp";
/** A table takes milliseconds, however few connections there are: the next is read only if it must be. */
const tables = [
  { addressLength: 8, read: reader(table4) },
  { addressLength: 32, read: reader("/proc/self/net/tcp6") },
];

/** The system's tables write an address as words of four bytes, each in the processor's order. */
function hexOf(bytes: Buffer): string {
  const copy = Buffer.from(bytes);
  return (endianness() === "LE" ? copy.swap32() : copy).toString("hex").toUpperCase();
}

/** How the tables may write an address of this computer: IPv4 also as it looks through an IPv6 socket. */
function formsOf({ address = "", port = 0 }: Address): readonly string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const four = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  if (four === "::1") return [hexOf(loopback6) + end];
  if (!four.startsWith("127.")) return [];
  const bytes = Buffer.from(four.split(".").map(Number));
  return [hexOf(bytes) + end, hexOf(Buffer.concat([mappedPrefix, bytes])) + end];
}

/** The first line about a connection, by the addresses of its ends: a table has those of one length. */
async function lineOf(theirs: readonly string[], ours: readonly string[]): Promise<string | undefined> {
  for (const { addressLength, read } of tables) {
    const [remote, local] = [theirs, ours].map((forms) =>
      forms.find((form) => form.indexOf(":") === addressLength),
    );
    const line = remote && local && (await read()).get(`${remote} ${local}`);
    if (line !== undefined) return line;
  }
  return undefined;
}

async function lookUp(socket: Socket): Promise<Account | undefined> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const theirs = formsOf({ address: remoteAddress, port: remotePort });
  const ours = formsOf({ address: localAddress, port: localPort });
  const line = await lineOf(theirs, ours);
  const words = line?.trim().split(/\s+/) ?? [];
  const [uid, inode] = [words[7], words[9]];
  // A connection that its process has closed is listed with inode 0 and as root's.
  if (uid === undefined || inode === undefined || inode === "0") return undefined;
  return { uid: Number(uid), inode };
}

const known = new WeakMap<Socket, Promise<Account | undefined>>();

/**
 * Who holds the other end of a connection on this computer; undefined when it is gone, and where the system
 * does not tell. Looked up once: call it soon after the connection is there.
 */
export function accountOf(socket: Socket): Promise<Account | undefined> {
  if (process.platform !== "linux") return Promise.resolve(undefined);
  const account = known.get(socket) ?? lookUp(socket);
  known.set(socket, account);
  return account;
}

/** Whether a connection on this computer belongs to the account of this service. */
export async function isOwnAccount(socket: Socket): Promise<boolean> {
  const account = await accountOf(socket);
  return account !== undefined && account.uid === process.getuid?.();
}

/** Whether this system tells whose a connection is. */
export function tellsAccounts(): boolean {
  if (process.platform !== "linux") return false;
  try {
    accessSync(table4);
    return true;
  } catch {
    return false;
  }
}
