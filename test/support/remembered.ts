import { randomUUID } from "node:crypto";
import type { MemoryDraft, MemoryItem } from "@pergola/sdk";
import { allChunks, endpointRequest } from "@pergola/sdk/testing";
import { ask, type Stage } from "./host.ts";
import { sentTo } from "./lab-stage.ts";

/** Tests of what is remembered: what stores it by hand, and what the model is then sent. */
export function rememberedAt(stage: () => Stage) {
  const idOf = (conversation: string): string => stage().host.services.conversations.idOf(conversation);
  const newestUserText = (index = -1): string => {
    const message = sentTo(stage().provider, index).findLast(({ role }) => role === "user");
    return message?.content ?? "";
  };
  return {
    idOf,
    /** Stores in a conversation's own scope, or the topic's that is named. */
    store: async (
      conversation: string,
      drafts: readonly (string | Partial<MemoryDraft>)[],
      topic?: string,
    ): Promise<readonly MemoryItem[]> => {
      const of =
        topic === undefined
          ? ({ scope: idOf(conversation), scopeKind: "conversation" } as const)
          : ({ scope: topic, scopeKind: "topic" } as const);
      const whole = drafts.map((draft): MemoryDraft => ({
        content: "",
        origin: "user",
        ...(typeof draft === "string" ? { content: draft } : draft),
      }));
      const stored = await stage().host.services.memory!.store(of, whole);
      return stored.map(({ item }) => item);
    },
    /** Attaches conversations to a topic, with sharing on; its id. */
    share: async (name: string, ...conversations: readonly string[]): Promise<string> => {
      const { services } = stage().host;
      const { topics } = services as {
        readonly topics?: { create(of: object): Promise<{ readonly topic: { readonly id: string } }> };
      };
      const topicId = topics === undefined ? randomUUID() : (await topics.create({ name })).topic.id;
      for (const id of conversations)
        await services.conversations.update(
          id,
          { topicId, settings: { useSharedData: true, sharedTopicId: topicId } },
          endpointRequest().caller,
        );
      return topicId;
    },
    newestUserText,
    /**
     * The block of what is remembered in a model call, by its number, from the end if negative; empty when
     * there is none.
     */
    block: (index = -1): string => /<memory>\n[^]*\n<\/memory>/.exec(newestUserText(index))?.[0] ?? "",
    /** Its notes. */
    notes: (index = -1): readonly string[] =>
      newestUserText(index)
        .split("\n")
        .filter((line) => /^- \(\d{4}-/.test(line)),
    /** One turn, streamed or not; everything that the client was answered. */
    say: async (conversation: string, text: string, stream = false, more: object = {}): Promise<string> => {
      const answer = await stage().host.request(
        "POST",
        "/api/chat/completions",
        ask(text, { conversationId: conversation, stream, ...more }),
      );
      return stream ? JSON.stringify(await allChunks(answer)) : answer.text();
    },
  };
}
