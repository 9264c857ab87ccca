import type { ConversationContext } from "./conversation-context.ts";
import type { Page, PageRange } from "./page.ts";
import type { ChatMessage, ToolCall } from "./provider.ts";
import type { Caller } from "./run.ts";
import type { RunOutcome } from "./run-outcome.ts";
import type { TopicAccess } from "./topics.ts";
import type { Json, JsonObject } from "../util/json.ts";

/** The settings of one conversation. Absent fields follow the preferences. */
export interface ConversationSettings {
  readonly selectedModel?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly repetitionPenalty?: number;
  readonly contextWindowSize?: number | null;
  readonly selectedSystemPromptId?: string;
  readonly selectedPersonalityId?: string;
  readonly enableReasoning?: boolean;
  readonly enableTools?: boolean;
  readonly thinkingEffort?: "low" | "medium" | "high";
  readonly useSharedData?: boolean;
  /** The conversation's `topicId` again, for older clients; written with it. */
  readonly sharedTopicId?: string | null;
  /** Never stored: whoever shows it asks the topic, which may have been renamed. */
  readonly sharedTopicName?: string | null;
  /** What it may do in its topic; default: write. */
  readonly sharedTopicAccess?: TopicAccess;
  readonly toolOverrides?: Readonly<Record<string, boolean>>;
  readonly draftMessage?: string;
  readonly showAdvancedParameters?: boolean;
  readonly scrollLockEnabled?: boolean;
}

/** Where a branch of a conversation leaves another: below message `after`; null and 0 = at the beginning. */
export interface Branch {
  readonly parent: number | null;
  readonly after: number;
}

/** A stored conversation. Settings hold only what somebody set. */
export interface Conversation {
  readonly id: string;
  readonly alias: string | null;
  readonly title: string;
  readonly titleSetBy: "default" | "model" | "service" | "user";
  readonly created: string;
  readonly updated: string;
  /** Visible turns of the active branch. */
  readonly messageCount: number;
  readonly model: string | null;
  readonly settings: ConversationSettings;
  readonly folderId: string | null;
  /** The topic that it is attached to; what is kept there is shared while `useSharedData` is on. */
  readonly topicId: string | null;
  readonly isPinned: boolean;
  readonly hidden: boolean;
  readonly isFromAPI: boolean;
  /** It came from a file: what stands in it may be anybody's words. */
  readonly isImported?: boolean;
  readonly workingDirectory: string | null;
  /** The folder below `workspace.base_path` that was made for it. */
  readonly workspace: string | null;
  /** Where several hosts share a storage but no folders: the label of the one whose files it works with. */
  readonly host?: string;
  readonly enabledCustomInstructionIds: readonly string[];
  /** The number the next message gets. */
  readonly nextSeq: number;
  /** The branches beside the first one, which is number 0: branch 1, branch 2 and so on. */
  readonly branches?: readonly Branch[];
  /** The branch that requests continue; 0 when absent. */
  readonly activeBranch?: number;
  /** The last message of the active branch; null while it has none. */
  readonly activeMessageId?: string | null;
  /** The newest last; the first thing that the person said counts as pinned without being here. */
  readonly pinnedMessageIds?: readonly string[];
  /** Some of its messages were left out of what models see, and are archived. */
  readonly isArchived?: boolean;
  /** A client's own texts, by name. */
  readonly metadata?: JsonObject;
}

/**
 * A call as it is stored. `providerId` is the provider's own id for it; `callers` is true for a call that the
 * caller answers.
 */
export interface StoredCall extends ToolCall {
  readonly providerId?: string;
  readonly callers?: boolean;
}

/** What happened to a tool call beside its operation. Absent = false. */
export interface ToolPassage {
  /** It was answered without its operation. */
  readonly refused?: true;
  /** It needed an approval, and an earlier one covered it. */
  readonly granted?: true;
  /** A hook changed its result. */
  readonly shaped?: true;
}

/** A stored message. Absent fields do not apply. */
export interface Message {
  readonly id: string;
  readonly conversationId: string;
  /** Grows along every branch. */
  readonly seq: number;
  /** The message before it; null for the first one of a branch that begins the conversation. */
  readonly parentMessageId?: string | null;
  /** Absent on the first branch. */
  readonly branch?: number;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly type: "user" | "assistant" | "toolExecution" | "subagentExecution" | "systemStatus" | "thinking";
  readonly content: string | null;
  readonly timestamp: string;
  readonly runId: string | null;
  /** True for turns that the client sees and may send back. */
  readonly visible: boolean;
  readonly contentParts?: Json;
  readonly toolCalls?: readonly StoredCall[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: string;
  readonly toolDisplayData?: JsonObject;
  readonly toolDetails?: readonly string[];
  readonly toolDuration?: number;
  readonly toolMetadata?: JsonObject;
  /** How a call of a run came to its result; absent where it ran, unasked, and no hook changed the result. */
  readonly toolPassage?: ToolPassage;
  readonly parentToolName?: string;
  readonly reasoningContent?: string;
  readonly isSystemGenerated?: boolean;
  readonly isPinned?: boolean;
  readonly importance?: number;
  readonly lastModified?: string;
  readonly processingTime?: number;
  /** On the assistant messages of a run: all that it had streamed by then, where that is not the content. */
  readonly streamedText?: string;
  /** On the assistant turn that ends a run: the memories that were put before the model. */
  readonly memories?: NonNullable<RunOutcome["memories"]>;
  /** On the assistant turn that ends a run: how it ended. */
  readonly completionReason?: string;
  readonly extra?: JsonObject;
}

/** One way through a conversation, from its beginning to a message that nothing follows. */
export interface BranchSummary {
  readonly tipMessageId: string;
  /** Where it leaves another branch; null: at the beginning. */
  readonly parentMessageId: string | null;
  /** Visible turns from the beginning on. */
  readonly messageCount: number;
  readonly updated: string;
  readonly isActive: boolean;
  /** The beginning of its first own message of the person, or of its last text. */
  readonly preview: string;
}

/** Which messages of one branch to read; ids are those of messages. */
export interface MessagePageQuery {
  readonly limit: number;
  /** The last message of the branch; absent = the active one's. */
  readonly tip?: string;
  /** The position of the first message, from 0; absent = the last page. */
  readonly at?: number;
  /** The message that is to be in the middle. */
  readonly around?: string;
}

/** A message that stands beside others below the same one, and the newest end of a branch through it. */
export interface Fork {
  readonly messageId: string;
  readonly tipMessageId: string;
  readonly timestamp: string;
}

/** Messages of one branch, side by side. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** By message id, where there are several; itself among them, the oldest first. */
  readonly forks: ReadonlyMap<string, readonly Fork[]>;
  readonly at: number;
  readonly total: number;
  readonly tipMessageId: string | null;
}

/** Which conversations to list; all given fields must match. `q` searches titles. */
export interface ConversationFilter extends PageRange {
  readonly q?: string;
  readonly folderId?: string;
  readonly topicId?: string;
  readonly includeHidden?: boolean;
}

/** The fields of a conversation that a client may set. */
export type ConversationFields = Partial<
  Pick<
    Conversation,
    | "title"
    | "model"
    | "settings"
    | "folderId"
    | "topicId"
    | "isPinned"
    | "hidden"
    | "workingDirectory"
    | "enabledCustomInstructionIds"
    | "metadata"
  >
>;

/** The fields of a message that a client may change. */
export type MessageChanges = Partial<Pick<Message, "isPinned" | "importance">>;

/** Ids are UUIDs or aliases. Rejections: AppError `not_found`, `invalid_id`, `id_taken`, `invalid_value`. */
export interface ConversationService {
  /** The id behind a UUID or an alias; a pure function. */
  idOf(idOrAlias: string): string;
  get(idOrAlias: string): Promise<Conversation>;
  list(filter: ConversationFilter): Promise<Page<Conversation>>;
  /**
   * `topicId` attaches to a topic, with sharing on unless the settings say otherwise, or detaches (null); the
   * setting `sharedTopicId` only names the topic. Both reject with `not_found` naming the field, and `update`
   * with `conversation_busy` while a run works in it.
   */
  create(fields: ConversationFields & { readonly id?: string }, caller: Caller): Promise<Conversation>;
  update(idOrAlias: string, changes: ConversationFields, caller: Caller): Promise<Conversation>;
  /** Cancels its run first. */
  delete(idOrAlias: string, options: { readonly deleteFiles: boolean }): Promise<void>;
  /**
   * Messages of the active branch in order, or with `allBranches` of the whole tree; `before` and `after` are
   * message numbers, exclusive; `newest` takes the page from the end; `visible` leaves the steps of runs out.
   */
  messages(
    idOrAlias: string,
    page: {
      readonly limit: number;
      readonly after?: number;
      readonly before?: number;
      readonly newest?: boolean;
      readonly allBranches?: boolean;
      readonly visible?: true;
      /** With `allBranches`: only those of this run. */
      readonly runId?: string;
    },
  ): Promise<readonly Message[]>;
  /** Rejects with `not_found` for a message that is not in it, or not on the branch. */
  messagePage(idOrAlias: string, query: MessagePageQuery): Promise<MessagePage>;
  /**
   * Of a run, else of the last one that has called a model. Rejects with `not_found` for a run of another
   * conversation, and where no model was called. The work grows with the branch.
   */
  context(
    idOrAlias: string,
    query: { readonly runId?: string; readonly text: boolean },
  ): Promise<ConversationContext>;
  /** Rejects with `not_found` for a message of another conversation. */
  message(idOrAlias: string, messageId: string): Promise<Message>;
  isOnActiveBranch(conversation: Conversation, message: Message): boolean;
  /** The branches by their last messages, newest first. */
  branches(idOrAlias: string): Promise<readonly BranchSummary[]>;
  /**
   * Makes the branch through a message active, to its newest end. Rejects with `not_found` for a message of
   * another conversation, and with `conversation_busy` while a run works in this one.
   */
  chooseBranch(idOrAlias: string, messageId: string): Promise<Conversation>;
  /**
   * Also while a run is at work; models see it from the next cut or the next run on. Rejects with
   * `invalid_value` beyond 100 pinned messages.
   */
  updateMessage(idOrAlias: string, messageId: string, changes: MessageChanges): Promise<Message>;
  /** Puts messages below the tip, without a run. Rejects with `conversation_busy` while one is at work. */
  addMessages(idOrAlias: string, messages: readonly ChatMessage[]): Promise<Conversation>;
  /**
   * Takes messages off the active branch, by a new branch without them. Rejects with `conversation_busy`
   * while a run is at work.
   */
  removeMessages(idOrAlias: string, messageIds: readonly string[]): Promise<Conversation>;
  scopeOf(conversation: Conversation): string;
  /** The working directory; it is made at its first use, a tool call. */
  workingDirectoryOf(conversation: Conversation): Promise<string>;
  activeRunId(id: string): string | null;
}
