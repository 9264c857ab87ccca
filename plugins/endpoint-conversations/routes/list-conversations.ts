import { summaryProperties, wireSummary, type Route } from "@pergola/sdk";

export const listConversations: Route = {
  method: "GET",
  path: "/v1/conversations",
  summary: "List conversations, the newest change first",
  query: {
    limit: { type: "integer", minimum: 1, maximum: 1000, description: "Without it, all" },
    offset: { type: "integer", minimum: 0, default: 0 },
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
};
