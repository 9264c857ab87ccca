import type { Route } from "@pergola/sdk";
import { idOf, memoryOf } from "../memory-of.ts";
import { idParameter, memoryProperties } from "../schemas.ts";
import { wireMemory } from "../wire-memory.ts";

export const getMemory: Route = {
  method: "GET",
  path: "/api/memories/{id}",
  summary: "Show a memory",
  params: idParameter,
  response: { type: "object", properties: memoryProperties },
  handle: async ({ params }, services) => ({ body: wireMemory(await memoryOf(services).get(idOf(params))) }),
};
