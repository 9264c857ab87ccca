import type { Clock } from "../contract/clock.ts";
import type { CheckedPath, FileChange, Files, ToolContext } from "../contract/context.ts";
import type { ProviderFetch, ProviderResponse, ProviderSettings } from "../contract/provider.ts";
import type { Sandbox } from "./sandbox.ts";

/** For whom a door is opened: one call, and the paths that the call named and the policy let through. */
export interface Reach {
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  readonly paths: readonly CheckedPath[];
  /**
   * What the operator named in the plugin's own settings: folders, and origins of services, which may have a
   * private address and no TLS.
   */
  readonly configured: { readonly folders: readonly string[]; readonly origins: readonly string[] };
}

/**
 * Asks as a tool's `fetch` does, by the same rules for addresses and redirects, for an answer of any size: it
 * comes as it is sent, neither gathered nor unpacked. It holds its connection until the body is read to its
 * end, its reader leaves, or the signal aborts. Rejects, and its body fails, with ToolError.
 */
export type StreamFetch = (
  url: string,
  init: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    /** To the answer's headers; default 60. */
    readonly timeoutSeconds?: number;
    /** Between bytes; default 60. */
    readonly idleTimeoutSeconds?: number;
  },
) => Promise<ProviderResponse>;

/** An answer that is handed on: its body comes as it is sent, and its connection ends with it. */
export interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Hands a request on to another host of this service, as it is and however long its answer takes: one
 * connection, no redirect, http to loopback and private addresses only. Rejects with AppError
 * `host_unavailable`, or with the signal's reason.
 */
export type Relay = (request: {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array> | null;
  readonly signal: AbortSignal;
}) => Promise<RelayedAnswer>;

/** A file's new content that waits in a file of its own, in the service's data directory. */
export interface StagedContent {
  readonly file: string;
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** A change as `restore` makes it; `mode` has the permission bits that the file gets. */
export interface RestoredFile extends Omit<FileChange, "content"> {
  readonly content?: string | Uint8Array | StagedContent;
  readonly mode?: number;
}

/**
 * Files as they are put back: at real paths, with their mode. A link at one of them or on its way is refused.
 */
export interface RestoringFiles extends Files {
  /** Several changes, all or nothing. */
  restore(changes: readonly RestoredFile[]): Promise<void>;
  /** False when something is in it. */
  removeDirectory(path: string): Promise<boolean>;
}

/** For whom programs are started. */
export interface ProgramReach extends Reach {
  readonly programs: readonly string[] | "any";
  /** Told of each program that runs without a sandbox, and why. */
  readonly bare?: (program: string, reason: string) => void;
}

/**
 * The only ways out of the host: files, network, processes. What a plugin's manifest permits is part of every
 * opening.
 */
export interface Doors {
  /** Throws ToolError: `path_escape`, `permission_denied`, `invalid_value`. */
  resolve(path: string, workingDirectory: string): CheckedPath;
  files(of: Reach & { readonly reach: "none" | "workspace" | "any" }): RestoringFiles;
  fetch(of: Reach & { readonly hosts: readonly string[] | "any" }): ToolContext["fetch"];
  stream(of: Pick<Reach, "configured"> & { readonly hosts: readonly string[] | "any" }): StreamFetch;
  readonly relay: Relay;
  /** The names of the service's variables that programs get. */
  variables(): readonly string[];
  spawn(of: ProgramReach): ToolContext["spawn"];
  /** The command line of a program in its sandbox. */
  prepare(of: ProgramReach): ToolContext["prepare"];
  /** `origins`: where requests may go beside the provider's base URL. */
  providerFetch(settings: ProviderSettings, origins?: readonly string[]): ProviderFetch;
  close(): Promise<void>;
}

/** What the doors need of the host. */
export interface DoorOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** The preference in force, undefined where no plugin declares it. */
  readonly preference: (key: string) => unknown;
  /** The ports that the service itself listens on, as long as it does. */
  readonly ownPorts?: () => readonly number[];
  /** undefined: programs cannot be walled in. */
  readonly sandbox?: Sandbox;
}
