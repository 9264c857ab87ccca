export * from "./address.ts";
export type * from "./fold-run.ts";
export * from "./service.ts";
export * from "./thread.ts";
