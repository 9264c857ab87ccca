import type { Route } from "@pergola/sdk";
import { topicParameter } from "../schemas.ts";
import { topicsOf } from "../topics-of.ts";

export const deleteTopic: Route = {
  method: "DELETE",
  path: "/api/topics/{topicId}",
  aliases: ["/api/shared-topics/{topicId}"],
  summary: "Delete a topic with its memory; its conversations are detached",
  params: topicParameter,
  query: {
    deleteFiles: { type: "boolean", default: false, description: "The folder that was made for it, too" },
  },
  response: { type: "object", properties: { success: { const: true } } },
  async handle({ params, query }, services) {
    await topicsOf(services).delete(params["topicId"] ?? "", { deleteFiles: query["deleteFiles"] === true });
    return { body: { success: true } };
  },
};
