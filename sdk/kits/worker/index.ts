export * from "./failure.ts";
export * from "./node-runtime.ts";
export * from "./start-worker.ts";
export * from "./to-tool-error.ts";
export * from "./worker-connection.ts";
export * from "./worker-pool.ts";
export type * from "./messages.ts";
