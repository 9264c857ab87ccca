import { askAsChoice, noAnswer } from "./ask-as-choice.ts";
import { fillForm, type Decision } from "./ask-client.ts";
import type { Question } from "./service.ts";
import type { Ends, Session } from "./session.ts";

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
  return answer === undefined ? undefined : { userResponse: answer ?? noAnswer };
}

async function askInForm(
  ends: Ends,
  { id: sessionId }: Session,
  { prompt, context, options, toolCallId }: Question,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const choices = options.length > 0 ? { enum: [...options] } : {};
  const message = context === null ? prompt : `${prompt}\n\n${context}`;
  const requestedSchema = {
    type: "object" as const,
    properties: { answer: { type: "string" as const, title: "Your answer", ...choices } },
    required: ["answer"],
  };
  const answer = await fillForm(ends, { sessionId, toolCallId, message, requestedSchema }, signal);
  if (answer.action === "cancel") return undefined;
  const { content } = answer as { readonly content?: Readonly<Record<string, unknown>> | null };
  return typeof content?.["answer"] === "string" ? content["answer"] : null;
}
