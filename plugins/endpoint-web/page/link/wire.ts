import type {
  ApprovalRecord,
  MemoryItem,
  Message as StoredMessage,
  ProviderStatus,
  RunEvent,
  Services,
  wireRun,
} from "@pergola/sdk";

type Service<Name extends keyof Services> = NonNullable<Services[Name]>;

export type ToolStatus = Extract<RunEvent, { readonly type: "tool" }>["status"];
export type RevertOutcome = Awaited<ReturnType<Service<"changes">["revert"]>>;
export type LocalServer = Awaited<ReturnType<Service<"models">["findLocalServers"]>>[number];
export type DownloadStatus = Awaited<ReturnType<Service<"downloads">["get"]>>;
export type FoundModels = Awaited<ReturnType<Service<"downloads">["search"]>>;
export type FileChangeRecord = Awaited<ReturnType<Service<"changes">["list"]>>["items"][number];

/** What the service's routes answer with, as far as the page reads it. */
export interface Summary {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly isPinned: boolean;
  readonly messageCount: number;
}

export interface ToolCallRecord {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Message extends Omit<StoredMessage, "toolCalls" | "toolStatus" | "memories"> {
  readonly toolCalls?: readonly ToolCallRecord[];
  readonly toolStatus?: ToolStatus;
  readonly toolDisplayData?: { readonly summary?: string };
  readonly toolMetadata?: { readonly resultId?: string | null };
  readonly memories?: readonly { readonly id: string }[];
}

export interface Detail extends Summary {
  readonly model: string | null;
  readonly activeRunId: string | null;
  readonly activeMessageId: string | null;
  readonly settings: { readonly draftMessage: string | null };
  readonly messages?: readonly Message[];
}

export type Run = ReturnType<typeof wireRun>;
export type Approval = ApprovalRecord;
export type Preview = NonNullable<ApprovalRecord["preview"]>;
export type Diff = NonNullable<Preview["files"][number]["diff"]>;
export type Hunk = NonNullable<Diff["hunks"]>[number];

export interface ChangePage {
  readonly changes: readonly FileChangeRecord[];
  readonly gaps: readonly { readonly reason: string }[];
}

export interface Model {
  readonly id: string;
  readonly context_window: number;
  readonly is_local: boolean;
  readonly supports_tools: boolean;
}

type ProviderFacts = "id" | "type" | "name" | "prefix" | "status" | "lastError" | "modelCount" | "key";

export interface Provider extends Pick<ProviderStatus, ProviderFacts> {
  readonly base_url: string;
}

export interface Memory extends Pick<MemoryItem, "id" | "scopeKind" | "kind" | "content" | "createdAt"> {
  readonly scopeId: string;
  readonly source: {
    readonly conversationId: string;
    readonly messageId: string | null;
    readonly at: string;
  } | null;
}

export interface PreferenceSchema {
  readonly key: string;
  readonly type: string | readonly string[];
  readonly range: {
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  } | null;
  readonly secret: boolean;
  readonly protected: boolean;
  readonly restart: boolean;
  readonly description: string;
  readonly source: "flag" | "environment" | "file" | "stored" | "default";
}

type ToolFacts = "toolName" | "toolOperation" | "toolStatus" | "toolDisplayData";

/** A chunk of an answer's stream. */
export interface Chunk extends Pick<Message, ToolFacts> {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly reasoning_content?: string };
  }[];
  readonly service_metadata?: Pick<Message, "memories">;
  readonly isToolMessage?: boolean;
  readonly toolExecutionId?: string;
  readonly toolMetadata?: { readonly duration_ms?: number; readonly resultId?: string | null };
  readonly event?: {
    readonly type: string;
    readonly approvalId?: string;
    readonly toolCallId?: string;
    readonly title?: string;
  };
}
