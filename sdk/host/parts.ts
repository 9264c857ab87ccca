import type { Clock } from "../contract/clock.ts";
import type { AppError } from "../contract/errors.ts";
import type { FileService } from "../contract/files.ts";
import type { InstructionService } from "../contract/instructions.ts";
import type { Log } from "../contract/log.ts";
import type { McpServerService } from "../contract/mcp-servers.ts";
import type { NoticeService } from "../contract/notices.ts";
import type { PreferenceService } from "../contract/preferences.ts";
import type { PromptService } from "../contract/prompts.ts";
import type { ProviderDefinition } from "../contract/provider.ts";
import type { CollectionOptions } from "../contract/storage.ts";
import type { TodoKeeper } from "../contract/todos.ts";
import type { Tool } from "../contract/tool.ts";
import type { ScheduleService } from "../contract/schedules.ts";
import type { TransferService } from "../contract/transfer.ts";
import type { AccessKeeper } from "./access-keeper.ts";
import type { ActiveRun, RunStart } from "./active-run.ts";
import type { ArchiveKeeper } from "./archive-keeper.ts";
import type { ChangeKeeper } from "./change-keeper.ts";
import type { DoorOptions, Doors } from "./door.ts";
import type { DownloadKeeper } from "./download-keeper.ts";
import type { EventKeeper } from "./event-keeper.ts";
import type { FolderKeeper } from "./folder-keeper.ts";
import type { Isolation } from "./isolation.ts";
import type { ApprovalKeeper, ConversationKeeper, ModelKeeper, ResultKeeper, ToolKeeper } from "./keepers.ts";
import type { RunKeeper } from "./run-keeper.ts";
import type { CompleteManifest } from "./manifest.ts";
import type { MemoryKeeper } from "./memory-keeper.ts";
import type { OutputKeeper } from "./output-keeper.ts";
import type { PreferenceHost } from "./preference-host.ts";
import type { Stores } from "./records.ts";
import type { StreamRedactor } from "./redaction.ts";
import type { Sandbox, SandboxHost } from "./sandbox.ts";
import type { SearchKeeper } from "./search-keeper.ts";
import type { TelemetryKeeper } from "./telemetry-keeper.ts";
import type { SecretHost, SecretKeeper } from "./secret-keeper.ts";
import type { TopicKeeper } from "./topic-keeper.ts";
import type { WatchedHooks } from "./watched-hooks.ts";
import type { Awaitable, Json, JsonObject } from "../util/json.ts";
import type { Fault, JsonSchema, Properties } from "../util/schema.ts";

/** A tool family and the plugin that brought it. */
export interface RegisteredTool {
  readonly tool: Tool;
  readonly plugin: Pick<
    CompleteManifest,
    "id" | "package" | "version" | "permissions" | "enabledByDefault" | "entry"
  > & {
    /** Where its code runs: in the service, or in a process of its own. */
    readonly tier: "trusted" | "isolated";
    readonly collections: Readonly<Record<string, CollectionOptions>>;
    /** The schemas of its own preferences. */
    readonly preferences: Properties;
    /** Its own preferences, with the values in force. */
    settings(): JsonObject;
  };
}

/** What the host itself gives to those of its parts that plugins bring. */
export interface HostParts extends DoorOptions {
  /** The service's own. */
  readonly version: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly hooks: WatchedHooks;
  readonly preferences: PreferenceService;
  readonly stores: Stores;
  /** The one launcher of everything foreign. */
  readonly sandbox: Sandbox;
  /** Absent where no plugin keeps secrets. */
  readonly secrets?: SecretKeeper;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The home folder of the person. */
  readonly home: string;
  readonly registered: {
    readonly tools: readonly RegisteredTool[];
    readonly providers: readonly ProviderDefinition[];
    /** The plugin that brought the providers of a type; undefined where none did. */
    pluginOfProvider(type: string): string | undefined;
  };
  /** 0 to 1. */
  random(): number;
  /** Now, ISO 8601 in UTC. */
  timestamp(): string;
  /** The text without secrets. */
  redact(text: string): string;
  /** From now on these are secrets, wherever text is redacted. */
  learnSecrets(values: Iterable<string>): void;
  redactJson<T extends Json | JsonObject>(value: T): T;
  /** What a model or a tool says, without what `output.redaction` names; known secrets are never in it. */
  redactOutput<T extends Json | JsonObject>(value: T): T;
  /** The same for text that comes in pieces. */
  redactStream(): StreamRedactor;
  /** A failure that may be shown; a bug is logged and becomes `internal_error`. */
  errorOf(error: unknown, where: Readonly<Record<string, string>>): AppError;
  /**
   * A check against a schema that lists all faults; with `coerce` the value is first put into canonical form,
   * in place.
   */
  compile(schema: JsonSchema, options?: { readonly coerce?: boolean }): (value: unknown) => readonly Fault[];
  /** The loop: model, tools, model, tools, to the end of the run. Never rejects. */
  runWorkflow(run: ActiveRun, start: RunStart): Promise<void>;
}

/**
 * The parts that plugins bring, each by exactly one of them; they see each other through this, once all are
 * made.
 */
export interface RequiredParts {
  readonly doors: Doors;
  readonly models: ModelKeeper;
  readonly tools: ToolKeeper;
  readonly conversations: ConversationKeeper;
  readonly approvals: ApprovalKeeper;
  readonly results: ResultKeeper;
  readonly runs: RunKeeper;
}

/** What the host does with an optional part, in the steps `start` and `stop` of the plugin that brings it. */
export interface PartLife {
  /** Goes on with what the last host had begun. All parts are there; other plugins may not have started. */
  recover?(): Awaitable<void>;
  /** May be called twice. */
  stop?(): Awaitable<void>;
}

/** Parts that the host does without where no plugin brings them; `optionalParts` has their names. */
export interface OptionalParts {
  readonly memory?: MemoryKeeper & PartLife;
  readonly downloads?: DownloadKeeper & PartLife;
  readonly prompts?: PromptService & PartLife;
  readonly topics?: TopicKeeper & PartLife;
  readonly folders?: FolderKeeper & PartLife;
  readonly files?: FileService & PartLife;
  readonly todos?: TodoKeeper & PartLife;
  readonly archive?: ArchiveKeeper & PartLife;
  readonly transfer?: TransferService & PartLife;
  readonly changes?: ChangeKeeper & PartLife;
  readonly events?: EventKeeper & PartLife;
  readonly search?: SearchKeeper & PartLife;
  readonly notices?: NoticeService & PartLife;
  readonly telemetry?: TelemetryKeeper & PartLife;
  readonly schedules?: ScheduleService & PartLife;
  readonly instructions?: InstructionService & PartLife;
  readonly mcpServers?: McpServerService & PartLife;
  readonly access?: AccessKeeper & PartLife;
  readonly output?: OutputKeeper & PartLife;
}

/** The names of the optional parts. */
export const optionalParts = [
  "memory",
  "downloads",
  "prompts",
  "topics",
  "folders",
  "files",
  "todos",
  "archive",
  "transfer",
  "changes",
  "events",
  "search",
  "notices",
  "telemetry",
  "schedules",
  "instructions",
  "mcpServers",
  "access",
  "output",
] as const satisfies readonly (keyof OptionalParts)[];

/** Everything that a part of the host may use. */
export type Parts = HostParts & RequiredParts & OptionalParts;

/**
 * How a plugin makes the parts it brings. While they are made the other parts are not there yet; from then on
 * they are.
 */
export type PartFactories = {
  readonly [K in keyof Omit<RequiredParts, "doors">]?: (parts: Parts) => RequiredParts[K];
} & {
  readonly [K in keyof OptionalParts]?: (parts: Parts) => NonNullable<OptionalParts[K]>;
} & {
  readonly doors?: (options: DoorOptions) => Doors;
  /** Needed before the others, which read preferences while they are made. */
  readonly preferences?: (host: PreferenceHost) => Awaitable<PreferenceService>;
  /** Needed before the others: plugins run in it. */
  readonly sandbox?: (host: SandboxHost) => Awaitable<Sandbox>;
  /** Needed before the others: plugins are loaded by it. */
  readonly isolation?: Isolation;
  /** Needed before the others: settings refer to what it keeps. */
  readonly secrets?: (host: SecretHost) => Awaitable<SecretKeeper>;
};
