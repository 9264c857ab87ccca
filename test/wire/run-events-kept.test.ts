import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { promised } from "../support/promised.ts";
import { ask, type Stage } from "../support/host.ts";
import {
  calling,
  eachItsLab,
  eventually,
  labCall,
  play,
  runOf,
  runWith,
  saying,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { runEventsOf, type WireRunEvent } from "../support/run-events.ts";
import { verifies } from "../support/verifies.ts";

const minute = 60_000;
/** What is told of a run whose events were given up. */
const left = [
  [1, "state"],
  [2, "end"],
];

async function read({ host }: Stage, run: string, after = 0): Promise<readonly WireRunEvent[]> {
  return runEventsOf(
    await (
      await host.request("GET", `/api/runs/${run}/events`, undefined, { "Last-Event-ID": String(after) })
    ).text(),
  );
}

const namesOf = (events: readonly WireRunEvent[]) => events.map(({ id, event }) => [id, event]);
const textOf = (events: readonly WireRunEvent[]): string =>
  events
    .map(
      ({ data }) =>
        (data as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta.content ?? "",
    )
    .join("");

describe("the events of a run that are kept", () => {
  const open = eachItsLab();
  let now = Date.parse("2026-03-01T10:00:00Z");
  const openStage = (settings: object = {}) =>
    open({ clock: { now: () => now }, settings: { storage: { type: "sqlite" }, ...settings } });

  const ended = async (stage: Stage): Promise<string> => {
    const { body } = await play(stage, [calling(labCall("keep", "one")), chatReply({ text: ["Do", "ne."] })]);
    return body.service_metadata.run_id;
  };

  verifies("stream:run-events-kept", "are the same after a restart, from any point", async () => {
    const stage = await openStage();
    const run = await ended(stage);
    const before = await read(stage, run);
    expect(before.at(-1)?.event).to.equal("end");
    await stage.host.restart();
    expect(await read(stage, run)).to.deep.equal(before);
    expect(await read(stage, run, 3)).to.deep.equal(before.slice(3));
  });

  verifies("stream:run-events-kept", "tell a failed run's error as before", async () => {
    const stage = await openStage();
    stage.provider.play([calling(labCall("keep", "one")), chatReply({ error: { status: 500 } })]);
    await stage.host
      .request("POST", "/api/chat/completions", ask("Do it", { conversationId: "failed" }))
      .then((reply) => reply.text());
    const { id } = await runWith(stage.host, "failed", "ended");
    const before = await read(stage, id);
    expect(before.at(-1)?.data).to.have.nested.property("error.code", "provider_error");
    await stage.host.restart();
    expect(await read(stage, id)).to.deep.equal(before);
  });

  verifies("stream:run-events-kept", "go on where they were when a run is resumed after a stop", async () => {
    const stage = await openStage();
    stage.provider.play([calling(labCall("keep", "cut", { gate: true }))]);
    void stage.host
      .request("POST", "/api/chat/completions", ask("Do it", { conversationId: "cut", stream: true }))
      .catch(() => undefined);
    await lab.until("start cut");
    const { id } = await runOf(stage.host, "cut");
    await stage.host.restart();
    const before = await read(stage, id);
    expect(before.at(-1)).to.deep.include({ event: "state" });
    expect(before.at(-1)?.data).to.include({ status: "interrupted" });
    stage.provider.play([saying("Done.")]);
    await stage.host.json("POST", `/api/runs/${id}/resume`);
    const rest = await read(stage, id, before.length);
    expect(rest[0]).to.deep.include({ id: before.length + 1, event: "state" });
    expect(rest.at(-1)?.data).to.include({ completion_reason: "workflow_complete" });
    expect(textOf(rest)).to.include("Done.");
    expect(await read(stage, id)).to.deep.equal([...before, ...rest]);
    await stage.host.restart();
    expect(await read(stage, id)).to.deep.equal([...before, ...rest]);
  });

  verifies(
    "stream:run-events-kept",
    "that a crash lost do not hide what comes after it: a number that is not reached yet counts as lost",
    async () => {
      const stage = await openStage();
      stage.provider.play([calling(labCall("keep", "cut", { gate: true }))]);
      void stage.host
        .request("POST", "/api/chat/completions", ask("Do it", { conversationId: "lost", stream: true }))
        .catch(() => undefined);
      await lab.until("start cut");
      const { id } = await runOf(stage.host, "lost");
      await stage.host.restart();
      const before = await read(stage, id);
      const gate = promised();
      stage.provider.play([chatReply([{ text: "Do" }, { until: gate.promise }, { text: "ne." }])]);
      await stage.host.json("POST", `/api/runs/${id}/resume`);
      await eventually(async () =>
        (await runOf(stage.host, "lost")).status === "running" ? true : undefined,
      );
      const reading = read(stage, id, before.length + 1000);
      gate.keep();
      const rest = await reading;
      expect(rest[0]?.id).to.equal(before.length + 1);
      expect(textOf(rest)).to.include("Done.");
    },
  );

  verifies(
    "stream:run-events-kept",
    "are given up runs.event_retention_minutes after the end; then state and end are left",
    async () => {
      const stage = await openStage({ "runs.event_retention_minutes": 5 });
      const run = await ended(stage);
      now += 4 * minute;
      expect((await read(stage, run)).length).to.be.above(2);
      await stage.host.restart();
      const other = await ended(stage);
      expect((await read(stage, run)).length).to.be.above(2);
      now += 2 * minute;
      expect(namesOf(await read(stage, run))).to.deep.equal(left);
      expect((await read(stage, other)).length).to.be.above(2);
      now += 6 * minute;
      expect(namesOf(await read(stage, other))).to.deep.equal(left);
    },
  );

  verifies(
    "stream:run-events-kept",
    "are not stored at all when they are to be kept for no time",
    async () => {
      const stage = await openStage({ "runs.event_retention_minutes": 0 });
      const run = await ended(stage);
      await stage.host.restart();
      expect(namesOf(await read(stage, run))).to.deep.equal(left);
    },
  );

  verifies("stream:run-events-kept", "go with their conversation", async () => {
    const stage = await openStage();
    const run = await ended(stage);
    const { conversationId } = await stage.host.services.runs.get(run);
    await stage.host.json("DELETE", `/v1/conversations/${conversationId}`);
    await stage.host.restart();
    expect(namesOf(await read(stage, run))).to.deep.equal(left);
  });

  verifies("stream:run-events-kept", "end with what a later start made of the run", async () => {
    const stage = await openStage();
    stage.provider.play([calling(labCall("keep", "cut", { gate: true }))]);
    void stage.host
      .request("POST", "/api/chat/completions", ask("Do it", { conversationId: "left", stream: true }))
      .catch(() => undefined);
    await lab.until("start cut");
    const { id } = await runOf(stage.host, "left");
    await stage.host.restart();
    const before = await read(stage, id);
    await stage.host.json("DELETE", `/api/runs/${id}`);
    const after = await read(stage, id);
    expect(after.slice(0, before.length)).to.deep.equal(before);
    expect(after.slice(before.length).map(({ event }) => event)).to.deep.equal(["state", "end"]);
    expect(after.at(-1)?.data).to.include({ completion_reason: "cancelled" });
  });

  verifies("stream:run-events", "are 404 for no run", async () => {
    const stage = await openStage();
    expect((await stage.host.json("GET", `/api/runs/run_${"0".repeat(32)}/events`)).status).to.equal(404);
  });
});
