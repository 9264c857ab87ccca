import { expect } from "chai";
import type { EndpointAnswer } from "@pergola/sdk";
import type { ChangeService, FileChangeRecord } from "@pergola/sdk/host";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { changes, listChanges, listRunChanges, revertRun } from "../routes.ts";
import { wireChange } from "../wire-change.ts";

const state = { kind: "file", sha256: "ab", size: 1, mode: 0o644 } as const;
const change: FileChangeRecord = {
  id: "chg_1",
  runId: "run_1",
  rootRunId: "run_1",
  callId: "call_1",
  revertId: null,
  conversationId: "c",
  tool: "t",
  operation: "o",
  path: "/a",
  from: null,
  kind: "modified",
  byProgram: false,
  before: state,
  after: { ...state, mode: null },
  additions: 1,
  deletions: 0,
  state: "done",
  lost: null,
  revertedBy: null,
  at: "2026-01-02T03:04:05.000Z",
};

const servicesWith = (changes: Partial<ChangeService>) => fakeServices({ changes });
const bodyOf = (answer: EndpointAnswer) => ("body" in answer ? answer.body : undefined);

describe("feature-changes, its routes", () => {
  it("serves its routes in the group changes", () => {
    expect(plugin.endpoints?.map(({ group }) => group)).to.deep.equal(["changes"]);
  });

  it("says of a change whether it can be taken back, and why not", () => {
    const { lost: _, ...rest } = change;
    const wire = {
      ...rest,
      before: { ...state, mode: "0644" },
      after: { ...state, mode: null },
      revertible: true,
      reason: null,
    };
    expect(wireChange(change)).to.deep.equal(wire);
    const reasonOf = (more: Partial<FileChangeRecord>) => wireChange({ ...change, ...more }).reason;
    expect(reasonOf({ lost: "It is too large." })).to.equal("It is too large.");
    expect(reasonOf({ revertedBy: "rev_1" })).to.contain("rev_1");
    expect(reasonOf({ state: "pending" })).to.contain("under way");
    expect(reasonOf({ state: "uncertain" })).to.contain("not certain");
    expect(wireChange({ ...change, state: "uncertain" }).revertible).to.equal(false);
  });

  it("hands on what is asked for, and tells of gaps", async () => {
    const asked: unknown[] = [];
    const gaps = [{ callId: null, reason: "Too many.", at: change.at }];
    const services = servicesWith({
      list: async (...given) => (asked.push(given), { items: [change], count: 7, gaps }),
    });
    const query = { limit: 5, offset: 2 };
    const page = bodyOf(
      await listRunChanges.handle(
        endpointRequest({ params: { runId: "run_1" }, query: { ...query, includeAgents: false } }),
        services,
      ),
    );
    expect(page).to.deep.equal({ changes: [wireChange(change)], count: 7, complete: false, gaps });
    const inConversation = { ...query, conversationId: "c", includeAgents: true };
    await listChanges.handle(endpointRequest({ query: inConversation }), services);
    expect(asked).to.deep.equal([
      [{ id: "run_1", includeAgents: false }, query],
      [{ conversationId: "c", includeAgents: true }, query],
    ]);
  });

  it("takes back for whoever asks, with options or without", async () => {
    const asked: unknown[] = [];
    const told = { success: true, revertId: null, reverted: [], refused: [], kept: [] };
    const services = servicesWith({ revert: async (...given) => (asked.push(given), told) });
    const caller = { ...endpointRequest().caller, kind: "token" as const, remote: true, id: "far" };
    for (const body of [{}, { dryRun: true }])
      expect(
        bodyOf(
          await revertRun.handle(endpointRequest({ params: { runId: "rev_1" }, body, caller }), services),
        ),
      ).to.equal(told);
    expect(asked).to.deep.equal([
      ["rev_1", {}, caller],
      ["rev_1", { dryRun: true }, caller],
    ]);
  });

  it("is not there where no plugin records changes", () => {
    for (const { handle } of changes.routes)
      expect(() => handle(endpointRequest({ query: {} }), {} as never))
        .to.throw("No plugin that records changes of files is installed.")
        .with.property("code", "route_not_found");
  });
});
