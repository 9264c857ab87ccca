import { defineRoute } from "@pergola/sdk";
import { idParameter } from "../schemas.ts";

const text = { type: "string" } as const;

export const listBranches = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/branches",
  scope: "read",
  summary: "List the branches of a conversation, the newest first",
  params: idParameter,
  response: {
    type: "object",
    properties: {
      branches: {
        type: "array",
        items: {
          type: "object",
          properties: {
            tipMessageId: {
              ...text,
              description: "The last message; PATCH activeMessageId chooses the branch",
            },
            parentMessageId: { type: ["string", "null"], description: "Where it leaves another branch" },
            messageCount: { type: "integer", description: "Visible turns from the beginning on" },
            updated: text,
            isActive: { type: "boolean" },
            preview: text,
          },
        },
      },
      count: { type: "integer" },
    },
  },
  failures: [],
  async handle({ params }, { conversations }) {
    const branches = await conversations.branches(params.conversationId);
    return { body: { branches, count: branches.length } };
  },
});
