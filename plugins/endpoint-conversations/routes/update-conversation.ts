import {
  defineRoute,
  detailProperties,
  wireDetail,
  type Caller,
  type Conversation,
  type Services,
} from "@pergola/sdk";
import { readFields } from "../read-fields.ts";
import { changeableProperties, idParameter, writableProperties, type ConversationBody } from "../schemas.ts";

const changes = {
  type: "object",
  properties: { ...writableProperties, ...changeableProperties },
} as const;
const conversationSchema = { title: "Conversation", type: "object", properties: detailProperties } as const;
const failures = ["conversation_busy", "conflict"];

interface Change {
  readonly params: { readonly conversationId: string };
  readonly body: ConversationBody;
  readonly caller: Caller;
}

async function change(
  { params: { conversationId }, body, caller }: Change,
  { conversations }: Services,
): Promise<Conversation> {
  if (body.activeMessageId !== undefined)
    await conversations.chooseBranch(conversationId, body.activeMessageId);
  return conversations.update(conversationId, readFields(body), caller);
}

export const updateConversation = defineRoute({
  method: "PATCH",
  path: "/v1/conversations/{conversationId}",
  scope: "chat",
  summary: "Change a conversation; settings are merged key by key",
  params: idParameter,
  body: { ...changes, examples: [{ title: "The garden", isPinned: true }] },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      conversationId: { type: "string" },
      title: { type: "string" },
      folderId: { type: ["string", "null"] },
      conversation: conversationSchema,
    },
  },
  failures,
  async handle(request, services) {
    const changed = await change(request, services);
    const { id: conversationId, title, folderId } = changed;
    const conversation = await wireDetail(changed, services);
    return { body: { success: true, conversationId, title, folderId, conversation } };
  },
});

/** The same, as clients of the Responses format ask for it. */
export const updateByPost = defineRoute({
  method: "POST",
  path: "/v1/conversations/{conversationId}",
  scope: "chat",
  summary: "Change a conversation as PATCH does, and show it as the Responses format has it",
  params: idParameter,
  body: { ...changes, examples: [{ metadata: { project: "garden" } }] },
  response: conversationSchema,
  failures,
  strict: true,
  async handle(request, services) {
    return { body: await wireDetail(await change(request, services), services) };
  },
});
