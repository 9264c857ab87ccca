import type { PermissionOption } from "@agentclientprotocol/sdk";
import { askClient } from "./ask-client.ts";
import type { Question } from "./service.ts";
import type { Ends, Session } from "./session.ts";
import { textContent } from "./tool-calls.ts";

export const noAnswer = "No answer";
const none: PermissionOption = { optionId: "none", kind: "reject_once", name: noAnswer };

/**
 * Has the person choose one of the answers of a question. null: none of them; undefined: the turn has been
 * cancelled. Rejects as `askClient` does.
 */
export async function askAsChoice(
  ends: Ends,
  { id }: Session,
  { prompt, context, options, toolCallId }: Pick<Question, "prompt" | "context" | "options" | "toolCallId">,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const answers = options.map((name, index) => ({ optionId: `${index}`, kind: "allow_once", name }) as const);
  const content = context === null ? [] : [textContent(context)];
  const request = {
    sessionId: id,
    toolCall: { toolCallId, title: prompt, status: "pending" as const, content },
    options: [...answers, none],
  };
  const chosen = await askClient(ends, request, signal);
  if (chosen === undefined) return undefined;
  return answers.find(({ optionId }) => optionId === chosen)?.name ?? null;
}
