import type { AccessService } from "./access.ts";
import type { ArchiveService } from "./archive.ts";
import type { Cassette } from "./cassette.ts";
import type { ChangeService } from "./changes.ts";
import type { ConversationService } from "./conversation.ts";
import type { DoctorService } from "./doctor.ts";
import type { DownloadService } from "./downloads.ts";
import type { Route } from "./endpoint.ts";
import type { EventService } from "./events.ts";
import type { FileService } from "./files.ts";
import type { FolderService } from "./folders.ts";
import type { McpServerService } from "./mcp-servers.ts";
import type { MemoryService } from "./memory.ts";
import type { InstructionService } from "./instructions.ts";
import type { CallObserver, ModelEntry } from "./model-entry.ts";
import type { NoticeService } from "./notices.ts";
import type { Page, PageRange } from "./page.ts";
import type { PluginStatus } from "./plugin-status.ts";
import type { PreferenceService } from "./preferences.ts";
import type { PromptService } from "./prompts.ts";
import type { LocalServer, ProviderChange } from "./provider-change.ts";
import type { LoadedModel, ModelCall, ModelEvent, ProviderSettings } from "./provider.ts";
import type { ResultService } from "./results.ts";
import type { ApprovalRecord, Caller, LiveRun, NewRun, RunLog, RunRecord } from "./run.ts";
import type { RunStep } from "./run-steps.ts";
import type { ScheduleService } from "./schedules.ts";
import type { SearchService } from "./search.ts";
import type { DeviceLogin, ProviderQuota } from "./subscription.ts";
import type { TelemetryService } from "./telemetry.ts";
import type { TodoService } from "./todos.ts";
import type { ToolService } from "./tool-service.ts";
import type { TopicService } from "./topics.ts";
import type { TransferService } from "./transfer.ts";
import type { UsageQuery, UsageReport } from "./usage.ts";
import type { JsonObject } from "../util/json.ts";

/** Starts, lists, cancels and resumes runs. */
export interface RunService {
  /**
   * What the request leaves out is that of a plain chat: the model `default`, all built-in tools, no memory.
   * Rejects with AppError before anything is stored: unknown model, busy conversation, bad ids.
   */
  start(request: NewRun): Promise<LiveRun>;
  live(id: string): LiveRun | undefined;
  /**
   * What happened in a run, for `runs.event_retention_minutes` after its end; undefined when that was given
   * up. Rejects with `not_found`.
   */
  log(id: string): Promise<RunLog | undefined>;
  get(id: string): Promise<RunRecord>;
  list(
    filter: PageRange & {
      readonly conversationId?: string;
      readonly status?: string;
      readonly kind?: string;
      /** ISO 8601, in UTC: those made then or later. */
      readonly from?: string;
    },
  ): Promise<Page<RunRecord>>;
  /** Resolves once the cancel is recorded. Rejects with `not_found` or `run_ended`. */
  cancel(id: string): Promise<RunRecord>;
  /** Rejects with `not_found` or `not_resumable`. */
  resume(id: string): Promise<RunRecord>;
  /** What happened in a run, step by step, in order. Rejects with `not_found`. */
  explain(id: string): Promise<Page<RunStep>>;
  /** What runs have used. The work grows with their number in the span. */
  usage(query: UsageQuery): Promise<UsageReport>;
  /**
   * An ended run as data that a test can replay. Rejects with `not_found`, with `run_not_ended`, and with
   * `invalid_value` for a run of which too little is stored.
   */
  cassette(id: string): Promise<Cassette>;
  /** Stores further annotations in a run's record. Rejects with `not_found`. */
  annotate(id: string, annotations: JsonObject): Promise<RunRecord>;
}

/** The person's answer to an approval or a question. */
export interface AnswerInput {
  readonly approved?: boolean;
  readonly text?: string;
  readonly grant?: "once" | "time" | "conversation";
  readonly expiresIn?: string;
  readonly paths?: readonly string[];
}

/** A permission that an approval left behind. */
export interface Grant {
  readonly id: string;
  readonly conversationId: string;
  readonly operation: string;
  readonly kind: NonNullable<AnswerInput["grant"]>;
  readonly paths: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly usesLeft: number | null;
  readonly approvalId: string;
}

/** Lists and answers approvals, and lists and revokes grants. */
export interface ApprovalService {
  /** Oldest first; without `status`, those in any state. */
  list(filter: {
    readonly status?: string;
    readonly conversationId?: string;
    readonly runId?: string;
  }): Promise<Page<ApprovalRecord>>;
  /** By approval id or tool call id. */
  get(id: string): Promise<ApprovalRecord>;
  /** Rejects with `not_found`, `already_answered`, `insufficient_scope` or `invalid_value`. */
  answer(
    id: string,
    input: AnswerInput,
    conversationId?: string,
    /** Needs the scope approve for an approval, chat for a question; absent = the host itself. */
    caller?: Caller,
  ): Promise<ApprovalRecord>;
  grants(conversationId?: string): Promise<Page<Grant>>;
  revoke(grantId: string): Promise<void>;
}

/** A configured provider and its state. */
export interface ProviderStatus extends Pick<
  ProviderSettings,
  "id" | "type" | "name" | "prefix" | "enabled"
> {
  readonly isLocal: boolean;
  readonly baseUrl: string;
  readonly status: "ok" | "error" | "unknown";
  readonly lastError: string | null;
  readonly modelCount: number;
  readonly key: {
    readonly set: boolean;
    readonly from: "stored" | "environment" | "file" | "none";
  };
  /** The settings file, the environment or a flag lists the providers: it cannot be changed here. */
  readonly fixed: boolean;
}

/** A provider after a change. */
export interface SavedProvider {
  readonly provider: ProviderStatus;
  /** Names at the provider, without prefix: what it lists; unchecked, those of its settings. */
  readonly models: readonly string[];
  readonly isNew: boolean;
}

/**
 * Vectors, one for each text, and the model that made them: those of different models must never be compared.
 */
export interface Embedded {
  readonly model: string;
  readonly vectors: readonly Float32Array[];
  /** Tokens of all texts together, as the provider counted them; undefined where it does not tell. */
  readonly promptTokens?: number | undefined;
}

/** Resolution, listing, retries and fallback. */
export interface ModelService {
  list(signal: AbortSignal): Promise<readonly ModelEntry[]>;
  /** The local models that are in memory at the moment. */
  loaded(signal: AbortSignal): Promise<readonly (ModelEntry & Omit<LoadedModel, "id">)[]>;
  /**
   * Takes a local model out of memory as soon as no call uses it; nothing where it is not there. Rejects with
   * `model_not_found` or `no_provider`.
   */
  unload(model: string, signal: AbortSignal): Promise<void>;
  /** Rejects with `model_not_found` or `no_provider`. */
  resolve(model: string, signal: AbortSignal): Promise<ModelEntry>;
  /** One model call with retries and fallback chains. */
  stream(
    model: string,
    call: Omit<ModelCall, "model">,
    signal: AbortSignal,
    observer: CallObserver,
  ): AsyncIterable<ModelEvent>;
  /**
   * Of unit length, by the model of `memory.embedding_model`; undefined when there is none, or it fails.
   * `trace`: the W3C traceparent of a span of this service's, below which the call's belongs.
   */
  embed(texts: readonly string[], signal: AbortSignal, trace?: string): Promise<Embedded | undefined>;
  /**
   * As the model that is named makes them. Rejects with `model_not_found`, with `invalid_value` for one that
   * makes no vectors, and as the provider fails. `trace`: as it came with a request.
   */
  embedWith(model: string, texts: readonly string[], signal: AbortSignal, trace?: string): Promise<Embedded>;
  providers(): Promise<readonly ProviderStatus[]>;
  /** Asks the addresses of `providers.local_servers` for their models, half a second each. */
  findLocalServers(signal: AbortSignal): Promise<readonly LocalServer[]>;
  /**
   * Adds a provider, or changes one. Rejects with `set_elsewhere`, `in_use` while it makes an answer,
   * `provider_auth_failed` or `provider_error` where the check fails, `missing_field` or `invalid_value`.
   */
  saveProvider(
    id: string,
    change: ProviderChange,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<SavedProvider>;
  /** Rejects with `not_found`, `set_elsewhere`, `built_in`, or `in_use` while it makes an answer. */
  removeProvider(id: string, caller: Caller): Promise<void>;
  /**
   * Removes an installed local model. Rejects with `model_not_found`, `in_use` while a call uses it, or
   * `built_in`.
   */
  remove(model: string): Promise<void>;
  /**
   * Starts a provider's device login. Rejects with `not_found`, or `invalid_value` where the kind has none.
   */
  login(providerId: string, signal: AbortSignal): Promise<DeviceLogin>;
  /** Rejects with `not_found`. */
  quota(
    providerId: string,
    options: { readonly refresh: boolean },
    signal: AbortSignal,
  ): Promise<ProviderQuota>;
}

/** Facts about the running service. */
export interface SystemService {
  readonly version: string;
  /** Seconds. */
  uptime(): number;
  readonly stopping: boolean;
  /** Why the store cannot be written at the moment; null while it can. */
  storageFault(): Promise<string | null>;
  plugins(): readonly PluginStatus[];
  /** From now on `changed` is called when what `plugins` tells may have changed. */
  watchPlugins(changed: () => void): void;
  /**
   * Switches a plugin on or off; in force with the next start. Switching on also closes its breaker, and one
   * whose breaker has opened since the start is tried again at once: its status tells how that went. Rejects
   * with AppError `not_found`, `in_use` for one that the host needs, `set_elsewhere` where the settings file
   * decides, `storage_unavailable` where the audit cannot be written.
   */
  enablePlugin(id: string, enabled: boolean, caller: Caller): Promise<void>;
  /**
   * Shows to the command line that this is the service of its data directory: a proof for its challenge, and
   * for the address at which it asked.
   */
  prove(challenge: string, localAddress: string): string;
  /** The route table, as it is served; `endpoint-system` makes the OpenAPI document from it. */
  routes(): readonly (Route & { readonly group: string })[];
}

/** What endpoints and cross-cutting plugins may use of the host. */
export interface Services {
  readonly conversations: ConversationService;
  readonly runs: RunService;
  readonly approvals: ApprovalService;
  readonly models: ModelService;
  readonly results: ResultService;
  readonly tools: ToolService;
  readonly preferences: PreferenceService;
  readonly system: SystemService;
  /** undefined where no plugin keeps memory. */
  readonly memory?: MemoryService | undefined;
  /** undefined where no plugin downloads models. */
  readonly downloads?: DownloadService | undefined;
  /** undefined where no plugin keeps prompts and personalities. */
  readonly prompts?: PromptService | undefined;
  /** undefined where no plugin keeps topics. */
  readonly topics?: TopicService | undefined;
  /** undefined where no plugin keeps folders. */
  readonly folders?: FolderService | undefined;
  /** undefined where no plugin shows the files of conversations. */
  readonly files?: FileService | undefined;
  /** undefined where no plugin keeps to-do lists. */
  readonly todos?: TodoService | undefined;
  /** undefined where no plugin keeps what conversations have outgrown. */
  readonly archive?: ArchiveService | undefined;
  readonly transfer?: TransferService | undefined;
  /** undefined where no plugin records the changes of files. */
  readonly changes?: ChangeService | undefined;
  /** undefined where no plugin tells of changes. */
  readonly events?: EventService | undefined;
  /** undefined where no plugin searches messages. */
  readonly search?: SearchService | undefined;
  /** undefined where no plugin tells of ends and approvals. */
  readonly notices?: NoticeService | undefined;
  /** undefined where no plugin counts what runs do. */
  readonly telemetry?: TelemetryService | undefined;
  /** undefined where no plugin keeps schedules. */
  readonly schedules?: ScheduleService | undefined;
  /** undefined where no plugin finds instructions and skills. */
  readonly instructions?: InstructionService | undefined;
  /** undefined where no plugin uses MCP servers. */
  readonly mcpServers?: McpServerService | undefined;
  /** undefined where no plugin checks tokens. */
  readonly access?: AccessService | undefined;
  /** undefined where nothing looks at the installation. */
  readonly doctor?: DoctorService | undefined;
}
