import type {
  ApprovalRecord,
  MemoryItem,
  Message as StoredMessage,
  ProviderStatus,
  wireRun,
} from "@pergola/sdk";
import type { FileChangeRecord, ToolStatus } from "@pergola/sdk/host";

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

export interface Provider {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly prefix: string;
  readonly base_url: string;
  readonly status: "ok" | "error" | "unknown";
  readonly lastError: string | null;
  readonly modelCount: number;
  readonly key: ProviderStatus["key"];
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

/** A chunk of an answer's stream. */
export interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly reasoning_content?: string };
  }[];
  readonly service_metadata?: Pick<Message, "memories">;
  readonly isToolMessage?: boolean;
  readonly toolExecutionId?: string;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: ToolStatus;
  readonly toolDisplayData?: { readonly summary?: string };
  readonly toolMetadata?: { readonly duration_ms?: number; readonly resultId?: string | null };
  readonly event?: {
    readonly type: string;
    readonly approvalId?: string;
    readonly toolCallId?: string;
    readonly title?: string;
  };
}
