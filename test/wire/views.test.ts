import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { calling, labCall, openLab, play, saying } from "../support/lab-stage.ts";

interface Shown {
  readonly id: string;
  readonly role: string;
  readonly content: string | null;
  readonly isActive?: boolean;
  readonly toolDetails?: readonly string[];
}

describe("views of a conversation (H3, H8)", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab();
    const more = { conversationId: "viewed" };
    const calls = calling(labCall("peek", "a"), labCall("peek", "b", { fail: "timeout" }));
    await play(stage, [calls, saying("One.")], more, "One?");
    await play(stage, [saying("Two.")], more, "Two?");
    const [first] = await read();
    await play(stage, [saying("Uno.")], { ...more, parentMessageId: first?.id }, "And?");
  });
  after(() => stage.end());

  const get = (query = "") =>
    stage.host.json<{ messages: readonly Shown[] }>("GET", `/v1/conversations/viewed${query}`);
  const read = async (query = "") => (await get(query)).body.messages;
  const texts = (messages: readonly Shown[]) => messages.map(({ content }) => content);

  it("H3: show the active branch, or every message with where it stands", async () => {
    expect(texts(await read())).to.deep.equal(["One?", "And?", "Uno."]);
    const all = await read("?view=all");
    expect(all).to.have.lengthOf(9);
    expect(texts(all.filter(({ isActive }) => isActive === true))).to.deep.equal(["One?", "And?", "Uno."]);
    for (const message of await read()) expect(message).to.not.have.property("isActive");
    expect((await get("?view=some")).status).to.equal(400);
  });

  it("H8: show the turns alone, with a line for each step of a tool, and page through them", async () => {
    const old = (await read("?view=all")).find(({ content }) => content === "Two.");
    await stage.host.json("PATCH", "/v1/conversations/viewed", { activeMessageId: old?.id });
    const turns = await read("?view=turns");
    expect(texts(turns)).to.deep.equal(["One?", "One.", "Two?", "Two."]);
    const [, one, , two] = turns;
    expect(one?.toolDetails).to.have.lengthOf(2);
    expect(one?.toolDetails?.[0]).to.match(/^lab\.peek/);
    expect(one?.toolDetails?.[1]).to.match(/^lab\.peek.*\(error\)$/);
    expect(two).to.not.have.property("toolDetails");
    expect(texts(await read("?view=turns&limit=1"))).to.deep.equal(["One?"]);
    expect(await read(`?view=turns&limit=2&before=${two?.id}`)).to.deep.equal(turns.slice(1, 3));
    expect(await read(`?view=turns&limit=9&after=${turns[0]?.id}`)).to.deep.equal(turns.slice(1));
    expect(await read(`?view=turns&after=${two?.id}`)).to.deep.equal([]);
    expect(await read(`?limit=2&after=${turns[0]?.id}&before=${two?.id}`)).to.have.lengthOf(2);
    expect(await read("?view=all&limit=4")).to.deep.equal((await read("?view=all")).slice(0, 4));
    expect((await get("?before=nobody")).status).to.equal(404);
  });
});
