import type { ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "chai";
import { approvals, eventually } from "../support/lab-stage.ts";
import { callTool as call, openMcpStage, type McpStage } from "../support/mcp-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";

describe("approvals and questions of MCP clients", () => {
  let stage: McpStage;
  before(async () => {
    stage = await openMcpStage();
  });
  beforeEach(() => lab.reset());
  afterEach(() => stage.disconnect());
  after(() => stage.end());

  const wipe = { operation: "wipe", name: "w" };
  const pending = async () => (await approvals(stage.host, "?status=pending"))[0];

  it("says that a call waits for an approval to a client that cannot ask; it runs after the yes", async () => {
    const answer = await call(await stage.connect(), "lab", wipe);
    expect(answer.isError).to.equal(true);
    const approval = await pending();
    expect(answer.content[0]?.text).to.include("approval_required").and.to.include(approval?.id);
    expect(lab.log).to.deep.equal([]);
    await stage.host.services.approvals.answer(approval?.id ?? "", { approved: true });
    await lab.until("end w");
  });

  it("lets a client that can ask its person, showing all of the call", async () => {
    const forms: ElicitRequestFormParams[] = [];
    const client = await stage.connect((form) => {
      forms.push(form);
      return { action: "accept", content: { answer: "allow once" } };
    });
    const answer = await call(client, "lab", { ...wipe, parts: ["x".repeat(5000), "turned\u202earound"] });
    expect(answer.content[0]?.text).to.equal("did w");
    expect(forms).to.have.length(1);
    expect(forms[0]?.message)
      .to.include("lab.wipe")
      .and.to.include("x".repeat(5000))
      .and.to.include("turned\\\\u{202e}around");
    await call(client, "lab", wipe);
    expect(forms).to.have.length(2);
  });

  for (const [title, answer] of [
    ["deny", { action: "accept", content: { answer: "deny" } }],
    ["a decline", { action: "decline" }],
  ] as const) {
    it(`does not run a call after ${title}`, async () => {
      const refused = await call(await stage.connect(() => answer), "lab", wipe);
      expect(refused.content[0]?.text).to.equal("The person said no.");
      expect(lab.log).to.deep.equal([]);
      expect(await pending()).to.equal(undefined);
    });
  }

  it("leaves a question open that the person has put away, and takes their answer elsewhere", async () => {
    const answer = await call(await stage.connect(() => ({ action: "cancel" })), "lab", wipe);
    expect(answer.content[0]?.text).to.include("approval_required");
    await stage.host.services.approvals.answer((await pending())?.id ?? "", { approved: false });
    expect(lab.log).to.deep.equal([]);
  });

  it("goes on when the answer comes another way while the client asks", async () => {
    const client = await stage.connect(() => new Promise(() => undefined));
    const answer = call(client, "lab", wipe);
    const approval = await eventually(pending);
    await stage.host.services.approvals.answer(approval.id, { approved: true });
    expect((await answer).content[0]?.text).to.equal("did w");
  });

  it("hands on the questions of tools", async () => {
    const client = await stage.connect(({ message }) => ({
      action: "accept",
      content: { answer: `to ${message}` },
    }));
    expect((await call(client, "lab", { operation: "question" })).content[0]?.text).to.equal(
      "to First?, to Second?",
    );
  });

  it("ends a call that is cancelled while it waits for the person, and its question", async () => {
    const cancel = new AbortController();
    const client = await stage.connect(() => new Promise(() => undefined));
    const answer = call(client, "lab", wipe, { signal: cancel.signal });
    const { id } = await eventually(pending);
    cancel.abort();
    await answer.catch(() => undefined);
    const closed = await eventually(async () => {
      const { status } = await stage.host.services.approvals.get(id);
      return status === "pending" ? undefined : status;
    });
    expect(closed).to.equal("cancelled");
    expect(lab.log).to.deep.equal([]);
  });
});
