import { defineRoute, pageQuery, summaryProperties, wireSummary } from "@pergola/sdk";

export const listConversations = defineRoute({
  method: "GET",
  path: "/v1/conversations",
  summary: "List conversations, the newest change first",
  query: {
    ...pageQuery,
    q: { type: "string", description: "Text in the title" },
    folderId: { type: "string" },
    topicId: { type: "string" },
    includeHidden: {
      type: "boolean",
      default: false,
      description: "Those of sub-agents and of debug calls too",
    },
  },
  response: {
    type: "object",
    properties: {
      conversations: { type: "array", items: { type: "object", properties: summaryProperties } },
      count: { type: "integer", description: "Matches before paging" },
    },
  },
  async handle({ query }, { conversations }) {
    const { items, count } = await conversations.list(query);
    return { body: { conversations: items.map(wireSummary), count } };
  },
});
