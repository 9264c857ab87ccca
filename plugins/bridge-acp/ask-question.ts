import type { PermissionOption } from "@agentclientprotocol/sdk";
import { askClient, type Decision } from "./ask-client.ts";
import type { Question } from "./service.ts";
import type { Ends, Session } from "./session.ts";
import { textContent } from "./tool-calls.ts";

const none: PermissionOption = { optionId: "none", kind: "reject_once", name: "No answer" };

/**
 * Puts a question of the model's to the person: in a form where the editor has one, else as a choice between
 * the answers that the model offers. undefined: the turn has been cancelled.
 */
export async function askQuestion(
  ends: Ends,
  session: Session,
  question: Question,
  signal: AbortSignal,
): Promise<Decision | undefined> {
  const answer = ends.capabilities.elicitation?.form
    ? await askInForm(ends, session, question, signal)
    : await askAsChoice(ends, session, question, signal);
  return answer === undefined ? undefined : { userResponse: answer };
}

async function askInForm(
  { client }: Ends,
  { id }: Session,
  { prompt, context, options, toolCallId }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  const choices = options.length > 0 ? { enum: [...options] } : {};
  const answer = await client.request(
    "elicitation/create",
    {
      mode: "form",
      sessionId: id,
      toolCallId,
      message: context === null ? prompt : `${prompt}\n\n${context}`,
      requestedSchema: {
        type: "object",
        properties: { answer: { type: "string", title: "Your answer", ...choices } },
        required: ["answer"],
      },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (answer.action === "cancel") return undefined;
  const { content } = answer as { readonly content?: Readonly<Record<string, unknown>> | null };
  return typeof content?.["answer"] === "string" ? content["answer"] : none.name;
}

async function askAsChoice(
  ends: Ends,
  { id }: Session,
  { prompt, context, options, toolCallId }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answers = options.map((name, index) => ({ optionId: `${index}`, kind: "allow_once", name }) as const);
  const content = context === null ? [] : [textContent(context)];
  const request = {
    sessionId: id,
    toolCall: { toolCallId, title: prompt, status: "pending" as const, content },
    options: [...answers, none],
  };
  const chosen = await askClient(ends, request, signal);
  if (chosen === undefined) return undefined;
  return answers.find(({ optionId }) => optionId === chosen)?.name ?? none.name;
}
