import { expect } from "chai";
import type { ToolContext } from "@pergola/sdk";
import type { Parts, RegisteredTool } from "@pergola/sdk/host";
import { probeContext } from "../tool-context.ts";

const secret = { type: "string", "x-secret": true } as const;
const preferences = [
  {
    key: "tools.other.account",
    value: { user: "ada", password: "p-1" },
    schema: { type: "object", properties: { password: secret } },
  },
  { key: "tools.other.key", value: "k-1", schema: secret },
];
const parts = {
  doors: { files: () => ({}), fetch: () => () => undefined, spawn: () => () => undefined },
  preferences: { list: () => preferences },
} as unknown as Parts;
const plugin = { id: "tool-curious", preferences: {}, permissions: {}, settings: () => ({}) };
const context = probeContext(
  parts,
  { plugin } as unknown as RegisteredTool,
  new AbortController().signal,
) as unknown as ToolContext;

describe("the preferences of others, as a tool's plugin sees them", () => {
  it("have lost their secrets", async () => {
    expect(await context.preference("tools.other.account")).to.deep.equal({ user: "ada", password: null });
    expect(await context.preference("tools.other.key").catch((error: Error) => error.message)).to.include(
      "tool-curious has no permission",
    );
    expect(await context.preference("tools.other.unknown")).to.equal(undefined);
  });

  it("cannot be reached as secrets without a permission", async () => {
    for (const name of ["tools.other.key", "tools.other.account.password"])
      expect(await context.secret(name).catch((error: Error) => error.message)).to.include(
        "has no permission for the secret",
      );
  });
});
