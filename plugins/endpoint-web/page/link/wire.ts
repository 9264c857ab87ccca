import type * as sdk from "@pergola/sdk";

type Service<Name extends keyof sdk.Services> = NonNullable<sdk.Services[Name]>;
/** What a service's method resolves with; its route sends the same as JSON. */
type Told<
  Name extends keyof sdk.Services,
  Method extends keyof Service<Name>,
> = Service<Name>[Method] extends (...given: never) => infer Result ? Awaited<Result> : never;

export type ToolStatus = Extract<sdk.RunEvent, { readonly type: "tool" }>["status"];
export type RevertOutcome = Told<"changes", "revert">;
export type LocalServer = Told<"models", "findLocalServers">[number];
export type DownloadStatus = Told<"downloads", "get">;
export type FoundModels = Told<"downloads", "search">;
type Files = Told<"files", "list">;
export type PreviewDiff = Told<"changes", "previewDiff">;
export type FileChangeRecord = Told<"changes", "list">["items"][number];
export type Folder = Omit<Files, "items"> & { readonly entries: Files["items"] };
export type FoundMessages = Told<"search", "messages">;
export type DoctorReport = Told<"doctor", "check">;
export type Context = Told<"conversations", "context">;
export type RunStep = Told<"runs", "explain">["items"][number];
export type McpServer = Told<"mcpServers", "list">[number];
export type Usage = Told<"runs", "usage">["total"];

/** Topics, folders, prompts, personalities. */
export type Named = Readonly<Record<"id" | "name", string>>;
export type Summary = ReturnType<typeof sdk.wireSummary>;
export type Message = ReturnType<typeof sdk.wireMessage> & { readonly branches?: Forks };
export type Detail = Awaited<ReturnType<typeof sdk.wireDetail>>;
export type Run = ReturnType<typeof sdk.wireRun>;
export type Approval = Omit<sdk.ApprovalRecord, "parentTool"> & Pick<Message, "parentToolName">;
export type Preview = NonNullable<sdk.ApprovalRecord["preview"]>;
export type Diff = NonNullable<Preview["files"][number]["diff"]>;
export type Hunk = NonNullable<Diff["hunks"]>[number];

type Page = Told<"conversations", "messagePage">;

/** Messages that follow the same one. */
export type Forks = NonNullable<ReturnType<Page["forks"]["get"]>>;

export interface MessagePage extends Pick<Page, "at">, Pick<Detail, "activeMessageId"> {
  readonly messages: readonly Message[];
}

export type ChangePage = Omit<Told<"changes", "list">, "items"> & { changes: readonly FileChangeRecord[] };

export type Model = Readonly<
  Record<"is_local" | "supports_tools", boolean> & { id: string; context_window: number }
>;

export type Provider = Omit<sdk.ProviderStatus, "baseUrl"> & { readonly base_url: string };
export type Memory = Omit<sdk.MemoryItem, "source"> & {
  readonly scopeId: string;
  readonly source: (Record<"conversationId" | "at", string> & { messageId: string | null }) | null;
};
export type Plugin = Omit<sdk.PluginStatus, "state" | "settings"> &
  Readonly<Record<"state" | "isolation", string>> & {
    readonly remedy: string | null;
    readonly settings: { readonly properties: sdk.PluginStatus["settings"] } | null;
  };

export interface PreferenceSchema extends Readonly<Record<"secret" | "protected" | "restart", boolean>> {
  readonly key: string;
  readonly type: string | readonly string[];
  readonly range: { enum?: readonly string[]; minimum?: number; maximum?: number } | null;
  readonly description: string;
  readonly source: sdk.Preference["from"];
  /** Why it cannot be changed from here; null where it can. */
  readonly refusal: string | null;
}

type ToolFactNames = "toolName" | "toolOperation" | "toolStatus" | "toolDisplayData" | "toolMetadata";
export type ToolFacts = Pick<Message, ToolFactNames | "parentToolName">;

export interface Chunk extends ToolFacts {
  /** Absent where it tells why the run failed. */
  readonly choices?: readonly { readonly delta: Partial<Record<"content" | "reasoning_content", string>> }[];
  readonly service_metadata?: Pick<Message, "memories">;
  readonly isToolMessage?: boolean;
  readonly toolExecutionId?: string;
  readonly event?: { readonly type: string; readonly approvalId?: string };
}
