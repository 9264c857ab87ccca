import { expect } from "chai";
import type { OfferedTool } from "@pergola/sdk";
import { family, operation, text } from "./sample-tools.ts";
import { Talk } from "./talk.ts";

const number = { type: "number" } as const;
const tools: readonly OfferedTool[] = [
  family(
    "units",
    "Units.",
    operation(
      "convert",
      "none",
      { value: number, from: text, to: text },
      ["value", "from", "to"],
      ["convert 100 F to C", { value: 100, from: "F", to: "C" }],
      ["2 cups in ml", { value: 2, from: "cups", to: "ml" }],
    ),
  ),
  family(
    "jotter",
    "Jotted pages.",
    operation(
      "append_page",
      "write",
      { page: text, text },
      ["page", "text"],
      ["add butter to my page Shopping", { page: "Shopping", text: "butter" }],
      ["add hiring to the page Agenda", { page: "Agenda", text: "hiring" }],
    ),
    operation(
      "burn_page",
      "destructive",
      { page: text },
      ["page"],
      ["burn the page Old", { page: "Old" }],
      ["burn my page Ideas", { page: "Ideas" }],
    ),
  ),
];

const say = (message: string) => new Talk({ tools }).say(message);

describe("patterns from examples", () => {
  it("fill numbers and units", async () => {
    expect((await say("convert 10 miles to km")).calls).to.deep.equal([
      { value: 10, from: "miles", to: "km" },
    ]);
    expect((await say("12 inches in cm")).calls).to.deep.equal([{ value: 12, from: "inches", to: "cm" }]);
  });

  it("take no word for a unit that is none", async () => {
    expect((await say("convert 10 friends to Buddhism")).calls).to.deep.equal([]);
  });

  it("fill texts of a change when the whole sentence follows", async () => {
    expect((await say("add cheese to my page Kitchen")).calls).to.deep.equal([
      { operation: "append_page", page: "Kitchen", text: "cheese" },
    ]);
  });

  it("ask first when a value points back, or something is destroyed", async () => {
    expect((await say("add it to my page Kitchen")).calls).to.deep.equal([]);
    expect((await say("burn the page Kitchen")).calls).to.deep.equal([]);
  });
});
