import { expect } from "chai";
import { chatReply, mockProviderServer, type MockReply, type ScriptTurn } from "@pergola/sdk/testing";
import { messagesReply } from "../../plugins/provider-anthropic/test/messages-reply.ts";
import { geminiReply } from "../../plugins/provider-gemini/test/support.ts";
import { assistant, chat, user, type WireMessage } from "../support/chat.ts";
import type { Stage } from "../support/host.ts";
import { labCall, openLab } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

/** A kind of provider, and how it says what is scripted. */
interface Format {
  readonly type: string;
  readonly model: string;
  readonly reply: (turn: ScriptTurn) => MockReply;
}

const formats: readonly Format[] = [
  { type: "custom", model: "test", reply: chatReply },
  { type: "anthropic", model: "claude-sonnet-4-5", reply: messagesReply },
  { type: "gemini", model: "gemini-2.5-flash", reply: geminiReply },
];

const weather = {
  type: "function",
  function: {
    name: "weather",
    description: "The weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

/** Where the vendor may put what it has read into its cache is no part of what it reads. */
const withoutBreakpoints = (text: string): string =>
  text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");

/** How many characters two bodies have in common at their beginning. */
function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** The end of JSON: what is new stands before it in the next call. */
const withoutEnd = (text: string): string => text.replace(/[\]}"]+$/, "");

/** A body up to the end of its messages, and what follows them. */
function splitBody(text: string): { readonly grows: string; readonly rest: string } {
  const { messages, contents = messages } = JSON.parse(text) as Record<string, readonly object[]>;
  const last = JSON.stringify(contents?.at(-1));
  const end = text.lastIndexOf(last) + last.length;
  return { grows: withoutEnd(text.slice(0, end)), rest: text.slice(end) };
}

for (const { type, model, reply } of formats)
  describe(`what a ${type} provider is sent, byte for byte`, () => {
    let stage: Stage;
    let vendor: Awaited<ReturnType<typeof mockProviderServer>>;
    /** The service's clock runs on by this with each model call. */
    let step = 0;
    let moved = 0;
    let from = 0;

    before(async () => {
      vendor = await mockProviderServer([], { models: [model] });
      const base_url = type === "custom" ? vendor.baseUrl : vendor.url;
      stage = await openLab([], {
        clock: { now: () => Date.now() + moved },
        environment: { VENDOR_KEY: "AIza-canary-0123456789abcdef" },
        settings: {
          "providers.list": [
            { type, base_url, models: [model], api_key: { env: "VENDOR_KEY" }, retry_count: 0 },
          ],
          "models.overrides": { [`${type}/${model}`]: { supportsTools: true } },
          default_model: `${type}/${model}`,
        },
      });
    });
    beforeEach(() => {
      lab.reset();
      [step, moved, from] = [61_000, 0, vendor.requests.length];
    });
    after(async () => {
      await stage.end();
      await vendor.close();
    });

    const play = (turns: readonly ScriptTurn[]): void => {
      const first = vendor.requests.length;
      vendor.play((_request, index) => {
        moved += step;
        return reply(turns[index - first] ?? { text: "No more." });
      });
    };
    const say = async (messages: readonly WireMessage[], more: object = {}) => {
      const { status, body } = await chat(stage, { messages, ...more });
      expect(status, JSON.stringify(body.error)).to.equal(200);
      return body.choices[0]!.message;
    };
    const sent = (): readonly string[] =>
      vendor.requests.slice(from).map(({ text }) => withoutBreakpoints(text));

    /** Each call begins with all of the one before. */
    function expectPrefixes(bodies: readonly string[], count: number): void {
      expect(bodies).to.have.length(count);
      for (const [index, next] of bodies.slice(1).entries()) {
        const { grows: whole, rest } = splitBody(bodies[index] as string);
        const common = commonLength(whole, next);
        const around = `${whole.slice(common - 80, common)}>>>${whole.slice(common, common + 120)}`;
        expect(common, `call ${index + 2} leaves the one before at ${around}`).to.equal(whole.length);
        expect(splitBody(next).rest).to.equal(rest);
      }
    }

    const remember = (conversationId: string) =>
      chat(stage, { messages: [user("Hello")], conversationId }).then(() =>
        stage.host.json("POST", "/debug/mcp/execute", {
          tool: "memory_operations.store_memory",
          arguments: { content: "The garden gate is green" },
          conversationId,
        }),
      );

    const loop: readonly ScriptTurn[] = [
      [
        { text: 'First.<!--session:{"title":"The gate"}-->' },
        { toolCalls: [labCall("peek", "a"), labCall("keep", "b")] },
      ],
      { toolCalls: [labCall("peek", "large"), { name: "lab", arguments: { operation: "nothing" } }] },
      { toolCalls: [labCall("peek", "c")] },
      { text: "Done." },
    ];

    for (const how of ["with a conversation's id", "without one"]) {
      const named = how.startsWith("with a");
      const id = (name: string) => (named ? { conversationId: name } : {});

      verifies(["loop:prefix", "W15"], `grows within a tool loop, ${how}`, async () => {
        lab.texts.set("large", "x".repeat(40_000));
        if (named) {
          play([{ text: "Hello." }]);
          await remember("gate");
          from = vendor.requests.length;
        }
        play(loop);
        await say([user(`Is the garden gate green, ${how}?`)], id("gate"));
        const bodies = sent();
        expect(bodies[0]).to.contain("iteration: 1 of");
        if (named) expect(bodies[0]).to.contain("<memory>");
        expectPrefixes(bodies, 4);
      });

      verifies(["loop:prefix", "W15"], `grows from one request of an agent to the next, ${how}`, async () => {
        const question = user(`What is the weather in Oslo, ${how}?`);
        const history: WireMessage[] = [question];
        const more = { tools: [weather], ...id("agent") };
        for (let index = 0; index < 4; index++) {
          play([
            [
              { text: `Step ${index}.` },
              { toolCalls: [{ name: "weather", arguments: { city: "Oslo" }, id: `w${index}` }] },
            ],
          ]);
          const answer = await say(named && index > 0 ? history.slice(-1) : history, more);
          const [{ id: tool_call_id }] = answer["tool_calls"] as [{ readonly id: string }];
          history.push(answer, { role: "tool", tool_call_id, content: `{"sky":"${index} clouds"}` });
        }
        expectPrefixes(sent(), 4);
      });

      verifies(
        ["loop:prefix", "W15"],
        `grows from one message of the person to the next, ${how}`,
        async () => {
          if (named) {
            play([{ text: "Hello." }]);
            await remember("person");
            from = vendor.requests.length;
          }
          const history: WireMessage[] = [];
          const texts = [
            "Is the garden gate green?",
            "Is the garden gate dry?",
            "Is the garden gate old?",
          ].map((text) => `${text} I ask ${how}.`);
          for (const text of texts) {
            play([{ toolCalls: [labCall("peek", "a")] }, { text: `Answer to: ${text}` }]);
            const news = user(text);
            const answer = await say(named ? [news] : [...history, news], id("person"));
            history.push(news, assistant(String(answer.content)));
          }
          const bodies = sent();
          if (named) expect(bodies.at(-1)?.split("<memory>")).to.have.length(4);
          expectPrefixes(bodies, 6);
        },
      );
    }

    verifies("loop:prefix", "leaves nothing behind but an objection that is not stored", async () => {
      play([{ toolCalls: [labCall("peek", "a")] }, { text: "" }, { toolCalls: [labCall("peek", "c")] }]);
      await say([user("Look twice")], { conversationId: "objection" });
      const [, , objected = "", after = ""] = sent();
      expectPrefixes(sent().slice(0, 3), 3);
      const objection = objected.indexOf("Your last answer was empty");
      expect(objected.slice(commonLength(objected, after), objection)).to.match(
        /^[^a-z]*(?:(?:user|type|text|content|parts)[^a-z]*)*$/,
      );
    });

    verifies(
      ["loop:prefix", "W15"],
      "is told the time and the iteration anew when that costs no cache",
      async () => {
        step = 6 * 60_000;
        play(loop);
        await say([user("Work slowly")], { conversationId: "slow" });
        expect(sent().map((body) => /iteration: (\d) of/.exec(body)?.[1])).to.deep.equal([
          "1",
          "2",
          "3",
          "4",
        ]);
      },
    );
  });
