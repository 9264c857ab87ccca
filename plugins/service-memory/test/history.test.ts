import { expect } from "chai";
import type { Message } from "@pergola/sdk";
import { chunksOf, contentOf, summaryOf, topicsOf } from "../history/chunks.ts";

const message = (seq: number, content: string, more: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  conversationId: "c1",
  seq,
  role: seq % 2 ? "assistant" : "user",
  type: seq % 2 ? "assistant" : "user",
  content,
  timestamp: "2026-01-02T03:04:05.000Z",
  runId: null,
  visible: true,
  ...more,
});

const bounds = (messages: readonly Message[]) => chunksOf(messages).map(({ first, last }) => [first, last]);

describe("chunks of a conversation", () => {
  it("are neighbouring turns of some 1200 characters, cut between turns", () => {
    const turns = Array.from({ length: 6 }, (_, seq) => message(seq, "x".repeat(500)));
    expect(bounds(turns)).to.deep.equal([
      [0, 1],
      [2, 3],
      [4, 5],
    ]);
    expect(bounds([message(0, "a"), message(1, "y".repeat(5000)), message(2, "b")])).to.deep.equal([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it("hold what was said, not what tools returned", () => {
    const turns = [
      message(1, "calling", { visible: false }),
      message(2, "result", { role: "tool", type: "toolExecution" }),
      message(3, " "),
      message(4, "said"),
    ];
    expect(chunksOf(turns).flatMap(({ messages }) => messages.map(({ content }) => content))).to.deep.equal([
      "said",
    ]);
    expect(contentOf(turns.slice(3))).to.equal("user: said");
  });

  it("are summed up by their first words, cut between words", () => {
    expect(summaryOf([message(0, "Short\n\nand sweet")])).to.equal("Short and sweet");
    expect(summaryOf([message(0, "word ".repeat(100))])).to.match(/^(word ){23}word…$/);
  });

  it("are about the words that weigh most", () => {
    const text =
      "The volcano is in Sicily. We climb the volcano in May, and the volcano smokes; 100 100 100 go go go go.";
    expect(topicsOf(text)[0]).to.equal("volcano");
    expect(topicsOf(text)).to.include("sicily").and.not.include("the");
    expect(topicsOf(text)).to.have.lengthOf(5);
  });
});
