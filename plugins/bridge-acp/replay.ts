import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import { tellCompactions, type Archive } from "./context.ts";
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

const chunksOf = (sessionUpdate: Chunk, messageId: string, content: unknown): readonly SessionUpdate[] =>
  blocksOf(content).map((block) => ({ sessionUpdate, messageId, content: block }));

/** Messages as updates, in their order. */
class Replayed {
  /** What was thought since the person spoke: the last message of a run repeats all of it. */
  #thought = "";

  updatesOf({ reasoningContent, ...message }: StoredMessage): readonly SessionUpdate[] {
    const { id, role, content } = message;
    if (role === "tool") return callOf(message);
    if (role === "user") {
      this.#thought = "";
      return chunksOf("user_message_chunk", id, content);
    }
    if (role !== "assistant") return [];
    return [
      ...chunksOf("agent_thought_chunk", id, this.#newThought(reasoningContent ?? "")),
      ...chunksOf("agent_message_chunk", id, content),
    ];
  }

  #newThought(thought: string): string {
    const fresh = thought.startsWith(this.#thought) ? thought.slice(this.#thought.length) : thought;
    this.#thought += fresh;
    return fresh;
  }
}

/** Tells an editor all that was said in a conversation, each summary behind the last message of its own. */
export async function replay(
  ends: Ends,
  session: Session,
  { messages, title }: Conversation,
  archives: readonly Archive[],
): Promise<void> {
  const replayed = new Replayed();
  for (const message of messages) {
    const past = archives.filter(({ to }) => to < message.timestamp);
    await tellCompactions(ends, session, past);
    for (const update of replayed.updatesOf(message)) await tell(ends, session, update);
  }
  await tell(ends, session, { sessionUpdate: "session_info_update", title });
}
