import { expect } from "chai";
import { mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { ToolError, type Files } from "@pergola/sdk";
import { codeOf, filesOf, folders, type Folders } from "./folders.ts";

/** Swaps `ws/a` between the folder that it is and a link to `outside`, as fast as it can, and counts. */
const swapper = `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  const { workerData: { folder, outside, counts } } = require("node:worker_threads");
  const pause = (microseconds) => {
    const end = process.hrtime.bigint() + BigInt(Math.round(microseconds * 1000));
    while (process.hrtime.bigint() < end);
  };
  while (Atomics.load(counts, 1) === 0) {
    pause(Math.random() * 200);
    try {
      const away = folder + "-" + Atomics.add(counts, 0, 1);
      renameSync(folder, away);
      symlinkSync(outside, folder);
      pause(Math.random() * 50);
      unlinkSync(folder);
      renameSync(away, folder);
    } catch {
      // The door made the folder anew while it was away.
    }
  }
`;

/** How many times as much as usual. */
const races = Number(process.env["RACES"] ?? 1);

describe("a folder that is swapped for a link while it is used", () => {
  let at: Folders;
  let files: Files;
  let worker: Worker;
  let counts: Int32Array;
  let ended: Promise<unknown>;

  beforeEach(async () => {
    at = folders();
    files = filesOf(at, { backupDays: () => 0 });
    mkdirSync(path.join(at.work, "a"));
    writeFileSync(path.join(at.work, "a/notes.txt"), "INSIDE");
    counts = new Int32Array(new SharedArrayBuffer(8));
    worker = new Worker(swapper, {
      eval: true,
      workerData: { folder: path.join(at.work, "a"), outside: at.outside, counts },
    });
    ended = new Promise((resolve) => worker.once("exit", resolve));
    while (Atomics.load(counts, 0) < 100) await new Promise(setImmediate);
  });

  afterEach(async () => {
    Atomics.store(counts, 1, 1);
    await ended;
  });

  it("beats a check of the name alone, so the swaps do bite", () => {
    let escapes = 0;
    for (let turn = 0; turn < 60_000 && escapes === 0; turn += 1) {
      const file = path.join(at.work, "a/notes.txt");
      try {
        if (realpathSync.native(file) === file && readFileSync(file, "utf8") === "OUTSIDE") escapes += 1;
      } catch {
        // The folder was away at that moment.
      }
    }
    expect(escapes).to.equal(1);
  });

  /**
   * Repeats the work until it was done `times` times and enough swaps, hits and refusals came to pass to mean
   * something.
   */
  async function hammer(
    times: number,
    once: (turn: number) => Promise<string>,
  ): Promise<Map<string, number>> {
    const [before, seen] = [Atomics.load(counts, 0), new Map<string, number>()];
    const isEnough = () =>
      Atomics.load(counts, 0) - before >= 500 &&
      (seen.get("done") ?? 0) >= 20 &&
      (seen.get("permission_denied") ?? 0) >= 20;
    for (let turn = 0; turn < times || !isEnough(); turn += 1) {
      const outcome = await once(turn);
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
    return seen;
  }

  it(`gets nothing out in ${6000 * races} reads`, async function () {
    this.timeout(60_000 * races);
    const names: Record<string, string> = { INSIDE: "done", OUTSIDE: "escaped" };
    const seen = await hammer(6000 * races, async () => {
      const text = await files
        .readText("a/notes.txt")
        .catch((error: unknown) => (ToolError.is(error) ? error.code : String(error)));
      return names[text] ?? text;
    });
    expect(seen.get("done")).to.be.greaterThan(0);
    expect(seen.get("escaped")).to.equal(undefined);
  });

  it(`puts nothing out in ${1500 * races} creates, not even an empty file`, async function () {
    this.timeout(60_000 * races);
    await hammer(1500 * races, async (turn) => {
      const code = await codeOf(files.write(`a/new-${turn}.txt`, "x", { create: true }));
      return code.startsWith("no error") ? "done" : code;
    });
    expect(readdirSync(at.outside)).to.deep.equal(["notes.txt"]);
  });
});
