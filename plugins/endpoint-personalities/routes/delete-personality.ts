import type { Route } from "@pergola/sdk";
import { personalitiesOf } from "../personalities-of.ts";
import { idParameter, success } from "../schemas.ts";

export const deletePersonality: Route = {
  method: "DELETE",
  path: "/api/personalities/{personalityId}",
  summary: "Delete a personality; whoever has chosen it falls back to the default",
  params: idParameter,
  response: success,
  async handle({ params }, services) {
    await personalitiesOf(services).delete(params["personalityId"] ?? "");
    return { body: { success: true } };
  },
};
