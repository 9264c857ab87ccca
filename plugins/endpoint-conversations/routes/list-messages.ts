import { defined, defineRoute, detailProperties, wireMessage } from "@pergola/sdk";
import { idParameter } from "../schemas.ts";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const position = { type: "integer", minimum: 0 } as const;
const messageSchema = detailProperties["messages"]?.items ?? {};

const forkSchema = {
  type: "object",
  properties: {
    messageId: text,
    tipMessageId: { ...text, description: "The newest end of a branch through it" },
    timestamp: text,
  },
} as const;

export const listMessages = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/messages",
  scope: "read",
  summary: "Read one branch of a conversation in pages",
  params: idParameter,
  query: {
    tip: { ...text, description: "A message id: the last one of the branch; without it, of the active one" },
    at: { ...position, description: "The position of the first message; without it, the last page" },
    around: {
      ...text,
      description: "A message id: the page around it; on another branch where the active one has it not",
    },
    limit: { type: "integer", minimum: 1, maximum: 200, default: 50, description: "At most so many" },
  },
  response: {
    type: "object",
    properties: {
      messages: {
        type: "array",
        items: {
          ...messageSchema,
          properties: {
            ...messageSchema.properties,
            branches: {
              type: "array",
              items: forkSchema,
              description: "Where several messages follow the same one: all of them, the oldest first",
            },
          },
        },
      },
      at: position,
      total: { ...position, description: "Messages of the branch" },
      tipMessageId: textOrNull,
      activeMessageId: { ...textOrNull, description: "The last message of the active branch" },
    },
  },
  failures: [],
  async handle({ params: { conversationId }, query: { limit, ...named } }, { conversations }) {
    const page = await conversations.messagePage(conversationId, { limit, ...defined(named) });
    const { activeMessageId = null } = await conversations.get(conversationId);
    const { forks, at, total, tipMessageId } = page;
    const messages = page.messages.map((message) => ({
      ...wireMessage(message),
      ...defined({ branches: forks.get(message.id) }),
    }));
    return { body: { messages, at, total, tipMessageId, activeMessageId } };
  },
});
