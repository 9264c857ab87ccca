import { isObject, type Json, type ModelCall } from "@pergola/sdk";
import type { Flow } from "./flow.ts";

const free: ReadonlySet<unknown> = new Set(["auto", "none"]);

/** Whether a `tool_choice` makes the model call a tool. */
function isForced(choice: Json | undefined): boolean {
  if (choice === undefined || choice === null) return false;
  return !free.has(isObject(choice) ? choice["type"] : choice);
}

/** The caller brings what came of the model's calls: it made them, in an earlier request. */
const bringsResults = ({ run }: Flow): boolean => run.request.messages.at(-1)?.role === "tool";

const hasCalled = ({ run, executions }: Flow): boolean => run.record.toolCallCount + executions.length > 0;

/** What the request demands of a model that has not called a tool yet; undefined where it demands nothing. */
export function callWanted(flow: Flow): string | undefined {
  const { toolChoice } = flow.context.request.sampling;
  if (!isForced(toolChoice) || flow.tools.length === 0 || hasCalled(flow)) return undefined;
  if (bringsResults(flow)) return undefined;
  const { function: inner, name: outer } = isObject(toolChoice) ? toolChoice : {};
  const name = isObject(inner) ? inner["name"] : outer;
  return typeof name === "string" ? `Call ${name} now.` : "Call one of your tools now.";
}

export function warnOfNoCall(flow: Flow): void {
  if (callWanted(flow) !== undefined) flow.run.warnings.push("tool_choice was not met: no tool was called");
}

/**
 * What a model call offers, and how it is to be answered. A demanded call is demanded until it is made, not
 * again and again. The repair of an answer calls nothing, and is to follow what it is told.
 */
export function offerOf(flow: Flow): Pick<ModelCall, "tools" | "sampling" | "defaultedSampling"> {
  const { tools, context, isRepair } = flow;
  const { toolChoice, ...others } = context.request.sampling;
  if (isRepair)
    return { tools: [], sampling: { ...others, temperature: 0 }, defaultedSampling: ["temperature"] };
  if (isForced(toolChoice) && hasCalled(flow)) return { tools, sampling: others };
  return { tools, sampling: context.request.sampling };
}
