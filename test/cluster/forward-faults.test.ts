import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { needsPostgres } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { answer, approvals, eventually, messagesOf, runWith } from "../support/lab-stage.ts";
import { Cluster } from "./support/cluster.ts";
import { send, type Answer } from "./support/send.ts";

interface Refusal {
  readonly error?: { readonly code: string; readonly message: string };
}

/** What is begun at the first host is asked for at the second one, while the first is struck. */
describe("requests for a host that fails", function () {
  this.timeout(120_000);
  const cluster = new Cluster();
  before(needsPostgres);
  before(() => cluster.open(2, { "workspace.shared": false, "cluster.forward": true }, 10));
  after(() => cluster.close());

  const turn = (at: number, id: string, number: number, more: object = {}): Promise<Answer | undefined> => {
    const messages = [{ role: "user", content: `mark ${id} ${number}` }];
    const body = { model: "default", conversationId: id, messages, ...more };
    return send(`${cluster.services[at]!.url}/api/chat/completions`, body, {}, 30_000);
  };
  const codeOf = (given: Answer | undefined): unknown => [
    given?.status,
    (given?.body as Refusal | undefined)?.error?.code,
  ];
  const [kept, later] = [200, 409];

  /** Sent again, with other words, while the host is not back yet. */
  async function turnWhenBack(at: number, id: string, number: number): Promise<number> {
    const given = await turn(at, id, number);
    if (given?.status === kept) return number;
    expect([later, 503]).to.include(given?.status);
    await setTimeout(200);
    return turnWhenBack(at, id, number + 3);
  }

  it("are 503 when it hangs with them, 409 while it is gone, and answered when it is back", async () => {
    expect((await turn(0, "hung", 0))?.status).to.equal(kept);
    // A host gives the conversation back after its answer: one that hangs with it keeps it until it is gone.
    await setTimeout(1000);
    const { child } = cluster.services[0]!.program;
    child.kill("SIGSTOP");
    try {
      const hung = await turn(1, "hung", 3);
      expect(codeOf(hung)).to.deep.equal([503, "host_unavailable"]);
      expect(hung?.retryAfter).to.be.above(0);
      expect((hung?.body as Refusal).error?.message).to.include("may have been done");
      expect(codeOf(await turn(1, "hung", 6))).to.deep.equal([later, "wrong_host"]);
    } finally {
      child.kill("SIGCONT");
    }
    const number = await turnWhenBack(1, "hung", 9);
    const said = (await messagesOf(cluster.services[0]!, "hung")).map(({ content }) => content);
    expect(said).to.include.members([`mark hung ${number}`, `ok mark hung ${number}`]);
    expect(said).to.not.include("mark hung 6");
  });

  it("are cut with a stream that it had begun, and its run goes on when it is back", async () => {
    await turnWhenBack(0, "killed", 0);
    // Until the other one knows again where the first listens.
    await turnWhenBack(1, "killed", 3);
    const [one, two] = cluster.services as [Cluster["services"][0], Cluster["services"][0]];
    const response = await two.request("POST", "/api/chat/completions", {
      ...{ model: "default", conversationId: "killed", stream: true },
      messages: [{ role: "user", content: "mark killed 1" }],
      service_config: { working_directory: cluster.directory },
    });
    expect(response.status).to.equal(kept);
    const whole = response.text().then(
      (text) => text.includes("[DONE]"),
      () => false,
    );
    await runWith(one, "killed", "waiting");
    await one.restart();
    expect(await whole).to.equal(false);
    const [question] = await eventually(async () => {
      const all = await approvals(two, "?status=pending");
      return all.length > 0 ? all : undefined;
    });
    await runWith(two, "killed", "waiting");
    await answer(two, question!.toolCallId, { approved: true });
    const ended = await runWith(two, "killed", "ended");
    expect(ended.completion_reason).to.equal("workflow_complete");
    expect((await messagesOf(two, "killed")).at(-1)?.content).to.equal("ok mark killed 1");
  });
});
