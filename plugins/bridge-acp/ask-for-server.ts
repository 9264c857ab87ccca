import type { ElicitationSchema } from "@agentclientprotocol/sdk";
import { answerInquiry, attributed, isChoice, type Inquiry, type InquiryAnswer } from "@pergola/kit-mcp";
import type { Answer, JsonObject, Question } from "@pergola/sdk";
import { visibleJson, visibleText } from "@pergola/sdk/host";
import { askAsChoice } from "./ask-as-choice.ts";
import { fillForm } from "./ask-client.ts";
import { cancel, type Ends, type Session } from "./session.ts";

/** A call of a tool of an editor's server. */
interface ServerCall {
  readonly server: string;
  readonly toolCallId: string;
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/**
 * Puts to the person what an editor's MCP server wants to know during a call: in a form where the editor has
 * one, else as choices. What would have to be written without a form, or at an address, is declined.
 */
export async function askForServer(
  ends: Ends,
  session: Session,
  call: ServerCall,
  inquiry: Inquiry,
): Promise<InquiryAnswer> {
  if (inquiry.mode === "url") return { action: "decline" };
  if (ends.capabilities.elicitation?.form) return askInForm(ends, session, call, inquiry);
  if (!isChoice(inquiry)) return { action: "decline" };
  return answerInquiry(call.server, inquiry, {
    ask: (question) => choose(ends, session, call, question),
  });
}

async function askInForm(
  ends: Ends,
  { id: sessionId }: Session,
  { server, toolCallId, signal }: ServerCall,
  inquiry: Inquiry,
): Promise<InquiryAnswer> {
  const message = visibleText(attributed(server, inquiry));
  const { properties = {}, required = [] } = inquiry.requestedSchema ?? {};
  const schema: JsonObject = { type: "object", properties, required };
  const requestedSchema = visibleJson(schema) as ElicitationSchema;
  const answer = await fillForm(ends, { sessionId, toolCallId, message, requestedSchema }, signal);
  if (answer.action === "cancel") return { action: "cancel" };
  if (answer.action !== "accept") return { action: "decline" };
  const { content } = answer as { readonly content?: InquiryAnswer["content"] | null };
  return { action: "accept", content: content ?? {} };
}

async function choose(
  ends: Ends,
  session: Session,
  { toolCallId, signal }: ServerCall,
  { prompt, context = "", options = [] }: Question,
): Promise<Answer> {
  const question = {
    toolCallId,
    prompt: visibleText(prompt),
    context: visibleText(context),
    options: options.map(visibleText),
  };
  const chosen = await askAsChoice(ends, session, question, signal);
  if (chosen === undefined) await cancel(session);
  if (chosen === undefined || chosen === null) return { decision: "denied", text: "" };
  return { decision: "text", text: chosen };
}
