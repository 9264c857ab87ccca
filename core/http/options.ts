import { existsSync, readFileSync } from "node:fs";
import type { Caller, DoorRequest, Log, Route, Services } from "@pergola/sdk";
import type { AccessKeeper } from "@pergola/sdk/host";
import type { Cluster } from "../cluster/cluster.ts";

/** What of the part access the door uses. */
export type DoorAccess = Pick<AccessKeeper, "limit" | "countFailure" | "noteRefusal" | "watchEnds">;

export interface HttpOptions {
  readonly routes: readonly (Route & { readonly group: string })[];
  readonly services: Services;
  readonly preference: <T>(key: string) => T;
  readonly authenticate: (request: DoorRequest) => Promise<Caller | undefined>;
  /** Whether a credential is the proof that the command line makes from this start's service note. */
  readonly isOwnerProof: (credential: string) => boolean;
  /** Who counts requests and writes down refusals; undefined where no plugin does. */
  readonly access?: () => DoorAccess | undefined;
  /** Undefined where no requests are handed on among hosts. */
  readonly cluster?: Pick<Cluster, "isFromHost" | "admit" | "handOn"> | undefined;
  readonly log: Log;
  /** What answers say of the service. */
  readonly version: string;
  /** Once true, nothing is begun any more: only reading goes on. */
  readonly stopping: () => boolean;
  readonly limits?: Partial<Limits>;
}

/** How many files and connections this process may have open, where the system says. */
function countDescriptors(): number {
  const file = "/proc/self/limits";
  if (!existsSync(file)) return Infinity;
  const [, limit = Infinity] = /^Max open files +(\d+)/m.exec(readFileSync(file, "utf8")) ?? [];
  return Number(limit);
}

/**
 * Connections that the system keeps until the event loop takes them; it may hold fewer. Node's own 511 are
 * not enough for a thousand that come at once: the rest wait seconds, or are reset.
 */
export const backlog = 4096;

/**
 * What a client may take of the server, in milliseconds, bytes and pieces. An answer that has begun may take
 * any time.
 */
export const defaultLimits = {
  headersTimeout: 10_000,
  /** For headers and body together. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1000,
  /**
   * How long a connection waits for its next request. Longer than clients keep theirs, often for 5 or 60
   * seconds: who closes it first must be the client, or a request meets a closed connection.
   */
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
  /**
   * When there are more, the one goes that has waited longest for a request. Half of the descriptors are left
   * to providers, tools and files.
   */
  maxConnections: Math.min(4000, Math.floor(countDescriptors() / 2)),
  bodyDepth: 64,
  /** How long a client may take nothing of its answer. */
  stalledReader: 15_000,
  /** What all answers together may hold for clients that do not take them. */
  unsentBytes: 8 * 1024 * 1024,
};

export type Limits = Readonly<typeof defaultLimits>;
