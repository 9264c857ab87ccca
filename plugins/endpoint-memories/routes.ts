import {
  defined,
  defineEndpoints,
  defineRoute,
  successSchema,
  type FromProperties,
  type ServicesWith,
} from "@pergola/sdk";
import { countMemories, list, listQuery, mostHits } from "./list-memories.ts";
import {
  changeableProperties,
  countsSchema,
  draftProperties,
  idParameter,
  memoryProperties,
} from "./schemas.ts";
import { scopeOf, scopeToStoreIn } from "./scope-of.ts";
import { wireMemories, wireMemory } from "./wire-memory.ts";

type Available = ServicesWith<"memory">;

const memorySchema = { title: "Memory", type: "object", properties: memoryProperties } as const;

export const listMemories = defineRoute({
  method: "GET",
  path: "/api/memories",
  scope: "read",
  summary: "List what is remembered, the newest first, or search it, the best first",
  query: listQuery,
  response: {
    type: "object",
    properties: {
      memories: {
        type: "array",
        items: {
          type: "object",
          properties: { ...memoryProperties, similarity: { type: "number", description: "Of a search" } },
        },
      },
      count: { type: "integer", description: `Matches before paging; of a search at most ${mostHits}` },
      counts: countsSchema,
    },
  },
  failures: [],
  async handle({ query }, services: Available) {
    const scope = await scopeOf(query, services);
    const { items, count } = await list(services.memory, query, scope);
    const counts = query.counts ? await countMemories(services.memory, query, scope) : undefined;
    const memories = await wireMemories(services.memory, items);
    return { body: { memories, count, ...defined({ counts }) } };
  },
});

export const createMemory = defineRoute({
  method: "POST",
  path: "/api/memories",
  scope: "chat",
  summary: "Remember something, in a conversation or a topic; what is there already is given back as it is",
  body: {
    type: "object",
    properties: {
      conversationId: {
        type: "string",
        description: "UUID or alias; with a shared topic the topic remembers it",
      },
      topicId: { type: "string", description: "The topic that remembers it, instead of a conversation" },
      ...draftProperties,
    },
    required: ["content"],
  },
  response: memorySchema,
  answers: { 201: { "application/json": memorySchema } },
  failures: [],
  async handle({ body }, services: Available) {
    const of = await scopeToStoreIn(body, services);
    const { content, contentType, tags, context, importance } = body;
    const draft = {
      content,
      origin: "user",
      ...defined({ contentType, tags, context, importance }),
    } as const;
    const [stored] = await services.memory.store({ ...of, once: true }, [draft]);
    const { item, duplicate } = stored!;
    return { status: duplicate ? 200 : 201, body: await wireMemory(services.memory, item) };
  },
});

export const getMemory = defineRoute({
  method: "GET",
  path: "/api/memories/{id}",
  scope: "read",
  summary: "Show a memory",
  params: idParameter,
  response: memorySchema,
  failures: [],
  handle: async ({ params }, { memory }: Available) => ({
    body: await wireMemory(memory, await memory.get(params.id.toLowerCase())),
  }),
});

/** The fields to change. */
const changesIn = (body: FromProperties<typeof changeableProperties, never>) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => Object.hasOwn(changeableProperties, field)));

export const updateMemory = defineRoute({
  method: "PATCH",
  path: "/api/memories/{id}",
  scope: "chat",
  summary: "Change a memory; it is found by its new text at once, and by its old one no more",
  params: idParameter,
  body: { type: "object", properties: changeableProperties },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      memory: memorySchema,
    },
  },
  failures: ["conflict"],
  async handle({ params, body }, { memory }: Available) {
    const [id, changes] = [params.id.toLowerCase(), changesIn(body)];
    const item = await (Object.keys(changes).length === 0 ? memory.get(id) : memory.update(id, changes));
    return { body: { success: true, memory: await wireMemory(memory, item) } };
  },
});

export const deleteMemory = defineRoute({
  method: "DELETE",
  path: "/api/memories/{id}",
  scope: "chat",
  summary: "Forget a memory; no search finds it any more",
  params: idParameter,
  response: successSchema,
  failures: [],
  async handle({ params }, { memory }: Available) {
    await memory.delete(params.id.toLowerCase());
    return { body: { success: true } };
  },
});

export const memories = defineEndpoints({
  group: "memories",
  needs: "memory",
  routes: [listMemories, createMemory, getMemory, updateMemory, deleteMemory],
});
