import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import { fillStore, filledId, filledText } from "../support/fill-store.ts";
import { ask, officialPlugins, openStage, type Stage } from "../support/host.ts";
import { sentTo, type ChatAnswer } from "../support/lab-stage.ts";
import { reads } from "../support/plugins/storage-counting/reads.ts";

const size = 100_000;
const id = filledId(0);
const route = `/v1/conversations/${id}`;
const unused = ["bundle-standard", "provider-embedded", "provider-scripted"];
const counting = {
  use: path.join(import.meta.dirname, "..", "support", "plugins", "storage-counting"),
  isolation: "trusted",
};

/** Records that were read meanwhile, and the largest page of them. */
async function reading(
  work: () => Promise<unknown>,
): Promise<{ readonly records: number; readonly page: number }> {
  reads.length = 0;
  await work();
  const pages = reads.map(({ records }) => records);
  return { records: pages.reduce((sum, records) => sum + records, 0), page: Math.max(0, ...pages) };
}

describe(`a conversation of ${size} messages`, function () {
  this.timeout(60_000);
  let stage: Stage;

  before(async () => {
    const dataDirectory = temporaryFolder();
    await fillStore(dataDirectory, { messages: size, conversations: 2000 });
    stage = await openStage(chatReply({ text: "Yes." }), {
      dataDirectory,
      // The index of the search reads every message once, in the background.
      plugins: [...officialPlugins([...unused, "feature-search"]), counting],
      settings: { storage: { type: "counting" } },
    });
  });
  after(() => stage.end());

  it("of an older store is made into a tree once, page by page", async () => {
    const show = (): Promise<unknown> => stage.host.json("GET", `${route}?messages=false`);
    const { records, page } = await reading(show);
    expect(page).to.be.at.most(500);
    expect(records).to.be.at.least(size);
    expect((await reading(show)).records).to.be.at.most(5);
  });

  it("is shown, listed and changed without its messages being read", async () => {
    const { host } = stage;
    const shown = await reading(async () => {
      const { body } = await host.json<{ messageCount: number; title: string }>(
        "GET",
        `${route}?messages=false`,
      );
      expect(body).to.include({ messageCount: size, title: "Conversation 0" });
    });
    const changed = await reading(async () => {
      expect((await host.json("PATCH", route, { title: "The long one" })).status).to.equal(200);
      expect((await host.json<{ title: string }>("GET", `${route}?messages=false`)).body.title).to.equal(
        "The long one",
      );
    });
    const listed = await reading(async () => {
      const { body } = await host.json<{ conversations: object[]; count: number }>(
        "GET",
        "/v1/conversations?limit=50",
      );
      expect([body.conversations.length, body.count]).to.deep.equal([50, 2001]);
    });
    expect(shown.records, "shown").to.be.at.most(5);
    expect(changed.records, "changed").to.be.at.most(10);
    expect(listed.records, "listed").to.be.at.most(55);
  });

  it("goes on from its newest messages, as many as fit into the model's context", async () => {
    const { host, provider } = stage;
    const { records, page } = await reading(async () => {
      const { status, body } = await host.json<ChatAnswer>(
        "POST",
        "/api/chat/completions",
        ask("And now?", { conversationId: id }),
      );
      expect([status, body.choices?.[0]?.message.content]).to.deep.equal([200, "Yes."]);
    });
    const sent = sentTo(provider, -1).filter(({ role }) => role !== "system");
    const texts = sent.map(({ content }) => content ?? "");
    expect(texts.at(-1)).to.include("And now?");
    expect(texts.at(-2)).to.include(filledText(size));
    expect(texts.at(0)).to.include(filledText(1)).and.include("<thread_summary>");
    const oldest = size + 3 - texts.length;
    expect(texts.at(1)).to.include(filledText(oldest));
    expect(sent.length).to.be.within(20, 2000);
    expect(records).to.be.within(sent.length - 1, 2 * sent.length + 500);
    expect(page).to.be.at.most(200);
    const { body } = await host.json<{ messageCount: number }>("GET", `${route}?messages=false`);
    expect(body.messageCount).to.equal(size + 2);
    const { items = [] } = (await host.services.archive?.list(id)) ?? {};
    const [record] = items;
    expect(items).to.have.lengthOf(1);
    const joinedToFirst = texts.at(0)?.includes(`\n${filledText(oldest - 1)}`) === true;
    const last = joinedToFirst ? oldest - 2 : oldest - 1;
    expect(record).to.include({ first: 1, last, messages: last, reason: "token_limit" });
  });

  it("W08: reads what it archived last and what followed, and sends the same beginning", async () => {
    const { host, provider } = stage;
    const before = sentTo(provider, -1).filter(({ role }) => role !== "system");
    const { records } = await reading(async () => {
      expect(
        (await host.json("POST", "/api/chat/completions", ask("Once more?", { conversationId: id }))).status,
      ).to.equal(200);
    });
    const sent = sentTo(provider, -1).filter(({ role }) => role !== "system");
    expect(sent.slice(0, before.length - 1)).to.deep.equal(before.slice(0, -1));
    expect(sent).to.have.lengthOf(before.length + 2);
    expect(records).to.be.below(sent.length + 60);
    expect((await host.services.archive?.list(id))?.count).to.equal(1);
    await host.json("POST", "/api/chat/completions", ask("What next?", { conversationId: id }));
  });

  it("goes on when the client sends its last turns along", async () => {
    const { host, provider } = stage;
    const turn = (content: string, role = "user") => ({ role, content });
    const messages = [turn("What next?"), turn("Yes.", "assistant"), turn("And then?")];
    const { records } = await reading(async () => {
      const body = { ...ask(""), messages, conversationId: id };
      expect((await host.json("POST", "/api/chat/completions", body)).status).to.equal(200);
    });
    const texts = sentTo(provider, -1).map(({ content }) => content ?? "");
    expect(texts.filter((text) => text.startsWith("What next?"))).to.have.lengthOf(1);
    expect(texts.at(-1)).to.include("And then?");
    expect(records).to.be.below(2500);
    const { body } = await host.json<{ messageCount: number }>("GET", `${route}?messages=false`);
    expect(body.messageCount).to.equal(size + 8);
  });

  for (const [deed, from] of [
    ["opened", route],
    ["exported", `${route}/export`],
    ["exported to be read", `${route}/export?format=markdown`],
  ] as const)
    it(`is ${deed} whole page by page, and no faster than its client reads`, async () => {
      const { records, page } = await reading(async () => {
        const { body } = await stage.host.request("GET", from);
        const reader = (body as ReadableStream<Uint8Array>).getReader();
        const first = new TextDecoder().decode((await reader.read()).value);
        expect(first).to.match(/^[{#]/).and.include(filledText(1));
        for (let before = -1; before !== reads.length; await setTimeout(150)) before = reads.length;
        await reader.cancel();
      });
      expect(page).to.be.at.most(200);
      expect(records).to.be.within(200, size / 2);
    });

  it("is delivered whole to who reads it all", async () => {
    const { body } = await stage.host.json<{ messages: { content: string }[] }>("GET", route);
    expect(body.messages).to.have.lengthOf(size + 8);
    const wrong = body.messages
      .slice(0, size)
      .findIndex(({ content }, index) => !content.startsWith(filledText(index + 1)));
    expect(wrong).to.equal(-1);
    expect(body.messages.at(-1)?.content).to.equal("Yes.");
  });
});
