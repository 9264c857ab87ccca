import { AppError, type Write } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { names, type Records } from "./records.ts";

const pageSize = 500;

/** The conversation of the first run above those of a conversation; its own where there is none. */
async function personsConversationOf({ stores }: Parts, conversationId: string): Promise<string> {
  // Null is in no range: these are runs of sub-agents.
  const ofAgent = { conversationId, parentRunId: { gte: "" } };
  const [agent] = await stores.runs.find(ofAgent, { limit: 1 });
  const above = agent && (await stores.runs.get(agent.parentRunId ?? ""));
  return above === undefined
    ? conversationId
    : personsConversationOf({ stores } as Parts, above.conversationId);
}

/**
 * Puts the person's conversation into records of versions that did not keep it. With none of them it is one
 * look into an index. Resolves when all have it.
 */
export async function fillEarlier(parts: Parts, records: Records): Promise<void> {
  const known = new Map<string, string>();
  const place = async (id: string): Promise<string> => {
    const found = known.get(id) ?? (await personsConversationOf(parts, id));
    known.set(id, found);
    return found;
  };
  for (const kind of ["changes", "gaps"] as const)
    for (;;) {
      const found = await records[kind].find(
        { personsConversationId: null },
        { order: "seq", limit: pageSize },
      );
      if (found.length === 0) break;
      const writes: Write[] = [];
      for (const { version, ...record } of found) {
        const put = { ...record, personsConversationId: await place(record.conversationId) };
        writes.push({ collection: names[kind], put, ifVersion: version });
      }
      await parts.stores.commit(writes).catch(unlessConflict);
    }
}

/** Another host has written one of them: they are read again. */
function unlessConflict(error: unknown): void {
  if (!AppError.is(error) || error.code !== "conflict") throw error;
}
