import path from "node:path";
import { expect } from "chai";
import { startTestHost } from "@pergola/sdk/testing";
import { bridgedTool } from "../bridged-tool.ts";
import { Greeter } from "../greeter.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

describe("the bridged family", () => {
  it("has an operation for each thing that the other side offers", async () => {
    const { operations } = await bridgedTool(new Greeter(["hello", "good_day"]));
    expect(operations.map(({ name }) => name)).to.deep.equal(["hello", "good_day"]);
  });
});

describe("pergola-bridge-sample-name in a host", function () {
  this.timeout(30_000);

  it("hands calls on to the other side", async () => {
    const host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: { "sample_name.greetings": ["welcome"] },
    });
    const call = { tool: "sample_name.welcome", arguments: { name: "Ada" } };
    const { body } = await host.json<{ result: string }>("POST", "/debug/mcp/execute", call);
    await host.stop();
    expect(body.result).to.equal("welcome, Ada!");
  });
});
