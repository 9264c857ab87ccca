import type { ChatMessage, Message } from "@pergola/sdk";
import { historyOf, placeRequest } from "../history/place-request.ts";
import type { Turn } from "../history/turns.ts";

/** One round of a run: what it says, the server's calls, the caller's calls. */
interface Round {
  readonly text: string;
  readonly own: number;
  readonly callers: number;
}

export interface Exchange {
  readonly question: string;
  readonly rounds: readonly Round[];
  readonly last: string;
  readonly isCut: boolean;
}

/** Builds the stored messages of a conversation, as runs store them. */
export class Branch {
  readonly messages: Message[] = [];
  #number = 0;

  add(message: Partial<Message> & Pick<Message, "role">): Message {
    const seq = this.messages.length + 1;
    const stored: Message = {
      id: `m${seq}`,
      conversationId: "c",
      seq,
      type: message.role === "user" ? "user" : "assistant",
      content: null,
      timestamp: "2026-01-01T00:00:00Z",
      runId: null,
      visible: true,
      ...message,
    };
    this.messages.push(stored);
    return stored;
  }

  next(): number {
    this.#number += 1;
    return this.#number;
  }

  play({ question, rounds, last, isCut }: Exchange): void {
    this.add({ role: "user", content: question });
    let runId = `run${this.next()}`;
    let streamed: string[] = [];
    for (const { text, own, callers } of rounds) {
      if (own + callers === 0) continue;
      if (text !== "") streamed.push(text);
      const ids = Array.from({ length: own + callers }, () => `call${this.next()}`);
      const toolCalls = ids.map((id, index) => ({
        id,
        name: "tool",
        arguments: "{}",
        providerId: `p-${id}`,
        ...(index >= own && { callers: true }),
      }));
      const content = text === "" ? null : text;
      const streamedText = streamed.join("\n\n");
      this.add({ role: "assistant", content, runId, toolCalls, visible: callers > 0, streamedText });
      for (const [index, toolCallId] of ids.entries())
        if (index < own)
          this.add({ role: "tool", content: `{"n":${this.next()}}`, runId, toolCallId, visible: false });
      for (const [index, toolCallId] of ids.entries())
        if (index >= own) this.add({ role: "tool", content: `answer ${toolCallId}`, toolCallId });
      if (callers > 0) [runId, streamed] = [`run${this.next()}`, []];
    }
    if (last === "") return;
    streamed.push(last);
    const completionReason = isCut ? "cancelled" : "workflow_complete";
    this.add({
      role: "assistant",
      content: last,
      runId,
      streamedText: streamed.join("\n\n"),
      completionReason,
    });
  }
}

/** Where a request stands in a conversation of these turns. */
export const place = (sent: readonly ChatMessage[], turns: readonly Turn[]) =>
  placeRequest(historyOf(sent), { first: turns, last: turns });
