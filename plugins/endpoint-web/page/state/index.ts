export * from "./address.ts";
export * from "./fold-run.ts";
export * from "./service.ts";
export * from "./shown.ts";
export * from "./thread.ts";
export * from "./uploads.ts";
