import path from "node:path";
import { expect } from "chai";
import { describeBridge } from "@pergola/sdk/testing";
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

describeBridge({
  id: "pergola-bridge-sample-name",
  plugin,
  settings: { "sample_name.greetings": ["welcome"] },
  allows: [{ name: "sample_name", arguments: { operation: "welcome", name: "Ada" } }],
});
