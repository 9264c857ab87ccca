import { expect } from "chai";
import type { ModelCall, ProviderDefinition } from "@pergola/sdk";
import {
  chatChunk,
  chatReply,
  doneFrame,
  frame,
  jsonReply,
  mockProviderServer,
  type MockProviderServer,
  type ScriptTurn,
} from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { table } from "./kinds-table.ts";
import { ask, key, kinds, open, tool, user, type Answer } from "./support.ts";

const never = (): AbortSignal => new AbortController().signal;
const definitionOf = (type: string): ProviderDefinition =>
  plugin.providers?.find((kind) => kind.type === type) as ProviderDefinition;

describe("the kinds of the chat-completions format", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer([], { models: ["one", { id: "two", context_length: 4096 }] });
  });
  afterEach(() => server.close());

  it("are all in this table, but for the one that wants a login, which has tests of its own", () =>
    expect([...Object.keys(table), "github-copilot"].toSorted()).to.deep.equal(kinds.toSorted()));

  const addressOf = (type: string): string => (type === "remote-llama" ? server.url : server.baseUrl);
  const opened = (type: string) => open(type, { baseUrl: addressOf(type) });

  async function answered(
    type: string,
    body: readonly object[],
    call: Partial<ModelCall> = {},
  ): Promise<Answer> {
    server.play({ body: [...body.map((chunk) => frame(chunk)), doneFrame] });
    return ask(await opened(type), call);
  }

  async function played(type: string, turn: ScriptTurn, call: Partial<ModelCall> = {}): Promise<Answer> {
    server.play(chatReply(turn));
    return ask(await opened(type), call);
  }

  for (const [type, kind] of Object.entries(table)) {
    describe(type, () => {
      it("has its prefix, its default address and its key variable", () => {
        const { prefix, baseUrl, keyVariable, needsKey = false } = definitionOf(type);
        expect({ prefix, baseUrl, keyVariable, needsKey }).to.deep.equal({
          prefix: kind.prefix,
          baseUrl: kind.baseUrl,
          keyVariable: kind.keyVariable,
          needsKey: kind.needsKey,
        });
      });

      it("asks its default address, with the key as bearer", async () => {
        const seen: string[] = [];
        const fetch = async (
          url: string,
          { headers }: { readonly headers?: Readonly<Record<string, string>> },
        ): Promise<never> => {
          seen.push(url, headers?.["authorization"] ?? "");
          throw new Error("no network");
        };
        const given = kind.baseUrl === undefined ? { baseUrl: "https://models.example/v1" } : {};
        await ask(await open(type, given, { fetch }));
        expect(seen).to.deep.equal([
          `${kind.baseUrl ?? "https://models.example/v1"}/chat/completions`,
          `Bearer ${key}`,
        ]);
      });

      it(kind.needsKey ? "sends nothing without a key" : "does without a key", async () => {
        server.play(chatReply({ text: "Hello" }));
        const { error, text } = await ask(await open(type, { baseUrl: addressOf(type), apiKey: "" }));
        if (kind.needsKey) expect(error).to.include({ code: "provider_auth_failed" });
        else expect(text).to.equal("Hello");
        expect(server.requests.map(({ headers }) => headers["authorization"])).to.deep.equal(
          kind.needsKey ? [] : [undefined],
        );
      });

      it(kind.listing === "table" ? "lists a table, without asking" : "asks for its listing", async () => {
        const models = await (await opened(type)).listModels(never());
        if (kind.listing === "asked")
          expect(models).to.deep.equal([{ id: "one" }, { id: "two", contextWindow: 4096 }]);
        else expect(models.map(({ supportsTools }) => supportsTools)).to.deep.equal(models.map(() => true));
        expect(models).to.not.be.empty;
      });

      it("streams text as it comes", async () => {
        const { events, last } = await played(type, [{ text: "Grüße" }, { delayMs: 20 }, { text: " 🌿" }]);
        expect(events.slice(0, 2)).to.deep.equal([
          { type: "text", text: "Grüße" },
          { type: "text", text: " 🌿" },
        ]);
        expect(last).to.deep.equal({ type: "end", reason: "stop" });
      });

      it("offers tools, and hears a call and parallel calls in pieces", async () => {
        const read = { id: "call_a", name: "todo_operations", arguments: ['{"oper', 'ation":"list"}'] };
        const one = await played(type, { toolCalls: [read] }, { tools: [tool] });
        expect(one.calls).to.deep.equal([
          { id: "call_a", name: "todo_operations", arguments: '{"operation":"list"}' },
        ]);
        const two = await played(
          type,
          { toolCalls: [read, { id: "call_b", name: "now", arguments: ["{", "}"] }] },
          { tools: [tool] },
        );
        expect(two.calls.map(({ id, arguments: args }) => [id, args])).to.deep.equal([
          ["call_a", '{"operation":"list"}'],
          ["call_b", "{}"],
        ]);
        expect([one.last, two.last]).to.deep.equal(Array(2).fill({ type: "end", reason: "tool_calls" }));
        const { name, description, parameters } = tool;
        expect(server.requests[0]?.body).to.deep.include({
          tools: [{ type: "function", function: { name, description, parameters } }],
        });
        if (kind.toolField !== undefined)
          expect(server.requests[0]?.body).to.include({ [kind.toolField]: true });
      });

      it("takes the results of calls", async () => {
        const call = { id: "call_a", name: "todo_operations", arguments: "{}" };
        const messages = [
          user("List."),
          { role: "assistant", content: null, toolCalls: [call] },
          { role: "tool", toolCallId: "call_a", content: "[]" },
        ] as const;
        expect((await played(type, { text: "None." }, { messages, tools: [tool] })).text).to.equal("None.");
        const sent = (server.requests[0]?.body as { messages: readonly object[] }).messages;
        expect(sent.at(-1)).to.deep.equal({ role: "tool", content: "[]", tool_call_id: "call_a" });
        expect(sent.at(-2)).to.deep.include({
          tool_calls: [
            { id: "call_a", type: "function", function: { name: "todo_operations", arguments: "{}" } },
          ],
        });
      });

      it(kind.images ? "takes images" : "leaves images out, with a warning", async () => {
        const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } } as const;
        const { warnings } = await played(
          type,
          { text: "A dot." },
          { messages: [user([{ type: "text", text: "What?" }, image])] },
        );
        const sent = JSON.stringify(server.requests[0]?.body);
        expect([sent.includes("base64,AA=="), warnings.length]).to.deep.equal([
          kind.images,
          kind.images ? 0 : 1,
        ]);
      });

      it("tells thoughts from text", async () => {
        const { reasoning, text } = await answered(type, [
          chatChunk(kind.thought),
          chatChunk({ content: "42" }),
          chatChunk({}, "stop"),
        ]);
        expect({ reasoning, text }).to.deep.equal({ reasoning: "Hm.", text: "42" });
      });

      it("counts as it does, in a chunk of its own or in the last", async () => {
        const last = chatChunk({}, "stop");
        for (const chunks of [
          [last, { ...chatChunk({}), choices: [], usage: kind.usage }],
          [{ ...last, usage: kind.usage }],
        ]) {
          const { events } = await answered(type, [chatChunk({ content: "42" }), ...chunks]);
          expect(events.filter((event) => event.type === "usage")).to.deep.equal([
            { type: "usage", usage: kind.counted },
          ]);
        }
      });

      it("tells why it ended", async () => {
        for (const [told, reason] of [
          ["stop", "stop"],
          ["length", "length"],
          [kind.filtered, "content_filter"],
        ] as const)
          expect(
            (await answered(type, [chatChunk({ content: "x" }), chatChunk({}, told)])).last,
          ).to.deep.equal({ type: "end", reason });
      });

      it("tells its own error", async () => {
        const [status, body, code] = kind.error;
        server.play(status === 200 ? { body: [frame(body)] } : jsonReply(body, { status }));
        expect((await ask(await opened(type))).error).to.include({ code });
      });

      it("asks its runtime to stop when it is cancelled", async () => {
        server.play(chatReply([{ text: "Once upon" }, { hang: true }]));
        const controller = new AbortController();
        const asked = ask(await opened(type), {}, controller.signal);
        const { outcome } = await server.request(0);
        setTimeout(() => controller.abort(new Error("gone")), 20);
        expect((await asked).error).to.have.property("message", "gone");
        expect(await outcome).to.equal("aborted");
      });
    });
  }
});
