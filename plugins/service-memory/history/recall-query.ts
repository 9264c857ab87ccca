import type { MemoryService } from "@pergola/sdk";

/** A question to what was said in some conversations. */
export type RecallQuery = Parameters<MemoryService["recall"]>[0];
