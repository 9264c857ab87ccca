import { expect } from "chai";
import type { ArchiveRecord } from "@pergola/sdk/host";
import { recall, topicsOf } from "../recall.ts";

const record = (id: string, summary: string, topics: readonly string[] = []): ArchiveRecord => ({
  id,
  conversationId: "c",
  first: 1,
  last: 9,
  from: `2026-01-0${id}T00:00:00.000Z`,
  to: `2026-01-0${id}T01:00:00.000Z`,
  messages: 9,
  summary,
  keyTopics: topics,
  tokenCount: 900,
  reason: "token_limit",
  createdAt: "2026-02-01T00:00:00.000Z",
  digest: { goal: "", requests: [], decisions: [], notes: [], files: [], calls: {} },
  block: "",
  kept: [],
});

const records = [
  record("1", "We decided to use port 7411.\nMore of it."),
  record("2", "The roof leaks.", ["port"]),
  record("3", "Beans and peas."),
  record("4", "We decided to use port 7411."),
];
const idsFor = (query: string, more: object = {}): readonly string[] =>
  recall(records, { query, ...more }).map(({ id }) => id);

describe("recall of what conversations have outgrown", () => {
  it("finds summaries before topics, and the newer of equals unless told otherwise", () => {
    expect(idsFor("Which ports?")).to.deep.equal(["4", "1", "2"]);
    expect(idsFor("Which ports?", { timeHint: "early" })).to.deep.equal(["1", "4", "2"]);
    expect(idsFor("ports", { limit: 1 })).to.deep.equal(["4"]);
  });

  it("leaves out what has less than half of the words, and answers no question without words", () => {
    expect(idsFor("beans with garlic and rosemary")).to.deep.equal([]);
    expect(idsFor("beans with garlic")).to.deep.equal(["3"]);
    expect(idsFor("what did you say?")).to.deep.equal([]);
  });

  it("tells in a line what it is about, and all it knows", () => {
    expect(recall(records, { query: "port", timeHint: "early", limit: 1 })).to.deep.equal([
      {
        id: "1",
        conversationId: "c",
        from: "2026-01-01T00:00:00.000Z",
        to: "2026-01-01T01:00:00.000Z",
        summary: "We decided to use port 7411. More of it.",
        keyTopics: [],
        content: "We decided to use port 7411.\nMore of it.",
        score: 1,
      },
    ]);
  });

  it("names as topics the long words that are said often", () => {
    expect(topicsOf("The orchard, the orchard server and an orchard; 7411 7411 7411 of it")).to.deep.equal([
      "orchard",
      "server",
    ]);
  });
});
