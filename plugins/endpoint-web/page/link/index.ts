export * from "./api.ts";
export * from "./changes.ts";
export * from "./stream.ts";
export type * from "./wire.ts";
