import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { PluginError, type Storage } from "@pergola/sdk";
import { conversationIdOfAlias, openStores } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openBuilt } from "../../plugins/storage-sqlite/test/support/open-built.ts";
import { addFigure, sizeFor } from "../support/figures.ts";
import { chatBody } from "./support/chat.ts";
import { finalText, playPlans, type Plan } from "./support/plan.ts";
import { randomFrom } from "./support/random.ts";
import { openService, type Service } from "./support/service.ts";
import { TornDisk } from "./support/torn-disk.ts";
import { stepsIn, tracing, type Step } from "./support/write-log.ts";

const cuts = sizeFor("POWER_CUTS", 30);
const seed = sizeFor("SEED", 1);
const plans: readonly Plan[] = Array.from({ length: 60 }, (_, number) => ({ id: `cut-${number}` }));
/** Those that chat at the same time; one sync may store what all of them said. */
const clients = 6;
/** The database with its logs, and the folder, whose sync makes removals last. */
const isStore = (file: string): boolean => /\/data(\/pergola\.db(-wal|-journal)?)?$/.test(file);

const tracedBy = (strace: number): number =>
  Number(readFileSync(`/proc/${strace}/task/${strace}/children`, "utf8").trim().split(" ")[0]);

async function say(service: Service, plan: Plan): Promise<void> {
  const { status, body } = await service.json("POST", "/api/chat/completions", chatBody(service, plan));
  if (status !== 200) throw new Error(`${plan.id}: ${status} ${JSON.stringify(body)}`);
}

/** What a service wrote and said while the clients chatted. */
async function recorded(): Promise<readonly Step[]> {
  const service = await openService(playPlans);
  const log = path.join(service.project.folder, "steps");
  await service.start({ through: tracing(log) });
  const rest = [...plans];
  const client = async (): Promise<void> => {
    for (let plan = rest.shift(); plan !== undefined; plan = rest.shift()) await say(service, plan);
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    // strace itself hands no signal on.
    process.kill(tracedBy(service.program.child.pid ?? 0), "SIGKILL");
    await service.program.ended;
    await service.close();
  }
  return stepsIn(log, isStore);
}

/** Each chat whose answer was sent, with the number of the step that sent it. */
const acknowledgements = (steps: readonly Step[]): ReadonlyMap<Plan, number> =>
  new Map(
    plans.flatMap((plan) => {
      const sent = steps.findIndex((step) => step.kind === "said" && step.text.includes(finalText(plan)));
      return sent < 0 ? [] : [[plan, sent] as const];
    }),
  );

/** The steps in which the database is made. */
const whileMade = Array.from({ length: 20 }, (_, index) => index + 1);

/** Opens what a cut has left, as the next start does. */
async function openLeft(files: ReadonlyMap<string, Buffer>): Promise<Storage | PluginError> {
  const dataDirectory = temporaryFolder();
  mkdirSync(dataDirectory, { recursive: true });
  for (const [file, bytes] of files) writeFileSync(path.join(dataDirectory, path.basename(file)), bytes);
  try {
    return await openBuilt(dataDirectory);
  } catch (error) {
    if (PluginError.is(error)) return error;
    throw error;
  }
}

/** Acknowledged chats of which a message is missing. */
async function lostIn(storage: Storage, expected: readonly Plan[]): Promise<readonly string[]> {
  const found = await openStores(storage).messages.find({}, { limit: 10_000 });
  const texts = new Set(found.map(({ conversationId, content }) => `${conversationId} ${content}`));
  const isKept = (plan: Plan): boolean =>
    [JSON.stringify(plan), finalText(plan)].every((text) =>
      texts.has(`${conversationIdOfAlias(plan.id)} ${text}`),
    );
  return expected.filter((plan) => !isKept(plan)).map(({ id }) => id);
}

describe(`${cuts} losses of power (seed ${seed})`, function () {
  this.timeout(60_000 + cuts * 3000);
  let steps: readonly Step[] = [];
  const acknowledged = (moment: number): readonly Plan[] =>
    [...acknowledgements(steps)].flatMap(([plan, sent]) => (sent < moment ? [plan] : []));

  before(async function () {
    if (spawnSync("strace", ["--version"]).status !== 0) {
      process.stdout.write("    skipped: they need the program strace of the package strace\n");
      return this.skip();
    }
    steps = await recorded();
  });

  it("replays a log that holds all the chats, and syncs", () => {
    expect([...acknowledgements(steps).keys()]).to.deep.equal(plans);
    expect(steps.filter(({ kind }) => kind === "sync").length).to.be.at.least(plans.length / clients);
    expect(steps.filter(({ kind }) => kind === "write").length).to.be.at.least(plans.length * 3);
  });

  it("take nothing that was acknowledged and leave no damaged store (F3)", async () => {
    const random = randomFrom(seed);
    const drawn = Array.from({ length: cuts }, () => random.between(1, steps.length));
    const moments = [...whileMade, ...drawn].toSorted((a, b) => a - b);
    const disk = new TornDisk();
    const found = { lost: [] as string[], corrupt: [] as string[], atRisk: 0, checked: 0 };
    let done = 0;
    for (const moment of moments) {
      for (; done < moment; done++) disk.take(steps[done] as Step);
      if (disk.atRisk > 0) found.atRisk += 1;
      const storage = await openLeft(disk.afterCut(random));
      if (PluginError.is(storage)) {
        found.corrupt.push(`${moment}: ${storage.message}`);
        continue;
      }
      const expected = acknowledged(moment);
      found.checked += expected.length;
      found.lost.push(...(await lostIn(storage, expected)).map((id) => `${moment}: ${id}`));
      await storage.close();
    }
    addFigure("power cuts", moments.length);
    addFigure("faults", moments.length);
    addFigure("lost", found.lost.length);
    addFigure("corrupt", found.corrupt.length);
    expect(found.lost).to.deep.equal([]);
    expect(found.corrupt).to.deep.equal([]);
    expect(found.atRisk).to.be.at.least(cuts / 4);
    expect(found.checked).to.be.at.least(cuts);
  });

  it("would take acknowledged chats from a service that does not sync", async () => {
    const random = randomFrom(seed);
    let lost = 0;
    for (let cut = 0; cut < 5; cut++) {
      const disk = new TornDisk();
      const moment = random.between(Math.floor(steps.length / 2), steps.length);
      const first = steps.findIndex((step) => step.kind === "said");
      for (const [index, step] of steps.slice(0, moment).entries())
        if (step.kind !== "sync" || index < first) disk.take(step);
      const storage = await openLeft(disk.afterCut(random));
      if (PluginError.is(storage)) lost += 1;
      else {
        lost += (await lostIn(storage, acknowledged(moment))).length;
        await storage.close();
      }
    }
    expect(lost).to.be.at.least(1);
  });
});
