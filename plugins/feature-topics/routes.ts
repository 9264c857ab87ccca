import {
  AppError,
  defined,
  defineEndpoints,
  defineRoute,
  pageQuery,
  successSchema,
  summaryProperties,
  wireSummary,
  type ServicesWith,
} from "@pergola/sdk";
import type { Topic, TopicService } from "@pergola/sdk/host";
import { topicProperties, wireTopic } from "./wire-topic.ts";

type Available = ServicesWith<"topics">;

const topicParameter = { topicId: { type: "string", description: "UUID" } } as const;
const conversationParameter = {
  conversationId: { type: "string", description: "UUID or alias" },
} as const;

const topicFields = {
  name: { type: "string", description: "1 to 200 characters" },
  description: { type: "string" },
} as const;

const topicSchema = {
  title: "Topic",
  type: "object",
  required: ["id", "name"],
  properties: topicProperties,
} as const;

const attachmentSchema = {
  type: "object",
  properties: {
    success: { const: true },
    conversationId: { type: "string" },
    topicId: { type: ["string", "null"] },
  },
} as const;

export const listTopics = defineRoute({
  method: "GET",
  path: "/api/topics",
  scope: "read",
  aliases: ["/api/shared-topics"],
  summary: "List topics by name",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      topics: { type: "array", items: topicSchema },
      count: { type: "integer", description: "Topics before paging" },
    },
  },
  failures: [],
  async handle({ query }, { topics }: Available) {
    const { items, count } = await topics.list(query);
    return { body: { topics: await Promise.all(items.map((topic) => wireTopic(topic, topics))), count } };
  },
});

export const createTopic = defineRoute({
  method: "POST",
  path: "/api/topics",
  scope: "chat",
  aliases: ["/api/shared-topics"],
  summary: "Make a topic; one that has the name already is given back as it is",
  body: { type: "object", properties: topicFields, required: ["name"] },
  response: topicSchema,
  answers: { 201: { "application/json": topicSchema } },
  failures: [],
  async handle({ body }, { topics }: Available) {
    const { topic, isNew } = await topics.create(body);
    return { status: isNew ? 201 : 200, body: await wireTopic(topic, topics) };
  },
});

export const getTopic = defineRoute({
  method: "GET",
  path: "/api/topics/{topicId}",
  scope: "read",
  aliases: ["/api/shared-topics/{topicId}"],
  summary: "Show a topic with the conversations that are attached to it, the newest change first",
  params: topicParameter,
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      ...topicProperties,
      conversations: {
        type: "array",
        items: { title: "ConversationSummary", type: "object", properties: summaryProperties },
      },
    },
  },
  failures: [],
  async handle({ params, query }, { topics, conversations }: Available) {
    const topic = await topics.get(params.topicId);
    const { items } = await conversations.list({ ...query, topicId: topic.id });
    return { body: { ...(await wireTopic(topic, topics)), conversations: items.map(wireSummary) } };
  },
});

export const updateTopic = defineRoute({
  method: "PATCH",
  path: "/api/topics/{topicId}",
  scope: "chat",
  aliases: ["/api/shared-topics/{topicId}"],
  summary: "Change a topic's name or description",
  params: topicParameter,
  body: { type: "object", properties: topicFields },
  response: { type: "object", properties: { success: { const: true }, topic: topicSchema } },
  failures: ["id_taken"],
  async handle({ params, body }, { topics }: Available) {
    const topic = await topics.update(params.topicId, body);
    return { body: { success: true, topic: await wireTopic(topic, topics) } };
  },
});

export const deleteTopic = defineRoute({
  method: "DELETE",
  path: "/api/topics/{topicId}",
  scope: "chat",
  aliases: ["/api/shared-topics/{topicId}"],
  summary: "Delete a topic with its memory; its conversations are detached",
  params: topicParameter,
  query: {
    deleteFiles: { type: "boolean", default: false, description: "The folder that was made for it, too" },
  },
  response: successSchema,
  failures: ["in_use"],
  async handle({ params, query }, { topics }: Available) {
    await topics.delete(params.topicId, query);
    return { body: { success: true } };
  },
});

async function findTopic(
  topics: TopicService,
  id: string | undefined,
  name: string | undefined,
): Promise<Topic> {
  if (id !== undefined) return topics.get(id);
  if (name === undefined)
    throw new AppError({ code: "missing_field", message: "topicId is missing.", param: "topicId" });
  const topic = await topics.findByName(name);
  if (topic === undefined)
    throw new AppError({ code: "not_found", message: `There is no topic "${name}".`, param: "topic" });
  return topic;
}

export const attachTopic = defineRoute({
  method: "POST",
  path: "/v1/conversations/{conversationId}/attach-topic",
  scope: "chat",
  summary: "Attach a conversation to a topic, with sharing on",
  params: conversationParameter,
  body: {
    type: "object",
    properties: {
      topicId: { type: "string", description: "Required unless there is a topic" },
      topic: { type: "string", description: "Its name" },
      access: {
        enum: ["read", "write"],
        description:
          "What the conversation may do with the topic's memory and files; " +
          "write, or for the topic that it has already as it was",
      },
    },
  },
  response: attachmentSchema,
  failures: ["conversation_busy"],
  async handle({ params, body, caller }, { topics, conversations }: Available) {
    const { id: conversationId } = await conversations.get(params.conversationId);
    const { id: topicId } = await findTopic(topics, body.topicId, body.topic);
    const settings = defined({ useSharedData: true, sharedTopicAccess: body.access });
    await conversations.update(conversationId, { topicId, settings }, caller);
    return { body: { success: true, conversationId, topicId } };
  },
});

export const detachTopic = defineRoute({
  method: "POST",
  path: "/v1/conversations/{conversationId}/detach-topic",
  scope: "chat",
  summary: "Detach a conversation from its topic; what was kept in the topic stays there",
  params: conversationParameter,
  response: attachmentSchema,
  failures: ["conversation_busy"],
  async handle({ params, caller }, { conversations }) {
    const { id } = await conversations.update(params.conversationId, { topicId: null }, caller);
    return { body: { success: true, conversationId: id, topicId: null } };
  },
});

export const topics = defineEndpoints({
  group: "topics",
  needs: "topics",
  routes: [listTopics, createTopic, getTopic, updateTopic, deleteTopic, attachTopic, detachTopic],
});
