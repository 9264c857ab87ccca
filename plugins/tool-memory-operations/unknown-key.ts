import { closeNames, ToolError, type ScopedMemory } from "@pergola/sdk";
import { allKeys } from "./entries.ts";

/** `not_found`, naming keys that look like the one that was asked for. */
export async function unknownKey(memory: ScopedMemory, key: string): Promise<ToolError> {
  const keys = (await allKeys(memory)).map((item) => item.key ?? "");
  const close = closeNames(key, keys);
  const hint =
    close.length > 0
      ? `Close keys: ${close.join(", ")}.`
      : "list_keys shows the keys there are, search_kv finds one by its content.";
  return new ToolError("not_found", `Nothing is stored under the key "${key}".`, { hint });
}
