import { OpenAIConversationsSession } from "@openai/agents";
import OpenAI from "openai";
import { turnOf } from "./agents.mjs";

/** The history is a conversation of the service's, which the session writes and reads. */
export async function turn(context) {
  const client = new OpenAI({ baseURL: `${context.url}/v1`, apiKey: "unused", maxRetries: 0 });
  const conversationId = context.state;
  const session = new OpenAIConversationsSession({ client, ...(conversationId ? { conversationId } : {}) });
  const result = await turnOf(context, { session });
  return { text: result.finalOutput, state: await session.getSessionId() };
}
