import { messageOf } from "@pergola/sdk";
import type { Connection } from "./ssh/connection.ts";
import { runScript } from "./ssh/run-script.ts";

export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export const check = (name: string, ok: boolean, detail: string): Check => ({ name, ok, detail });

/** A check with its detail for success and for failure. */
const choose = (name: string, ok: boolean, [success, failure]: readonly [string, string]): Check =>
  check(name, ok, ok ? success : failure);

/**
 * What can be done on a machine: run commands, use /tmp, copy files. `system` is its kernel, as `uname -srm`
 * tells it.
 */
export async function checkMachine(connection: Connection, signal: AbortSignal) {
  const script = ["uname -srm", "[ -w /tmp ] && echo yes || echo no", "df -Pk /tmp | tail -n 1"];
  const { stdout } = await runScript(connection, script, { signal });
  const [system = "", writable = "", disk = ""] = stdout.split("\n");
  const free = Number(disk.trim().split(/\s+/)[3]);
  const checks = [
    choose("shell", system !== "", ["commands run", "there is no POSIX shell"]),
    choose("temporary folder", writable === "yes", ["/tmp can be written", "/tmp cannot be written"]),
  ];
  if (Number.isFinite(free))
    checks.push(check("disk", free > 10_240, `${Math.floor(free / 1024)} MiB are free in /tmp`));
  checks.push(await checkSftp(connection, signal));
  return { system, checks };
}

async function checkSftp(connection: Connection, signal: AbortSignal): Promise<Check> {
  try {
    const sftp = await connection.sftp({ signal });
    sftp.end();
    return check("files", true, "SFTP works");
  } catch (error) {
    return check("files", false, `SFTP does not work: ${messageOf(error)}`);
  }
}
