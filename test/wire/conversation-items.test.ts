import { expect } from "chai";
import OpenAI from "openai";
import { chatReply } from "@pergola/sdk/testing";
import { sentTurns, storedTurns } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const model = "custom/test";
const look = {
  type: "function",
  name: "look",
  strict: false,
  parameters: { type: "object", properties: { at: { type: "string" } } },
} as const;

describe("the items of a conversation, by the openai client (C19)", () => {
  let stage: Stage;
  let client: OpenAI;
  before(async () => {
    stage = await openStage();
    client = new OpenAI({ baseURL: `${stage.host.url}/v1`, apiKey: "anything", maxRetries: 0 });
  });
  after(() => stage.end());

  const textsOf = async (id: string): Promise<readonly string[]> => {
    const texts: string[] = [];
    for await (const item of client.conversations.items.list(id, { order: "asc", limit: 2 })) {
      const [part] = "content" in item ? (item.content ?? []) : [];
      texts.push(`${item.type}: ${part !== undefined && "text" in part ? part.text : ""}`);
    }
    return texts;
  };

  verifies("conversations:items", "are not lost where a conversation is made with them", async () => {
    const items = [{ type: "message", role: "user", content: "Earlier" }] as const;
    const refused = await client.conversations.create({ items: [...items] }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OpenAI.BadRequestError);
    expect(refused).to.include({ param: "items" }).with.property("message").that.includes("/items");
    const { id } = await client.conversations.create({ items: [] });
    await client.conversations.items.create(id, { items: [...items] });
    expect(await textsOf(id)).to.deep.equal(["message: Earlier"]);
  });

  verifies(
    "conversations:items",
    "C19: texts of the client's own are kept, and changed by POST",
    async () => {
      const { id } = await client.conversations.create({ metadata: { project: "garden" } });
      expect((await client.conversations.retrieve(id)).metadata).to.deep.equal({ project: "garden" });
      const updated = await client.conversations.update(id, { metadata: { Project: "shed", step: "2" } });
      expect(updated).to.deep.include({
        id,
        object: "conversation",
        metadata: { Project: "shed", step: "2" },
      });
      expect(updated.created_at).to.be.closeTo(Date.now() / 1000, 60);
      expect((await client.conversations.update(id, { metadata: null })).metadata).to.deep.equal({});
      const refused = async (metadata: Record<string, string>): Promise<unknown> =>
        client.conversations.update(id, { metadata }).catch((error: unknown) => error);
      expect(await refused({ long: "x".repeat(513) })).to.be.instanceOf(OpenAI.BadRequestError);
      const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`key${at}`, "x"]));
      expect(await refused(many)).to.be.instanceOf(OpenAI.BadRequestError);
      const nowhere = "00000000-0000-4000-8000-000000000000";
      const lost: unknown = await client.conversations
        .update(nowhere, { metadata: {} })
        .catch((e: unknown) => e);
      expect(lost).to.be.instanceOf(OpenAI.NotFoundError);
    },
  );

  verifies("conversations:items", "C19: a conversation is made, spoken in, listed and deleted", async () => {
    const made = await client.conversations.create();
    expect(made).to.include({ object: "conversation" });
    expect(made.created_at).to.be.closeTo(Date.now() / 1000, 60);
    stage.provider.play([
      chatReply([
        { text: "I look." },
        { toolCalls: [{ name: "look", arguments: { at: "it" }, id: "call_i" }] },
      ]),
      chatReply({ text: "Done." }),
    ]);
    const first = await client.responses.create({
      model,
      conversation: made.id,
      input: "Look",
      tools: [look],
    });
    await client.responses.create({
      model,
      conversation: made.id,
      tools: [look],
      input: [{ type: "function_call_output", call_id: "call_i", output: "seen" }],
    });
    expect(await textsOf(made.id)).to.deep.equal([
      "message: Look",
      "message: I look.",
      "function_call: ",
      "function_call_output: ",
      "message: Done.",
    ]);
    const [said] = first.output;
    const item = await client.conversations.items.retrieve(said?.id ?? "", { conversation_id: made.id });
    expect(item).to.deep.equal(said);
    expect(await client.conversations.delete(made.id)).to.deep.include({
      id: made.id,
      object: "conversation.deleted",
      deleted: true,
    });
    expect(await client.conversations.retrieve(made.id).catch((error: unknown) => error)).to.be.instanceOf(
      OpenAI.NotFoundError,
    );
  });

  verifies(
    "conversations:items",
    "C19: items are added without a run, and taken off by a new branch",
    async () => {
      const { id } = await client.conversations.create();
      const { data } = await client.conversations.items.create(id, {
        items: [
          { role: "user", content: "One" },
          { role: "assistant", content: "first" },
          { role: "user", content: "Wrong" },
          { role: "assistant", content: "no" },
        ],
      });
      expect(data).to.have.lengthOf(4);
      stage.provider.play([chatReply({ text: "third" })]);
      await client.responses.create({ model, conversation: id, input: "Three" });
      expect(sentTurns(stage)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Wrong",
        "assistant: no",
        "user: Three",
      ]);
      for (const item of data.slice(2)) {
        const items = await client.conversations.items.list(id, { order: "asc", limit: 100 });
        const now = items.data[2];
        expect(item.type).to.equal(now?.type);
        const left = await client.conversations.items.delete(now?.id ?? "", { conversation_id: id });
        expect(left.id).to.equal(id);
      }
      expect(await storedTurns(stage.host, id)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Three",
        "assistant: third",
      ]);
      const { branches } = (
        await stage.host.json<{ branches: readonly object[] }>("GET", `/v1/conversations/${id}/branches`)
      ).body;
      expect(branches.length).to.be.greaterThan(1);
    },
  );

  verifies("conversations:items", "C19: nothing is added while a run is at work", async () => {
    const { id } = await client.conversations.create();
    stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
    const number = stage.provider.requests.length;
    const { id: responseId } = await client.responses.create({
      model,
      conversation: id,
      input: "Go on",
      background: true,
    });
    await stage.provider.request(number);
    const refused = await client.conversations.items
      .create(id, { items: [{ role: "user", content: "Now" }] })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OpenAI.ConflictError).with.property("code", "conversation_busy");
    expect((await client.responses.cancel(responseId)).status).to.equal("cancelled");
    expect((await client.responses.retrieve(responseId)).status).to.equal("cancelled");
    const asked = await client.responses.inputItems.list(responseId);
    expect(asked.data).to.have.lengthOf(1);
    await client.responses.delete(responseId);
    expect(await client.responses.retrieve(responseId).catch((error: unknown) => error)).to.be.instanceOf(
      OpenAI.NotFoundError,
    );
  });
});
