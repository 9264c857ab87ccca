import type { CallContext } from "./hooks.ts";
import type { Caller } from "./run.ts";
import type { Effect } from "./tool.ts";
import type { JsonObject } from "../util/json.ts";

/** A tool as an MCP server describes it: somebody else's words, with control characters made visible. */
export interface McpServerTool {
  readonly name: string;
  readonly description: string;
  /** Its parameters, as JSON Schema. */
  readonly inputSchema: JsonObject;
  readonly effect: Effect;
  /** It is new, gone or another one than was approved, so it is not used. */
  readonly changed: boolean;
}

/** An MCP server of the settings, without the values of its secrets. */
export interface McpServerStatus {
  readonly name: string;
  readonly transport: "stdio" | "http";
  /** null with transport http, as `args` is empty then. */
  readonly command: string | null;
  readonly args: readonly string[];
  /** null with transport stdio. */
  readonly url: string | null;
  /** Names of variables and headers, and `token`. */
  readonly secrets: readonly string[];
  /** What walls its program in; null where nothing does. */
  readonly sandbox: string | null;
  /**
   * `idle`: it is started when it is needed. `review`: something about it has changed since it was approved.
   * `sign_in`: it wants the person to sign in.
   */
  readonly state: "ready" | "idle" | "connecting" | "failed" | "review" | "sign_in" | "disabled";
  readonly lastError: string | null;
  /** Where the person signs in, for a few minutes; null while no sign-in is under way. */
  readonly signInUrl: string | null;
  /** Pergola has tokens from a sign-in. */
  readonly signedIn: boolean;
  /** As they were seen last. */
  readonly tools: readonly McpServerTool[];
  /** Of its entry and its tools as they are shown here; null before it was met. */
  readonly digest: string | null;
  /** The settings file, the environment or a flag sets `mcp.servers`: it cannot be changed here. */
  readonly fixed: boolean;
  /** Models are offered something else of it after the next start. */
  readonly restartRequired: boolean;
}

/**
 * Fields of an entry of `mcp.servers`. Absent: stays as it is; null: removed. The same holds for each value
 * of `env` and `headers`.
 */
export interface McpServerChange {
  readonly command?: string | null | undefined;
  readonly args?: readonly string[] | null | undefined;
  readonly env?: Readonly<Record<string, string | null>> | null | undefined;
  readonly cwd?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string | null>> | null | undefined;
  readonly token?: string | null | undefined;
  readonly client_id?: string | null | undefined;
  readonly client_secret?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly tools?: readonly string[] | null | undefined;
  readonly effects?: Readonly<Record<string, Effect>> | null | undefined;
  readonly sandbox?: boolean | null | undefined;
  readonly read?: readonly string[] | null | undefined;
  readonly write?: readonly string[] | null | undefined;
  readonly network?: "none" | "public" | readonly string[] | null | undefined;
}

/** What the person says to the descriptions of an MCP server. */
export interface McpServerReview {
  /** Of the record that was shown. */
  readonly digest: string;
  readonly approved: boolean;
}

/** Who wants to use an MCP server, and where a browser comes back to after a sign-in there. */
export interface McpSignInStart {
  readonly caller: Caller;
  readonly redirect: string;
}

/** What a browser brings back from a sign-in. */
export interface McpSignInReturn {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** A prompt of an MCP server: somebody else's words, with control characters made visible. */
export interface McpPrompt {
  /** `server:prompt`: a message of the person that begins with `/` and this calls it. */
  readonly command: string;
  readonly server: string;
  /** Empty where the server says nothing. */
  readonly description: string;
  /** In the order in which the words behind the command fill them. */
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

/** A prompt that is wanted for a run. */
export interface McpPromptCall extends Pick<CallContext, "caller" | "signal"> {
  readonly command: string;
  /** What stands behind the command: its arguments, in quotation marks where they hold spaces. */
  readonly words: string;
  readonly runId: string;
}

/** Prompts of MCP servers, which the person calls by their commands. */
export interface McpPromptService {
  /** As they were listed last; a server that does not run is not started for it. */
  list(): Promise<readonly McpPrompt[]>;
  /**
   * Asks the server. The text says whose words it is, and counts as words from outside for the run. Rejects
   * with AppError `invalid_value` or `missing_field`, which say what to do, and with `insufficient_scope`
   * where the caller may not use tools.
   */
  expand(call: McpPromptCall): Promise<string>;
  /** The commands of the prompts that a run was given. */
  givenTo(runId: string): readonly string[];
}

/** MCP servers of the settings. Models see what is new or approved here after the next start. */
export interface McpServerService {
  readonly prompts: McpPromptService;
  /** In the order of the settings; `signInUrl` is told to callers with the scope admin alone. */
  list(caller?: Caller): Promise<readonly McpServerStatus[]>;
  /** Whether models will be offered something else after the next start. */
  restartRequired(): Promise<boolean>;
  /** Rejects with AppError `id_taken`, `set_elsewhere` or `invalid_value`. */
  add(name: string, entry: McpServerChange, caller: Caller): Promise<McpServerStatus>;
  /**
   * A url of another origin is not sent the headers and the token that are kept. What it was changed to
   * counts as approved, its tools do not. Rejects with `not_found`, `set_elsewhere` or `invalid_value`.
   */
  change(name: string, change: McpServerChange, caller: Caller): Promise<McpServerStatus>;
  /** Forgets its secrets and what was approved of it. Rejects with `not_found` or `set_elsewhere`. */
  remove(name: string, caller: Caller): Promise<void>;
  /**
   * Connects now, and looks at its tools; what goes wrong stands in the record. The tools of a server that
   * was never met are approved as they are. Where it wants a sign-in, one begins. Rejects with `not_found`.
   */
  check(name: string, signal: AbortSignal, start?: McpSignInStart): Promise<McpServerStatus>;
  /**
   * Ends a sign-in and looks at the server's tools. Rejects with `invalid_value` for a state that is unknown,
   * too old or used already, and where no sign-in has come about.
   */
  signIn(answer: McpSignInReturn, signal: AbortSignal): Promise<McpServerStatus>;
  /** Deletes the tokens of a sign-in. Rejects with `not_found`. */
  signOut(name: string, caller: Caller): Promise<McpServerStatus>;
  /** Rejects with `not_found`, or `digest_changed` where it is not any more what was shown. */
  review(
    name: string,
    review: McpServerReview,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<McpServerStatus>;
  /** From now on `changed` is called when what `list` tells may have changed. */
  watch(changed: () => void): void;
}
