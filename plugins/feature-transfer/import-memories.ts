import { defined, type Write } from "@pergola/sdk";
import type { ImportedMemory, MemoryKeeper, Parts } from "@pergola/sdk/host";
import type { Package, PackedMemory } from "./package-form.ts";

type Scope = Parameters<MemoryKeeper["importWrites"]>[0];

export interface ImportedMemories {
  readonly writes: readonly Write[];
  readonly count: number;
  follow(): Promise<void>;
}

const toMemory = (memory: PackedMemory, now: string): ImportedMemory => ({
  content: memory.content,
  createdAt: memory.createdAt ?? now,
  ...defined({
    kind: memory.kind,
    key: memory.key ?? undefined,
    contentType: memory.contentType,
    tags: memory.tags,
    context: memory.context,
    importance: memory.importance,
    confidence: memory.confidence,
    metadata: memory.metadata,
  }),
});

/**
 * What a package remembers, for the conversation `id` and the topic that it is attached to, if any; the
 * oldest first.
 */
export async function importMemories(
  { memory, timestamp }: Pick<Parts, "memory" | "timestamp">,
  { memories = [] }: Package,
  {
    id,
    topicId,
    replaces,
  }: { readonly id: string; readonly topicId: string | undefined; readonly replaces: boolean },
): Promise<ImportedMemories> {
  if (memory === undefined) return { writes: [], count: 0, follow: async () => undefined };
  const ofTopic = ({ scopeKind }: PackedMemory): boolean => scopeKind === "topic" && topicId !== undefined;
  const parts: ImportedMemories[] = [];
  const take = async (of: Scope, own: readonly PackedMemory[], replacesOld: boolean): Promise<void> => {
    const drafts = own.toReversed().map((each) => toMemory(each, timestamp()));
    if (drafts.length > 0) parts.push(await memory.importWrites(of, drafts, { replaces: replacesOld }));
  };
  const own = memories.filter((each) => !ofTopic(each));
  await take({ scope: id, scopeKind: "conversation" }, own, replaces);
  if (topicId !== undefined)
    await take({ scope: topicId, scopeKind: "topic" }, memories.filter(ofTopic), false);
  return {
    writes: parts.flatMap(({ writes }) => writes),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    follow: async () => void (await Promise.all(parts.map((part) => part.follow()))),
  };
}
