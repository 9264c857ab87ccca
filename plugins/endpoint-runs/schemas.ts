import type { JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const count = { type: "integer" } as const;
const texts = { type: "array", items: text } as const;

export const runStates = ["queued", "running", "waiting", "interrupted", "ended"] as const;
export const runKinds = ["chat", "autonomous", "subagent"] as const;

export const runParameter: Properties = { runId: { ...text, description: "run_ and 32 hexadecimal digits" } };

/** A run on the wire. */
export const runSchema: JsonSchema = {
  type: "object",
  properties: {
    id: text,
    conversationId: text,
    parentRunId: textOrNull,
    kind: { enum: runKinds },
    status: { enum: runStates },
    completion_reason: { ...textOrNull, description: "null until the run has ended" },
    model: text,
    provider: text,
    iterations: count,
    max_iterations: count,
    tool_call_count: count,
    tools_used: texts,
    had_errors: { type: "boolean" },
    error: { type: ["object", "null"], properties: { message: text, type: text, code: text } },
    usage: {
      type: "object",
      properties: { prompt_tokens: count, completion_tokens: count, total_tokens: count },
    },
    pendingToolCallIds: texts,
    createdAt: text,
    startedAt: textOrNull,
    endedAt: textOrNull,
  },
};
