import type { Route } from "@pergola/sdk";
import { topicsOf } from "../topics-of.ts";
import { topicProperties, wireTopic } from "../wire-topic.ts";

export const createTopic: Route = {
  method: "POST",
  path: "/api/topics",
  aliases: ["/api/shared-topics"],
  summary: "Make a topic; one that has the name already is given back as it is",
  body: {
    type: "object",
    properties: {
      name: { type: "string", description: "1 to 200 characters" },
      description: { type: "string" },
    },
    required: ["name"],
  },
  response: { type: "object", properties: topicProperties },
  async handle({ body }, services) {
    const topics = topicsOf(services);
    const { topic, isNew } = await topics.create(
      body as { readonly name: string; readonly description?: string },
    );
    return { status: isNew ? 201 : 200, body: await wireTopic(topic, topics) };
  },
};
