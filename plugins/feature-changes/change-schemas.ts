import { text, textOrNull } from "@pergola/sdk/host";

const stateSchema = {
  title: "FileState",
  type: ["object", "null"],
  description: "What stood there; null = nothing",
  properties: {
    kind: { enum: ["file", "directory", "link"] },
    sha256: { ...textOrNull, description: "null where it was not read" },
    size: { type: "integer", description: "Bytes" },
    mode: { ...textOrNull, description: "Octal, as 0644" },
  },
} as const;

const linesSchema = {
  type: ["integer", "null"],
  description: "Lines; null where they were not counted, as of what is no text",
} as const;

const changeSchema = {
  title: "FileChange",
  type: "object",
  required: ["id", "path", "kind", "before", "after", "state"],
  properties: {
    id: text,
    runId: { ...textOrNull, description: "null for a call by hand, and for a revert" },
    rootRunId: {
      ...textOrNull,
      description: "The run above it, where a sub-agent's run did it; else that run",
    },
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
    additions: linesSchema,
    deletions: linesSchema,
    state: { enum: ["pending", "done", "uncertain"] },
    revertible: { type: "boolean", description: "As long as the file stays as it is" },
    reason: { ...textOrNull, description: "Why it is not" },
    revertedBy: textOrNull,
    at: text,
  },
} as const;

export const pageSchema = {
  title: "FileChangeList",
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
} as const;

export const revertSchema = {
  type: "object",
  properties: {
    success: { type: "boolean", description: "Nothing was refused" },
    revertId: { ...textOrNull, description: "Lists and reverts the revert; null when nothing was done" },
    reverted: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: text,
          action: { enum: ["restored", "removed", "renamed"] },
          to: { ...text, description: "Of what is renamed" },
        },
      },
    },
    refused: { type: "array", items: { type: "object", properties: { path: text, reason: text } } },
    kept: {
      type: "array",
      items: text,
      description: "Folders that the run made and that hold something else",
    },
  },
} as const;

const count = { type: "integer" } as const;

const diffProperties = {
  diff: {
    title: "TextDiff",
    type: ["object", "null"],
    properties: {
      binary: { type: "boolean", description: "One of the two is no text" },
      additions: count,
      deletions: count,
      truncated: { type: "boolean", description: "Not all hunks are here" },
      hunks: {
        type: "array",
        items: {
          type: "object",
          properties: {
            oldStart: count,
            oldLines: count,
            newStart: count,
            newLines: count,
            lines: { type: "array", items: text, description: "Each begins with a space, +, - or \\" },
          },
        },
      },
    },
  },
  reason: { ...textOrNull, description: "Why there is no diff" },
} as const;

export const previewDiffSchema = {
  title: "PreviewDiff",
  type: "object",
  required: ["diff", "reason"],
  properties: diffProperties,
} as const;

export const diffSchema = {
  title: "ChangeDiff",
  type: "object",
  required: ["changeId", "path", "from", "kind", "diff", "reason"],
  properties: {
    changeId: text,
    path: text,
    from: textOrNull,
    kind: changeSchema.properties.kind,
    ...diffProperties,
  },
} as const;
