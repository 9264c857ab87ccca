import { expect } from "chai";
import type { Conversation, RunRequest } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
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

  describe("that was foreseen", () => {
    const request = { messages: [{ role: "user", content: "Trip to Rome" }] } as unknown as RunRequest;

    /** Titles over a storage that counts what it is asked, and the runs of new conversations. */
    function scene() {
      const conversations = memoryCollection<Conversation>();
      const set = new Map<string, string>();
      let asked = 0;
      const counting = {
        find: (...args: Parameters<typeof conversations.find>) => {
          asked += 1;
          return conversations.find(...args);
        },
      };
      const parts = {
        stores: { conversations: { ...conversations, ...counting } },
        conversations: {
          active: () => ({ title: "New Conversation", titleSetBy: "default" }),
          setLater: (id: string, { title }: { readonly title: string }) => set.set(id, title),
        },
      } as unknown as Parts;
      const titles = new Titles(parts);
      const end = async (conversationId: string): Promise<string | undefined> => {
        await titles.setAtEnd(
          { conversationId, request, emit: () => undefined } as unknown as ActiveRun,
          false,
        );
        return set.get(conversationId);
      };
      return { conversations, titles, end, asked: () => asked };
    }

    it("is given at the end without another look", async () => {
      const { titles, end, asked } = scene();
      titles.foresee(request, "a");
      expect(asked()).to.equal(1);
      expect(await end("a")).to.equal("Trip to Rome");
      expect(asked()).to.equal(1);
    });

    it("is numbered where another conversation had it then", async () => {
      const { conversations, titles, end } = scene();
      await conversations.put({ id: "b", title: "Trip to Rome" } as Conversation);
      titles.foresee(request, "a");
      expect(await end("a")).to.equal("Trip to Rome (2)");
    });

    it("is looked up again where it was given since", async () => {
      const { conversations, titles, end } = scene();
      titles.foresee(request, "a");
      titles.foresee(request, "b");
      expect(await end("b")).to.equal("Trip to Rome");
      await conversations.put({ id: "b", title: "Trip to Rome" } as Conversation);
      expect(await end("a")).to.equal("Trip to Rome (2)");
    });
  });
});
