import type { Route } from "@pergola/sdk";
import { topicParameter } from "../schemas.ts";
import { topicsOf } from "../topics-of.ts";
import { topicProperties, wireTopic } from "../wire-topic.ts";

export const updateTopic: Route = {
  method: "PATCH",
  path: "/api/topics/{topicId}",
  aliases: ["/api/shared-topics/{topicId}"],
  summary: "Change a topic's name or description",
  params: topicParameter,
  body: {
    type: "object",
    properties: {
      name: { type: "string", description: "1 to 200 characters" },
      description: { type: "string" },
    },
  },
  response: {
    type: "object",
    properties: { success: { const: true }, topic: { type: "object", properties: topicProperties } },
  },
  async handle({ params, body }, services) {
    const topics = topicsOf(services);
    const changed = await topics.update(
      params["topicId"] ?? "",
      body as { readonly name?: string; readonly description?: string },
    );
    return { body: { success: true, topic: await wireTopic(changed, topics) } };
  },
};
