import type { Form, FormAnswer } from "./client.ts";

/** A form as the protocol's elicitation takes it. */
export function elicitationOf({ message, title, options }: Form) {
  const field = { type: "string" as const, title, ...(options.length > 0 && { enum: [...options] }) };
  const requestedSchema = { type: "object" as const, properties: { answer: field }, required: ["answer"] };
  return { mode: "form" as const, message, requestedSchema };
}

interface Reply {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** What a client's reply to an elicitation says; what it does not say plainly counts as nothing. */
export function formAnswerOf({ action, content }: Reply): FormAnswer {
  if (action === "decline") return "declined";
  const text = content?.["answer"];
  return action === "accept" && typeof text === "string" ? { text } : "dismissed";
}
