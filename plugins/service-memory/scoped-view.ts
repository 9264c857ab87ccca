import { AppError, ToolError, type MemoryScope, type MemoryService, type ScopedMemory } from "@pergola/sdk";
import type { MemoryKeeper, Parts } from "@pergola/sdk/host";
import { conversationsIn } from "./history/conversations-in.ts";
import type { RecallQuery } from "./history/recall-query.ts";

type Of = Parameters<MemoryKeeper["scoped"]>[0];

/**
 * Whose a change is. With a `fence` it is refused with `conflict` where another host has the run; the spans
 * of its vectors are below `trace`.
 */
export type ChangeOrigin = Pick<Of, "fence" | "trace">;

type ByCall<Change extends (...given: never) => unknown> = (
  ...given: [...Parameters<Change>, ChangeOrigin?]
) => ReturnType<Change>;

/** Memory whose changes are known to come from a call. */
export interface MemoryOfCalls extends Omit<MemoryService, "store" | "update" | "delete" | "prune"> {
  readonly store: ByCall<MemoryService["store"]>;
  readonly update: ByCall<MemoryService["update"]>;
  readonly delete: ByCall<MemoryService["delete"]>;
  readonly prune: ByCall<MemoryService["prune"]>;
}

/** Memory as one tool call sees it: its scope's and nothing else. */
export function scopedView(memory: MemoryOfCalls, parts: Parts, of: Of): ScopedMemory {
  const { scope, callId, runId, conversation, trace } = of;
  const get: ScopedMemory["get"] = async (id) => {
    const found = await orMissing(memory.get(id));
    if (found?.scope === scope) return found;
    return undefined;
  };
  return {
    get,
    async store(drafts) {
      checkWritable(of);
      const conversationId = conversation.id;
      let scopeKind: MemoryScope["scopeKind"] = "topic";
      if (scope === conversationId) scopeKind = "conversation";
      return memory.store({ scope, scopeKind, conversationId, runId, callId }, drafts, of);
    },
    search: (query) => memory.search({ ...query, scopes: [scope], trace }),
    list: (page) => memory.list({ ...page, scope }),
    async update(id, changes) {
      checkWritable(of);
      if ((await get(id)) === undefined) return undefined;
      return orMissing(memory.update(id, changes, of));
    },
    async delete(id) {
      checkWritable(of);
      if ((await get(id)) === undefined) return false;
      return (await orMissing(memory.delete(id, of).then(() => true))) ?? false;
    },
    statistics: () => memory.statistics(scope),
    async prune(rules) {
      checkWritable(of);
      return memory.prune(scope, rules, of);
    },
    async recall({ topicId, ...query }) {
      if (topicId !== undefined && topicId !== conversation.topicId)
        throw new ToolError(
          "permission_denied",
          `This conversation does not belong to the topic "${topicId}".`,
          { hint: "Leave topic_id out to search what this conversation may see." },
        );
      const conversationIds = await conversationsIn(parts, conversation, topicId ?? scope);
      return memory.recall({ ...query, conversationIds, trace, ...(await untilQuestion(parts, of)) });
    },
  };
}

/** Throws `permission_denied` in a topic that the conversation may only read. */
function checkWritable({ scope, conversation }: Of): void {
  if (scope !== conversation.topicId || conversation.settings.sharedTopicAccess !== "read") return;
  throw new ToolError("permission_denied", "This conversation may only read the memory of its topic.", {
    hint:
      "Tell the person what you would have changed; " +
      'they can attach the conversation with access "write".',
  });
}

/** In a run the newest turn of the person is the question itself. */
async function untilQuestion(
  { conversations }: Parts,
  { conversation, runId }: Of,
): Promise<Pick<RecallQuery, "until">> {
  if (runId === null) return {};
  const newest = await conversations.messages(conversation.id, { limit: 100, newest: true });
  const question = newest.findLast(({ role, visible }) => role === "user" && visible);
  if (question === undefined) return {};
  return { until: { conversationId: conversation.id, seq: question.seq } };
}

/** undefined instead of `not_found`. */
function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (AppError.is(error) && error.code === "not_found") return undefined;
    throw error;
  });
}
