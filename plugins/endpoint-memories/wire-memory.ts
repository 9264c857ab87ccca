import type { MemoryItem } from "@pergola/sdk";

/** A memory as clients see it. */
export const wireMemory = ({ scope: scopeId, ...item }: MemoryItem) => ({ ...item, scopeId });
