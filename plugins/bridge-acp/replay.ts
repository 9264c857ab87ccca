import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Conversation, StoredMessage } from "./service.ts";
import { tell, type Ends, type Session } from "./session.ts";
import { cardOf, statusOf } from "./tool-calls.ts";

type Chunk = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

interface StoredPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** The blocks of a stored content. */
function blocksOf(content: unknown): readonly ContentBlock[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return ((parts ?? []) as readonly StoredPart[]).flatMap(({ text, image_url: image }): ContentBlock[] => {
    if (text) return [{ type: "text", text }];
    const [, mimeType = "", data = ""] = /^data:([^;]+);base64,(.*)$/s.exec(image?.url ?? "") ?? [];
    return data === "" ? [] : [{ type: "image", mimeType, data }];
  });
}

/** A call that was made, as it ended. */
function callOf(message: StoredMessage): readonly SessionUpdate[] {
  const { toolCallId, toolStatus } = message;
  if (!toolCallId) return [];
  const status = statusOf(toolStatus ?? "success");
  return [{ sessionUpdate: "tool_call", toolCallId, status, ...cardOf(message) }];
}

function updatesOf(message: StoredMessage): readonly SessionUpdate[] {
  const chunks = (sessionUpdate: Chunk, content: unknown): readonly SessionUpdate[] =>
    blocksOf(content).map((block) => ({ sessionUpdate, messageId: message.id, content: block }));
  if (message.role === "user") return chunks("user_message_chunk", message.content);
  if (message.role === "tool") return callOf(message);
  if (message.role !== "assistant") return [];
  return [
    ...chunks("agent_thought_chunk", message.reasoningContent ?? ""),
    ...chunks("agent_message_chunk", message.content),
  ];
}

/** Tells an editor all that was said in a conversation. */
export async function replay(ends: Ends, session: Session, { messages, title }: Conversation): Promise<void> {
  for (const update of messages.flatMap(updatesOf)) await tell(ends, session, update);
  await tell(ends, session, { sessionUpdate: "session_info_update", title });
}
