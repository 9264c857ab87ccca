import { closeNames, ToolError, type ScopedMemory } from "@pergola/sdk";
import { allKeys } from "./entries.ts";

/** `not_found`, naming keys that look like the one that was asked for. */
export async function unknownKey(memory: ScopedMemory, key: string): Promise<ToolError> {
  const keys = (await allKeys(memory)).map((item) => item.key ?? "");
  const close = closeNames(key, keys);
  let hint = "list_keys shows the keys there are, search_kv finds one by its content.";
  if (close.length > 0) hint = `Close keys: ${close.join(", ")}.`;
  return new ToolError("not_found", `Nothing is stored under the key "${key}".`, { hint });
}
