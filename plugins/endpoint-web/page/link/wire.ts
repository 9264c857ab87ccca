import type {
  ApprovalRecord,
  MemoryItem,
  ProviderStatus,
  RunEvent,
  Services,
  wireDetail,
  wireMessage,
  wireRun,
  wireSummary,
} from "@pergola/sdk";

type Service<Name extends keyof Services> = NonNullable<Services[Name]>;

export type ToolStatus = Extract<RunEvent, { readonly type: "tool" }>["status"];
export type RevertOutcome = Awaited<ReturnType<Service<"changes">["revert"]>>;
export type LocalServer = Awaited<ReturnType<Service<"models">["findLocalServers"]>>[number];
export type DownloadStatus = Awaited<ReturnType<Service<"downloads">["get"]>>;
export type FoundModels = Awaited<ReturnType<Service<"downloads">["search"]>>;
export type FileChangeRecord = Awaited<ReturnType<Service<"changes">["list"]>>["items"][number];

export type Summary = ReturnType<typeof wireSummary>;
export type Message = ReturnType<typeof wireMessage>;
export type Detail = Awaited<ReturnType<typeof wireDetail>> & { readonly messages?: readonly Message[] };
export type ToolCallRecord = NonNullable<Message["toolCalls"]>[number];
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

type MemoryFacts = "id" | "scopeKind" | "kind" | "origin" | "content" | "createdAt";

export interface Memory extends Pick<MemoryItem, MemoryFacts> {
  readonly scopeId: string;
  readonly source: (Record<"conversationId" | "at", string> & { messageId: string | null }) | null;
}

export interface PreferenceSchema extends Readonly<Record<"secret" | "protected" | "restart", boolean>> {
  readonly key: string;
  readonly type: string | readonly string[];
  readonly range: { enum?: readonly string[]; minimum?: number; maximum?: number } | null;
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
  readonly event?: { readonly type: string; readonly approvalId?: string };
}
