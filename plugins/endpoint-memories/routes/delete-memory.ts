import type { Route } from "@pergola/sdk";
import { idOf, memoryOf } from "../memory-of.ts";
import { idParameter } from "../schemas.ts";

export const deleteMemory: Route = {
  method: "DELETE",
  path: "/api/memories/{id}",
  summary: "Forget a memory; no search finds it any more",
  params: idParameter,
  response: { type: "object", properties: { success: { const: true } } },
  async handle({ params }, services) {
    await memoryOf(services).delete(idOf(params));
    return { body: { success: true } };
  },
};
