import { newId, type ToolCall } from "@pergola/sdk";
import type { NamedCall } from "@pergola/sdk/host";
import { inCallersForm } from "./callers-form.ts";
import type { Flow } from "./flow.ts";

/**
 * Gives calls their ids: a provider's is kept if it is well formed and new, which of several hosts none can
 * know.
 */
export async function nameCalls(
  { parts, run }: Pick<Flow, "parts" | "run">,
  calls: readonly ToolCall[],
): Promise<readonly NamedCall[]> {
  const isAlone = parts.stores.storage.hosts === undefined;
  const ids = calls.map(({ id }) => id).filter((id) => isAlone && /^[A-Za-z0-9_-]{1,64}$/.test(id));
  const stored = new Set(await parts.conversations.usedCallIds(ids));
  return calls.map((call) => {
    const isNew = ids.includes(call.id) && !stored.has(call.id) && !parts.runs.hasCall(call.id);
    const id = isNew ? call.id : newId.toolCall();
    run.callIds.add(id);
    const named = { ...call, id, ...(isNew || call.id === "" ? {} : { providerId: call.id }) };
    return inCallersForm(named, run.request.callerTools);
  });
}
