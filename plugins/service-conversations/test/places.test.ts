import { expect } from "chai";
import type { Conversation, ConversationFields, ConversationSettings } from "@pergola/sdk";
import { blankConversation } from "../new-conversation.ts";
import { changed, isAttachment, withStoredIds } from "../places.ts";

const conversation = (topicId: string | null, settings: ConversationSettings = {}): Conversation => ({
  ...blankConversation,
  id: "c",
  created: "",
  updated: "",
  topicId,
  settings: { sharedTopicId: topicId, ...settings },
});

describe("the topic of a conversation", () => {
  const after = (now: Conversation, changes: ConversationFields) => {
    const { topicId, settings } = changed(now, changes);
    expect(settings.sharedTopicId ?? null).to.equal(topicId);
    expect(settings.sharedTopicName).to.equal(undefined);
    return [topicId, settings.useSharedData ?? false, settings.sharedTopicAccess ?? "write"];
  };
  const reading = conversation("t", { useSharedData: true, sharedTopicAccess: "read" });

  for (const [what, now, changes, then] of [
    ["is taken with sharing on", conversation(null), { topicId: "t" }, ["t", true, "write"]],
    [
      "is taken without sharing",
      conversation(null),
      { topicId: "t", settings: { useSharedData: false } },
      ["t", false, "write"],
    ],
    [
      "is named by the setting alone",
      conversation(null),
      { settings: { sharedTopicId: "t" } },
      ["t", false, "write"],
    ],
    [
      "is kept by what says nothing of it",
      reading,
      { title: "x", settings: { topP: 1 } },
      ["t", true, "read"],
    ],
    ["is taken again as it was", reading, { topicId: "t" }, ["t", true, "read"]],
    [
      "is taken again with other rights",
      reading,
      { topicId: "t", settings: { sharedTopicAccess: "write" } },
      ["t", true, "write"],
    ],
    ["takes its rights along when it goes", reading, { topicId: null }, [null, false, "write"]],
    ["takes them along for another", reading, { settings: { sharedTopicId: "u" } }, ["u", true, "write"]],
    [
      "goes by the setting, with sharing as it is",
      reading,
      { settings: { sharedTopicId: null } },
      [null, true, "write"],
    ],
    [
      "is the field's where both are given",
      reading,
      { topicId: "u", settings: { sharedTopicId: "v" } },
      ["u", true, "write"],
    ],
    ["has no name of its own", reading, { settings: { sharedTopicName: "x" } }, ["t", true, "read"]],
  ] as const)
    it(what, () => expect(after(now, changes)).to.deep.equal(then));

  it("goes when the setting is taken back", () => {
    const settings = { sharedTopicId: undefined } as unknown as ConversationSettings;
    expect(after(reading, { settings })).to.deep.equal([null, true, "write"]);
  });

  it("is moved by what changes it or what may be done there, and by nothing else", () => {
    for (const moving of [
      { topicId: "t" },
      { topicId: null },
      { settings: { sharedTopicId: "u" } },
      { settings: { sharedTopicAccess: "write" } },
    ] as const)
      expect(isAttachment(reading, moving), JSON.stringify(moving)).to.equal(true);
    const back = { settings: { sharedTopicAccess: undefined } } as unknown as ConversationFields;
    expect(isAttachment(reading, back)).to.equal(true);
    for (const still of [
      {},
      { settings: { useSharedData: false } },
      { settings: { sharedTopicId: "t", sharedTopicAccess: "read" } },
    ] as const)
      expect(isAttachment(reading, still), JSON.stringify(still)).to.equal(false);
    expect(isAttachment(conversation("t"), { settings: { sharedTopicAccess: "write" } })).to.equal(false);
  });

  it("is stored in lower case", () => {
    expect(
      withStoredIds({ topicId: "A", folderId: "B", settings: { sharedTopicId: "C", topP: 1 } }),
    ).to.deep.equal({
      topicId: "a",
      folderId: "b",
      settings: { sharedTopicId: "c", topP: 1 },
    });
    expect(withStoredIds({ topicId: null, folderId: null })).to.deep.equal({ topicId: null, folderId: null });
  });
});
