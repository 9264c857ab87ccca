import type { Message } from "../contract/conversation.ts";
import type { RunRequest } from "../contract/run.ts";
import type { ToolExecution } from "../contract/run-outcome.ts";
import { defined } from "../util/defined.ts";
import { pick } from "../util/pick.ts";
import type { CallEnd } from "./keepers.ts";
import type { Json, JsonObject } from "../util/json.ts";

/** The message that stores how a tool call of a run has ended. `timestamp`: now, ISO 8601 in UTC. */
export function callMessage(
  { callId, tool, operation, result, images = [], display, duration, passage, allowed }: CallEnd,
  { id: runId, request }: { readonly id: string; readonly request: Pick<RunRequest, "parent"> },
  timestamp: string,
): Partial<Message> {
  const metadata = {
    duration_ms: duration,
    error_code: result.error_code ?? null,
    resultId: (result["resultId"] as Json | undefined) ?? null,
    ...allowed,
  };
  const content = JSON.stringify(result);
  return defined({
    role: "tool" as const,
    type: "toolExecution" as const,
    content,
    contentParts: images.length > 0 ? partsOf(content, images) : undefined,
    runId,
    visible: false,
    timestamp,
    toolCallId: callId,
    toolName: tool,
    toolOperation: operation,
    toolStatus: result.success ? "success" : "error",
    toolDuration: duration,
    toolDisplayData: display as unknown as JsonObject,
    toolMetadata: metadata,
    toolPassage: Object.keys(passage).length > 0 ? passage : undefined,
    parentToolName: request.parent?.tool,
  });
}

/** A result's text with its pictures behind it. */
const partsOf = (text: string, images: readonly string[]): Message["contentParts"] => [
  { type: "text", text },
  ...images.map((url) => ({ type: "image_url", image_url: { url } })),
];

/** The same call as the outcome of its run tells it. */
export function callExecution(end: CallEnd, iteration: number, timestamp: string): ToolExecution {
  const { success, content, data = "", error = "" } = end.result;
  return {
    ...pick(end, "callId", "tool", "operation", "arguments", "duration"),
    success,
    result: success ? (content ?? data) : error,
    iteration,
    timestamp,
  };
}
