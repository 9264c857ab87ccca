import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { ScopedMemory } from "./memory.ts";
import type { Caller } from "./run.ts";
import type { BlobStore, Collection, Entity, SearchIndex } from "./storage.ts";
import type { Json } from "../util/json.ts";

/** A file, directory or link, as `Files.stat` and `Files.list` describe it. */
export interface FileInfo {
  /** The real path. */
  readonly path: string;
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly created: number;
  readonly accessed: number;
  /** Permission bits, as in 0o644. */
  readonly mode: number;
}

/**
 * A path as the door resolved it: what it was called, where it really is, and whether that is inside the
 * working directory.
 */
export interface CheckedPath {
  readonly requestedPath: string;
  readonly real: string;
  readonly place: "inside" | "outside";
  readonly exists: boolean;
}

/** One change in a call of `Files.writeAll`. */
export interface FileChange {
  readonly path: string;
  /** Absent = remove the file. */
  readonly content?: string | Uint8Array;
  /** The file must not exist yet. */
  readonly create?: boolean;
}

/**
 * Files, as far as this call was allowed to reach: everything below the working directory, and outside it the
 * paths that the call named and the policy let through. Paths are relative to the working directory,
 * absolute, or begin with `~`. Every method throws ToolError: `file_not_found`, `permission_denied`,
 * `system_permission_denied`, `path_escape`, `invalid_value`.
 */
export interface Files {
  resolve(path: string): Promise<CheckedPath>;
  /** undefined when nothing is there. Does not follow a final link. */
  stat(path: string): Promise<FileInfo | undefined>;
  /** Bytes from `start` (0) to `end` (exclusive; the file's end). Regular files only. */
  read(path: string, range?: { readonly start?: number; readonly end?: number }): Promise<Uint8Array>;
  /** UTF-8 text. */
  readText(path: string): Promise<string>;
  /** Entries in name order, links not followed; what nobody may see is left out. */
  list(path: string): Promise<readonly FileInfo[]>;
  /**
   * Writes through a temporary file and one rename; keeps mode bits; makes parents; backs up what was there.
   */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { readonly create?: boolean },
  ): Promise<{ readonly bytes: number; readonly created: boolean }>;
  /** Several changes, all or nothing. */
  writeAll(changes: readonly FileChange[]): Promise<void>;
  makeDirectory(path: string): Promise<{ readonly created: boolean }>;
  /** Makes parents; never overwrites. */
  rename(from: string, to: string): Promise<void>;
  /** A file, or a link itself; never a directory. Backs it up. */
  remove(path: string): Promise<void>;
}

/** Options of `ToolContext.spawn`. */
export interface SpawnOptions {
  /** Default: the call's working directory. */
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Added to a small clean environment that holds no secret. */
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds; the whole process group is ended then. */
  readonly timeoutSeconds?: number;
  /** Bytes kept of each of stdout and stderr; the rest is dropped and `truncated` is true. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Called with output as it comes. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /**
   * The sandbox around the program. Without it a program of the host's own plugins runs as it is, with all
   * rights of the person; one of a plugin from outside runs as a `command`.
   */
  readonly sandbox?: {
    /**
     * `command`: sees the system read-only and an empty home, writes the working directory but for what other
     * programs execute or trust, starts other programs; where there is no sandbox, the preference
     * `sandbox.programs` decides. `helper`: sees the system's libraries and what is listed, starts nothing,
     * has no network; without a sandbox it does not run.
     */
    readonly kind: "command" | "helper";
    /** Files and folders that it reads too: absolute paths. What does not exist is left out. */
    readonly read?: readonly string[];
    /** Folders that it writes, instead of the working directory: absolute paths. */
    readonly write?: readonly string[];
    /** Names and absolute paths that stay as they are; default: `authorization.protected_names`. */
    readonly keep?: readonly string[];
    /** Hosts that it reaches, instead of `tools.terminal.network`. */
    readonly network?: "none" | readonly string[];
  };
}

/** What a program printed and how it ended. Resolves for every exit code. */
export interface SpawnResult {
  /** null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly truncated: boolean;
  /** What it made under a protected name, in a sandbox: absolute paths. */
  readonly appeared?: readonly string[];
}

/** A question to the person, asked with `ToolContext.ask`. */
export interface Question {
  readonly prompt: string;
  readonly context?: string;
  readonly options?: readonly string[];
  /** `family.operation`: the question is an approval and a yes makes a grant for that operation. */
  readonly authorizeOperation?: string;
  readonly paths?: readonly string[];
}

/** The person's answer to a `Question`. */
export interface Answer {
  readonly decision: "approved" | "denied" | "text";
  readonly text: string;
  readonly grantId?: string;
}

/** A piece of a stored result; offsets and lengths count code points. */
export interface ResultChunk {
  readonly resultId: string;
  readonly toolCallId: string;
  readonly offset: number;
  readonly length: number;
  readonly totalLength: number;
  readonly content: string;
  readonly nextOffset: number | null;
  readonly hasMore: boolean;
}

/** The part of a stored result to read, in code points. */
export type ResultRange = Pick<ResultChunk, "offset" | "length">;

/** The run a call belongs to. */
export interface RunHandle {
  readonly id: string;
  readonly iteration: number;
  readonly maxIterations: number;
  /** Raises the limit of this run; throws ToolError `tool_disabled` or `invalid_value`. */
  setMaxIterations(limit: number): Promise<{ readonly previous: number; readonly limit: number }>;
}

/**
 * A call's only way to the outside. The door behind it checks the manifest's permissions, so an honest plugin
 * in the host's process and any plugin in a process of its own live under the same rules. All arguments and
 * results can be cloned between processes.
 */
export interface ToolContext {
  readonly callId: string;
  readonly conversationId: string;
  /** The id under which memory and files are kept: the topic's or the conversation's. */
  readonly scope: string;
  /** An absolute path; it exists. */
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  /** The plugin's own settings, checked against its manifest. */
  readonly settings: { readonly [key: string]: Json };
  readonly files: Files;
  /** null for a call made by hand. */
  readonly run: RunHandle | null;
  /** Whose call it is, or whose run's. */
  readonly caller?: Caller;
  /** A W3C traceparent to be sent on to a service that the call asks. */
  readonly trace?: string;
  /** The model's context window in tokens; 0 when no model is involved. */
  readonly contextWindow: number;
  /**
   * https only, no private address, at most 5 redirects, size and time limits; the manifest's `network` must
   * hold the host.
   */
  fetch(url: string, init?: FetchInit): Promise<Response>;
  /** The manifest's `processes` must hold the program. The process group ends with the call. */
  spawn(program: string, args: readonly string[], options?: SpawnOptions): Promise<SpawnResult>;
  /**
   * The command line that runs a program in a sandbox, for plugins of the host that start programs which live
   * on between calls. `sandboxed` is false where the program will run as it is. Call `release` when it has
   * ended: it tells what the program made under a protected name. Throws ToolError as `spawn` does.
   */
  prepare(
    program: string,
    args: readonly string[],
    options: Pick<SpawnOptions, "cwd" | "sandbox">,
  ): Promise<{
    readonly program: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly sandboxed: boolean;
    release(): Promise<readonly string[]>;
  }>;
  /**
   * A secret the manifest names, or a field of one that is a record, as in `tools.x.account.password`;
   * undefined when it is not set.
   */
  secret(name: string): Promise<string | undefined>;
  /** A preference's value in force. */
  preference(key: string): Promise<Json | undefined>;
  /** Records of the plugin's own. */
  collection<T extends Entity>(name: string): Collection<T>;
  search(name: string): SearchIndex;
  readonly blobs: BlobStore;
  /** What is remembered in this call's scope; undefined where no plugin keeps memory. */
  readonly memory?: ScopedMemory | undefined;
  /** Vectors of unit length from the configured embedder; undefined when there is none. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>;
  /** A stored result of this conversation or topic; throws ToolError `not_found` naming close ids. */
  readResult(resultId: string, range: ResultRange): Promise<ResultChunk>;
  /** Waits for the person; the call's time limit does not count meanwhile. */
  ask(question: Question): Promise<Answer>;
  /** Shown on the call's card while it works. */
  progress(text: string): void;
}

/** Options of `ToolContext.fetch`. */
export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Bytes, after decompression; default 10 MiB. */
  readonly maxBytes?: number;
  /** Default 60. */
  readonly timeoutSeconds?: number;
  /** Default `follow`; with `manual` a redirect is the answer. */
  readonly redirect?: "follow" | "manual";
}
