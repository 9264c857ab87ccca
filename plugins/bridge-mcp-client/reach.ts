import { ToolError, type Effect } from "@pergola/sdk";
import type { Connection } from "./connection.ts";
import { failureOf, isAnswer, isLostSession } from "./failure-of.ts";
import type { Link } from "./link.ts";

/** What is asked of a server, and who waits for it. */
export interface Reach {
  readonly effect: Effect;
  readonly signal: AbortSignal;
  /** The server has forgotten the session once already. */
  readonly again?: boolean;
}

/**
 * Works with a server over its link. A server that has forgotten the session is asked once more. Throws
 * ToolError.
 */
export async function reach<T>(
  connection: Connection,
  work: (link: Link) => Promise<T>,
  { effect, signal, again = false }: Reach,
): Promise<T> {
  const link = await connection.link(signal);
  try {
    return await work(link);
  } catch (cause) {
    const error = cause as Error;
    if (signal.aborted) throw new ToolError("cancelled", "The call was cancelled.");
    if (!ToolError.is(error) && !isAnswer(error)) await connection.drop(link);
    if (!isLostSession(error) || again) throw failureOf(error, effect, link.ending);
  }
  return reach(connection, work, { effect, signal, again: true });
}
