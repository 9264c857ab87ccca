import { expect } from "chai";
import { chatReply, temporaryFolder, type TestHostOptions } from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import { addToken, fromElsewhere, openDoorStage } from "../boundary/door-scene.ts";
import { readEvents } from "../support/event-reader.ts";
import { openStage, type Stage } from "../support/host.ts";
import { eventually, messagesOf, runOf } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

interface WireSchedule {
  readonly id: string;
  readonly name: string;
  readonly nextAt: string | null;
  readonly lastRunId: string | null;
  readonly lastFiredAt: string | null;
  readonly conversationId: string | null;
  readonly enabled: boolean;
  readonly missed: number;
  readonly lastError: string | null;
  readonly [key: string]: unknown;
}

const hour = 3_600_000;
/** A whole hour to come, and the minute before it. */
const noon = Date.parse("2027-03-01T12:00:00Z");

describe("schedules", () => {
  let stage: Stage;
  let now = noon - 60_000;
  const clock = { now: () => now };
  const at = (time: number): string => new Date(time).toISOString();
  beforeEach(() => {
    now = noon - 60_000;
  });
  afterEach(() => stage.end());

  const open = async (options: TestHostOptions = {}): Promise<void> => {
    stage = await openStage(chatReply({ text: "Done." }), { clock, ...options });
  };
  const json = (method: string, path: string, body?: object) =>
    stage.host.json<WireSchedule & { readonly error: { code: string; param?: string } }>(method, path, body);
  const make = async (more: object): Promise<WireSchedule> => {
    const { status, body } = await json("POST", "/api/schedules", {
      prompt: "Report",
      maxCostUsd: 1,
      ...more,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  };
  const shown = async ({ id }: WireSchedule) => (await json("GET", `/api/schedules/${id}`)).body;
  /** Any change of a schedule makes the host look at the clock; else it does so twice a minute. */
  const pass = async (to: number): Promise<void> => {
    now = to;
    const { body } = await json("POST", "/api/schedules", { prompt: "x", maxCostUsd: 1, cron: "0 0 1 1 *" });
    await json("DELETE", `/api/schedules/${body.id}`);
  };
  const settled = (schedule: WireSchedule, missed = 0) =>
    eventually(async () => {
      const found = await shown(schedule);
      const isOver = found.lastFiredAt !== null && (found.lastRunId !== null || found.lastError !== null);
      return isOver && found.missed === missed ? found : undefined;
    });

  verifies(
    "schedules:records",
    "are made, listed, changed and deleted; what means nothing is named",
    async () => {
      await open();
      const made = await make({
        cron: "0 13 * * *",
        time_zone: "europe/vienna",
        tools: ["think"],
        maxIterations: 3,
      });
      expect(made).to.include({ name: "Report", cron: "0 13 * * *", at: null, timeZone: "Europe/Vienna" });
      expect(made).to.include({
        max_iterations: 3,
        enabled: true,
        missed: 0,
        nextAt: at(noon),
        model: "default",
      });
      expect(made.id).to.match(/^sch_[\da-f]{32}$/);
      const [, example = ""] = /```json\n([^]*?)```/.exec(read("docs/schedules.md")) ?? [];
      expect(await make(JSON.parse(example) as object)).to.include({
        name: "plan",
        timeZone: "Europe/Vienna",
      });
      const { schedules, count } = (await json("GET", "/api/schedules")).body;
      expect(schedules).to.deep.include(made);
      expect(count).to.equal(2);
      const address = `/api/schedules/${made.id}`;
      const once = await json("PATCH", address, { at: "2027-03-02T00:00:00+01:00", name: "Once" });
      expect(once.body).to.include({
        cron: null,
        at: "2027-03-01T23:00:00.000Z",
        nextAt: once.body["at"],
        name: "Once",
      });
      expect((await json("PATCH", address, { enabled: false })).body).to.include({
        enabled: false,
        nextAt: null,
      });
      const refused = async (body: object) => {
        const { status, body: answer } = await json("POST", "/api/schedules", body);
        return [status, answer.error.code, answer.error.param];
      };
      const draft = { prompt: "x", maxCostUsd: 1, cron: "@daily" };
      expect(await refused({ ...draft, cron: undefined })).to.deep.equal([400, "missing_field", "cron"]);
      expect(await refused({ ...draft, at: at(noon) })).to.deep.equal([400, "invalid_value", "cron"]);
      expect(await refused({ ...draft, maxCostUsd: undefined })).to.deep.equal([
        400,
        "missing_field",
        "maxCostUsd",
      ]);
      expect(await refused({ ...draft, maxCostUsd: 0 })).to.include.members([400, "maxCostUsd"]);
      expect(await refused({ ...draft, cron: "never" })).to.deep.equal([400, "invalid_value", "cron"]);
      expect(await refused({ ...draft, cron: undefined, at: at(now) })).to.deep.equal([
        400,
        "invalid_value",
        "at",
      ]);
      expect(await refused({ ...draft, time_zone: "Mars" })).to.deep.equal([
        400,
        "invalid_value",
        "timeZone",
      ]);
      expect(await refused({ ...draft, tools: ["thinking"] })).to.deep.equal([400, "invalid_value", "tools"]);
      expect(await refused({ ...draft, model: "nowhere/none" })).to.include.members([404, "model_not_found"]);
      expect((await json("DELETE", address)).status).to.equal(200);
      for (const method of ["GET", "PATCH", "DELETE"] as const)
        expect((await json(method, address, method === "PATCH" ? {} : undefined)).body.error.code).to.equal(
          "not_found",
        );
    },
  );

  verifies("schedules:start", "start runs in a conversation of their own, and go on in it", async () => {
    await open();
    const reader = await readEvents(stage.host, "?kinds=schedule");
    const made = await make({ cron: "0 * * * *", name: "Hourly" });
    const { data } = await reader.find(({ event }) => event === "change");
    expect(data).to.deep.equal({
      kind: "schedule",
      op: "put",
      id: made.id,
      conversationId: null,
      record: made,
    });
    reader.leave();
    await pass(noon);
    const first = await settled(made);
    expect(first).to.include({ lastFiredAt: at(noon), nextAt: at(noon + hour), missed: 0, enabled: true });
    const run = await runOf(stage.host, first.conversationId ?? "");
    expect(run).to.include({ id: first.lastRunId, kind: "autonomous" });
    const texts = async () =>
      (await messagesOf(stage.host, first.conversationId ?? "")).map(
        ({ role, content }) => `${role}: ${String(content)}`,
      );
    await eventually(async () => ((await texts()).length === 2 ? true : undefined));
    expect(await texts()).to.deep.equal(["user: Report", "assistant: Done."]);
    const { body: conversation } = await json("GET", `/v1/conversations/${first.conversationId ?? ""}`);
    expect(conversation["title"]).to.equal("Hourly");
    await pass(noon + hour);
    const second = await eventually(async () => {
      const found = await shown(made);
      return found.lastRunId === first.lastRunId ? undefined : found;
    });
    expect(second.conversationId).to.equal(first.conversationId);
  });

  verifies("schedules:once", "start once at a time, and are off then", async () => {
    await open();
    const made = await make({ at: at(noon) });
    await pass(noon + 1000);
    const after = await settled(made);
    expect(after).to.include({ enabled: false, nextAt: null, missed: 0 });
    const again = await json("PATCH", `/api/schedules/${made.id}`, { enabled: true });
    expect([again.status, again.body.error.param]).to.deep.equal([400, "at"]);
  });

  verifies("schedules:missed", "catch one start up after a stop, and tell of the others", async () => {
    const dataDirectory = temporaryFolder();
    const settings = { storage: { type: "sqlite" } };
    await open({ dataDirectory, settings });
    const made = await make({ cron: "0 * * * *" });
    const off = await make({ cron: "0 * * * *", enabled: false });
    await stage.end();
    now = noon + 3 * hour + 5000;
    await open({ dataDirectory, settings });
    const after = await settled(made, 3);
    expect(after).to.include({ nextAt: at(noon + 4 * hour), lastFiredAt: at(now), lastError: null });
    expect(stage.provider.requests).to.have.lengthOf(1);
    expect(await shown(off)).to.include({ lastFiredAt: null, missed: 0, nextAt: null });
  });

  verifies("schedules:busy", "do not pile up while a run of theirs is at work", async () => {
    await open({ settings: { "runs.queue_seconds": 0 } });
    let free!: () => void;
    const held = new Promise<void>((resolve) => (free = resolve));
    stage.provider.play(() => chatReply([{ text: "At " }, { until: held }, { text: "work." }]));
    const made = await make({ cron: "0 * * * *" });
    await pass(noon);
    const first = await settled(made);
    await pass(noon + hour);
    const second = await settled(made, 1);
    expect(second.lastRunId).to.equal(first.lastRunId);
    expect(second.lastError).to.match(/another run|at work|busy/i);
    free();
  });

  verifies("schedules:cost", "end a run that has cost what it may", async () => {
    await open({ settings: { "models.prices": { "custom/test": { prompt: 1000, completion: 1000 } } } });
    stage.provider.play(() => chatReply({ toolCalls: [{ name: "think", arguments: { thoughts: "Hm." } }] }));
    const made = await make({ cron: "0 * * * *", maxCostUsd: 0.000001 });
    await pass(noon);
    const { conversationId } = await settled(made);
    const run = await eventually(async () => {
      const found = await runOf(stage.host, conversationId ?? "");
      return found.status === "ended" ? found : undefined;
    });
    expect(run, JSON.stringify(run)).to.deep.include({ completion_reason: "error" });
    expect(JSON.stringify(run)).to.match(/maxCostUsd is 0\.000001/);
  });

  verifies("schedules:rights", "have the rights of the token that made them, and end with it", async () => {
    stage = await openDoorStage({ clock });
    const scopes = ["read", "chat"];
    const wide = await addToken(stage.host, "wide", { scopes: ["read", "chat", "tools"] });
    const narrow = await addToken(stage.host, "narrow", { scopes });
    const body = { prompt: "Report", maxCostUsd: 1, cron: "0 * * * *" };
    const post = { method: "POST", body };
    const made = (
      await fromElsewhere<WireSchedule>(stage.host, "/api/schedules", { ...post, token: wide.secret })
    ).body;
    expect(made).to.include({ createdBy: wide.token.id });
    const change = (more: object) =>
      fromElsewhere(stage.host, `/api/schedules/${made.id}`, {
        method: "PATCH",
        body: more,
        token: narrow.secret,
      });
    const refused = await change({ prompt: "Delete everything" });
    expect([refused.status, refused.body.error.code]).to.deep.equal([403, "insufficient_scope"]);
    expect((await change({ enabled: false })).status).to.equal(200);
    expect((await change({ enabled: true })).status).to.equal(200);
    await stage.host.json("DELETE", `/api/tokens/${wide.token.id}`);
    await pass(noon);
    const after = await settled(made, 1);
    expect(after).to.include({ enabled: false, lastRunId: null });
    expect(after.lastError).to.match(/token .* has ended/);
    expect(stage.provider.requests).to.have.lengthOf(0);
  });
});
