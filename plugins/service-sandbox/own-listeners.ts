import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isOwnAddress } from "@pergola/kit-addresses";

/** The state of a listening socket in `/proc/net/tcp`. */
const listening = "0A";

const linesOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
};

/** Inodes of sockets that listen on a port, whoever's they are (proc(5), /proc/net/tcp). */
function inodesAt(port: number): ReadonlySet<string> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
    .flatMap(linesOf)
    .map((row) => row.trim().split(/\s+/));
  const found = rows.filter(([, local = "", , state]) => state === listening && local.endsWith(end));
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}

function descriptors(): readonly string[] {
  const folder = "/proc/self/fd";
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return [];
    }
  });
}

/**
 * Whether this process itself listens at an address and port. Where the system cannot tell, each of this
 * computer's own addresses counts.
 */
export function isOwnListener(address: string, port: number): boolean {
  if (!isOwnAddress(address)) return false;
  if (process.platform !== "linux") return true;
  const inodes = inodesAt(port);
  return inodes.size > 0 && descriptors().some((target) => inodes.has(target));
}
