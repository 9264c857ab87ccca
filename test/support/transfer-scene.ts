import type { Stage } from "./host.ts";
import { calling, labCall, play, saying, type WireMessage } from "./lab-stage.ts";
import { lab } from "./plugins/tool-lab/lab.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Pack {
  formatVersion: string;
  exportedAt: string;
  serviceVersion: string;
  conversation: Fields & {
    readonly id: string;
    readonly messages: readonly (Fields & WireMessage & { readonly seq: number })[];
  };
  memories: readonly (Fields & { readonly content: string })[];
  archive: readonly Fields[];
  results: readonly { readonly resultId: string; readonly toolName: string; readonly content: string }[];
  todos: readonly Fields[];
  folder: Fields | null;
  topic: Fields | null;
}

export interface TakenPack {
  readonly success: boolean;
  readonly conversationId: string;
  readonly imported: { readonly messages: number; readonly memories: number };
  readonly warnings: readonly string[];
  readonly conversation: Fields & { readonly title: string };
  readonly error?: { readonly code: string; readonly message: string };
}

export const large = "€ line of the result\n".repeat(2000);
export const key = "sk-canary-3f9a2b7c41d84e06a5b1";
export const todo = {
  name: "todo_operations",
  arguments: { operation: "write", todoList: [{ id: 1, title: "Paint the fence", status: "in-progress" }] },
};

export const pathOf = (id: string): string => `/v1/conversations/${encodeURIComponent(id)}`;
export const exported = async ({ host }: Stage, id: string): Promise<Pack> =>
  (await host.json<Pack>("GET", `${pathOf(id)}/export`)).body;
export const take = ({ host }: Stage, pack: unknown, query = "") =>
  host.json<TakenPack>("POST", `/v1/conversations/import${query}`, pack);
export const found = async ({ host }: Stage, scope: string, query: string): Promise<readonly string[]> =>
  ((await host.services.memory?.search({ query, scopes: [scope] })) ?? []).map(({ item }) => item.content);

/** A conversation that has everything: calls, a stored result, memories, a to-do list, settings. */
export async function lived(stage: Stage, name = "fence"): Promise<string> {
  const { host } = stage;
  lab.texts.set("big", large);
  await play(
    stage,
    [calling(labCall("peek", "big"), todo), saying("The fence is **green**.")],
    { conversationId: name },
    "Paint it",
  );
  await play(stage, [saying("In March.")], { conversationId: name }, "When?");
  await host.json("PATCH", pathOf(name), {
    title: "The fence",
    settings: { temperature: 0.1 },
    isPinned: true,
    metadata: { project: "garden" },
  });
  const { id } = await host.services.conversations.get(name);
  await host.services.memory?.store({ scope: id, scopeKind: "conversation" }, [
    { content: "The fence is painted in forest green", origin: "user", tags: ["garden"], importance: 0.9 },
    { content: "RAL 6005", origin: "model", kind: "kv", key: "colour" },
  ]);
  return id;
}

/** What must be the same on another host: all but ids that are given anew and times of the export. */
export const essence = ({ conversation: { messages, ...conversation }, ...pack }: Pack) => ({
  conversation: { ...conversation, id: null, alias: null, activeMessageId: null },
  active: messages.findIndex(({ id }) => id === conversation["activeMessageId"]),
  messages: messages.map(({ id: _id, runId: _run, parentMessageId, ...message }) => ({
    ...message,
    parent: messages.findIndex(({ id }) => id === parentMessageId),
  })),
  memories: pack.memories.map(({ id: _id, origin: _origin, updatedAt: _at, ...memory }) => memory),
  results: pack.results,
  todos: pack.todos,
});
