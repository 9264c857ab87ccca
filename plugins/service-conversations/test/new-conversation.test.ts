import { expect } from "chai";
import type { Conversation } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { memoryCollection } from "@pergola/sdk/testing";
import { ActiveConversations } from "../active-conversations.ts";
import { newConversation } from "../new-conversation.ts";
import { Titles } from "../titles.ts";
import { readWindow } from "../window/read-window.ts";
import { Thread } from "../window/thread.ts";

const read = (): never => {
  throw new Error("The store was read.");
};
const made = newConversation("c", undefined, {}, "2026-01-01T00:00:00.000Z");

describe("a new conversation", () => {
  const parts = {
    stores: {
      conversations: { get: read },
      messages: { find: read },
      storage: { watch: () => () => undefined },
    },
    conversations: { messages: read },
  } as unknown as Parts;

  it("is made active without a look into the store, and has nothing to be read", async () => {
    const active = new ActiveConversations(parts);
    expect(await active.activate("c", () => made, { isNew: true })).to.equal(made);
    expect(active.active("c")).to.equal(made);
    const window = await readWindow(parts, made, new Thread(), { tokens: 1000, turns: 0 });
    expect(window).to.deep.equal({ archived: undefined, head: [], entries: [], hasMore: false });
  });

  it("is stored once by the next append after a change that could wait", async () => {
    const active = new ActiveConversations(parts);
    await active.activate("c", () => made, { isNew: true });
    expect(active.append("c", [])).to.deep.equal([]);
    active.setLater("c", { title: "Tea" });
    expect(active.append("c", [])).to.deep.equal([
      { collection: "conversations", put: { ...made, title: "Tea" } },
    ]);
    expect(active.append("c", [])).to.deep.equal([]);
  });

  it("whose first run was stopped gets a number where another one has its title", async () => {
    const conversations = memoryCollection<Conversation>();
    await conversations.put(made);
    let changed: Partial<Conversation> | undefined;
    const titles = new Titles({
      stores: { conversations },
      conversations: {
        active: () => made,
        setLater: (_: string, changes: Partial<Conversation>) => (changed = changes),
      },
    } as unknown as Parts);
    await titles.setAtEnd({ conversationId: "c" } as ActiveRun, true);
    expect(changed).to.equal(undefined);
    await titles.setAtEnd({ conversationId: "d" } as ActiveRun, true);
    expect(changed).to.deep.equal({ title: "New Conversation (2)" });
  });
});
