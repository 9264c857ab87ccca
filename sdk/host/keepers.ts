import type { Answer, ResultRange } from "../contract/context.ts";
import type { Conversation, ConversationService, Message, ToolPassage } from "../contract/conversation.ts";
import type { PendingCall } from "../contract/hooks.ts";
import type { ChatMessage } from "../contract/provider.ts";
import type { Caller, RunRequest } from "../contract/run.ts";
import type { ResultService } from "../contract/results.ts";
import type { ModelEntry } from "../contract/model-entry.ts";
import type { ApprovalService, ModelService } from "../contract/services.ts";
import type { Fence, Write } from "../contract/storage.ts";
import type { ToolService } from "../contract/tool-service.ts";
import type { Effect, OfferedTool, ToolDisplay, ToolResult } from "../contract/tool.ts";
import type { ActiveRun, RunStart } from "./active-run.ts";
import type { StoredApproval, WindowOutline } from "./records.ts";
import type { TapWatch } from "./watched-hooks.ts";
import type { JsonObject } from "../util/json.ts";

// What the host's services promise each other beyond what endpoints may use of them.

/** What a request has left when it began a branch. */
export interface LeftBranch {
  /** Visible turns that are no longer on the active branch. */
  readonly messages: number;
  /** The message below which the new branch begins; null: at the beginning. */
  readonly below: string | null;
}

/** Models as the host uses them. */
export interface ModelKeeper extends ModelService {
  /** `watch` hears who has chosen another model. Rejects with `model_not_found` or `no_provider`. */
  resolve(model: string, signal: AbortSignal, watch?: TapWatch): Promise<ModelEntry>;
  /** Forgets what providers have listed: a model was installed or removed. */
  refresh(): void;
  /** From now on `changed` is called when what `providers` tells may have changed. */
  watchProviders(changed: () => void): void;
  close(): Promise<void>;
}

/**
 * Conversations and their messages. One with a run in progress is active: it stays in memory, so that a run
 * and a change by hand never undo each other.
 */
export interface ConversationKeeper extends ConversationService {
  find(id: string): Promise<Conversation | undefined>;
  /** Makes a stored conversation active, until it is released; undefined when there is none. */
  open(id: string): Promise<Conversation | undefined>;
  active(id: string): Conversation;
  /** Changes an active conversation; the write that stores it. */
  set(id: string, changes: Partial<Conversation>): Write;
  /** Changes fields of a conversation, active or not: those that are given, or made of what it is by then. */
  put(
    id: string,
    fields: Partial<Conversation> | ((now: Conversation) => Partial<Conversation>),
  ): Promise<Conversation>;
  /** Changes an active conversation; the next `append` stores it. */
  setLater(id: string, changes: Partial<Conversation>): void;
  /**
   * Numbers messages of an active conversation, and counts them; the writes that store them and the
   * conversation.
   */
  append(id: string, drafts: readonly Partial<Message>[]): readonly Write[];
  release(id: string): void;
  /** Whether a run works in a conversation of this topic. */
  hasActiveIn(topicId: string): boolean;
  /**
   * The writes that take so many conversations out of a topic or a folder. Those with a run at work are out
   * of it at once.
   */
  detachWrites(
    from: { readonly topicId: string } | { readonly folderId: string },
    limit: number,
  ): Promise<readonly Write[]>;
  /**
   * Stores a conversation that comes with all its messages, together with `writes`: a new one, or in the
   * place of the one with its id, whose runs are ended and which is forgotten with all that belongs to it.
   * Rejects with `id_taken`.
   */
  insert(
    conversation: Conversation,
    writes: readonly Write[],
    options: { readonly replaces: boolean },
  ): Promise<void>;
  /**
   * The conversation of a request: the one it names, the one with a branch whose history it repeats and
   * continues, or a new one (`isNew`), of which nothing is stored. Of one that is named nobody knows yet.
   */
  locate(
    request: RunRequest,
  ): Promise<{ readonly id: string; readonly branch?: number; readonly isNew?: boolean }>;
  /**
   * Makes the conversation active that a request continues, or a new one that is not stored yet, merges the
   * request's messages into it and opens its window. The conversation takes over the full id of the `model`,
   * and the prompts and sampling that the request names. The writes that store what is new; `left` says how
   * many visible turns left the active branch, and below which message the new one begins.
   */
  openForRequest(
    run: {
      readonly id: string;
      readonly request: RunRequest;
      readonly model?: string;
      readonly branch?: number;
      readonly isNew?: boolean;
    },
    id: string,
    contextWindow: number,
  ): Promise<{
    readonly conversation: Conversation;
    readonly writes: readonly Write[];
    readonly left?: LeftBranch;
  }>;
  /**
   * From now on until it is released, an active conversation has a window, which grows with all that is
   * appended.
   */
  openWindow(id: string, contextWindow: number): Promise<void>;
  /**
   * What a model is to see of a conversation with a window, when `reserved` tokens are sent beside it. Equal
   * from call to call, but for what is new, until it does not fit any more. Rejects with
   * `context_length_exceeded`.
   */
  fitWindow(
    id: string,
    room: { readonly contextWindow: number; readonly reserved: number },
  ): Promise<readonly ChatMessage[]>;
  /** What a model sees of a conversation with a window, as it was last fitted. */
  outlineWindow(id: string, contextWindow: number): WindowOutline;
  /** Those of the ids that a stored call has, answered or not. */
  usedCallIds(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Answers to calls that nobody goes on with, `doubtful` where they may have happened; the writes that store
   * them.
   */
  answerCalls(
    of: { readonly id: string; readonly conversationId: string },
    calls: readonly { readonly id: string; readonly doubtful: boolean }[],
  ): Promise<readonly Write[]>;
  /**
   * Takes a title that a model's marker gives (`{"title":"…"}`), unless the person has set one. The
   * next `append` stores it.
   */
  setTitleFromMarker(run: ActiveRun, marker: string): Promise<void>;
  /**
   * Without a title from the model or the person, the first user message gives one, unless the run was
   * stopped. The next `append` stores it.
   */
  setTitleAtEnd(run: ActiveRun, isStopped: boolean): Promise<void>;
  /** Throws `invalid_value` for a folder that no conversation may work in. */
  checkWorkingDirectory(folder: string, caller: Caller): Promise<void>;
}

/** A question to the person that is not made yet. */
export type ApprovalDraft = Pick<
  StoredApproval,
  | "toolCallId"
  | "kind"
  | "tool"
  | "operation"
  | "arguments"
  | "paths"
  | "effect"
  | "reason"
  | "prompt"
  | "digest"
> &
  Partial<Pick<StoredApproval, "context" | "authorizeOperation" | "options" | "preview" | "byHand">>;

/** Approvals as the host uses them. */
export interface ApprovalKeeper extends ApprovalService {
  /** Runs a call by hand that was answered, unless another host has it. */
  resumeByHand(approval: StoredApproval): Promise<void>;
  /** By which commits about a call by hand are known to be this host's, where there are several. */
  fenceOf(toolCallId: string): Fence | undefined;
  /**
   * Asks, and waits for the final state. What this call has asked before is not asked twice; a question that
   * is out of date is closed.
   */
  ask(
    draft: ApprovalDraft,
    of: {
      readonly run: ActiveRun | null;
      readonly conversationId: string;
      readonly signal: AbortSignal;
      /** Whose run or call asks. */
      readonly caller: Caller;
      onQuestion(id: string): void;
    },
  ): Promise<{ readonly approval: StoredApproval; readonly grantId: Answer["grantId"] }>;
  /**
   * The write that uses a fitting grant; undefined when none fits. A grant with paths must cover every path
   * of the call.
   */
  useGrant(call: PendingCall, conversationId: string): Promise<Write | undefined>;
  /**
   * The writes that cancel the pending questions of a run or a conversation; they fail with `conflict`
   * where one is answered meanwhile. `tell` is called once they are made: whoever waits here learns of it.
   */
  cancelling(
    of: { readonly runId: string } | { readonly conversationId: string },
  ): Promise<{ readonly writes: readonly Write[]; readonly tell: () => void }>;
  /**
   * What an approved call by hand came to, which counts as begun no more; its conversation may be gone.
   */
  setResult(id: string, result: StoredApproval["result"]): Promise<void>;
}

/** Stored results as the host uses them. */
export interface ResultKeeper extends ResultService {
  /**
   * The result as the model gets it: as it is, or its beginning and where the rest stands. Rejects when it
   * cannot be stored.
   */
  store(
    result: ToolResult,
    of: {
      readonly callId: string;
      readonly tool: string;
      readonly operation: string;
      readonly conversationId: string;
      /** By which the call is known to be this host's, where there are several. */
      readonly fence?: Fence | undefined;
    },
  ): Promise<ToolResult>;
  /** Of results of its conversation or topic only. Throws ToolError `not_found` or `invalid_value`. */
  readFor(of: Conversation, id: string, range: ResultRange): ReturnType<ResultService["read"]>;
}

/** A tool call that has ended, one way or another. */
export interface CallEnd {
  readonly callId: string;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: JsonObject;
  readonly effect: Effect;
  readonly result: ToolResult;
  readonly passage: ToolPassage;
  /** An earlier approval of the person covered it: until when, ISO 8601 in UTC; null = no time was named. */
  readonly allowed?: { readonly allowed_until: string | null };
  /** Pictures that the model is shown beside the result, as data URLs. */
  readonly images?: readonly string[];
  readonly display: ToolDisplay;
  /** Milliseconds, waiting for the person left out. */
  readonly duration: number;
}

/** The tool calls of one run, all through one door; counts what repeats and what fails. */
export interface ToolSession {
  /**
   * One batch of calls, in pieces that end together, results in call order. `resumed`: they were asked for
   * before the service stopped and may have been started then.
   */
  run(
    calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[],
    resumed: boolean,
  ): AsyncIterable<readonly CallEnd[]>;
  /** Nothing but failures came of it: the run is to end. */
  readonly exhausted: boolean;
}

/** Tools as the host uses them. */
export interface ToolKeeper extends ToolService {
  /** What a run's model is offered, as much of it as its context window has room for. */
  listOffered(request: {
    readonly choice: "all" | "none" | readonly string[];
    readonly switches: Readonly<Record<string, boolean>>;
    readonly conversation: Conversation;
    readonly contextWindow: number;
    /** Without the scope tools, only families of which nothing has an effect are offered. */
    readonly caller: Caller;
    /** The conversation has begun just now: no run of it has used any family. */
    readonly isNew?: boolean;
  }): Promise<readonly OfferedTool[]>;
  /**
   * What a call of a model means now: the operation that it calls, empty where there is none, and the
   * arguments as that gets them, or their text where they cannot be read.
   */
  meaningOf(call: { readonly name: string; readonly arguments: string }): {
    readonly tool: string;
    readonly operation: string;
    readonly arguments: JsonObject | string;
  };
  session(run: ActiveRun, start: Pick<RunStart, "scope" | "workingDirectory">): ToolSession;
  /** Resumes a call by hand whose approval was answered. */
  resume(approval: StoredApproval): Promise<void>;
  /**
   * After a start: which families can be used, and calls by hand that were answered too late for the last
   * host.
   */
  recover(): Promise<void>;
}
