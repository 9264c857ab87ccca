import type { ToolContext } from "@pergola/sdk";
import type { Connection } from "./ssh/connection.ts";
import { loginWith } from "./ssh/login.ts";
import { openConnection } from "./ssh/open-connection.ts";
import type { Target } from "./ssh/target.ts";

/** Logs in, works, and hangs up whatever happens. */
export async function withConnection<T>(
  target: Target,
  sshKey: string | undefined,
  context: ToolContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
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
