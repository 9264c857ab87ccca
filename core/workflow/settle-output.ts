import { defined, type AppError } from "@pergola/sdk";
import { stopText, type CheckedOutput } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import type { Reply } from "./ask-model.ts";
import type { Ending, Flow } from "./flow.ts";

/** Why an answer that ended for another reason than its own end is not asked for again. */
const cutBy: Readonly<Record<string, string>> = {
  length: "the answer was cut off at its limit of tokens",
  content_filter: "a filter of the provider has cut the answer",
};

/** The text that ends a run may be the very answer. */
const textOf = ({ text, stopped }: Reply): string => (stopped && text.trim() === "" ? stopText : text);

/**
 * Ends a run with its last answer, or asks once more where that does not have the form of the request:
 * undefined. Text that was held back is sent here.
 */
export async function settleOutput(flow: Flow, reply: Reply): Promise<Ending | undefined> {
  const done: Ending = { reason: "workflow_complete", finishReason: reply.finishReason };
  if (flow.output === undefined) return done;
  const checked = await flow.output.check(textOf(reply), flow.run.signal);
  if (checked.faults.length === 0) {
    deliver(flow, checked.text);
    return done;
  }
  const cut = cutBy[reply.finishReason];
  const { iterations, maxIterations } = flow.run.record;
  if (!flow.isRepair && cut === undefined && checked.canRepair && iterations < maxIterations) {
    askForRepair(flow, reply, checked.faults);
    return undefined;
  }
  return endUnmet(flow, checked, cut ?? checked.faults.join("; "));
}

/** The answer takes the place of all that was said before it. */
export function deliver(flow: Flow, text: string): void {
  flow.carried = "";
  flow.answered = text;
  if (flow.last !== undefined) flow.last = { ...flow.last, text };
  if (text !== "") flow.run.emit({ type: "text", text });
}

function askForRepair(flow: Flow, { text }: Reply, faults: readonly string[]): void {
  flow.isRepair = true;
  flow.answered = text;
  const answer = text.trim() === "" ? [] : [{ role: "assistant" as const, content: text }];
  const objection = { role: "user" as const, content: flow.output?.objection(faults) ?? "" };
  flow.aside = [...flow.aside, ...answer, objection];
}

function endUnmet(flow: Flow, { text }: CheckedOutput, why: string): Ending {
  const finishReason = flow.last?.finishReason ?? "stop";
  if (flow.output?.strict === true) return { reason: "error", error: unmet(why) };
  warnOfUnmet(flow, why);
  deliver(flow, text);
  return { reason: "workflow_complete", finishReason };
}

function warnOfUnmet({ run }: Flow, why: string): void {
  run.updateRecord({ hadErrors: true });
  run.warnings.push(`response_format was not met: ${why}`);
}

const unmet = (why: string, cause?: AppError): AppError =>
  fault(
    "output_invalid",
    `The answer does not have the form that response_format asks for: ${why}.`,
    defined({ cause }),
  );

/** The end of a run whose model call has failed. */
export function endFailed(flow: Flow, error: AppError): Ending {
  if (!flow.isRepair || flow.run.signal.aborted) return { reason: "error", error };
  const why = `asked for it again, the model failed: ${error.message}`;
  if (flow.output?.strict === true) return { reason: "error", error: unmet(why, error) };
  warnOfUnmet(flow, why);
  return { reason: "error", error };
}
