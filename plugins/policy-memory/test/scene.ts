import type { HistoryChunk, MemoryItem } from "@pergola/sdk";

const blank = {
  id: "m1",
  scope: "c1",
  scopeKind: "conversation",
  kind: "memory",
  key: null,
  content: "Tea over coffee",
  contentType: "preference",
  tags: [],
  context: null,
  importance: 0.5,
  confidence: 1,
  origin: "user",
  metadata: {},
  source: null,
  createdAt: "2026-11-18T09:00:00.000Z",
  updatedAt: "2026-11-20T10:14:59.000Z",
} as const satisfies MemoryItem & { readonly source: null };

let count = 0;

/** A memory of its own id. */
export const memory = (fields: Partial<MemoryItem> & { readonly source?: object } = {}): MemoryItem => ({
  ...blank,
  id: `m${++count}`,
  ...fields,
});

export const chunk = (content: string, to = "2026-11-19T08:00:00.000Z"): HistoryChunk => ({
  id: "c2/1",
  conversationId: "c2",
  from: to,
  to,
  summary: "",
  keyTopics: [],
  content,
  score: 1,
});
