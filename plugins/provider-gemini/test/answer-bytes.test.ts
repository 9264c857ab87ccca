import { expect } from "chai";
import * as fc from "fast-check";
import { AppError } from "@pergola/sdk";
import { frame, type ScriptTurn } from "@pergola/sdk/testing";
import { answerTo, chunk, geminiReply, type Answer } from "./support.ts";

const usage = { promptTokens: 12, completionTokens: 7, cachedTokens: 8, reasoningTokens: 3 };

const everything: ScriptTurn = [
  { reasoning: ["Höre ", "zu."] },
  { text: ["Grüße 🌿", "\n\ndata: nicht echt\r\n", "Ende"] },
  { toolCalls: [{ name: "file_operations", arguments: '{"path":"ä/🌿"}' }] },
  { usage },
];

const bytesOf = (turn: ScriptTurn): string => geminiReply(turn).body.map(String).join("");

const bodies: Readonly<Record<string, string>> = {
  "line feeds": bytesOf(everything),
  "CR LF": bytesOf(everything).replaceAll("\n", "\r\n"),
  "carriage returns": bytesOf(everything).replaceAll("\n", "\r"),
  "a byte order mark": `\uFEFF${bytesOf(everything)}`,
  "comments, ids and event names between": bytesOf(everything).replaceAll(
    "\n\n",
    "\n\n: wait\n\nid: 7\nevent: message\nretry: 10\n",
  ),
  "no space behind the colon": bytesOf(everything).replaceAll("data: {", "data:{"),
  "no empty line between chunks": bytesOf(everything).replaceAll("\n\n", "\n"),
};

const outcome = ({ text, reasoning, calls, last, error, usage: counted }: Answer) => ({
  text,
  reasoning,
  calls,
  last,
  error,
  usage: counted,
});

const expected = {
  reasoning: "Höre zu.",
  text: "Grüße 🌿\n\ndata: nicht echt\r\nEnde",
  calls: [{ name: "file_operations", arguments: '{"path":"ä/🌿"}' }],
  last: { type: "end", reason: "tool_calls" },
  error: undefined,
  usage: [usage],
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
      expect(
        outcome(await answerTo(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))),
      ).to.deep.equal(expected);
    });
  }

  it("never give half an answer as a whole one, cut at any offset before the end is told", async () => {
    const bytes = Buffer.from(bytesOf([{ text: ["Grüße", " 🌿"] }, { usage }]));
    const told = bytes.indexOf('"finishReason":"STOP"');
    for (let offset = 0; offset < told; offset++) {
      const { error, last } = await answerTo(bytes.subarray(0, offset));
      expect(error, `cut at ${offset}`).to.include({ code: "provider_error" });
      expect(last?.type).to.not.equal("end");
    }
  });

  it("changed anywhere end in an answer or in an error that may be shown (500 mutations)", async () => {
    const bytes = Buffer.from(bytesOf(everything));
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, value] of changes) changed[at] = value;
        const { last, error } = await answerTo(changed);
        return error === undefined ? last?.type === "end" : AppError.is(error);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("are taken in one event where they came in one read", async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => frame(chunk([{ text: `${index} ` }])));
    const { text, last } = await answerTo(pieces.join(""), frame(chunk([{ text: "" }], "STOP")));
    expect([text.length, last?.type]).to.deep.equal([140, "end"]);
  });

  it("may be one JSON document, or a list of chunks, where a proxy does not stream", async () => {
    const chunks = [chunk([{ text: "Grüße" }]), chunk([{ text: " 🌿" }], "STOP")];
    for (const document of [
      JSON.stringify(chunks, null, 2),
      JSON.stringify(chunk([{ text: "Grüße 🌿" }], "STOP"), null, 2),
    ]) {
      const bytes = Buffer.from(document);
      for (let offset = 0; offset <= bytes.length; offset += 7) {
        const { text, last, error } = await answerTo(bytes.subarray(0, offset), bytes.subarray(offset));
        expect({ text, last, error }).to.deep.equal({
          text: "Grüße 🌿",
          last: { type: "end", reason: "stop" },
          error: undefined,
        });
      }
    }
  });
});
