import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { ask, type Stage } from "../support/host.ts";
import {
  answer,
  calling,
  eventually,
  labCall,
  messagesOf,
  openLab,
  outcomesOf,
  pendingIn,
  play,
  runOf,
  runWith,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { runEventsOf } from "../support/run-events.ts";

describe("several hosts on one PostgreSQL", function () {
  this.timeout(60_000);
  let one: Stage;
  let two: Stage;
  let settings: object;

  before(needsPostgres);
  before(async () => {
    const storage = (await sharedServer()).settings({ host_timeout_seconds: 3 });
    settings = { storage, "runs.resume": "auto", "cluster.label": "one" };
    one = await openLab([], { settings: settings as never });
    two = await openLab([], {
      settings: { ...settings, "cluster.label": "two", "workspace.shared": true },
    });
  });
  beforeEach(() => lab.reset());
  after(async () => {
    await one?.end();
    await two?.end();
  });

  it("take the answer to what another one asks", async () => {
    const asked = play(one, [calling(labCall("wipe", "all")), saying("done")], { conversationId: "asked" });
    const { toolCallId, runId } = await pendingIn(two.host, "asked");
    // The run says so a moment after the question is stored.
    const seen = await eventually(async () => {
      const run = await runOf(two.host, "asked");
      return run.status === "waiting" && run;
    });
    expect(seen.id).to.equal(runId);
    const busy = await play(two, [], { conversationId: "asked" });
    expect([busy.status, busy.body.error?.code]).to.deep.equal([409, "approval_pending"]);
    expect((await answer(two.host, toolCallId, { approved: true })).status).to.equal(200);
    expect((await asked).content).to.equal("done");
    expect(lab.count("end all")).to.equal(1);
    expect((await outcomesOf(two.host, "asked")).map(({ success }) => success)).to.deep.equal([true]);
  });

  it("keep a topic while another one works in it, and let it go afterwards", async () => {
    const { body: topic } = await one.host.json<{ id: string }>("POST", "/api/topics", { name: "Garden" });
    await one.host.json("POST", "/v1/conversations", { id: "planting", topicId: topic.id });
    const asked = play(one, [calling(labCall("wipe", "all")), saying("done")], {
      conversationId: "planting",
    });
    const { toolCallId } = await pendingIn(two.host, "planting");
    const refused = await two.host.json("DELETE", `/api/topics/${topic.id}`);
    expect([refused.status, refused.body]).to.deep.include.members([409]);
    expect(refused.body).to.have.nested.property("error.code", "in_use");
    await answer(two.host, toolCallId, { approved: false });
    await asked;
    await eventually(async () => (await two.host.json("DELETE", `/api/topics/${topic.id}`)).status === 200);
    const { body } = await one.host.json<{ topicId: string | null }>("GET", "/v1/conversations/planting");
    expect(body.topicId).to.equal(null);
  });

  it("keep a topic while a run elsewhere uses its memory only, and let it go afterwards", async () => {
    const { body: topic } = await one.host.json<{ id: string }>("POST", "/api/topics", { name: "Herbs" });
    const asked = play(one, [calling(labCall("wipe", "all")), saying("done")], {
      conversationId: "lending",
      service_config: { memory_collection_id: topic.id },
    });
    const { toolCallId } = await pendingIn(two.host, "lending");
    const refused = await two.host.json("DELETE", `/api/topics/${topic.id}`);
    expect(refused.status).to.equal(409);
    expect(refused.body).to.have.nested.property("error.code", "in_use");
    await answer(two.host, toolCallId, { approved: false });
    expect((await asked).content).to.equal("done");
    await eventually(async () => (await two.host.json("DELETE", `/api/topics/${topic.id}`)).status === 200);
  });

  it("carry out a call by hand once, whichever of them is answered", async () => {
    for (const at of [0, 1, 2, 3]) {
      const body = { tool: "lab", arguments: { operation: "wipe", name: `hand ${at}` } };
      const conversationId = `hand${at}`;
      await play(one, [saying("Hello.")], { conversationId });
      const asked = one.host.json("POST", "/debug/mcp/execute", { ...body, conversationId });
      const { id } = await pendingIn(two.host, conversationId);
      const input = { approved: true, ...(at % 2 === 0 && { grant: "conversation" }) };
      expect((await two.host.json("POST", `/api/approvals/${id}`, input)).status).to.equal(200);
      await asked;
      await eventually(async () => {
        const { body: approval } = await two.host.json<{ result: unknown }>("GET", `/api/approvals/${id}`);
        return approval.result === null ? undefined : true;
      });
      expect(lab.count(`start hand ${at}`)).to.equal(1);
    }
  });

  it("ask for calls to which models gave the same id under ids of their own", async () => {
    const asked = [one, two].map((stage, at) =>
      play(stage, [calling(labCall("wipe", "all")), saying("done")], { conversationId: `same${at}` }),
    );
    const [first, second] = [await pendingIn(one.host, "same0"), await pendingIn(one.host, "same1")];
    expect(first.toolCallId).to.not.equal(second.toolCallId);
    for (const { toolCallId } of [first, second]) await answer(one.host, toolCallId, { approved: true });
    expect((await Promise.all(asked)).map(({ content }) => content)).to.deep.equal(["done", "done"]);
  });

  it("cancel what another one works on, and say the same of it", async () => {
    const asked = play(one, [calling(labCall("wipe", "all"))], { conversationId: "cancelled" });
    const { runId } = await pendingIn(one.host, "cancelled");
    const { status } = await two.host.json("POST", `/api/runs/${runId}/cancel`);
    expect(status).to.equal(202);
    expect((await asked).workflow?.completion_reason).to.equal("cancelled");
    expect((await runWith(two.host, "cancelled", "ended")).completion_reason).to.equal("cancelled");
  });

  it("change a title while another one works in the conversation, and neither change is lost", async () => {
    const asked = play(one, [calling(labCall("wipe", "all")), saying("done")], { conversationId: "titled" });
    const { toolCallId } = await pendingIn(one.host, "titled");
    const changed = await two.host.json<{ title: string }>("PATCH", "/v1/conversations/titled", {
      title: "By hand",
    });
    expect([changed.status, changed.body.title]).to.deep.equal([200, "By hand"]);
    await answer(one.host, toolCallId, { approved: true });
    await asked;
    const { body } = await two.host.json<{ title: string }>("GET", "/v1/conversations/titled");
    expect(body.title).to.equal("By hand");
    expect((await messagesOf(two.host, "titled")).at(-1)?.content).to.equal("done");
  });

  it("let a conversation be deleted at another one than works in it", async () => {
    const asked = play(one, [calling(labCall("wipe", "all"))], { conversationId: "deleted" });
    await pendingIn(one.host, "deleted");
    expect((await two.host.json("DELETE", "/v1/conversations/deleted")).status).to.equal(200);
    await asked;
    expect((await one.host.json("GET", "/v1/conversations/deleted")).status).to.equal(404);
  });

  it("follow the events of what another one works on, to the end", async () => {
    const asked = play(one, [calling(labCall("wipe", "all")), saying("done")], {
      conversationId: "followed",
    });
    const { toolCallId, runId } = await pendingIn(two.host, "followed");
    const followed = two.host.request("GET", `/api/runs/${runId}/events`).then((response) => response.text());
    await answer(two.host, toolCallId, { approved: true });
    await asked;
    const events = runEventsOf(await followed);
    expect(events.map(({ id }) => id)).to.deep.equal(events.map((_, at) => at + 1));
    expect(events.at(-1)?.event).to.equal("end");
    const again = await two.host.request("GET", `/api/runs/${runId}/events`, undefined, {
      "last-event-id": String(events.length - 2),
    });
    expect(runEventsOf(await again.text()).map(({ id }) => id)).to.deep.equal([
      events.length - 1,
      events.length,
    ]);
  });

  it("work in a conversation one after the other, each with what the other has added", async () => {
    await play(one, [saying("first")], { conversationId: "shared" });
    await play(two, [saying("second")], { conversationId: "shared" }, "And now?");
    await play(one, [saying("third")], { conversationId: "shared" }, "And then?");
    const said = (await messagesOf(two.host, "shared")).map(({ content }) => content);
    expect(said).to.deep.equal(["Do it", "first", "And now?", "second", "And then?", "third"]);
    for (const { provider } of [one, two]) provider.play([saying("one answer"), saying("another")]);
    const all = await Promise.all(
      [one, two, one, two].map(async ({ host }, at) =>
        host.json("POST", "/api/chat/completions", ask(`question ${at}`, { conversationId: "shared" })),
      ),
    );
    expect(all.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect((await messagesOf(one.host, "shared")).length).to.equal(14);
  });

  it("have each other's preferences in force within a second", async () => {
    await one.host.json("PATCH", "/api/preferences", { "workflow.max_iterations": 7 });
    await eventually(async () => {
      const { body } = await two.host.json<Record<string, unknown>>("GET", "/api/preferences");
      return JSON.stringify(body).includes('"workflow.max_iterations":7') ? true : undefined;
    });
    await one.host.json("PATCH", "/api/preferences", { "workflow.max_iterations": null });
  });

  it("have so many runs at work together, on all of them", async () => {
    await one.host.json("PATCH", "/api/preferences", { "runs.max_parallel": 1 });
    const first = play(one, [calling(labCall("peek", "held", { gate: true })), saying("first")], {
      conversationId: "first",
    });
    await lab.until("start held");
    const second = play(two, [saying("second")], { conversationId: "second" });
    const early = await Promise.race([second, setTimeout(600)]);
    lab.open("held");
    expect([early, (await first).content, (await second).content]).to.deep.equal([
      undefined,
      "first",
      "second",
    ]);
    await one.host.json("PATCH", "/api/preferences", { "runs.max_parallel": null });
  });

  it("leave a conversation to the host whose files it works with, where they do not share them", async () => {
    const elsewhere = { ...settings, "cluster.label": "three" };
    const three = await openLab([], { settings: elsewhere });
    try {
      await play(one, [saying("Hello.")], { conversationId: "placed" });
      const { status, body } = await play(three, [], { conversationId: "placed" });
      expect([status, body.error?.code, body.error?.details]).to.deep.equal([
        409,
        "wrong_host",
        { host: "one" },
      ]);
      expect(body.error?.message).to.include("workspace.shared");
      expect((await play(two, [saying("Shared.")], { conversationId: "placed" })).content).to.equal(
        "Shared.",
      );
    } finally {
      await three.end();
    }
  });

  it("go on with what another one has left, without doing anything twice", async () => {
    const leaving = await openLab([], { settings: settings as never });
    const asked = play(leaving, [calling(labCall("wipe", "all"))], { conversationId: "left" });
    const { toolCallId } = await pendingIn(two.host, "left");
    for (const { provider } of [one, two]) provider.play([saying("done elsewhere")]);
    await leaving.end();
    await asked.catch(() => undefined);
    await runWith(two.host, "left", "waiting");
    await answer(one.host, toolCallId, { approved: true });
    const ended = await runWith(two.host, "left", "ended");
    expect(ended.completion_reason).to.equal("workflow_complete");
    expect(lab.count("start all")).to.equal(1);
    expect((await messagesOf(one.host, "left")).at(-1)?.content).to.equal("done elsewhere");
  });
});
