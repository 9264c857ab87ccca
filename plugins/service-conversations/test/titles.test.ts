import { expect } from "chai";
import type { Conversation } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { memoryCollection } from "@pergola/sdk/testing";
import { titleFrom, titleOf } from "../title.ts";
import { Titles } from "../titles.ts";

describe("a title", () => {
  it("of a first message leaves filler words at its beginning out and ends at a word", () => {
    expect(titleFrom("Please, can you help me with the invoice for March?")).to.equal("Invoice for March?");
    expect(titleFrom("hello")).to.equal("Hello");
    const long = titleFrom(`describe ${"wonderful ".repeat(20)}`);
    expect(long).to.equal("Describe wonderful wonderful wonderful wonderful");
    expect(titleFrom("x".repeat(80))).to.have.length(50);
  });

  const titles: Readonly<Record<string, string>> = {
    "Hello from the client with **bold**": "Hello from the client with bold",
    "hi there": "Hi there",
    "Hi there, could you please fix the build?": "Fix the build?",
    "I want a **big** [map](https://example.org) of `Oslo`": "I want a big map of Oslo",
    "# Plan\n\n- first *this*\n- then that": "Plan first this then that",
    "```js\nsnake_case_name * 2 * 3\n```": "Snake_case_name * 2 * 3",
    "2 * 3 * 4": "2 * 3 * 4",
    "Please!": "Please!",
    "Can you": "Can you",
    "": "",
  };
  for (const [text, title] of Object.entries(titles))
    it(`H9: of ${JSON.stringify(text)} is ${JSON.stringify(title)}`, () =>
      expect(titleFrom(text)).to.equal(title));

  it("of a model's marker has 3 to 80 characters", () => {
    expect(titleOf('{"title":"  Trip to Rome "}')).to.equal("Trip to Rome");
    for (const marker of ['{"title":"ab"}', `{"title":"${"x".repeat(81)}"}`, '{"title":7}', "{", "[]"])
      expect(titleOf(marker)).to.equal(undefined);
  });

  it("that is taken gets the next number", async () => {
    const conversations = memoryCollection<Conversation>();
    const parts = { stores: { conversations } } as unknown as Parts;
    const taken = ["Trip", "Trip (2)", "Trip (4)", "Tripod"];
    for (const [id, title] of taken.entries())
      await conversations.put({ id: String(id), title } as Conversation);
    const titles = new Titles(parts);
    expect(await titles.free("Rome")).to.equal("Rome");
    const next = await Promise.all([titles.free("Trip"), titles.free("Trip"), titles.free("Trip")]);
    for (const one of next) expect(one).to.match(/^Trip \(\d+\)$/);
    expect(new Set([...taken, ...next]).size).to.equal(taken.length + 3);
  });

  it("is free for the conversation that has it", async () => {
    const conversations = memoryCollection<Conversation>();
    await conversations.put({ id: "a", title: "Trip" } as Conversation);
    const titles = new Titles({ stores: { conversations } } as unknown as Parts);
    expect(await titles.free("Trip", "a")).to.equal("Trip");
    expect(await titles.free("Trip", "b")).to.equal("Trip (2)");
  });
});
