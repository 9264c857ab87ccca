import { parseArguments, type ToolResult } from "@pergola/sdk";
import type { CallEnd } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { callTool } from "./call-tool.ts";
import { checkArguments } from "./check-arguments.ts";
import type { CallSetting, ToolRequest } from "./check-call.ts";
import { effectsOf, isHarmless } from "./describe-tool.ts";
import { tooManyCalls, type CallKey, type Guards } from "./guards.ts";

interface Meaning extends CallKey {
  readonly isParallel: boolean;
}

/** What a call means, as far as it can be understood. */
export function meaningOf(parts: Bench, { name, arguments: input }: Omit<ToolRequest, "id">): Meaning {
  let tool = parts.toolbox.find(name)?.entry.tool.name ?? name;
  try {
    const own = parseArguments(input);
    const found = parts.toolbox.lookUp(name, own);
    tool = found?.entry.tool.name ?? name;
    const args = { ...found?.arguments, ...own };
    const operation = found && parts.toolbox.operationOf(found, args);
    if (operation === undefined) return { tool, operation: "", arguments: args, isParallel: true };
    const isParallel = operation.timeoutSeconds !== 0 && effectsOf(operation).every(isHarmless);
    return {
      tool,
      operation: operation.name,
      arguments: checkArguments(parts, operation, args).arguments,
      isParallel,
    };
  } catch {
    return { tool, operation: "", arguments: String(input), isParallel: true };
  }
}

/** Not every provider can be told that a request wants its calls one by one. */
const mostCalls = ({ preferences }: Bench, { run }: CallSetting): number =>
  run?.request.sampling.parallelToolCalls === false
    ? 1
    : preferences.get<number>("workflow.max_calls_per_iteration");

/**
 * One batch of calls, in pieces that end together, results in call order. Neighbours that can change nothing
 * run beside each other; every other call, and a question to the person, is a barrier.
 */
export async function* runTools(
  parts: Bench,
  calls: readonly ToolRequest[],
  setting: CallSetting,
  guards: Guards,
): AsyncIterable<readonly CallEnd[]> {
  const most = mostCalls(parts, setting);
  const widest = parts.preferences.get<number>("workflow.parallel_tools");
  const meanings = calls.map((call) => meaningOf(parts, call));
  const repeated = guards.repeated(meanings);
  const refusalOf = (index: number): ToolResult | undefined => {
    const refusal = repeated ?? guards.suspended(meanings[index]?.tool ?? "");
    if (refusal === undefined && index >= most) return tooManyCalls(most);
    return refusal;
  };
  const widthAt = (from: number): number => {
    const together = meanings.slice(from, from + widest).findIndex(({ isParallel }) => !isParallel);
    if (together < 0) return widest;
    return Math.max(1, together);
  };
  const one = async (call: ToolRequest, index: number): Promise<CallEnd> => {
    const end = await callTool(parts, call, setting, refusalOf(index));
    return { ...end, result: guards.count(end.tool, end.result) };
  };
  for (let from = 0; from < calls.length;) {
    const width = widthAt(from);
    yield await Promise.all(calls.slice(from, from + width).map((call, index) => one(call, from + index)));
    from += width;
  }
}
