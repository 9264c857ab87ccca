import { expect } from "chai";
import type { JsonSchema, OfferedTool, Properties } from "@pergola/sdk";
import { fitOffers, mostBytes, shortestOffer, shortOffer } from "../short-offers.ts";

/** A family of three operations, each with one parameter that it needs and some that it can do without. */
function familyOf(name: string, more: number): OfferedTool {
  const text: JsonSchema = { type: "string", description: "What it is about, in one sentence or two" };
  const optional: Properties = Object.fromEntries(Array.from({ length: more }, (_, number) => [`further_parameter_${number}`, text]));
  const operations = ["first", "second", "third"].map((operation) => ({
    name: operation,
    description: "Does one thing and does it well.",
    effects: ["read" as const],
    parameters: { [`${operation}_name`]: text, ...optional },
    required: [`${operation}_name`],
    examples: [],
  }));
  const properties: Properties = { operation: { type: "string", enum: ["first", "second", "third"] } };
  const all: Properties = Object.assign({}, properties, ...operations.map(({ parameters }) => parameters)) as Properties;
  return {
    name,
    description: "Does things.\nfirst(first_name): Does one thing.",
    parameters: { type: "object", properties: all },
    operations,
  };
}

const families = (count: number, more: number) => Array.from({ length: count }, (_, number) => familyOf(`family_${number}`, more));
const fit = (offers: readonly OfferedTool[]) => fitOffers(offers, [shortOffer, shortestOffer]);
const sentBytes = (offers: readonly OfferedTool[]): number =>
  Buffer.byteLength(
    JSON.stringify(offers.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }))),
  );

describe("offers that fit", () => {
  it("stay as they are while there is room, to the last byte", () => {
    const few = families(3, 2);
    expect(fit(few)).to.deep.equal(few);
    const [first] = few as [OfferedTool];
    const room = mostBytes - sentBytes(few);
    const filled = (bytes: number) => [{ ...first, description: first.description + "x".repeat(bytes) }, ...few.slice(1)];
    expect(sentBytes(filled(room))).to.equal(mostBytes);
    expect(fit(filled(room))).to.deep.equal(filled(room));
    expect(fit(filled(room + 1))).to.not.deep.equal(filled(room + 1));
  });

  it("lose words first, then what can be done without, the longest first and never more than need be", () => {
    const [long, ...rest] = families(10, 8) as [OfferedTool, ...OfferedTool[]];
    const largest = { ...long, description: `${long.description} ${"More. ".repeat(40)}` };
    expect(sentBytes([largest, ...rest])).to.be.above(mostBytes);
    const fitted = fit([largest, ...rest]);
    expect(sentBytes(fitted)).to.be.at.most(mostBytes);
    expect(fitted).to.deep.equal([shortOffer(largest), ...rest]);
    const many = fit(families(24, 12));
    expect(sentBytes(many)).to.be.at.most(mostBytes);
    expect(many.every(({ parameters }) => Object.keys(parameters.properties ?? {}).includes("second_name"))).to.equal(true);
    expect(many[0]?.parameters.properties).to.not.have.property("further_parameter_0");
    expect(many[0]?.description).to.contain("second(second_name)").and.contain("help");
  });

  it("keep the parameters of a family with one operation, and are the same for the same tools", () => {
    const one = familyOf("single", 3);
    const single = { ...one, operations: one.operations?.slice(0, 1) ?? [] };
    expect(shortestOffer(single)).to.deep.equal(shortOffer(single));
    expect(fit(families(24, 12))).to.deep.equal(fit(families(24, 12)));
  });
});
