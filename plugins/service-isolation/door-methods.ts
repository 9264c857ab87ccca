/** What a call may ask for from another process, by the part of its context. */
export const doorMethods = {
  context: ["fetch", "spawn", "secret", "preference", "embed", "readResult", "ask", "progress"],
  files: [
    "resolve",
    "stat",
    "read",
    "readText",
    "list",
    "write",
    "writeAll",
    "makeDirectory",
    "rename",
    "remove",
  ],
  blobs: ["put", "get", "delete"],
  memory: ["store", "search", "get", "list", "update", "delete", "statistics", "prune", "recall"],
  collection: ["get", "put", "delete", "find", "count"],
  search: ["index", "remove", "removeScope", "query"],
  run: ["setMaxIterations"],
  log: ["debug", "info", "warn", "error"],
} as const;

export type DoorPart = keyof typeof doorMethods;

/** What a call asks of its context; `name` is that of a collection or an index. */
export interface DoorRequest {
  readonly call: number;
  readonly part: DoorPart;
  readonly name?: string | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A function of the plugin that the host calls. */
export interface RemoteCall {
  readonly call: number;
  readonly tool: string;
  readonly operation?: string;
  readonly name: string;
  readonly args: unknown;
  /** The parts of the context that are plain data, and the host's time. */
  readonly facts?: {
    readonly [fact: string]: unknown;
    readonly run: object | null;
    readonly now: number;
    readonly hasMemory: boolean;
  };
}
