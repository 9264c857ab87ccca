import path from "node:path";
import { expect } from "chai";
import { describePolicy } from "@pergola/sdk/testing";
import { authorize } from "../authorize.ts";

describe("the rule", () => {
  const call = { tool: "math_operations", operation: "calculate" };

  it("refuses calls of models to a closed family", () => {
    const verdict = authorize(call, { userInitiated: false }, ["math_operations"]);
    expect(verdict).to.have.property("decision", "deny");
  });

  it("leaves everything else to the next policy", () => {
    expect(authorize(call, { userInitiated: false }, [])).to.equal(undefined);
    expect(authorize(call, { userInitiated: true }, ["math_operations"])).to.equal(undefined);
  });
});

describePolicy({
  id: "pergola-policy-sample-name",
  // As a host finds it: by its folder, built.
  plugin: { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" },
  settings: { "sample_name.closed_tools": ["math_operations"] },
  denies: [{ name: "math_operations", arguments: { operation: "calculate", expression: "1 + 1" } }],
  allows: [{ name: "think", arguments: { operation: "think", thoughts: "Two, I think." } }],
});
