import type { MemoryChanges, Route } from "@pergola/sdk";
import { idOf, memoryOf } from "../memory-of.ts";
import { changeableProperties, idParameter, memoryProperties } from "../schemas.ts";
import { wireMemory } from "../wire-memory.ts";

const changeable = Object.keys(changeableProperties);

/** Fields that are not named stay; what nobody can change is passed over. */
const changesIn = (body: unknown): MemoryChanges =>
  Object.fromEntries(Object.entries(body as object).filter(([field]) => changeable.includes(field)));

export const updateMemory: Route = {
  method: "PATCH",
  path: "/api/memories/{id}",
  summary: "Change a memory; it is found by its new text at once, and by its old one no more",
  params: idParameter,
  body: { type: "object", properties: changeableProperties },
  response: {
    type: "object",
    properties: { success: { const: true }, memory: { type: "object", properties: memoryProperties } },
  },
  async handle({ params, body }, services) {
    const [memory, id, changes] = [memoryOf(services), idOf(params), changesIn(body)];
    const item = await (Object.keys(changes).length === 0 ? memory.get(id) : memory.update(id, changes));
    return { body: { success: true, memory: wireMemory(item) } };
  },
};
