import { expect } from "chai";
import * as fc from "fast-check";
import { lastUserIndex, type ChatMessage } from "@pergola/sdk";
import { messagesJson } from "../messages-json.ts";
import type { Preset } from "../preset.ts";
import { presets } from "../presets.ts";
import { repairMessages } from "../repair-messages.ts";
import { wireMessage } from "../wire-message.ts";

const text = fc.constantFrom("", " ", "text", "ü 🙂");
const id = fc.constantFrom("a", "b");

const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant("system" as const), content: text }),
  fc.record({ role: fc.constant("user" as const), content: text }),
  fc.record({ role: fc.constant("assistant" as const), content: text, reasoning: text }),
  fc.record({ role: fc.constant("tool" as const), toolCallId: id, name: fc.constant("read"), content: text }),
);

/** What a turn adds: mostly what belongs together, now and then anything. */
const turn: fc.Arbitrary<readonly ChatMessage[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([{ role: "user", content: "Well?" } as const]) },
  {
    weight: 4,
    arbitrary: fc.uniqueArray(id, { maxLength: 2 }).map((ids): readonly ChatMessage[] => [
      {
        role: "assistant",
        content: null,
        reasoning: "I see.",
        toolCalls: ids.map((call) => ({ id: call, name: "read", arguments: "{}" })),
      },
      ...ids.map((call) => ({ role: "tool" as const, toolCallId: call, name: "read", content: "42" })),
      { role: "assistant", content: "It is 42." },
    ]),
  },
  fc.array(message, { maxLength: 2 }),
);

const step = fc.oneof(
  { weight: 5, arbitrary: turn.map((added) => ({ added, cut: 0 })) },
  fc.nat(12).map((cut) => ({ added: [], cut })),
);

function jsonOf(messages: readonly ChatMessage[], preset: Preset): unknown {
  const repaired = repairMessages(messages, preset);
  const newest = lastUserIndex(repaired);
  return JSON.parse(JSON.stringify(repaired.map((one, index) => wireMessage(one, index > newest, preset))));
}

describe("the JSON of a conversation's messages", () => {
  it("is the same from call to call as if it were made anew (500 random ones)", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...presets.filter(({ type }) => /^(openai|zai|deepseek)$/.test(type))),
        fc.array(step, { maxLength: 12 }),
        fc.boolean(),
        (preset, steps, hasSystem) => {
          let history: readonly ChatMessage[] = [];
          for (const { added, cut } of steps) {
            history = [...history.slice(0, history.length - cut), ...added];
            // The newest message of a person is another one with each call: plugins add to it.
            const newest = lastUserIndex(history);
            const call = history.map((one, index) => (index === newest ? { ...one } : one));
            const system = { role: "system", content: "Be brief." } as const;
            const messages = hasSystem ? [system, ...call] : call;
            const json = `[${Buffer.concat(messagesJson(messages, preset)).toString()}]`;
            expect(JSON.parse(json)).to.deep.equal(jsonOf(messages, preset));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
