export * from "./format.ts";
export * from "./visible.ts";
