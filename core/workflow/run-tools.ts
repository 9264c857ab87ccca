import { type ToolResult } from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import { callTool, type CallEnd, type CallSetting, type ToolRequest } from "./call-tool.ts";
import { parseArguments } from "./check-arguments.ts";
import { effectsOf } from "./toolbox.ts";
import { tooManyCalls, type Guards } from "./guards.ts";

const tryParse = (given: unknown): unknown => {
  try {
    return parseArguments(given);
  } catch {
    return String(given);
  }
};

/** May run beside its neighbours: nothing it can do changes anything, and it does not wait for the person. */
function isParallel(parts: Parts, { name, arguments: given }: ToolRequest): boolean {
  try {
    const found = parts.tools.find(name);
    const operation = found === undefined ? undefined : parts.tools.operationOf(found, parseArguments(given));
    return (
      operation !== undefined &&
      operation.timeoutSeconds !== 0 &&
      effectsOf(operation).every((effect) => effect === "none" || effect === "read")
    );
  } catch {
    return true;
  }
}

const refusedEnd = (parts: Parts, { id, name }: ToolRequest, result: ToolResult): CallEnd => {
  const tool = parts.tools.find(name)?.entry.tool.name ?? name;
  const display = { action: tool, actionDisplayName: tool, summary: result.error ?? "", details: [], icon: "wrench" };
  return { callId: id, tool, operation: "", arguments: {}, effect: "none", result, display, duration: 0 };
};

/** One batch of calls, results in call order. Neighbours without an effect run together; every other call is a barrier. */
export async function runTools(
  parts: Parts,
  calls: readonly ToolRequest[],
  setting: CallSetting,
  guards: Guards,
): Promise<readonly CallEnd[]> {
  const most = parts.preferences.get<number>("workflow.max_calls_per_iteration");
  const width = parts.preferences.get<number>("workflow.parallel_tools");
  const family = (name: string): string => parts.tools.find(name)?.entry.tool.name ?? name;
  const repeated = guards.repeated(calls.map(({ name, arguments: given }) => ({ tool: family(name), arguments: tryParse(given) })));
  const one = async (call: ToolRequest, index: number): Promise<CallEnd> => {
    const over = index >= most ? tooManyCalls(most) : undefined;
    const refused =
      repeated ??
      guards.suspended(family(call.name)) ??
      (over && { success: false, error: over.message, message: over.hint, error_code: over.code });
    const end = refused === undefined ? await callTool(parts, call, setting) : refusedEnd(parts, call, refused);
    return { ...end, result: guards.count(end.tool, end.result) };
  };
  const ends: CallEnd[] = [];
  for (let at = 0; at < calls.length;) {
    let next = at + 1;
    if (isParallel(parts, calls[at] as ToolRequest)) {
      while (next < calls.length && next - at < width && isParallel(parts, calls[next] as ToolRequest)) next++;
    }
    const from = at;
    ends.push(...(await Promise.all(calls.slice(from, next).map((call, index) => one(call, from + index)))));
    at = next;
  }
  return ends;
}
