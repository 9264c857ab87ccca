import { messageOf } from "@pergola/sdk";
import type { Connection } from "./ssh/connection.ts";
import { runScript } from "./ssh/run-script.ts";

export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export const check = (name: string, ok: boolean, detail: string): Check => ({ name, ok, detail });

/**
 * What can be done on a machine: run commands, use /tmp, copy files. `system` is its kernel, as `uname -srm`
 * tells it.
 */
export async function checkMachine(
  connection: Connection,
  signal: AbortSignal,
): Promise<{ readonly system: string; readonly checks: readonly Check[] }> {
  const script = ["uname -srm", "[ -w /tmp ] && echo yes || echo no", "df -Pk /tmp | tail -n 1"];
  const { stdout } = await runScript(connection, script, { signal });
  const [system = "", writable = "", disk = ""] = stdout.split("\n");
  const free = Number(disk.trim().split(/\s+/)[3]);
  const copies = await connection.sftp({ signal }).then(
    (sftp) => (sftp.end(), check("files", true, "SFTP works")),
    (error: unknown) => check("files", false, `SFTP does not work: ${messageOf(error)}`),
  );
  const checks = [
    check("shell", system !== "", system === "" ? "there is no POSIX shell" : "commands run"),
    check(
      "temporary folder",
      writable === "yes",
      writable === "yes" ? "/tmp can be written" : "/tmp cannot be written",
    ),
    Number.isFinite(free) && check("disk", free > 10_240, `${Math.floor(free / 1024)} MiB are free in /tmp`),
    copies,
  ];
  return { system, checks: checks.filter((each) => each !== false) };
}
