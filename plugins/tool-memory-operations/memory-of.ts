import {
  ToolError,
  type MemoryOrigin,
  type ProbeContext,
  type ScopedMemory,
  type ToolContext,
} from "@pergola/sdk";

/** The scope's memory. Throws `unavailable` where no plugin keeps one. */
export function memoryOf({ memory }: ToolContext): ScopedMemory {
  if (memory !== undefined) return memory;
  throw new ToolError("unavailable", "This service keeps no memory.", {
    hint: "Its operator can add a plugin that does, such as service-memory.",
  });
}

/** Why the family cannot be used, and what to do; undefined when it can. */
export function unavailable({ keepsMemory }: ProbeContext) {
  if (keepsMemory) return undefined;
  return {
    reason: "This service keeps no memory.",
    remedy: "Add a plugin that does, such as service-memory.",
  };
}

/** What a call that stored something says; `duplicate`: it was there before. */
export const storedMessage = (duplicate: boolean): string => (duplicate ? "It is known already." : "Stored.");

/** A call by hand is the person's own; in a run it is the model that remembers. */
export const originOf = ({ run }: ToolContext): MemoryOrigin => (run === null ? "user" : "model");
