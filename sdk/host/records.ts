import type { Conversation, Message } from "../contract/conversation.ts";
import type { ApprovalRecord, Caller, RunEvent, RunRecord, RunRequest } from "../contract/run.ts";
import type { RunStep } from "../contract/run-steps.ts";
import type { Sampling } from "../contract/provider.ts";
import type { StoredResult } from "../contract/results.ts";
import type { Grant } from "../contract/services.ts";
import type { Collection, Entity, Storage } from "../contract/storage.ts";
import type { Effect } from "../contract/tool.ts";
import type { JsonObject } from "../util/json.ts";

/** What of a conversation a model call saw: numbers and ids. Tokens are estimated. */
export interface WindowOutline {
  /** Tokens: the model's context, or less where the conversation wants less. */
  readonly contextWindow: number;
  /** The id of the last message; absent where there was none. */
  readonly last?: string;
  /** From this number on all messages were in sight. */
  readonly from: number;
  /** Numbers of those before them that were in sight all the same. */
  readonly kept: readonly number[];
  /** The number of the last message for which a summary stood; 0 without one. */
  readonly archived: number;
  /** Tokens of the summary. */
  readonly summary: number;
  /** Tokens of the messages. */
  readonly history: number;
}

/** What a model call was made of: numbers, names and ids, no texts. Tokens are estimated. */
interface CallOutline extends WindowOutline {
  /** The full id of the model for which it was made. */
  readonly model: string;
  readonly system: number;
  readonly personality: number;
  readonly tools: number;
  readonly block: number;
  readonly memories: number;
  /** Ids of the system prompt and the personality, where they are kept. */
  readonly promptId?: string;
  readonly personalityId?: string;
  /** The memories that it was given, and how well they fit. */
  readonly remembered: readonly (readonly [id: string, similarity: number | null])[];
  /** The names of the tools that it was offered; absent in records of before they were kept. */
  readonly offered?: readonly string[];
  /** Absent in records of before it was kept. */
  readonly sampling?: Sampling;
}

/** A run as it is kept: what clients see, and what is needed to go on with it. */
export interface StoredRun extends RunRecord {
  readonly request: RunRequest;
  /** Recorded before the run is stopped, so that a crash in between does not bring it back. */
  readonly cancelRequested?: boolean;
  /** Of its last model call; absent before the first, and in records of before it was kept. */
  readonly outline?: CallOutline;
}

/** Events of a run that are text of one type and lie side by side, as one. */
export interface StoredPieces {
  readonly type: "pieces";
  readonly of: "text" | "reasoning";
  /** Of the text of each event, in UTF-16 code units. */
  readonly lengths: readonly number[];
  /** Absent where a message holds it. */
  readonly text?: string;
  /** The message that holds the text, in `content` or `reasoningContent`, and from where on. */
  readonly in?: { readonly message: string; readonly at: number } | undefined;
}

/** An event as it is stored, or several as one. */
export type StoredEvent = RunEvent | StoredPieces;

/** Some consecutive events of a run: those from number `from` + 1 on. */
export interface StoredEvents {
  readonly id: string;
  readonly runId: string;
  readonly conversationId: string;
  readonly from: number;
  /** ISO 8601 in UTC, on the last ones of a run that has ended. */
  readonly endedAt: string | null;
  readonly events: readonly StoredEvent[];
}

/** A step of a run as it is stored; what is absent is null. Texts are without secrets. */
export interface StoredStep extends Pick<RunStep, "kind" | "milliseconds" | "plugin"> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly hook?: string;
  readonly callId?: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** `before` and `after` are those of the last step of this plugin at this hook. */
  readonly isSame?: boolean;
  readonly note?: string | undefined;
  readonly tokens?: number;
  readonly costUsd?: number | null;
}

/** Some consecutive steps of a run: those from number `from` + 1 on. */
export interface StoredSteps {
  readonly id: string;
  readonly runId: string;
  readonly conversationId: string;
  readonly from: number;
  readonly steps: readonly StoredStep[];
}

/**
 * A call with an effect: written before it runs, removed in the commit that stores its result. The id is the
 * tool call's.
 */
export interface CallRecord {
  readonly id: string;
  readonly runId: string | null;
  readonly conversationId: string;
  readonly tool: string;
  readonly operation: string;
  readonly effect: Effect;
  /** Canonical JSON text. */
  readonly arguments: string;
  /** Of what was let through; see `digestOf`. */
  readonly digest: string;
  readonly startedAt: string;
}

/**
 * A stored approval, bound to what was shown by the digest of tool, operation, arguments, working directory
 * and plugin version.
 */
export interface StoredApproval extends ApprovalRecord {
  readonly digest: string;
  /** Counts the questions of one tool call. */
  readonly sequence: number;
  /** What a call by hand needs to run after another start. */
  readonly byHand?: {
    readonly arguments: JsonObject;
    readonly workingDirectory: string;
    /** Absent in records of before there were other callers than the owner. */
    readonly caller?: Caller;
  };
}

/** A tool result that is stored because it is too large for a model's context. */
export interface ResultRecord extends Omit<StoredResult, "offset" | "length" | "nextOffset" | "hasMore"> {
  readonly id: string;
}

/** The shared records. Collections of plugins carry their plugin's id before their name. */
export function openStores(storage: Storage) {
  const open = <T extends Entity>(
    name: string,
    ...indexes: readonly (string | readonly string[])[]
  ): Collection<T> => storage.collection<T>(name, { indexes });
  return {
    storage,
    commit: ((writes, options) => storage.commit(writes, options)) as Storage["commit"],
    conversations: open<Conversation>(
      "conversations",
      ["hidden", "updated"],
      ["folderId", "updated"],
      ["topicId", "updated"],
      ["topicId", "hidden"],
      "updated",
      "title",
    ),
    messages: open<Message>(
      "messages",
      ["conversationId", "seq"],
      ["conversationId", "branch", "seq"],
      ["conversationId", "visible", "branch", "seq"],
      ["runId", "seq"],
      "toolCallId",
    ),
    runs: open<StoredRun>(
      "runs",
      ["conversationId", "createdAt"],
      ["status", "createdAt"],
      ["kind", "createdAt"],
      ["parentRunId", "createdAt"],
      "createdAt",
    ),
    runEvents: open<StoredEvents>("run_events", ["runId", "from"], "conversationId", "endedAt"),
    runSteps: open<StoredSteps>("run_steps", ["conversationId", "runId", "from"]),
    calls: open<CallRecord>("calls", "runId", "conversationId"),
    approvals: open<StoredApproval>(
      "approvals",
      ["status", "createdAt"],
      "toolCallId",
      ["conversationId", "createdAt"],
      ["runId", "createdAt"],
      "createdAt",
    ),
    grants: open<Grant>("grants", ["conversationId", "operation"]),
    results: open<ResultRecord>("results", "conversationId", "toolCallId", "createdAt"),
  };
}

export type Stores = ReturnType<typeof openStores>;
