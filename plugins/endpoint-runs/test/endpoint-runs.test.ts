import { expect } from "chai";
import { AppError, type EndpointAnswer, type RunRecord } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { cancelRun, cancelRunByPost, getRun, listRuns, resumeRun, runSchema } from "../routes.ts";

const run: RunRecord = {
  id: "run_1",
  conversationId: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  parentRunId: null,
  kind: "autonomous",
  status: "ended",
  completionReason: "error",
  model: "custom/m",
  provider: "custom",
  iterations: 2,
  maxIterations: 300,
  toolCallCount: 3,
  toolsUsed: ["think", "file_operations"],
  hadErrors: true,
  error: { message: "No.", type: "server_error", code: "provider_error" },
  usage: { promptTokens: 100, completionTokens: 20, cachedTokens: 50 },
  cost: 0.02,
  pendingToolCallIds: ["call_1"],
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:01.000Z",
  endedAt: null,
};

const wire = {
  id: "run_1",
  conversationId: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  parentRunId: null,
  kind: "autonomous",
  status: "ended",
  completion_reason: "error",
  model: "custom/m",
  provider: "custom",
  iterations: 2,
  max_iterations: 300,
  tool_call_count: 3,
  tools_used: ["think", "file_operations"],
  had_errors: true,
  error: { message: "No.", type: "server_error", code: "provider_error" },
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 50 },
  },
  costUsd: 0.02,
  pendingToolCallIds: ["call_1"],
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:01.000Z",
  endedAt: null,
};

const byId = endpointRequest({ params: { runId: "run_1" } });
const bodyOf = (answer: EndpointAnswer): unknown =>
  "body" in answer ? JSON.parse(JSON.stringify(answer.body)) : undefined;
const failure = (work: unknown): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("endpoint-runs", () => {
  it("serves its routes in the group runs", () => {
    const [group] = plugin.endpoints ?? [];
    expect(group?.group).to.equal("runs");
  });

  it("R12: lists runs, and hands on only what the route knows", async () => {
    let asked: unknown;
    const list = async (filter: unknown) => {
      asked = JSON.parse(JSON.stringify(filter));
      return { items: [run], count: 9 };
    };
    const from = "2026-01-01T01:00:00+01:00";
    const query = { conversationId: "notes", status: "ended", from, limit: 1, offset: 3, color: "red" };
    expect(
      bodyOf(await listRuns.handle(endpointRequest({ query }), fakeServices({ runs: { list } }))),
    ).to.deep.equal({
      runs: [wire],
      count: 9,
    });
    const since = { from: "2026-01-01T00:00:00.000Z" };
    expect(asked).to.deep.equal({ conversationId: "notes", status: "ended", ...since, limit: 1, offset: 3 });
  });

  it("shows a run with exactly the documented fields", async () => {
    const services = fakeServices({
      runs: { get: async (id) => ({ ...run, id, request: "inner" }) as RunRecord },
    });
    expect(bodyOf(await getRun.handle(byId, services))).to.deep.equal(wire);
    expect(Object.keys(runSchema.properties ?? {})).to.deep.equal(Object.keys(wire));
  });

  for (const route of [cancelRun, cancelRunByPost]) {
    it(`W04: ${route.method} ${route.path} answers 202 once the cancel is recorded`, async () => {
      const cancelled: string[] = [];
      const cancel = async (id: string): Promise<RunRecord> => {
        cancelled.push(id);
        return { ...run, status: "running" };
      };
      const answer = await route.handle(byId, fakeServices({ runs: { cancel } }));
      expect(answer).to.have.property("status", 202);
      expect(bodyOf(answer)).to.deep.equal({ success: true, runId: "run_1", status: "running" });
      expect(cancelled).to.deep.equal(["run_1"]);
    });
  }

  it("resumes a run and shows it", async () => {
    const resume = async (): Promise<RunRecord> => ({ ...run, status: "queued", completionReason: null });
    const body = bodyOf(await resumeRun.handle(byId, fakeServices({ runs: { resume } })));
    expect(body).to.deep.equal({ ...wire, status: "queued", completion_reason: null });
  });

  it("leaves the service's refusals as they are", async () => {
    const refused = new AppError({ code: "not_resumable", message: "It runs." });
    const resume = async () => Promise.reject(refused);
    expect(await failure(resumeRun.handle(byId, fakeServices({ runs: { resume } })))).to.equal(refused);
  });
});
