import type { Conversation } from "../contract/conversation.ts";
import type { RunService } from "../contract/services.ts";
import type { Fence } from "../contract/storage.ts";
import type { JsonObject } from "../util/json.ts";
import type { ActiveRun } from "./active-run.ts";

/** What a host asks of another one, which works in a conversation. */
export type Errand =
  | { readonly kind: "cancel"; readonly runId: string }
  | { readonly kind: "annotate"; readonly runId: string; readonly added: JsonObject }
  /** Fields of the conversation's record, with their new values. */
  | { readonly kind: "change"; readonly fields: Partial<Conversation> }
  /** The run in the conversation is to be cancelled: the conversation goes. */
  | { readonly kind: "leave" };

/** A conversation in which nobody else works; the fence tells its commits from those of a late host. */
export interface HeldConversation {
  readonly fence: Fence | undefined;
  readonly release: () => void;
}

/** Runs as the host uses them. */
export interface RunKeeper extends RunService {
  active(id: string): ActiveRun | undefined;
  /** The runs at work that this caller has started. */
  activeOf(callerId: string): readonly ActiveRun[];
  activeIn(conversationId: string): ActiveRun | undefined;
  /** By which commits about a conversation that this host works in are known to be its own. */
  fenceIn(conversationId: string): Fence | undefined;
  /**
   * Takes those of the ids for calls of a run that no run at work has, on any host, until the end of that
   * run. What is stored by then is not looked at.
   */
  takeCallIds(runId: string, ids: readonly string[]): Promise<Set<string>>;
  /** Whether a run at work was told to use this topic's memory. */
  usesMemoryOf(topicId: string): boolean;
  /** Those of these conversations that another host on the same storage works in. */
  workedInElsewhere(conversationIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Asks the host that works in a conversation; false where none does any more, and the caller may do it
   * itself. Rejects with `conversation_busy` when it does not do it in time.
   */
  askElsewhere(conversationId: string, errand: Errand): Promise<boolean>;
  /**
   * Keeps runs out of a conversation until `release` is called. Rejects with `conversation_busy` where one is
   * at work in it for so many seconds still, or `approval_pending`; at once without `seconds`.
   */
  hold(conversationId: string, seconds?: number): Promise<HeldConversation>;
  /**
   * Resumes a run whose question was answered, whatever the policy, unless it is at work.
   */
  resumeAfterAnswer(id: string): Promise<void>;
  /** Ends what is at work in a conversation and keeps others out until `release` is called. */
  close(conversationId: string): Promise<HeldConversation>;
  /**
   * After a start: runs that were at work are interrupted, and go on, wait or end by the preference
   * `runs.resume`.
   */
  recover(): Promise<void>;
  /** Interrupts everything; resolves when all of it is stored. */
  stop(): Promise<void>;
}
