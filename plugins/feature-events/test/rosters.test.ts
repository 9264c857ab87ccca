import { expect } from "chai";
import type { JsonObject } from "@pergola/sdk";
import { Rosters } from "../rosters.ts";
import type { RouteReader } from "../route-reader.ts";

const readerOf = (...providers: readonly JsonObject[]) =>
  ({ read: async () => ({ providers }) as unknown as JsonObject }) as unknown as RouteReader;

describe("feature-events, what is known by its list alone", () => {
  it("is told when it comes, changes and goes, and not at the first look", async () => {
    const rosters = new Rosters();
    const [one, two] = [
      { id: "a", status: "ok" },
      { id: "b", status: "ok" },
    ];
    const failing = { id: "a", status: "error" };
    expect(await rosters.changes("provider", readerOf(one))).to.deep.equal([]);
    expect(await rosters.changes("provider", readerOf(one))).to.deep.equal([]);
    const common = { kind: "provider", conversationId: null };
    expect(await rosters.changes("provider", readerOf(failing, two))).to.deep.equal([
      { ...common, op: "put", id: "a", record: failing },
      { ...common, op: "put", id: "b", record: two },
    ]);
    expect(await rosters.changes("provider", readerOf(two))).to.deep.equal([
      { ...common, op: "delete", id: "a", record: null },
    ]);
  });

  it("is not told where nothing lists it", async () => {
    const none = { read: () => Promise.reject(new Error("no route")) } as unknown as RouteReader;
    expect(await new Rosters().changes("plugin", none)).to.deep.equal([]);
  });
});
