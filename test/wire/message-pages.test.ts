import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { chat, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Page {
  readonly messages: readonly {
    readonly id: string;
    readonly content: string;
    readonly parentMessageId: string | null;
    readonly branches?: readonly { readonly messageId: string; readonly tipMessageId: string }[];
  }[];
  readonly at: number;
  readonly total: number;
  readonly tipMessageId: string;
  readonly activeMessageId: string;
  readonly error: { readonly code: string };
}

const id = "55555555-0000-4000-8000-000000000001";

describe("the messages of a conversation in pages", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await say("One?", "One.");
    await say("Two?", "Two.");
    await say("Three?", "Three.");
  });
  after(() => stage.end());

  const say = async (text: string, answer: string, more: object = {}): Promise<void> => {
    stage.provider.play([chatReply({ text: answer })]);
    const { status, body } = await chat(stage, { messages: [user(text)], conversationId: id, ...more });
    expect(status, JSON.stringify(body)).to.equal(200);
  };
  const get = (query = "", of = id) =>
    stage.host.json<Page>("GET", `/v1/conversations/${of}/messages${query}`);
  const read = async (query = ""): Promise<Page> => (await get(query)).body;
  const textsOf = ({ messages }: Page) => messages.map(({ content }) => content);
  const idOf = (page: Page, content: string): string =>
    page.messages.find((message) => message.content === content)?.id ?? "";

  verifies("messages:page", "are the last ones, or those from a position, or around a message", async () => {
    const all = await read();
    expect(textsOf(all)).to.deep.equal(["One?", "One.", "Two?", "Two.", "Three?", "Three."]);
    expect(all).to.deep.include({ at: 0, total: 6, tipMessageId: all.messages[5]!.id });
    expect(all.activeMessageId).to.equal(all.tipMessageId);
    expect(all.messages.every(({ branches }) => branches === undefined)).to.equal(true);
    const pages: readonly [string, number, readonly string[]][] = [
      ["?limit=2", 4, ["Three?", "Three."]],
      ["?limit=2&at=1", 1, ["One.", "Two?"]],
      ["?limit=2&at=6", 6, []],
      [`?limit=3&around=${idOf(all, "Two?")}`, 1, ["One.", "Two?", "Two."]],
      [`?limit=3&around=${idOf(all, "One?")}`, 0, ["One?", "One.", "Two?"]],
      [`?tip=${idOf(all, "One.")}`, 0, ["One?", "One."]],
    ];
    for (const [query, at, texts] of pages) {
      const page = await read(query);
      expect([page.at, textsOf(page)], query).to.deep.equal([at, texts]);
    }
    expect((await get("?limit=201")).status).to.equal(400);
    expect((await get("?tip=55555555-0000-4000-8000-00000000ffff")).body.error.code).to.equal("not_found");
    expect((await get("", "55555555-0000-4000-8000-00000000aaaa")).status).to.equal(404);
  });

  verifies(
    "messages:branches",
    "tell where several follow the same one, and lead to their ends",
    async () => {
      const first = await read();
      const [one, three] = [idOf(first, "One."), idOf(first, "Three.")];
      await say("Else?", "Else.", { parentMessageId: one });
      await say("Then?", "Then.");
      await say("Zero?", "Zero.", { parentMessageId: null });
      const begun = await read();
      expect(textsOf(begun)).to.deep.equal(["Zero?", "Zero."]);
      const then = (await read(`?around=${idOf(await read(`?tip=${three}`), "One?")}`)).tipMessageId;
      const roots = begun.messages[0]!.branches!;
      expect(roots.map(({ messageId }) => messageId)).to.deep.equal([
        idOf(first, "One?"),
        begun.messages[0]!.id,
      ]);
      expect(roots.map(({ tipMessageId }) => tipMessageId)).to.deep.equal([then, begun.tipMessageId]);
      const other = await read(`?tip=${then}`);
      expect(textsOf(other)).to.deep.equal(["One?", "One.", "Else?", "Else.", "Then?", "Then."]);
      expect(other.activeMessageId).to.equal(begun.tipMessageId);
      const fork = other.messages[2]!.branches!;
      expect(fork.map(({ messageId }) => messageId)).to.deep.equal([
        idOf(first, "Two?"),
        other.messages[2]!.id,
      ]);
      expect(fork.map(({ tipMessageId }) => tipMessageId)).to.deep.equal([three, then]);
      expect(other.messages.filter(({ branches }) => branches !== undefined)).to.have.length(2);
      const old = await read(`?tip=${three}&limit=2&at=2`);
      expect(old.messages[0]!.branches).to.deep.equal(fork);
      // A message of another branch than the active one is found on its own.
      expect(textsOf(await read(`?limit=1&around=${idOf(first, "Two.")}`))).to.deep.equal(["Two."]);
      expect((await get(`?tip=${then}&around=${idOf(first, "Two.")}`)).status).to.equal(404);
      const chosen = await stage.host.json("PATCH", `/v1/conversations/${id}`, {
        activeMessageId: idOf(first, "Two?"),
      });
      expect(chosen.status).to.equal(200);
      expect((await read()).tipMessageId).to.equal(three);
    },
  );
});
