export * from "./lasting-database.ts";
export * from "./lock-directory.ts";
export * from "./refused.ts";
