export * from "./api.ts";
export * from "./changes.ts";
export * from "./online.ts";
export type * from "./wire.ts";
