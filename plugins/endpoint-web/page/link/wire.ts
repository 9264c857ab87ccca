import type { ApprovalRecord, MemoryItem } from "@pergola/sdk";

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

export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant" | "system" | "tool";
  readonly content: string | null;
  readonly timestamp: string;
  readonly runId?: string | null;
  readonly toolCalls?: readonly ToolCallRecord[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: ToolStatus;
  readonly toolDuration?: number;
  readonly toolDisplayData?: { readonly summary?: string };
  readonly toolMetadata?: { readonly resultId?: string | null };
  readonly memories?: readonly { readonly id: string }[];
}

export type ToolStatus = "queued" | "running" | "userInputRequired" | "success" | "error";

export interface Detail extends Summary {
  readonly model: string | null;
  readonly activeRunId: string | null;
  readonly activeMessageId: string | null;
  readonly settings: { readonly draftMessage: string | null };
  readonly messages?: readonly Message[];
}

export interface Run {
  readonly id: string;
  readonly conversationId: string;
  readonly kind: string;
  readonly status: "queued" | "running" | "waiting" | "interrupted" | "ended";
  readonly completion_reason: string | null;
  readonly model: string;
  readonly pendingToolCallIds: readonly string[];
  readonly error: { readonly message: string; readonly code: string } | null;
  readonly usage: { readonly total_tokens: number };
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export type Approval = ApprovalRecord;
export type Preview = NonNullable<ApprovalRecord["preview"]>;
export type Diff = NonNullable<Preview["files"][number]["diff"]>;
export type Hunk = NonNullable<Diff["hunks"]>[number];

export interface Change {
  readonly id: string;
  readonly runId: string | null;
  readonly path: string;
  readonly kind: Preview["files"][number]["change"];
  readonly revertedBy: string | null;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  readonly gaps: readonly { readonly reason: string }[];
}

export interface Revert {
  readonly revertId: string | null;
  readonly reverted: readonly {
    readonly path: string;
    readonly action: "restored" | "removed" | "renamed";
  }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** A permission that an answer has left. */
export interface Grant {
  readonly id: string;
  readonly conversationId: string;
  readonly operation: string;
  readonly paths: readonly string[];
  readonly expiresAt: string | null;
}

export interface Model {
  readonly id: string;
  readonly context_window: number;
  readonly is_local: boolean;
  readonly supports_tools: boolean;
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly base_url: string;
  readonly status: "ok" | "error" | "unknown";
  readonly lastError: string | null;
  readonly modelCount: number;
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
