import { expect } from "chai";
import type { ModelCall, Provider } from "@pergola/sdk";
import { withFormatInWords } from "../format-in-words.ts";
import { tool } from "./support.ts";

const schema = { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } };
const call: ModelCall = {
  model: "m",
  messages: [
    { role: "system", content: "Be kind." },
    { role: "user", content: "Hello" },
  ],
  tools: [],
  sampling: { responseFormat: schema },
  formatInWords: "In JSON.",
};
const able: Pick<Provider, "takesFormat"> = {};
const unable: Pick<Provider, "takesFormat"> = { takesFormat: () => false };

const contents = (more: Partial<ModelCall>, provider = able) =>
  withFormatInWords({ ...call, ...more }, provider).messages.map(({ content }) => content);

describe("the form of an answer", () => {
  const told = ["Be kind.", "In JSON.", "Hello"];
  const untold = ["Be kind.", "Hello"];

  it("is told in words where the provider cannot say it, beside tools, and without a schema", () => {
    expect(contents({}, unable)).to.deep.equal(told);
    expect(contents({ tools: [tool] })).to.deep.equal(told);
    expect(contents({ sampling: { responseFormat: { type: "json_object" } } })).to.deep.equal(told);
  });

  it("is not told twice, nor to a caller's own body", () => {
    expect(contents({})).to.deep.equal(untold);
    expect(contents({ raw: {} }, unable)).to.deep.equal(untold);
    const { formatInWords: _, ...without } = call;
    expect(withFormatInWords(without, unable)).to.equal(without);
  });

  it("stands behind the system messages, also where there is nothing else", () => {
    expect(contents({ messages: call.messages.slice(1) }, unable)).to.deep.equal(told.slice(1));
    expect(contents({ messages: call.messages.slice(0, 1) }, unable)).to.deep.equal(told.slice(0, 2));
  });
});
