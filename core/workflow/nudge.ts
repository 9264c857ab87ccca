import type { ChatMessage } from "@pergola/sdk";
import type { Reply } from "./ask-model.ts";
import { takeCarried, type Flow } from "./flow.ts";
import { callWanted } from "./tool-choice.ts";

/**
 * Asks again where an answer should not be the last; its text is carried into the next message, and the
 * objection is not stored.
 */
export async function nudge(flow: Flow, reply: Reply): Promise<boolean> {
  const { iterations, maxIterations } = flow.run.record;
  if (reply.stopped || flow.isRepair || iterations >= maxIterations) return false;
  const objection = await objectionTo(flow, reply.text);
  if (objection === undefined) return false;
  const answer: readonly ChatMessage[] =
    reply.text.trim() === "" ? [] : [{ role: "assistant", content: reply.text }];
  const before = flow.aside;
  const carried = takeCarried(flow, reply.text);
  // An answer that must have a form is the last one alone.
  if (flow.output === undefined) flow.carried = carried;
  flow.aside = [...before, ...answer, { role: "user", content: objection }];
  return true;
}

/**
 * Objects once to an answer without a call that the request demands, once to an empty one, and up to three
 * times to open to-dos of this run.
 */
async function objectionTo(flow: Flow, text: string): Promise<string | undefined> {
  const { parts, run } = flow;
  const uncalled = objectionToNoCall(flow);
  if (uncalled !== undefined) return uncalled;
  const isEmpty = text.trim() === "";
  if (isEmpty && !flow.wasEmpty) {
    flow.wasEmpty = true;
    return "Your last answer was empty. Answer now, or call a tool.";
  }
  if (isEmpty || flow.nudges >= 3 || run.model.takesReminders === false) return undefined;
  const runId = run.request.kind === "autonomous" ? undefined : run.id;
  // A run that called no tool has written no to-dos.
  if (runId !== undefined && run.record.toolCallCount === 0) return undefined;
  const reminder = await parts.todos?.reminder(run.conversationId, runId);
  if (reminder !== undefined) flow.nudges += 1;
  return reminder;
}

function objectionToNoCall(flow: Flow): string | undefined {
  const wanted = flow.wasUncalled ? undefined : callWanted(flow);
  if (wanted === undefined) return undefined;
  flow.wasUncalled = true;
  return `You have not called a tool yet. ${wanted}`;
}
