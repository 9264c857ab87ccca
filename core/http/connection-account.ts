import { accessSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";
import { sharedRead } from "./shared-read.ts";

/** The other end of a connection on this computer: its account, and what its process knows the socket by. */
export interface Account {
  readonly uid: number;
  readonly inode: string;
}

interface Address {
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

const tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
const mappedPrefix = Buffer.from("00000000000000000000ffff", "hex");
const loopback6 = Buffer.from("00000000000000000000000000000001", "hex");

/** What the tables say of a connection, from its addresses on; by these. */
type Rows = ReadonlyMap<string, string>;

/** On a busy computer there are thousands: each is only cut off behind its number and its addresses. */
const readRows = sharedRead(async (): Promise<Rows> => {
  const texts = await Promise.all(tables.map((file) => readFile(file, "utf8").catch(() => "")));
  const lines = texts.flatMap((text) => text.split("\n"));
  return new Map(
    lines.map((line) => {
      const from = line.indexOf(": ") + 2;
      const to = line.indexOf(" ", line.indexOf(" ", from) + 1);
      return [line.slice(from, to), line.slice(from)];
    }),
  );
});

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

async function lookUp(socket: Socket): Promise<Account | undefined> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const theirs = formsOf({ address: remoteAddress, port: remotePort });
  const ours = formsOf({ address: localAddress, port: localPort });
  if (theirs.length === 0) return undefined;
  const rows = await readRows();
  const pairs = theirs.flatMap((local) => ours.map((remote) => `${local} ${remote}`));
  const row = pairs.map((pair) => rows.get(pair)).find((found) => found !== undefined);
  const [uid, inode] = [6, 8].map((field) => row?.trim().split(/\s+/)[field]);
  // A connection that its process has closed is listed with inode 0 and as root's.
  if (uid === undefined || inode === undefined || inode === "0") return undefined;
  return { uid: Number(uid), inode };
}

const known = new WeakMap<Socket, Promise<Account | undefined>>();

/**
 * Who holds the other end of a connection on this computer; undefined when it is gone, and where the system
 * does not tell. Looked up once: call it as soon as the connection is there.
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
    accessSync(tables[0]!);
    return true;
  } catch {
    return false;
  }
}
