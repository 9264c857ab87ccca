import { expect } from "chai";
import type { Tool } from "@pergola/sdk";
import type { Parts, RegisteredTool } from "@pergola/sdk/host";
import { Toolbox } from "../toolbox.ts";

const family = (name: string, unavailable: Tool["unavailable"]): RegisteredTool => ({
  tool: { name, description: name, operations: [], ...(unavailable && { unavailable }) },
  plugin: {
    id: `tool-${name}`,
    package: `@pergola/tool-${name}`,
    preferences: {},
    permissions: {},
    settings: () => ({}),
  } as unknown as RegisteredTool["plugin"],
});

const doors = { files: () => ({}), fetch: () => () => undefined, spawn: () => () => undefined };
const parts = { doors } as unknown as Parts;

describe("a family's word on whether it can be used", () => {
  const never = new Promise<undefined>(() => {});
  const toolbox = new Toolbox(parts, [
    family("silent", undefined),
    family("ready", () => undefined),
    family("missing", async () => ({ reason: "No such program.", remedy: "Install it." })),
    family("throws", () => {
      throw new Error("no luck");
    }),
    family("rejects", async () => Promise.reject(new Error("no luck later"))),
    family("hangs", () => never),
  ]);

  before(() => toolbox.probe(new AbortController().signal, 50));

  for (const [name, said] of [
    ["silent", undefined],
    ["ready", undefined],
    ["missing", "No such program. Install it."],
    ["throws", "no luck"],
    ["rejects", "no luck later"],
    ["hangs", "It did not say within 0.05 s whether it can be used."],
  ] as const) {
    it(`that ${name} is ${said ?? "taken for yes"}`, () => {
      expect(toolbox.unavailable(name)).to.equal(said);
    });
  }

  it("is asked for again, and may have changed", async () => {
    const words = [{ reason: "Not yet.", remedy: "" }, undefined];
    const changing = new Toolbox(parts, [family("late", () => words.shift())]);
    await changing.probe(new AbortController().signal);
    expect(changing.unavailable("late")).to.equal("Not yet.");
    await changing.probe(new AbortController().signal);
    expect(changing.unavailable("late")).to.equal(undefined);
  });
});
