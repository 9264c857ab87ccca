import { requireExtra } from "@pergola/kit-extras";
import type { ToolContext } from "@pergola/sdk";
import type { Connection } from "./ssh/connection.ts";
import { loginWith } from "./ssh/login.ts";
import { openConnection } from "./ssh/open-connection.ts";
import { parseTarget, type Target } from "./ssh/target.ts";

/** Throws ToolError `unavailable` where the library for SSH has yet to be fetched. */
export const requireSsh = (): void => requireExtra("ssh", import.meta.url);

/** The machine that a call names, and the key to log in with. */
export interface MachineArguments {
  readonly host: string;
  readonly ssh_port: number;
  readonly ssh_key?: string;
}

/** As `withConnection`, for a call that names one machine. */
export async function withMachine<T>(
  { host, ssh_port: port, ssh_key: key }: MachineArguments,
  context: ToolContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return withConnection(parseTarget(host, port), key, context, work);
}

/** Logs in, works, and hangs up whatever happens; as `requireSsh`. */
export async function withConnection<T>(
  target: Target,
  sshKey: string | undefined,
  context: ToolContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  requireSsh();
  const { signal } = context;
  const acceptNew = (await context.preference("tools.remote.accept_new_hosts")) === true;
  const connection = await openConnection({
    target,
    login: await loginWith(sshKey, context),
    acceptNew,
    signal,
  });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
