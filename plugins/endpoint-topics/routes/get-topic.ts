import { summaryProperties, wireSummary, type Route } from "@pergola/sdk";
import { pageProperties, topicParameter } from "../schemas.ts";
import { topicsOf } from "../topics-of.ts";
import { topicProperties, wireTopic } from "../wire-topic.ts";

export const getTopic: Route = {
  method: "GET",
  path: "/api/topics/{topicId}",
  aliases: ["/api/shared-topics/{topicId}"],
  summary: "Show a topic with the conversations that are attached to it, the newest change first",
  params: topicParameter,
  query: pageProperties,
  response: {
    type: "object",
    properties: {
      ...topicProperties,
      conversations: { type: "array", items: { type: "object", properties: summaryProperties } },
    },
  },
  async handle({ params, query }, services) {
    const topics = topicsOf(services);
    const topic = await topics.get(params["topicId"] ?? "");
    const { items } = await services.conversations.list({ ...query, topicId: topic.id });
    return { body: { ...(await wireTopic(topic, topics)), conversations: items.map(wireSummary) } };
  },
};
