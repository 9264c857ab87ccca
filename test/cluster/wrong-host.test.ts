import { expect } from "chai";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { ask, type Stage } from "../support/host.ts";
import {
  calling,
  eventually,
  labCall,
  messagesOf,
  openLab,
  runOf,
  saying,
  type ChatAnswer,
} from "../support/lab-stage.ts";

/** The files of the conversation are at `one`, whose run waits for the person as it stops. */
describe("a message to a host that does not have the files of its conversation", function () {
  this.timeout(60_000);
  let one: Stage;
  let two: Stage;

  before(needsPostgres);
  before(async () => {
    const storage = (await sharedServer()).settings({ host_timeout_seconds: 3 });
    const openAt = (label: string) => openLab([], { settings: { storage, "cluster.label": label } });
    one = await openAt("one");
    two = await openAt("two");
  });
  after(async () => {
    await one?.end();
    await two?.end();
  });

  it("is refused, and ends nothing that was interrupted there", async () => {
    one.provider.play([calling(labCall("mail", "letter")), saying("Sent.")]);
    const asked = one.host.json("POST", "/api/chat/completions", ask("Write", { conversationId: "placed" }));
    const waiting = await eventually(async () => {
      const { items } = await two.host.services.approvals.list({ status: "pending" });
      return items[0];
    });
    await one.host.restart();
    await asked.catch(() => undefined);
    const before = await messagesOf(two.host, "placed");
    const run = await eventually(async () => {
      const found = await runOf(two.host, "placed");
      return found.status === "interrupted" ? found : undefined;
    });

    const { status, body } = await two.host.json<ChatAnswer>(
      "POST",
      "/api/chat/completions",
      ask("And?", { conversationId: "placed" }),
    );
    expect([status, body.error?.code, body.error?.details]).to.deep.equal([
      409,
      "wrong_host",
      { host: "one" },
    ]);

    expect(await runOf(two.host, "placed")).to.include({ id: run.id, status: "interrupted" });
    expect(await messagesOf(two.host, "placed")).to.deep.equal(before);
    expect((await two.host.services.approvals.get(waiting.id)).status).to.equal("pending");
    expect((await one.host.json("POST", `/api/runs/${run.id}/resume`)).status).to.equal(200);
  });
});
