import { defined, type ApprovalRecord, type Grant, type JsonSchema } from "@pergola/sdk";

export const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const texts = { type: "array", items: text } as const;

const integer = { type: "integer" } as const;

const stateSchema = {
  type: ["object", "null"],
  description: "null = nothing is there",
  properties: {
    size: { ...integer, description: "Bytes" },
    sha256: { ...textOrNull, description: "null where it is not read" },
    mode: { ...textOrNull, description: "Octal, as 0644" },
  },
} as const;

const diffSchema = {
  type: ["object", "null"],
  description: "null where there is nothing to compare",
  properties: {
    binary: { type: "boolean", description: "Has no hunks" },
    additions: integer,
    deletions: integer,
    truncated: { type: "boolean", description: "Not all hunks are here" },
    hunks: {
      type: "array",
      description: "Left out in lists and events",
      items: {
        type: "object",
        properties: {
          oldStart: integer,
          oldLines: integer,
          newStart: integer,
          newLines: integer,
          lines: { ...texts, description: "Each begins with a space, `+`, `-` or `\\`" },
        },
      },
    },
  },
} as const;

/** What a call would do, on the wire. */
const previewSchema = {
  title: "Preview",
  type: ["object", "null"],
  description: "What the call would do, worked out without doing it; null for questions",
  properties: {
    state: {
      enum: ["ready", "partial", "none"],
      description: "`partial`: cut at a limit, or some of it cannot be shown",
    },
    note: { ...textOrNull, description: "Why it is not whole" },
    files: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: text,
          from: { ...textOrNull, description: "The old path of what would be renamed" },
          change: { enum: ["created", "modified", "deleted", "renamed"] },
          before: stateSchema,
          after: stateSchema,
          diff: diffSchema,
        },
      },
    },
    command: {
      type: ["object", "null"],
      properties: {
        line: text,
        shell: { ...textOrNull, description: "null where no shell reads it" },
        workingDirectory: text,
        host: { ...textOrNull, description: "null = this computer" },
        sandbox: { ...textOrNull, description: "null = none" },
        timeoutSeconds: { type: ["number", "null"] },
        environment: { ...texts, description: "Names of the service's variables that it sees" },
      },
    },
    recipients: {
      type: "array",
      items: {
        type: "object",
        properties: {
          kind: { enum: ["person", "host", "repository", "service"] },
          name: text,
          address: text,
        },
      },
    },
    undo: {
      enum: ["all", "files", "none"],
      description: "What can be taken back: all, only changes of files, nothing",
    },
  },
} as const;

/** An approval on the wire. */
export const approvalSchema = {
  title: "Approval",
  type: "object",
  required: ["id", "toolCallId", "runId", "conversationId", "kind", "tool", "operation", "prompt", "status"],
  properties: {
    id: text,
    toolCallId: text,
    runId: textOrNull,
    conversationId: text,
    kind: { enum: ["approval", "question"] },
    tool: text,
    operation: text,
    arguments: { type: "object", description: "As the call will run; secrets are left out" },
    paths: texts,
    effect: { enum: ["none", "read", "write", "destructive", "execute"] },
    reason: { type: "string", description: "Why the call asks" },
    prompt: text,
    context: textOrNull,
    authorize_operation: textOrNull,
    options: texts,
    preview: previewSchema,
    status: { enum: ["pending", "answered", "expired", "cancelled"] },
    decision: { enum: ["approved", "denied", "text", null] },
    answer: textOrNull,
    createdAt: text,
    expiresAt: textOrNull,
    answeredAt: textOrNull,
    askedBy: { ...textOrNull, description: "Id of the caller whose run or call asks" },
    answeredBy: { ...textOrNull, description: "Id of the caller who answered" },
    result: {
      type: ["object", "null"],
      description: "Calls made by hand only: the tool's result once it ran",
    },
    parentToolName: { type: "string", description: "Calls of a sub-agent only: the tool that started it" },
  },
} as const satisfies JsonSchema;

/** The fields that a schema has, in its order. */
function fieldsIn(properties: object, record: object): object {
  const fields = new Map(Object.entries(record));
  const keys = Object.keys(properties).filter((key) => fields.has(key));
  return Object.fromEntries(keys.map((key) => [key, fields.get(key)]));
}

/**
 * An approval as a client reads it: the documented fields and no others. Only a call made by hand has its
 * result here: a run's result is in its messages.
 */
export function wireApproval(record: ApprovalRecord) {
  const { authorizeOperation, parentTool, result, askedBy, answeredBy, ...approval } = record;
  const fields = {
    ...approval,
    askedBy: askedBy?.id ?? null,
    answeredBy: answeredBy?.id ?? null,
    authorize_operation: authorizeOperation,
    ...(approval.runId === null && { result }),
    ...defined({ parentToolName: parentTool }),
  };
  return fieldsIn(approvalSchema.properties, fields);
}

/** A permission that an answer has given, on the wire. */
export const grantSchema = {
  title: "Grant",
  type: "object",
  required: ["id", "conversationId", "operation", "kind", "paths", "createdAt", "approvalId"],
  properties: {
    id: text,
    conversationId: text,
    operation: { ...text, description: "family.operation" },
    kind: { enum: ["once", "time", "conversation"] },
    paths: texts,
    createdAt: text,
    expiresAt: textOrNull,
    usesLeft: { type: ["integer", "null"] },
    approvalId: text,
  },
} as const satisfies JsonSchema;

/** The documented fields of a grant. */
export const wireGrant = (grant: Grant): object => fieldsIn(grantSchema.properties, grant);
