import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { CuttingProxy } from "../../plugins/storage-postgres/test/support/cutting-proxy.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { ask, type Stage } from "../support/host.ts";
import { calling, labCall, messagesOf, openLab, runOf, runWith, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";

interface Refusal {
  readonly error: { readonly code: string };
}

describe("a run that its host could not store", function () {
  this.timeout(60_000);
  let proxy: CuttingProxy;
  let stage: Stage;

  before(needsPostgres);
  const open = async (resume: string): Promise<void> => {
    const server = await sharedServer();
    proxy = await CuttingProxy.start(server.folder);
    const more = { wait_seconds: 0, statement_seconds: 1, host_timeout_seconds: 3 };
    const storage = { ...server.settings(more), url: proxy.url() };
    stage = await openLab([], { settings: { storage, "runs.resume": resume } });
  };
  afterEach(async () => {
    lab.reset();
    await stage?.end();
    await proxy?.stop();
  });

  /** Its database is away when its call has been made. Resolves once the client has been refused. */
  async function cutOff(): Promise<void> {
    stage.provider.play(({ body }) => {
      const { messages } = body as { readonly messages: readonly { readonly role: string }[] };
      if (messages.at(-1)?.role === "tool") return saying("done");
      return calling(labCall("repeat", "once", { gate: true }));
    });
    const body = ask("Do it", { conversationId: "cut" });
    const asked = stage.host.json<Refusal>("POST", "/api/chat/completions", body);
    await lab.until("start once");
    proxy.freeze(true);
    lab.open("once");
    const { status, body: refusal } = await asked;
    expect([status, refusal.error.code]).to.deep.equal([503, "storage_unavailable"]);
    proxy.freeze(false);
    await proxy.drop();
  }

  const withStatus = async (wanted: string): Promise<void> => {
    for (let status = ""; status !== wanted; await setTimeout(100)) {
      const run = await runOf(stage.host, "cut").catch(() => undefined);
      ({ status } = run ?? { status });
    }
  };

  it("goes on by itself once the database answers, where runs are resumed", async () => {
    await open("auto");
    await cutOff();
    await withStatus("ended");
    const said = (await messagesOf(stage.host, "cut")).map(({ role, content }) => [role, content]);
    expect(said.at(-1), JSON.stringify(await runOf(stage.host, "cut"))).to.deep.equal(["assistant", "done"]);
    expect((await runWith(stage.host, "cut", "ended")).error).to.equal(null);
  });

  it("waits for people where they are to be asked", async () => {
    await open("ask");
    await cutOff();
    await withStatus("interrupted");
    const { id } = await runOf(stage.host, "cut");
    const resume = () => stage.host.request("POST", `/api/runs/${id}/resume`);
    while ((await resume()).status === 503) await setTimeout(100);
    await withStatus("ended");
    expect((await messagesOf(stage.host, "cut")).at(-1)?.content).to.equal("done");
  });
});
