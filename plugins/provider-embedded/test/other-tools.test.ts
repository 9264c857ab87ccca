import { expect } from "chai";
import type { OfferedTool } from "@pergola/sdk";
import { files, reminders, stockPrice, weather } from "./sample-tools.ts";
import { Talk } from "./talk.ts";

const tools: readonly OfferedTool[] = [files, weather, reminders, stockPrice];
const callsFor = async (message: string, context?: string) =>
  (await new Talk({ tools, ...(context === undefined ? {} : { context }) }).say(message)).calls;

describe("tools the guide has never seen", () => {
  it("are called by their examples, with bare words where the examples show them", async () => {
    expect(await callsFor("what is the weather in Paris?")).to.deep.equal([{ city: "Paris" }]);
    expect(await callsFor("what is the weather in general?")).to.deep.equal([]);
  });

  it("get dates in the person's own time", async () => {
    const context = "<context>\ndate: 2026-11-20 23:30, Friday\n</context>";
    const talk = new Talk({ tools, context });
    await talk.say('remind me of "water the roses" tomorrow at 9 am');
    expect((await talk.say("yes")).calls).to.deep.equal([
      { operation: "create_reminder", title: "water the roses", due: "2026-11-21T09:00:00" },
    ]);
  });

  it("are told apart within a family", async () => {
    expect(await callsFor("list the reminders")).to.deep.equal([{ operation: "list_reminders" }]);
  });

  it("that their caller runs, and that have no examples, are only ever offered", async () => {
    const talk = new Talk({ tools: [stockPrice] });
    const { calls, text } = await talk.say('get the stock price of "ACME"');
    expect(calls).to.deep.equal([]);
    expect(text).to.include("1. get stock price: get stock price (symbol “ACME”)");
    expect((await talk.say("1")).text).to.match(/^Shall I do this: get stock price \(symbol “ACME”\)/);
    expect((await talk.say("yes")).calls).to.deep.equal([{ symbol: "ACME" }]);
  });
});

describe("the caller's choice of tools", () => {
  it("none leaves the guide to talk", async () => {
    const { calls } = await new Talk({ tools, sampling: { toolChoice: "none" } }).say("read README.md");
    expect(calls).to.deep.equal([]);
  });

  it("of one tool leaves the others alone", async () => {
    const sampling = { toolChoice: { type: "function", function: { name: "weather" } } };
    expect((await new Talk({ tools, sampling }).say("read README.md")).calls).to.deep.equal([]);
    expect((await new Talk({ tools, sampling }).say("what is the weather in Oslo?")).calls).to.deep.equal([
      { city: "Oslo" },
    ]);
  });
});

describe("tools with unusual names", () => {
  it("do not break the guide", async () => {
    const odd: OfferedTool = {
      ...stockPrice,
      name: "get.price(v2)*",
      parameters: {
        type: "object",
        properties: { "a+(b": { type: "string" }, __proto__: { type: "string" } },
      },
    };
    expect((await new Talk({ tools: [files, odd] }).say("read README.md")).calls).to.deep.equal([
      { operation: "read_file", filePath: "README.md" },
    ]);
    expect(
      (await new Talk({ tools: [odd] }).say("what does get.price(v2)* do?")).calls,
    ).to.have.length.at.most(1);
  });
});
