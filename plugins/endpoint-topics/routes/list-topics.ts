import type { Route } from "@pergola/sdk";
import { pageProperties } from "../schemas.ts";
import { topicsOf } from "../topics-of.ts";
import { topicProperties, wireTopic } from "../wire-topic.ts";

export const listTopics: Route = {
  method: "GET",
  path: "/api/topics",
  aliases: ["/api/shared-topics"],
  summary: "List topics by name",
  query: pageProperties,
  response: {
    type: "object",
    properties: {
      topics: { type: "array", items: { type: "object", properties: topicProperties } },
      count: { type: "integer", description: "Topics before paging" },
    },
  },
  async handle({ query }, services) {
    const topics = topicsOf(services);
    const { items, count } = await topics.list(query);
    return { body: { topics: await Promise.all(items.map((topic) => wireTopic(topic, topics))), count } };
  },
};
