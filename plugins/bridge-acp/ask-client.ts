import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Ends } from "./session.ts";

/** The body of an answer to a question of the service. */
export type Decision =
  { readonly approved: boolean; readonly grant?: "conversation" } | { readonly userResponse: string };

/**
 * Has the person at the editor choose: the id of an option, undefined when the turn was cancelled instead.
 * Rejects when the signal says that nothing is asked any more.
 */
export async function askClient(
  { client }: Pick<Ends, "client">,
  request: RequestPermissionRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true };
  const { outcome } = await client.request("session/request_permission", request, waiting);
  return outcome.outcome === "selected" ? outcome.optionId : undefined;
}
