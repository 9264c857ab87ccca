import { expect } from "chai";
import type { Storage } from "@pergola/sdk";
import { openStores, type Fence, type Parts, type StoredApproval, type StoredRun } from "@pergola/sdk/host";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { Approvals } from "../../plugins/service-approvals/approvals.ts";
import type { Agents } from "../../plugins/service-runs/agents.ts";
import { recoverRuns } from "../../plugins/service-runs/recover-runs.ts";
import { endStored } from "../../plugins/service-runs/stored-runs.ts";
import { postgres } from "../../plugins/storage-postgres/index.ts";
import {
  needsPostgres,
  sharedServer,
  type PostgresServer,
} from "../../plugins/storage-postgres/test/support/postgres-server.ts";

const { log } = toolContext();
const conversationId = "garden";

/** What a host that hangs does once it goes on: another one has the conversation by then. */
describe("a host that was out of reach", function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let storage: Storage;
  let parts: Parts;
  let schema: string;
  let fence: Fence;
  let resume = "auto";
  const agents = { interruptedOf: async () => [] } as unknown as Agents;

  before(needsPostgres);
  beforeEach(async () => {
    server = await sharedServer();
    const settings = server.settings();
    ({ schema } = settings);
    storage = await postgres.open({ ...settings }, { dataDirectory: temporaryFolder(), log });
    fence = (await storage.hosts!.take(`conversation/${conversationId}`))!;
    parts = {
      stores: openStores(storage),
      preferences: { get: () => resume },
      hooks: { runEnded: async () => undefined },
      clock: Date,
      runs: { active: () => undefined },
      conversations: { answerCalls: async () => [] },
      timestamp: () => new Date().toISOString(),
    } as unknown as Parts;
    Object.assign(parts, { approvals: new Approvals(parts) });
    await put("running");
  });
  afterEach(async () => storage.close());

  const run = (status: string) =>
    ({
      id: "run_1",
      conversationId,
      parentRunId: null,
      status,
      createdAt: "2026-01-01T00:00:00.000Z",
      request: { messages: [] },
    }) as unknown as StoredRun;
  const put = (status: string) => storage.commit([{ collection: "runs", put: run(status) }]);
  const status = async () => (await parts.stores.runs.get("run_1"))?.status;
  const recover = () => recoverRuns(parts, agents, { ids: ["run_1"], fenceOf: () => fence });

  /** Another host takes the conversation, and ends its run. */
  async function takenOver(): Promise<void> {
    await server.query(`UPDATE ${schema}.claims SET number = nextval('${schema}.fences')`);
    await put("ended");
  }

  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => "none",
      ({ code, details }: { code: string; details?: { fence?: string } }) => [code, details?.fence],
    );
  const refused = ["conflict", `conversation/${conversationId}`];

  it("interrupts and ends what is still its own", async () => {
    expect((await recover()).map(({ resumes }) => resumes)).to.deep.equal([true]);
    expect(await status()).to.equal("interrupted");
    resume = "never";
    try {
      expect(await recover()).to.deep.equal([]);
      expect(await status()).to.equal("ended");
    } finally {
      resume = "auto";
    }
  });

  it("interrupts no run that another one has gone on with", async () => {
    const find = parts.stores.runs.find.bind(parts.stores.runs);
    // It hangs after it has read which runs are open.
    Object.assign(parts.stores.runs, {
      find: async (...given: Parameters<typeof find>) => {
        const found = await find(...given);
        await takenOver();
        return found;
      },
    });
    expect(await refusalOf(recover())).to.deep.equal(refused);
    expect(await status()).to.equal("ended");
  });

  it("ends no run that another one has gone on with, and adds nothing to its conversation", async () => {
    const late = { collection: "conversations", put: { id: conversationId, activeMessageId: "late" } };
    Object.assign(parts.conversations, {
      answerCalls: async () => {
        await takenOver();
        return [late];
      },
    });
    const ending = { completionReason: "cancelled", error: null } as const;
    expect(await refusalOf(endStored(parts, run("interrupted"), ending, fence))).to.deep.equal(refused);
    expect(await status()).to.equal("ended");
    expect(await parts.stores.conversations.get(conversationId)).to.equal(undefined);
  });

  const question = { id: "appr_1", toolCallId: "call_1", runId: "run_1", conversationId, status: "pending" };
  const ask = () =>
    storage.commit([{ collection: "approvals", put: { ...question, expiresAt: null } as StoredApproval }]);
  const asked = async () => (await parts.stores.approvals.get("appr_1"))?.status;
  const cancelled = { completionReason: "cancelled", error: null } as const;

  it("cancels no question of a run that another one has gone on with", async () => {
    await ask();
    await takenOver();
    await put("waiting");
    expect(await refusalOf(endStored(parts, run("interrupted"), cancelled, fence))).to.deep.equal(refused);
    expect([await status(), await asked()]).to.deep.equal(["waiting", "pending"]);
  });

  it("cancels the questions of what is its own, along with its end", async () => {
    await ask();
    await endStored(parts, run("interrupted"), cancelled, fence);
    expect([await status(), await asked()]).to.deep.equal(["ended", "cancelled"]);
  });

  it("ends a run though its question is answered at that moment: the answer stands", async () => {
    await ask();
    const answer = parts.conversations.answerCalls.bind(parts.conversations);
    Object.assign(parts.conversations, {
      answerCalls: async (...given: Parameters<typeof answer>) => {
        Object.assign(parts.conversations, { answerCalls: answer });
        const answered = { ...question, status: "answered", decision: "approved" };
        await storage.commit([{ collection: "approvals", put: answered as unknown as StoredApproval }]);
        return answer(...given);
      },
    });
    await endStored(parts, run("interrupted"), cancelled, fence);
    expect([await status(), await asked()]).to.deep.equal(["ended", "answered"]);
  });
});
