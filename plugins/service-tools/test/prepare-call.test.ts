import { expect } from "chai";
import { PluginError, type Operation } from "@pergola/sdk";
import type { RegisteredTool } from "@pergola/sdk/host";
import { prepareCall } from "../prepare-call.ts";

const entry = { tool: { name: "paper" }, plugin: { id: "tool-paper" } } as RegisteredTool;
const prepare = (fields: object) =>
  prepareCall(entry, { name: "fold", ...fields } as Operation, { path: "a" });
const failure = (fields: object): Promise<unknown> => prepare(fields).catch((error: unknown) => error);
const broken = () => {
  throw new Error("no luck");
};

describe("what a call would do", () => {
  it("is fixed, or worked out from the arguments", async () => {
    expect(await prepare({ effect: "read" })).to.deep.equal({ effect: "read", touches: [], display: {} });
    const touches = ({ path }: { readonly path: string }) => [{ path, effect: "write" }];
    expect(
      await prepare({ effect: () => "write", effects: ["read", "write"], touches }),
    ).to.have.deep.property("touches", [{ path: "a", effect: "write" }]);
  });

  it("a card that cannot be drawn stops no call", async () => {
    expect(await prepare({ effect: "read", display: broken })).to.have.deep.property("display", {});
  });

  const faults: Readonly<Record<string, readonly [fields: object, said: string]>> = {
    "an effect that fails": [{ effect: broken }, "no luck"],
    "an effect that was not declared": [
      { effect: () => "none", effects: ["write"] },
      'the effect "none" is none of those it declares',
    ],
    "an effect that there is not": [{ effect: () => "nothing" }, 'the effect "nothing"'],
    "touched paths that fail": [{ effect: "write", touches: broken }, "no luck"],
    "touched paths that are none": [
      { effect: "write", touches: () => ["a"] },
      "touches must be a list of paths with effects",
    ],
    "touched paths without a known effect": [
      { effect: "write", touches: () => [{ path: "a", effect: "x" }] },
      "touches must be a list",
    ],
  };
  for (const [what, [fields, said]] of Object.entries(faults)) {
    it(`fails closed with ${what}`, async () => {
      const error = await failure(fields);
      expect(PluginError.is(error)).to.equal(true);
      expect(error)
        .to.have.property("message")
        .that.includes("tool-paper, call: paper.fold cannot say what it would do: ")
        .and.includes(said);
    });
  }
});
