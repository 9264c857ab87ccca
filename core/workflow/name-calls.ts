import { newId, type ToolCall } from "@pergola/sdk";
import type { NamedCall } from "@pergola/sdk/host";
import { inCallersForm } from "./callers-form.ts";
import type { Flow } from "./flow.ts";

/** Gives calls their ids: a provider's is kept if it is well formed and new. */
export async function nameCalls(
  { parts, run }: Pick<Flow, "parts" | "run">,
  calls: readonly ToolCall[],
): Promise<readonly NamedCall[]> {
  const ids = calls.map(({ id }) => id).filter((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id));
  // In this order: an id that another run gives back is stored by then.
  const free = await parts.runs.takeCallIds(run.id, ids);
  for (const id of await parts.conversations.usedCallIds([...free])) free.delete(id);
  return calls.map((call) => {
    const isNew = free.delete(call.id);
    const id = isNew ? call.id : newId.toolCall();
    const named = { ...call, id, ...(isNew || call.id === "" ? {} : { providerId: call.id }) };
    return inCallersForm(named, run.request.callerTools);
  });
}
