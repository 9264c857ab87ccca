import { expect } from "chai";
import { AppError, type ApprovalRecord, type EndpointAnswer, type Grant } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { answerApproval, getApproval, listApprovals, listGrants, revokeGrant } from "../routes.ts";
import { approvalSchema } from "../wire-approval.ts";

const approval: ApprovalRecord = {
  id: "apr_1",
  toolCallId: "call_1",
  runId: "run_1",
  conversationId: "c1",
  kind: "approval",
  tool: "file_operations",
  operation: "delete_file",
  arguments: { filePath: "a.txt" },
  paths: ["/work/a.txt"],
  effect: "destructive",
  reason: "it removes or discards in the working directory",
  prompt: "file_operations.delete_file: a.txt",
  context: null,
  preview: null,
  authorizeOperation: null,
  options: [],
  status: "answered",
  decision: "approved",
  answer: "",
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: null,
  answeredAt: "2026-01-01T00:00:05.000Z",
  askedBy: { kind: "token", id: "tok_1", name: "phone" },
  result: null,
};

const wire = JSON.parse(
  JSON.stringify({
    ...approval,
    askedBy: "tok_1",
    answeredBy: null,
    authorize_operation: null,
    authorizeOperation: undefined,
    result: undefined,
  }),
) as object;

const grant: Grant = {
  id: "grt_1",
  conversationId: "c1",
  operation: "file_operations.write_file",
  kind: "time",
  paths: ["/srv"],
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-01-01T00:05:00.000Z",
  usesLeft: null,
  approvalId: "apr_1",
};

const bodyOf = (answer: EndpointAnswer): unknown =>
  "body" in answer ? JSON.parse(JSON.stringify(answer.body)) : undefined;
const failure = (work: unknown): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );
const byId = (body?: unknown) => endpointRequest({ params: { id: "apr_1" }, body });

describe("GET /api/approvals", () => {
  const defaults = Object.fromEntries(
    Object.entries(listApprovals.query ?? {}).map(([name, schema]) => [name, schema.default]),
  );

  for (const [query, filter] of [
    [{}, { status: "pending" }],
    [{ status: "all" }, {}],
    [
      { status: "expired", conversationId: "c1", runId: "run_1", color: "red" },
      { status: "expired", conversationId: "c1", runId: "run_1" },
    ],
  ] as const) {
    it(`R12: asks for ${JSON.stringify(filter)} when the query is ${JSON.stringify(query)}`, async () => {
      let asked: unknown;
      const list = async (given: unknown) => {
        asked = JSON.parse(JSON.stringify(given));
        return { items: [approval], count: 1 };
      };
      const answer = await listApprovals.handle(
        endpointRequest({ query: { ...defaults, ...query } }),
        fakeServices({ approvals: { list } }),
      );
      expect(bodyOf(answer)).to.deep.equal({ approvals: [wire], count: 1 });
      expect(asked).to.deep.equal(filter);
    });
  }
});

describe("GET /api/approvals/{id}", () => {
  const read = async (record: ApprovalRecord) =>
    bodyOf(await getApproval.handle(byId(), fakeServices({ approvals: { get: async () => record } })));

  it("shows exactly the documented fields", async () => {
    const body = await read({ ...approval, digest: "inner" } as ApprovalRecord);
    expect(body).to.deep.equal(wire);
    expect([...Object.keys(body as object), "result", "parentToolName"]).to.deep.equal(
      Object.keys(approvalSchema.properties ?? {}),
    );
  });

  it("says when a sub-agent asks", async () => {
    expect(await read({ ...approval, parentTool: "agent_operations" })).to.have.property(
      "parentToolName",
      "agent_operations",
    );
  });

  it("shows the result of a call made by hand only", async () => {
    const result = { success: true, data: "x" };
    expect(await read({ ...approval, runId: null, result })).to.have.deep.property("result", result);
    expect(await read({ ...approval, runId: null })).to.have.property("result", null);
    expect(await read({ ...approval, result })).not.to.have.property("result");
  });
});

describe("POST /api/approvals/{id}", () => {
  const answering = () => {
    const given: unknown[] = [];
    const answer = async (...args: readonly unknown[]) => {
      given.push(...args);
      return approval;
    };
    return { given, services: fakeServices({ approvals: { answer } }) };
  };

  it("A03: hands the answer on and acknowledges it", async () => {
    const { given, services } = answering();
    const body = {
      approved: true,
      userResponse: "fine",
      grant: "time",
      expiresIn: "5m",
      paths: ["/srv"],
      conversationId: "c1",
    };
    expect(bodyOf(await answerApproval.handle(byId(body), services))).to.deep.equal({
      success: true,
      toolCallId: "call_1",
      conversationId: "c1",
      status: "answered",
      decision: "approved",
      message: "The call was approved.",
    });
    expect(given.slice(0, 3)).to.deep.equal([
      "apr_1",
      { approved: true, text: "fine", grant: "time", expiresIn: "5m", paths: ["/srv"] },
      "c1",
    ]);
  });

  it("takes a text alone, and does not read it as a yes itself", async () => {
    const { given, services } = answering();
    await answerApproval.handle(byId({ userResponse: "no way" }), services);
    expect(given.slice(0, 3)).to.deep.equal(["apr_1", { text: "no way" }, undefined]);
    expect(given[3]).to.include({ kind: "owner" });
  });

  it("refuses a body without any answer", async () => {
    const { given, services } = answering();
    const error = (await failure(answerApproval.handle(byId({ grant: "time" }), services))) as AppError;
    expect([error.code, error.status, error.param]).to.deep.equal(["missing_field", 400, "userResponse"]);
    expect(given).to.deep.equal([]);
  });

  it("A04: leaves the refusal of a second answer as it is", async () => {
    const refused = new AppError({ code: "already_answered", message: "It has its final answer." });
    const services = fakeServices({ approvals: { answer: async () => Promise.reject(refused) } });
    expect(await failure(answerApproval.handle(byId({ approved: true }), services))).to.equal(refused);
  });
});

describe("grants", () => {
  it("are listed with exactly the documented fields", async () => {
    let asked: unknown;
    const grants = async (conversationId?: string) => {
      asked = conversationId;
      return { items: [{ ...grant, version: 3 } as Grant], count: 1 };
    };
    const answer = await listGrants.handle(
      endpointRequest({ query: { conversationId: "c1" } }),
      fakeServices({ approvals: { grants } }),
    );
    expect(bodyOf(answer)).to.deep.equal({ grants: [grant], count: 1 });
    expect(asked).to.equal("c1");
  });

  it("are taken back by id", async () => {
    const revoked: string[] = [];
    const revoke = async (id: string) => void revoked.push(id);
    const answer = await revokeGrant.handle(
      endpointRequest({ params: { id: "grt_1" } }),
      fakeServices({ approvals: { revoke } }),
    );
    expect(bodyOf(answer)).to.deep.equal({ success: true });
    expect(revoked).to.deep.equal(["grt_1"]);
  });
});
