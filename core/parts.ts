import type { AppError, Caller, Clock, Doors, Hooks, Json, JsonObject, Log, StreamRedactor } from "@pergola/sdk";
import type { Preferences } from "./settings/preferences.ts";
import type { Approvals } from "./workflow/approvals.ts";
import type { Conversations } from "./workflow/conversations.ts";
import type { Grants } from "./workflow/grants.ts";
import type { HandCalls } from "./workflow/hand-calls.ts";
import type { Models } from "./workflow/models.ts";
import type { Results } from "./workflow/results.ts";
import type { Runs } from "./workflow/runs.ts";
import type { Stores } from "./workflow/stores.ts";
import type { Toolbox } from "./workflow/toolbox.ts";

/** The parts of the host, as they see each other. Made once, in host.ts. */
export interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly hooks: Hooks;
  readonly preferences: Preferences;
  readonly doors: Doors;
  readonly stores: Stores;
  readonly tools: Toolbox;
  readonly models: Models;
  readonly conversations: Conversations;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly grants: Grants;
  readonly results: Results;
  readonly hand: HandCalls;
  /** 0 to 1. */
  random(): number;
  /** Now, ISO 8601 in UTC. */
  timestamp(): string;
  /** The text without secrets. */
  redact(text: string): string;
  redactJson<T extends Json | JsonObject>(value: T): T;
  /** What a model or a tool says, without what `output.redaction` names; known secrets are never in it. */
  redactOutput<T extends Json | JsonObject>(said: T): T;
  /** The same for text that comes in pieces. */
  redactStream(): StreamRedactor;
  /** A failure that may be shown; a bug is logged and becomes `internal_error`. */
  errorOf(error: unknown, where: Readonly<Record<string, string>>): AppError;
  workspaceBase(): string;
  /** Throws `invalid_value` for a folder that no conversation may work in. */
  checkWorkingDirectory(folder: string, caller: Caller): Promise<void>;
}
