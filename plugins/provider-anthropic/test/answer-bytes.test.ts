import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { messagesReply, ping } from "./messages-reply.ts";
import { answerTo, type Answer } from "./support.ts";

const everything: ScriptTurn = [
  { reasoning: ["Höre ", "zu."] },
  { text: ["Grüße 🌿", "\n\ndata: nicht echt\r\n", "Ende"] },
  {
    toolCalls: [
      { id: "toolu_1", name: "file_operations", arguments: ['{"path":"ä', '/🌿"}'] },
      { id: "toolu_2", name: "think", arguments: ["{", "}"] },
    ],
  },
  { usage: { promptTokens: 12, completionTokens: 7, cachedTokens: 8, reasoningTokens: 3 } },
];

const bytesOf = (turn: ScriptTurn): string => messagesReply(turn).body.map(String).join("");
const plain = bytesOf(everything);

const bodies: Readonly<Record<string, string>> = {
  "line feeds": plain,
  "CR LF": plain.replaceAll("\n", "\r\n"),
  "carriage returns": plain.replaceAll("\n", "\r"),
  "a byte order mark": `\uFEFF${plain}`,
  "pings and comments between": plain.replaceAll("\n\n", `\n\n: still here\n\n${ping}`),
  "no names of events": plain.replaceAll(/event: .*\n/g, ""),
  "no space behind the colon": plain.replaceAll("data: {", "data:{"),
  "events of types that nobody knows": plain.replaceAll(
    "\n\n",
    '\n\nevent: news\ndata: {"type":"news","index":0,"delta":{"text":"x"}}\n\n',
  ),
  "no message_stop": plain.slice(0, plain.indexOf("event: message_stop")),
};

/** Split at every offset; the others are read byte by byte. */
const splits: ReadonlySet<string> = new Set([
  "line feeds",
  "CR LF",
  "a byte order mark",
  "no names of events",
]);

const outcome = ({ text, reasoning, calls, last, error, usage, extra }: Answer) => ({
  text,
  reasoning,
  calls,
  last,
  error,
  usage,
  extra,
});

const expected = {
  reasoning: "Höre zu.",
  text: "Grüße 🌿\n\ndata: nicht echt\r\nEnde",
  calls: [
    { id: "toolu_1", name: "file_operations", arguments: '{"path":"ä/🌿"}' },
    { id: "toolu_2", name: "think", arguments: "{}" },
  ],
  last: { type: "end", reason: "tool_calls" },
  error: undefined,
  usage: { promptTokens: 12, completionTokens: 7, cachedTokens: 8, reasoningTokens: 3 },
  extra: { reasoning_blocks: [{ type: "thinking", thinking: "Höre zu.", signature: "c2lnbmVk" }] },
};

describe("an answer's bytes (B18)", () => {
  for (const [what, body] of Object.entries(bodies)) {
    const bytes = Buffer.from(body);

    if (splits.has(what)) {
      it(`mean the same with ${what}, split at each of ${bytes.length} offsets`, async () => {
        for (let offset = 0; offset <= bytes.length; offset++) {
          const answer = await answerTo(bytes.subarray(0, offset), bytes.subarray(offset));
          expect(outcome(answer), `split at ${offset}`).to.deep.equal(expected);
        }
      }).timeout(30_000);
    }

    it(`mean the same with ${what}, byte by byte`, async () => {
      const answer = await answerTo(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
      expect(outcome(answer)).to.deep.equal(expected);
    });
  }

  it("F9: never give half an answer as a whole one, cut at any offset before the end is told", async () => {
    const bytes = Buffer.from(plain);
    const told = bytes.indexOf('"stop_reason":"tool_use"');
    for (let offset = 0; offset < told; offset++) {
      const { error, events } = await answerTo(bytes.subarray(0, offset));
      expect(error, `cut at ${offset}`).to.include({ code: "provider_error" });
      expect(events.some(({ type }) => type === "end")).to.equal(false);
    }
  }).timeout(30_000);

  it("F9: with any byte changed are an answer or a told failure, and nothing else", async () => {
    const bytes = Buffer.from(plain);
    for (let offset = 0; offset < bytes.length; offset++) {
      for (const other of [0x0a, 0x22]) {
        const changed = Buffer.from(bytes);
        changed[offset] = other;
        const { error, last } = await answerTo(changed);
        expect(AppError.is(error) !== (last?.type === "end"), `${other} at ${offset}`).to.equal(true);
      }
    }
  }).timeout(30_000);

  it("are taken in one event where they came in one read", async () => {
    const { events } = await answerTo(bytesOf([{ text: ["a", "b", "c"] }]));
    expect(events.map(({ type }) => type)).to.deep.equal(["text", "end"]);
  });

  it("after message_stop count for nothing", async () => {
    const { text, last } = await answerTo(bytesOf({ text: "Whole." }) + bytesOf({ text: "more" }));
    expect({ text, last }).to.deep.equal({ text: "Whole.", last: { type: "end", reason: "stop" } });
  });
});
