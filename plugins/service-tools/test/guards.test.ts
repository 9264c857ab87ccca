import { expect } from "chai";
import type { ToolResult } from "@pergola/sdk";
import { Guards, type CallKey } from "../guards.ts";

const asked = (argument: number, tool = "lab"): CallKey => ({
  tool,
  operation: "read",
  arguments: { argument },
});
const good: ToolResult = { success: true, data: "", message: "" };
const bad: ToolResult = { success: false, error: "no", message: "", error_code: "generic_error" };

describe("the guards of a run", () => {
  it("refuse a batch that comes the third time in a row, whatever the order of its keys", () => {
    const guards = new Guards();
    const batch = (keys: readonly string[]): CallKey[] => [
      { tool: "lab", operation: "read", arguments: Object.fromEntries(keys.map((key) => [key, key])) },
    ];
    expect(guards.repeated(batch(["a", "b"]))).to.equal(undefined);
    expect(guards.repeated(batch(["b", "a"]))).to.equal(undefined);
    expect(guards.repeated(batch(["a", "b"]))).to.include({ error_code: "repeated_call" });
    expect(guards.repeated([asked(1)])).to.equal(undefined);
  });

  it("suspend a family after three failures in a row, until another succeeds", () => {
    const guards = new Guards();
    for (let time = 0; time < 3; time++) {
      expect(guards.suspended("lab")).to.equal(undefined);
      guards.count("lab", bad);
    }
    expect(guards.suspended("lab")).to.include({ error_code: "tool_suspended" });
    expect(guards.suspended("other")).to.equal(undefined);
    guards.count("other", good);
    expect(guards.suspended("lab")).to.equal(undefined);
  });

  it("end the run after six failures in a row, whatever failed, and at once when nothing can be stored", () => {
    const guards = new Guards();
    for (let time = 0; time < 6; time++) {
      expect(guards.exhausted).to.equal(false);
      guards.count(`lab${time}`, bad);
    }
    expect(guards.exhausted).to.equal(true);
    const full = new Guards();
    full.count("lab", { ...bad, error_code: "storage_unavailable" });
    expect(full.exhausted).to.equal(true);
  });

  it("count neither a no of the person nor a cancel", () => {
    const guards = new Guards();
    for (let time = 0; time < 9; time++)
      guards.count("lab", { ...bad, error_code: time % 2 === 0 ? "denied" : "cancelled" });
    expect([guards.exhausted, guards.suspended("lab")]).to.deep.equal([false, undefined]);
  });
});
