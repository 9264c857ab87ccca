import type { MemoryScope } from "@pergola/sdk";
import type { ImportedMemory } from "@pergola/sdk/host";
import { makeItem } from "./make-item.ts";
import type { Records, StoredItem } from "./records.ts";

/**
 * The items to store for memories that came in a file. What the scope knows already, and a key that it has,
 * are left out.
 */
export async function importItems(
  { items }: Pick<Records, "items">,
  of: MemoryScope,
  memories: readonly ImportedMemory[],
  { replaces, nextPlace }: { readonly replaces: boolean; readonly nextPlace: () => number },
): Promise<readonly StoredItem[]> {
  const fresh = new Map<string, StoredItem>();
  for (const { createdAt, ...memory } of memories) {
    const made = {
      ...makeItem({ ...memory, origin: "import" }, of, nextPlace()),
      createdAt,
      updatedAt: createdAt,
    };
    const { name, same } = identityOf(made);
    const known = fresh.has(name) || (!replaces && (await items.find(same, { limit: 1 })).length > 0);
    if (!known) fresh.set(name, made);
  }
  return [...fresh.values()];
}

/** What names an item among those of its file, and finds it among those of its scope. */
function identityOf({ kind, id, scope, digest }: StoredItem) {
  if (kind === "kv") return { name: id, same: { id } };
  return { name: digest, same: { scope, digest } };
}
