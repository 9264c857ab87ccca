import type { Conversation, JsonSchema, MemoryItem, Message, Properties, Todo } from "@pergola/sdk";
import {
  text,
  textOrNull,
  flag,
  type Topic,
  type ArchiveRecord,
  type Folder,
  type ResultRecord,
  type StoredCall,
} from "@pergola/sdk/host";

/** What this service writes. A package with another first number is not read. */
export const formatVersion = "1.0";

/** A call as it stands in a package: the form that clients see, and what else is needed to go on with it. */
export interface PackedCall extends Pick<StoredCall, "id" | "providerId" | "callers"> {
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as clients see it, with its number and what a run left in it. */
export interface PackedMessage extends Partial<Omit<Message, "toolCalls" | "role">> {
  /** In packages of before there were branches: others had replaced it. */
  readonly superseded?: boolean;
  readonly role: Message["role"];
  readonly toolCalls?: readonly PackedCall[];
}

export type PackedConversation = Partial<Conversation> & { readonly messages: readonly PackedMessage[] };
export type PackedMemory = Partial<Omit<MemoryItem, "scope" | "content">> & Pick<MemoryItem, "content">;
export type PackedArchive = Omit<ArchiveRecord, "id" | "conversationId">;
export type PackedResult = Partial<ResultRecord> & Pick<ResultRecord, "resultId" | "content">;

/** A conversation with all that belongs to it, as a JSON document. */
export interface Package {
  readonly formatVersion: string;
  readonly conversation: PackedConversation;
  readonly memories?: readonly PackedMemory[];
  readonly archive?: readonly PackedArchive[];
  readonly results?: readonly PackedResult[];
  readonly todos?: readonly Todo[];
  readonly folder?: (Pick<Folder, "name"> & Partial<Folder>) | null;
  readonly topic?: (Pick<Topic, "name"> & Partial<Topic>) | null;
}

const time = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" } as const;
const share = { type: "number", minimum: 0, maximum: 1 } as const;
const count = { type: "integer", minimum: 0 } as const;
const number = { type: "integer", minimum: 1 } as const;
const texts = { type: "array", items: text } as const;
const numbers = { type: "array", items: number } as const;
const name = { type: "string", minLength: 1 } as const;

const record = (required: readonly string[], properties: Properties): JsonSchema => ({
  type: "object",
  required,
  properties,
});
const list = (required: readonly string[], properties: Properties): JsonSchema => ({
  type: "array",
  items: record(required, properties),
});

/** As it is made here: nothing in it can end it. */
const block = { type: "string", pattern: "^<thread_summary>\\n[^<]*\\n</thread_summary>$" } as const;

const call = record(["id", "function"], {
  id: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
  function: record(["name", "arguments"], { name, arguments: text }),
  providerId: text,
  callers: flag,
});

const message = record(["role"], {
  id: text,
  parentMessageId: textOrNull,
  seq: number,
  // What a system message says is this service's to say: a file does not speak for it.
  role: { enum: ["user", "assistant", "tool"] },
  type: { enum: ["user", "assistant", "toolExecution", "subagentExecution", "systemStatus", "thinking"] },
  content: textOrNull,
  contentParts: { type: "array", items: record(["type"], { type: { enum: ["text", "image_url"] } }) },
  timestamp: time,
  visible: flag,
  superseded: flag,
  toolCalls: { type: "array", items: call },
  toolCallId: text,
  toolName: text,
  toolOperation: text,
  toolStatus: text,
  toolDisplayData: { type: "object" },
  toolDetails: texts,
  toolDuration: { type: "number" },
  toolMetadata: { type: "object" },
  parentToolName: text,
  reasoningContent: text,
  isSystemGenerated: flag,
  isPinned: flag,
  importance: share,
  lastModified: time,
  processingTime: { type: "number" },
  streamedText: text,
  completionReason: text,
  extra: { type: "object" },
});

const digest = record(["goal", "requests", "decisions", "notes", "files", "calls"], {
  goal: text,
  requests: texts,
  decisions: texts,
  notes: texts,
  files: texts,
  calls: { type: "object", additionalProperties: count },
});

/** What a package must be, so that all of it can be taken over. */
export const packageSchema: JsonSchema = record(["formatVersion", "conversation"], {
  formatVersion: text,
  conversation: record(["messages"], {
    id: text,
    alias: textOrNull,
    title: name,
    titleSetBy: { enum: ["default", "model", "service", "user"] },
    created: time,
    updated: time,
    model: textOrNull,
    settings: { type: "object" },
    isPinned: flag,
    hidden: flag,
    isFromAPI: flag,
    enabledCustomInstructionIds: texts,
    metadata: { type: "object", additionalProperties: text },
    activeMessageId: textOrNull,
    messages: { type: "array", items: message },
  }),
  memories: list(["content"], {
    content: name,
    kind: { enum: ["memory", "kv", "discovery", "solution", "pattern"] },
    key: textOrNull,
    contentType: text,
    tags: texts,
    context: textOrNull,
    importance: share,
    confidence: share,
    metadata: { type: "object" },
    createdAt: time,
    scopeKind: { enum: ["conversation", "topic"] },
  }),
  archive: list(
    ["first", "last", "from", "to", "messages", "summary", "tokenCount", "reason", "digest", "block", "kept"],
    {
      branch: count,
      first: number,
      last: number,
      from: time,
      to: time,
      messages: count,
      summary: text,
      tokenCount: count,
      reason: { enum: ["token_limit", "conversation_trimmed", "compression", "manual"] },
      digest,
      block,
      kept: numbers,
    },
  ),
  results: list(["resultId", "content"], {
    resultId: { type: "string", pattern: "^res_[0-9a-f]{32}$" },
    content: text,
    toolCallId: text,
    toolName: text,
    operation: text,
    mimeType: text,
    createdAt: time,
  }),
  todos: list(["id", "title", "status"], {
    id: number,
    title: name,
    status: { enum: ["not-started", "in-progress", "completed", "blocked"] },
    description: text,
    priority: { enum: ["low", "medium", "high", "critical"] },
    dependencies: numbers,
    canRunParallel: flag,
    parallelGroup: text,
    progress: share,
    blockedReason: text,
  }),
  folder: { ...record(["name"], { name, color: textOrNull, icon: textOrNull }), type: ["object", "null"] },
  topic: { ...record(["name"], { name, description: text }), type: ["object", "null"] },
});
