import { defineRoute, pageQuery, summaryProperties, wireSummary } from "@pergola/sdk";

export const listConversations = defineRoute({
  method: "GET",
  path: "/v1/conversations",
  scope: "read",
  summary: "List conversations, the newest change first",
  query: {
    ...pageQuery,
    q: { type: "string", description: "Text in the title" },
    folderId: { type: "string", description: "Those in this folder" },
    topicId: { type: "string", description: "Those that are attached to this topic" },
    includeHidden: {
      type: "boolean",
      default: false,
      description: "Those of sub-agents and of debug calls too",
    },
  },
  response: {
    type: "object",
    properties: {
      conversations: {
        type: "array",
        items: { title: "ConversationSummary", type: "object", properties: summaryProperties },
      },
      count: { type: "integer", description: "Matches before paging" },
    },
  },
  failures: [],
  async handle({ query }, { conversations }) {
    const { items, count } = await conversations.list(query);
    return { body: { conversations: items.map(wireSummary), count } };
  },
});
