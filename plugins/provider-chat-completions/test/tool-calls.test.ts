import { expect } from "chai";
import { chatChunk, doneFrame, frame } from "@pergola/sdk/testing";
import { answerTo, type Answer } from "./support.ts";

type Delta = Readonly<Record<string, unknown>>;

const delta = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  args: unknown,
): Delta => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  type: "function",
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});

async function callsOf(...chunks: readonly (readonly unknown[])[]): Promise<Answer["calls"]> {
  const { calls, error } = await answerTo(
    ...chunks.map((deltas) => frame(chatChunk({ tool_calls: deltas }))),
    frame(chatChunk({}, "tool_calls")) + doneFrame,
  );
  expect(error).to.equal(undefined);
  return calls;
}

const a = { id: "a", name: "read", arguments: '{"path":"1"}' };
const b = { id: "b", name: "read", arguments: '{"path":"2"}' };

describe("tool calls as servers send them (F10)", () => {
  it("by index, their pieces taking turns", async () => {
    const calls = await callsOf(
      [delta(0, "a", "read", "")],
      [delta(1, "b", "read", '{"pa')],
      [delta(0, undefined, undefined, '{"path":')],
      [delta(1, undefined, undefined, 'th":"2"}'), delta(0, undefined, undefined, '"1"}')],
    );
    expect(calls).to.deep.equal([a, b]);
  });

  it("counted from 1, or with gaps", async () => {
    const calls = await callsOf([delta(1, "a", "read", a.arguments)], [delta(7, "b", "read", b.arguments)]);
    expect(calls).to.deep.equal([a, b]);
  });

  it("without any index, told apart by id", async () => {
    const calls = await callsOf([
      delta(undefined, "a", "read", a.arguments),
      delta(undefined, "b", "read", b.arguments),
    ]);
    expect(calls).to.deep.equal([a, b]);
  });

  it("without any index, in pieces that name nothing", async () => {
    const calls = await callsOf(
      [delta(undefined, "a", "read", '{"path"')],
      [delta(undefined, undefined, undefined, ':"1"}')],
      [delta(undefined, "b", "read", "")],
      [delta(undefined, undefined, undefined, b.arguments)],
    );
    expect(calls).to.deep.equal([a, b]);
  });

  it("all under index 0, with ids of their own", async () => {
    const calls = await callsOf(
      [delta(0, "a", "read", a.arguments)],
      [delta(0, "b", "read", '{"path"')],
      [delta(0, undefined, undefined, ':"2"}')],
    );
    expect(calls).to.deep.equal([a, b]);
  });

  it("all under index 0 and one id, with other names", async () => {
    const calls = await callsOf([delta(0, "a", "read", "")], [delta(0, "a", "list", "{}")]);
    expect(calls.map(({ name, arguments: args }) => [name, args])).to.deep.equal([
      ["read", ""],
      ["list", "{}"],
    ]);
  });

  it("with one id for two whole calls of one tool", async () => {
    const calls = await callsOf(
      [delta(undefined, "a", "read", a.arguments)],
      [delta(undefined, "a", "read", b.arguments)],
    );
    expect(calls.map((call) => call.arguments)).to.deep.equal([a.arguments, b.arguments]);
  });

  it("with id and name repeated in every piece", async () => {
    const calls = await callsOf(
      [delta(0, "a", "read", '{"pa')],
      [delta(0, "a", "read", 'th":"1"}')],
      [delta(0, "a", "read", "")],
    );
    expect(calls).to.deep.equal([a]);
  });

  it("with an empty id, or none", async () => {
    const calls = await callsOf([delta(0, "", "read", "{}")], [delta(1, undefined, "list", "{}")]);
    expect(calls).to.deep.equal([
      { id: "", name: "read", arguments: "{}" },
      { id: "", name: "list", arguments: "{}" },
    ]);
  });

  it("with an id that comes later", async () => {
    expect(
      await callsOf([delta(0, undefined, "read", '{"path"')], [delta(0, "a", undefined, ':"1"}')]),
    ).to.deep.equal([a]);
  });

  it("with arguments as an object, or null", async () => {
    const calls = await callsOf([delta(0, "a", "read", { path: "1" })], [delta(1, "b", "list", null)]);
    expect(calls.map((call) => call.arguments)).to.deep.equal(['{"path":"1"}', ""]);
  });

  it("with arguments that are no JSON, no object, or hold __proto__: handed on as they are", async () => {
    for (const text of ['{"path":', "[]", '"text"', '{"__proto__":{"isAdmin":true}}']) {
      expect((await callsOf([delta(0, "a", "read", text)]))[0]?.arguments).to.equal(text);
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
  });

  it("200 in one answer", async () => {
    const calls = await callsOf(
      Array.from({ length: 200 }, (_, index) => delta(index, `c${index}`, "read", `{"n":${index}}`)),
    );
    expect(calls).to.have.length(200);
    expect(calls[199]).to.deep.equal({ id: "c199", name: "read", arguments: '{"n":199}' });
  });

  it("with 5 MB of arguments", async () => {
    const piece = "x".repeat(50_000);
    const calls = await callsOf(
      [delta(0, "a", "write", '{"content":"')],
      ...Array<Delta[]>(100).fill([delta(0, undefined, undefined, piece)]),
    );
    expect(calls[0]?.arguments).to.have.length(5_000_000 + 12);
  });

  it("cut off by the length limit: ended by length, the rest of the arguments left to the host", async () => {
    const { calls, last } = await answerTo(
      frame(chatChunk({ tool_calls: [delta(0, "a", "read", '{"path":"/et')] })) +
        frame(chatChunk({}, "length")) +
        doneFrame,
    );
    expect(calls).to.deep.equal([{ id: "a", name: "read", arguments: '{"path":"/et' }]);
    expect(last).to.deep.equal({ type: "end", reason: "length" });
  });

  it("ended with stop: told as tool_calls; tool_calls without any call: told as stop", async () => {
    const called = await answerTo(
      frame(chatChunk({ tool_calls: [delta(0, "a", "read", "{}")] })) +
        frame(chatChunk({}, "stop")) +
        doneFrame,
    );
    const silent = await answerTo(
      frame(chatChunk({ content: "Done." })) + frame(chatChunk({}, "tool_calls")) + doneFrame,
    );
    expect([called.last, silent.last]).to.deep.equal([
      { type: "end", reason: "tool_calls" },
      { type: "end", reason: "stop" },
    ]);
  });

  it("that are no calls: passed over", async () => {
    expect(await callsOf([null, 7, "read"], [delta(0, "a", "read", a.arguments)])).to.deep.equal([a]);
  });

  for (const value of [null, "none", { 0: {} }]) {
    it(`as ${JSON.stringify(value)}: passed over`, async () => {
      const { calls, text } = await answerTo(
        frame(chatChunk({ content: "Hi", tool_calls: value })) + frame(chatChunk({}, "stop")),
      );
      expect({ calls, text }).to.deep.equal({ calls: [], text: "Hi" });
    });
  }
});
