import path from "node:path";
import { expect } from "chai";
import { chatReply, mockProviderServer, startTestHost } from "@pergola/sdk/testing";
import { authorize } from "../authorize.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

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

describe("pergola-policy-sample-name in a host", function () {
  this.timeout(30_000);

  it("tells the model that a tool is closed", async () => {
    const sum = { operation: "calculate", expression: "1 + 1" };
    const model = await mockProviderServer([
      chatReply({ toolCalls: [{ name: "math_operations", arguments: sum }] }),
      chatReply({ text: "Two, I think." }),
    ]);
    const host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: {
        "sample_name.closed_tools": ["math_operations"],
        default_model: "custom/test",
        "providers.list": [{ type: "custom", base_url: model.baseUrl }],
        "models.overrides": { "custom/test": { supportsTools: true } },
      },
    });
    const messages = [{ role: "user", content: "What is 1 + 1?" }];
    await host.json("POST", "/v1/chat/completions", { model: "default", messages });
    await host.stop();
    await model.close();
    expect(model.requests[1]?.text).to.include("math_operations.calculate is closed");
  });
});
