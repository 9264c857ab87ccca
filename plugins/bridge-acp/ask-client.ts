import type {
  CreateElicitationResponse,
  ElicitationSchema,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
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
  const { outcome } = await client.request("session/request_permission", request, until(signal));
  return outcome.outcome === "selected" ? outcome.optionId : undefined;
}

/** What the person at an editor is to fill in, for a call. */
interface Form {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly message: string;
  readonly requestedSchema: ElicitationSchema;
}

/** Has the person fill in a form; for editors that say they have forms. Rejects as `askClient` does. */
export const fillForm = (
  { client }: Pick<Ends, "client">,
  form: Form,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> =>
  client.request("elicitation/create", { mode: "form", ...form }, until(signal));

const until = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });
