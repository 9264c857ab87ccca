import { fieldFault } from "@pergola/kit-provider";
import { AppError, defineRoute, type ChatMessage, type Message, type Services } from "@pergola/sdk";
import { conversationSchema, itemPageSchema, itemSchema } from "./answer-schemas.ts";
import { readItems } from "./read-input.ts";
import { itemQuery, pageOf } from "./read-page.ts";
import { everyMessage, itemsOf, type StoredItem } from "./stored-items.ts";

const conversationId = { type: "string", description: "UUID or alias" } as const;
const itemId = { type: "string", description: "An id from the list of items" } as const;

interface ReadConversation {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly items: readonly StoredItem[];
}

/** The active branch of a conversation. Rejects with `not_found`. */
async function readConversation(
  idOrAlias: string,
  { conversations }: Pick<Services, "conversations">,
): Promise<ReadConversation> {
  const { id } = await conversations.get(idOrAlias);
  const messages = await conversations.messages(id, { limit: everyMessage });
  return { id, messages, items: itemsOf(messages) };
}

function findItem({ items }: ReadConversation, id: string): StoredItem {
  const found = items.find(({ item }) => item.id === id);
  if (found !== undefined) return found;
  throw new AppError({
    code: "not_found",
    message: `There is no item "${id}" on the active branch of this conversation.`,
  });
}

export const listItems = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/items",
  scope: "read",
  summary: "List the active branch of a conversation as items of the Responses format",
  params: { conversationId },
  query: itemQuery,
  response: itemPageSchema,
  failures: [],
  async handle({ params, query }, services) {
    const { items } = await readConversation(params.conversationId, services);
    return {
      body: pageOf(
        items.map(({ item }) => item),
        query,
      ),
    };
  },
});

export const getItem = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/items/{itemId}",
  scope: "read",
  summary: "Show one item of a conversation",
  params: { conversationId, itemId },
  response: itemSchema,
  failures: [],
  async handle({ params }, services) {
    return { body: findItem(await readConversation(params.conversationId, services), params.itemId).item };
  },
});

const isTurn = ({ role, content, toolCalls = [] }: ChatMessage): boolean =>
  role !== "system" && ((content ?? "").length > 0 || toolCalls.length > 0);

export const addItems = defineRoute({
  method: "POST",
  path: "/v1/conversations/{conversationId}/items",
  scope: "chat",
  summary: "Add items to a conversation without asking a model",
  params: { conversationId },
  body: {
    type: "object",
    required: ["items"],
    properties: { items: { type: "array", minItems: 1, maxItems: 20, items: { type: "object" } } },
  },
  response: itemPageSchema,
  failures: ["conversation_busy", "approval_pending"],
  async handle({ params, body }, services) {
    const messages = readItems(body.items, "items").messages.filter(isTurn);
    if (messages.length === 0)
      throw fieldFault("items", "must hold a message of the user or the assistant, or a call");
    const before = await readConversation(params.conversationId, services);
    await services.conversations.addMessages(before.id, messages);
    const { items } = await readConversation(before.id, services);
    const known = new Set(before.items.map(({ item }) => item.id));
    const added = items.map(({ item }) => item).filter(({ id }) => !known.has(id));
    return { body: pageOf(added, { limit: added.length, order: "asc" }) };
  },
});

/** A message of the person by itself; of a reply all of it, with the answers to its calls. */
function goesWith({ messages }: ReadConversation, { message }: StoredItem): readonly Message[] {
  if (message.role !== "assistant") return [message];
  const isReply = ({ id, runId, role }: Message): boolean =>
    id === message.id || (runId !== null && runId === message.runId && role === "assistant");
  const reply = messages.filter(isReply);
  const calls = new Set(reply.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
  return [...reply, ...messages.filter(({ toolCallId }) => calls.has(toolCallId ?? ""))];
}

export const deleteItem = defineRoute({
  method: "DELETE",
  path: "/v1/conversations/{conversationId}/items/{itemId}",
  scope: "chat",
  summary: "Take an item off the active branch, by a new branch without it",
  params: { conversationId, itemId },
  response: conversationSchema,
  failures: ["conversation_busy", "approval_pending"],
  async handle({ params }, services) {
    const conversation = await readConversation(params.conversationId, services);
    const gone = goesWith(conversation, findItem(conversation, params.itemId));
    const {
      id,
      created,
      metadata = {},
    } = await services.conversations.removeMessages(
      conversation.id,
      gone.map((message) => message.id),
    );
    const created_at = Math.floor(Date.parse(created) / 1000);
    return { body: { id, object: "conversation", created_at, metadata } };
  },
});
