import type { JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;

export const runParameter: Properties = {
  runId: { ...text, description: "A run, a call by hand (call_…), or a revert (rev_…)" },
};

export const paging: Properties = {
  limit: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
  offset: { type: "integer", minimum: 0, default: 0 },
};

export const includeAgents = {
  type: "boolean",
  default: true,
  description: "Those of the run's sub-agents too",
} as const;

const stateSchema: JsonSchema = {
  type: ["object", "null"],
  description: "What stood there; null = nothing",
  properties: {
    kind: { enum: ["file", "directory", "link"] },
    sha256: { ...textOrNull, description: "null where it was not read" },
    size: { type: "integer", description: "Bytes" },
    mode: { ...textOrNull, description: "Octal, as 0644" },
  },
};

const changeSchema: JsonSchema = {
  type: "object",
  properties: {
    id: text,
    runId: { ...textOrNull, description: "null for a call by hand, and for a revert" },
    callId: textOrNull,
    revertId: { ...textOrNull, description: "Of a revert" },
    conversationId: text,
    tool: text,
    operation: text,
    path: text,
    from: { ...textOrNull, description: "The old path of what was renamed" },
    kind: { enum: ["created", "modified", "deleted", "renamed"] },
    byProgram: { type: "boolean", description: "A program that the call ran did it" },
    before: stateSchema,
    after: stateSchema,
    state: { enum: ["pending", "done", "uncertain"] },
    revertible: { type: "boolean", description: "As long as the file stays as it is" },
    reason: { ...textOrNull, description: "Why it is not" },
    revertedBy: textOrNull,
    at: text,
  },
};

export const pageSchema: JsonSchema = {
  type: "object",
  properties: {
    changes: { type: "array", items: changeSchema },
    count: { type: "integer" },
    complete: { type: "boolean", description: "false where something may be missing" },
    gaps: {
      type: "array",
      items: { type: "object", properties: { callId: textOrNull, reason: text, at: text } },
    },
  },
};
