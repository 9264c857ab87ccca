import { expect } from "chai";
import type { Conversation, Message, Write } from "@pergola/sdk";
import { memoryCollection } from "@pergola/sdk/testing";
import { blankConversation } from "../new-conversation.ts";
import { listBranches } from "../history/branch-changes.ts";
import { readBranch, spansOf } from "../history/branches.ts";
import { isFlat, toTree } from "../history/upgrade.ts";

const flat: Conversation = { ...blankConversation, id: "c", created: "", updated: "", nextSeq: 9 };

const texts = ["q1", "a1", "q2 -", "a2 -", "q3", "a3", "a3b -", "a3c"];

/** Messages as they were stored before there were branches; a minus is one that another had replaced. */
const before = (): readonly Message[] =>
  texts.map((text, index) => {
    const isReplaced = text.endsWith("-");
    const message = {
      id: `m${index + 1}`,
      conversationId: "c",
      seq: index + 1,
      role: text.startsWith("q") ? "user" : "assistant",
      type: text.startsWith("q") ? "user" : "assistant",
      content: text,
      timestamp: "2026-01-01T00:00:00Z",
      runId: text.startsWith("q") ? null : "run",
      visible: !isReplaced,
      ...(text.startsWith("a") && { completionReason: "workflow_complete" }),
      ...(isReplaced && { superseded: true }),
    } as const;
    return message;
  });

describe("a conversation stored before there were branches", () => {
  /** Upgrades it, after a first attempt that was cut after so many messages. */
  const upgrade = async (cutAfter: number) => {
    const messages = memoryCollection<Message>();
    for (const message of before()) await messages.put(message);
    let left = cutAfter;
    const commit = async (writes: readonly Write[]): Promise<void> => {
      for (const write of writes) {
        if (left === 0) throw new Error("cut");
        left -= 1;
        if ("put" in write) await messages.put(write.put as Message);
      }
    };
    await toTree(flat, messages, commit).catch(() => undefined);
    left = Number.POSITIVE_INFINITY;
    return { conversation: await toTree(flat, messages, commit), messages };
  };

  it("is known by having messages and no last one", () => {
    expect(isFlat(flat)).to.equal(true);
    expect(isFlat({ ...flat, nextSeq: 1 })).to.equal(false);
    expect(isFlat({ ...flat, activeMessageId: "m8" })).to.equal(false);
  });

  for (const cut of [0, 3, 5])
    it(`H1, H3: keeps what was active, and what was replaced as a branch, cut after ${cut} messages before`, async () => {
      const { conversation, messages } = await upgrade(cut);
      const read = async (branch?: number) => {
        const found = await readBranch(messages, "c", spansOf(conversation, branch), { limit: 100 });
        return found.map(({ content }) => content);
      };
      expect(conversation.activeMessageId).to.equal("m8");
      expect(await read()).to.deep.equal(["q1", "a1", "q3", "a3", "a3c"]);
      const branches = await listBranches(messages, conversation);
      const seen = branches.map(({ tipMessageId, parentMessageId, messageCount, isActive, preview }) => [
        tipMessageId,
        parentMessageId,
        messageCount,
        isActive,
        preview,
      ]);
      expect(seen).to.deep.equal([
        ["m8", "m6", 5, true, "a3c"],
        ["m7", "m2", 5, false, "q3"],
        ["m4", null, 4, false, "q1"],
      ]);
    });
});
