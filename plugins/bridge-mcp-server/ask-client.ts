import { AppError, type AnswerInput, type ApprovalRecord, type Services } from "@pergola/sdk";
import { visibleText as visible } from "@pergola/sdk/host";
import type { ClientCall, Form, FormAnswer } from "./client.ts";

const [allow, deny] = ["allow once", "deny"] as const;

/** All that the person must know, whole. */
function formOf({
  kind,
  tool,
  operation,
  reason,
  prompt,
  context,
  options,
  arguments: args,
  paths,
}: ApprovalRecord): Form {
  if (kind === "question")
    return { message: visible([prompt, context ?? ""].join("\n").trim()), title: "Answer", options };
  const lines = [
    prompt,
    context,
    reason && `It is asked because ${reason}.`,
    `${tool}.${operation} ${JSON.stringify(args, undefined, 2)}`,
    paths.length > 0 && `Paths: ${paths.join(", ")}`,
  ];
  return { message: visible(lines.filter(Boolean).join("\n")), title: "Decision", options: [allow, deny] };
}

function answerOf({ kind }: ApprovalRecord, reply: Exclude<FormAnswer, "dismissed">): AnswerInput {
  if (reply === "declined") return { approved: false };
  if (kind === "question") return { text: reply.text };
  return { approved: reply.text === allow };
}

/**
 * Puts a question of a call to the person in front of the client, and their answer where all answers go.
 * False when the client gave none, or may not: the question stays open. An answer that came another way
 * meanwhile counts.
 */
export async function askClient(
  id: string,
  { approvals }: Services,
  call: ClientCall,
  signal: AbortSignal,
): Promise<boolean> {
  if (call.ask === undefined) return false;
  const approval = await approvals.get(id);
  const scope = approval.kind === "approval" ? "approve" : "chat";
  if (!call.caller.scopes.includes(scope)) return false;
  const reply = await call.ask(formOf(approval), signal).catch((): FormAnswer => "dismissed");
  if (reply === "dismissed") return (await approvals.get(id)).status !== "pending";
  await approvals.answer(id, answerOf(approval, reply), undefined, call.caller).catch((error: unknown) => {
    if (!AppError.is(error) || error.code !== "already_answered") throw error;
  });
  return true;
}
