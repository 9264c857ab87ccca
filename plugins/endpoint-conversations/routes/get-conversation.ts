import {
  defineRoute,
  detailProperties,
  wireDetail,
  wireMessage,
  type Conversation,
  type Message,
  type Services,
} from "@pergola/sdk";
import { detailChunks } from "../message-chunks.ts";
import { readPages, views, type PageQuery } from "../message-pages.ts";
import { idParameter } from "../schemas.ts";
import { visibleTurns } from "../turns.ts";

async function* wirePages(
  pages: AsyncIterable<readonly Message[]>,
  write: (message: Message) => object,
): AsyncIterable<readonly object[]> {
  for await (const page of pages) yield page.map(write);
}

async function allOf(pages: AsyncIterable<readonly object[]>): Promise<readonly object[]> {
  const all: object[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

function wireView(
  pages: AsyncIterable<readonly Message[]>,
  view: PageQuery["view"],
  conversation: Conversation,
  { conversations }: Services,
): AsyncIterable<readonly object[]> {
  if (view === "turns") return visibleTurns(pages);
  if (view === "active") return wirePages(pages, wireMessage);
  return wirePages(pages, (message) => ({
    ...wireMessage(message),
    isActive: conversations.isOnActiveBranch(conversation, message),
  }));
}

export const getConversation = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}",
  scope: "read",
  summary: "Show a conversation with its messages",
  params: idParameter,
  query: {
    messages: { type: "boolean", default: true, description: "false leaves the messages out" },
    view: {
      enum: views,
      default: "active",
      description: "The active branch; its visible turns alone; every message of every branch",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      description: "The first messages, or those next to before or after",
    },
    before: { type: "string", description: "A message id: only messages before it, counted from the end" },
    after: { type: "string", description: "A message id: only messages after it" },
  },
  response: { title: "Conversation", type: "object", properties: detailProperties },
  failures: [],
  async handle({ params, query }, services) {
    const conversation = await services.conversations.get(params.conversationId);
    const detail = await wireDetail(conversation, services);
    if (!query.messages) return { body: detail };
    const { pages, isWhole } = await readPages(services.conversations, conversation.id, query);
    const wire = wireView(pages, query.view, conversation, services);
    if (isWhole) return { body: { ...detail, messages: await allOf(wire) } };
    return { chunks: detailChunks(detail, wire), contentType: "application/json; charset=utf-8" };
  },
});
