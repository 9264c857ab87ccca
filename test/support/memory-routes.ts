import type { Stage } from "./host.ts";

export interface WireMemory {
  readonly id: string;
  readonly content: string;
  readonly scopeId: string;
  readonly origin: string;
  readonly updatedAt: string;
  readonly similarity?: number;
}
export interface ChangedMemory {
  readonly success: boolean;
  readonly memory: WireMemory;
  readonly error?: { readonly code: string; readonly param?: string };
}

export interface ListedMemories {
  readonly memories: readonly WireMemory[];
  readonly count: number;
  readonly error?: { readonly code: string; readonly param?: string };
}

export type MemoryQuery = Readonly<Record<string, string | number>>;

/** What tests of memories do over HTTP. */
export function memoriesAt(stage: () => Stage) {
  const ask = (query: MemoryQuery = {}) =>
    stage().host.json<ListedMemories>(
      "GET",
      `/api/memories?${new URLSearchParams(query as Record<string, string>).toString()}`,
    );
  return {
    ask,
    contents: async (query: MemoryQuery = {}): Promise<readonly string[]> =>
      (await ask(query)).body.memories.map(({ content }) => content),
    patch: (id: string, body: unknown) =>
      stage().host.json<ChangedMemory>("PATCH", `/api/memories/${id}`, body),
    one: (id: string, method = "GET") =>
      stage().host.json<WireMemory & ChangedMemory>(method, `/api/memories/${id}`),
    /** Forgets everything. */
    clear: async (): Promise<void> => {
      for (const { scopeId } of (await ask({ limit: 1000 })).body.memories)
        await stage().host.services.memory!.deleteScope(scopeId);
    },
  };
}
