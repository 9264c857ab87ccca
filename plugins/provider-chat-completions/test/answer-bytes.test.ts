import { expect } from "chai";
import { chatChunk, chatReply, doneFrame, frame, type ScriptTurn } from "@pergola/sdk/testing";
import { answerTo, type Answer } from "./support.ts";

const usage = { promptTokens: 12, completionTokens: 7, cachedTokens: 8, reasoningTokens: 3 };

const everything: ScriptTurn = [
  { reasoning: ["Höre ", "zu."] },
  { text: ["Grüße 🌿", "\n\ndata: nicht echt\r\n", "Ende"] },
  { toolCalls: [{ id: "call_1", name: "file_operations", arguments: ['{"path":"ä', '/🌿"}'] }] },
  { usage },
];

const bytesOf = (turn: ScriptTurn): string => chatReply(turn).body.map(String).join("");

const bodies: Readonly<Record<string, string>> = {
  "line feeds": bytesOf(everything),
  "CR LF": bytesOf(everything).replaceAll("\n", "\r\n"),
  "carriage returns": bytesOf(everything).replaceAll("\n", "\r"),
  "a byte order mark": `\uFEFF${bytesOf(everything)}`,
  "comments, ids and event names between": bytesOf(everything).replaceAll(
    "\n\n",
    "\n\n: OPENROUTER PROCESSING\n\nid: 7\nevent: message\nretry: 10\n",
  ),
  "no space behind the colon": bytesOf(everything).replaceAll("data: {", "data:{"),
  "no empty line between chunks": bytesOf(everything).replaceAll("\n\n", "\n"),
};

const outcome = ({ text, reasoning, calls, last, error, events }: Answer) => ({
  text,
  reasoning,
  calls,
  last,
  error,
  usage: events.filter(({ type }) => type === "usage"),
});

const expected = {
  reasoning: "Höre zu.",
  text: "Grüße 🌿\n\ndata: nicht echt\r\nEnde",
  calls: [{ id: "call_1", name: "file_operations", arguments: '{"path":"ä/🌿"}' }],
  last: { type: "end", reason: "tool_calls" },
  error: undefined,
  usage: [{ type: "usage", usage }],
};

describe("an answer's bytes (B18)", () => {
  for (const [what, body] of Object.entries(bodies)) {
    const bytes = Buffer.from(body);

    it(`mean the same with ${what}, split at each of ${bytes.length} offsets`, async () => {
      for (let offset = 0; offset <= bytes.length; offset++) {
        const answer = await answerTo(bytes.subarray(0, offset), bytes.subarray(offset));
        expect(outcome(answer), `split at ${offset}`).to.deep.equal(expected);
      }
    });

    it(`mean the same with ${what}, byte by byte`, async () => {
      const answer = await answerTo(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
      expect(outcome(answer)).to.deep.equal(expected);
    });
  }

  it("never give half an answer as a whole one, cut at any offset before the end is told", async () => {
    const bytes = Buffer.from(bytesOf([{ text: ["Grüße", " 🌿"] }]));
    const told = bytes.indexOf('"finish_reason":"stop"');
    for (let offset = 0; offset < told; offset++) {
      const { error, events } = await answerTo(bytes.subarray(0, offset));
      expect(error, `cut at ${offset}`).to.include({ code: "provider_error" });
      expect(events.some(({ type }) => type === "end")).to.equal(false);
    }
  });

  it("are taken in one event where they came in one read", async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => frame(chatChunk({ content: `${index} ` })));
    const { events } = await answerTo(pieces.join(""), frame(chatChunk({}, "stop")) + doneFrame);
    expect(events.map(({ type }) => type)).to.deep.equal(["text", "end"]);
  });

  it("after [DONE] count for nothing", async () => {
    const { text, last } = await answerTo(
      bytesOf({ text: "Whole." }) + frame(chatChunk({ content: "more" })),
    );
    expect({ text, last }).to.deep.equal({ text: "Whole.", last: { type: "end", reason: "stop" } });
  });
});
