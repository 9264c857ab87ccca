import {
  ToolError,
  type MemoryDraft,
  type MemoryOrigin,
  type ProbeContext,
  type RememberedMemory,
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

/** Stores one memory. A call by hand is the person's own; in a run it is the model that remembers. */
export async function storeOne(
  context: ToolContext,
  draft: Omit<MemoryDraft, "origin">,
): Promise<RememberedMemory> {
  let origin: MemoryOrigin = "model";
  if (context.run === null) origin = "user";
  const [stored] = await memoryOf(context).store([{ ...draft, origin }]);
  return stored!;
}

/** Stores one long-term memory: its id, and whether it was there before. */
export async function storeLongTerm(context: ToolContext, draft: Omit<MemoryDraft, "origin">) {
  const { item, duplicate } = await storeOne(context, draft);
  let message = "Stored.";
  if (duplicate) message = "It is known already.";
  return { data: { id: item.id }, message };
}
