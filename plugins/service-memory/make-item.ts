import { createHash } from "node:crypto";
import { AppError, newId, type MemoryDraft, type MemoryService } from "@pergola/sdk";
import type { MemorySource } from "@pergola/sdk/host";
import type { StoredItem } from "./records.ts";

export const digestOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex");

/** Contents that differ by spaces only are the same. */
export const contentDigest = (kind: string, content: string): string =>
  digestOf(kind, content.normalize("NFC").replaceAll(/\s+/g, " ").trim());

/** A key names one item of its scope: the id follows from it. */
const idOfKey = (scope: string, key: string): string =>
  digestOf("kv", scope, key)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Where an item belongs, and who stores it. */
export type ItemOrigin = Parameters<MemoryService["store"]>[0];

/** The item that a draft asks for. Throws `invalid_value` for a value without a key. */
export function makeItem(draft: MemoryDraft, of: ItemOrigin, place: number): StoredItem {
  const { content, origin, kind = "memory" } = draft;
  const now = new Date(Math.floor(place / placesInMillisecond)).toISOString();
  return {
    ...identityOf(draft, of),
    scope: of.scope,
    scopeKind: of.scopeKind,
    kind,
    content,
    ...qualities(draft),
    origin,
    source: sourceOf(of),
    createdAt: now,
    updatedAt: now,
    place,
    digest: contentDigest(kind, content),
    callId: of.callId ?? null,
  };
}

/** A value has its key's id, anything else one of its own. */
function identityOf({ kind, key }: MemoryDraft, { scope }: ItemOrigin): Pick<StoredItem, "id" | "key"> {
  if (kind !== "kv") return { id: newId.uuid(), key: null };
  if (key) return { id: idOfKey(scope, key), key };
  throw new AppError({
    code: "invalid_value",
    message: "A value needs a key that is not empty.",
    param: "key",
  });
}

const qualities = ({
  contentType = "fact",
  tags = [],
  context = null,
  importance = 0.5,
  confidence = 1,
  metadata = {},
}: MemoryDraft) => ({
  contentType,
  tags,
  context,
  importance,
  confidence,
  metadata,
});

function sourceOf({ conversationId, runId = null, callId = null }: Partial<MemorySource>) {
  if (conversationId === undefined) return null;
  return { conversationId, runId, callId };
}

/** Places for items that are stored in the same millisecond. */
export const placesInMillisecond = 1000;
