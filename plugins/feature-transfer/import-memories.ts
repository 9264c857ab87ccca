import { defined, type Write } from "@pergola/sdk";
import type { ImportedMemory, Parts } from "@pergola/sdk/host";
import type { Package, PackedMemory } from "./package-form.ts";

export interface ImportedMemories {
  readonly writes: readonly Write[];
  readonly count: number;
  follow(): Promise<void>;
}

const imported = (memory: PackedMemory, now: string): ImportedMemory => {
  const {
    content,
    kind,
    key,
    contentType,
    tags,
    context,
    importance,
    confidence,
    metadata,
    createdAt = now,
  } = memory;
  const given = {
    kind,
    contentType,
    tags,
    context,
    importance,
    confidence,
    metadata,
    ...(typeof key === "string" && { key }),
  };
  return { content, createdAt, ...defined(given) };
};

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
  const scopes = [
    { of: { scope: id, scopeKind: "conversation" }, replaces, mine: (each: PackedMemory) => !ofTopic(each) },
    ...(topicId === undefined
      ? []
      : [{ of: { scope: topicId, scopeKind: "topic" }, replaces: false, mine: ofTopic } as const]),
  ] as const;
  const parts: ImportedMemories[] = [];
  for (const { of, mine, replaces: anew } of scopes) {
    const own = memories.filter(mine).toReversed();
    if (own.length > 0)
      parts.push(
        await memory.importWrites(
          of,
          own.map((each) => imported(each, timestamp())),
          { replaces: anew },
        ),
      );
  }
  return {
    writes: parts.flatMap(({ writes }) => writes),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    follow: async () => void (await Promise.all(parts.map((part) => part.follow()))),
  };
}
