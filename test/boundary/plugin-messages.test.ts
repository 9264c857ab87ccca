import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { descendants, leftOf } from "../support/descendants.ts";
import { escapeStage, type EscapeStage } from "./support/escape-stage.ts";
import { needsPrograms } from "./support/needs-programs.ts";

const megabyte = 2 ** 20;

/** Resolves once a process has used a good part of a second of the processor: it is in its loop. */
async function busy(pid: number): Promise<void> {
  const ticks = (): number =>
    Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[11]);
  for (const begun = ticks(); ticks() - begun < 30;) await sleep(20);
}

describe("an isolated plugin that misuses its channel to the host", function () {
  this.timeout(120_000);
  let stage: EscapeStage;
  const host = (): number => stage.program.child.pid!;
  const memory = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${host()}/status`, "utf8"))?.[1]) * 1024;
  const strikes = (): number => stage.program.stderr.split("has a strike").length - 1;

  beforeEach(async function () {
    needsPrograms.call(this, ["bwrap"]);
    stage = await escapeStage({ settings: { "tools.timeout_seconds": 4 } });
    expect(await stage.attempt("alive")).to.equal("alive");
  });
  afterEach(() => stage?.stop());

  /**
   * It fails the call with these words and ends the process; the next call has a new one. Milliseconds until
   * the call has failed.
   */
  async function ends(attempt: string, args: object, words: RegExp): Promise<number> {
    const [before, struck, old] = [memory(), strikes(), descendants(host())];
    expect(old).to.have.length.at.least(3);
    const begun = performance.now();
    expect(await stage.failure(attempt, args), JSON.stringify(args)).to.match(words);
    const time = performance.now() - begun;
    expect(await leftOf(old)).to.deep.equal([]);
    expect(memory() - before).to.be.below(10 * megabyte);
    expect(strikes()).to.equal(struck + 1);
    expect(await stage.attempt("alive")).to.equal("alive");
    return time;
  }

  it("X09 frames of 300 MB, of 0 bytes, of garbage, and half a frame", async () => {
    const times = [
      await ends("send", { what: "huge" }, /a message of 315359232 bytes|a message of \d{9} bytes/),
      await ends("send", { what: "empty" }, /a message of 0 bytes/),
      await ends("send", { what: "garbage" }, /something that is no message/),
    ];
    // 10 to 100 ms where nothing else runs, the call over HTTP included.
    expect(Math.max(...times)).to.be.below(500);
    await ends("send", { what: "half" }, /did not stop in time|time/);
  });

  it("X10 200,000 frames, 10,000 requests at once, 100,000 lines", async () => {
    const before = memory();
    const waits: number[] = [];
    const look = async (): Promise<void> => {
      const begun = performance.now();
      expect((await stage.request("GET", "/api/models")).status).to.equal(200);
      waits.push(performance.now() - begun);
    };
    await look();
    for (const what of ["requests", "lines", "output", "frames"]) {
      let isOver = false;
      const flood = stage
        .call("escape_artist.attempt", { name: "flood", with: { what } })
        .finally(() => (isOver = true));
      while (!isOver) await look();
      await flood;
    }
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Infinity;
    process.stdout.write(
      `      /api/models during the floods: ${waits.length} times, p99 ${Math.round(p99)} ms\n`,
    );
    expect(p99).to.be.below(200);
    expect(memory() - before).to.be.below(60 * megabyte);
    const lines = stage.program.stderr.split('"flood').length + stage.program.stderr.split("flood ").length;
    expect(lines).to.be.below(5_000);
    expect(await stage.attempt("alive")).to.equal("alive");
  });

  it("X11 answers that nobody asked for, second answers, and requests of no known form", async () => {
    await ends("send", { what: "unknown" }, /an answer that nobody asked for/);
    await ends("answerAll", {}, /an answer that nobody asked for|forged/);
    await ends("send", { what: "no form" }, /a request of no known form/);
  });

  it("X12 keys that would change every object, and values too deep", async () => {
    await ends("send", { what: "proto" }, /something that is no message/);
    await ends("send", { what: "deep" }, /something that is no message/);
    const { success, result } = await stage.call("escape_artist.read_only", { name: "poisoned" });
    expect({ success, result }).to.deep.include({ success: false });
    expect(({} as { readonly x?: unknown }).x).to.equal(undefined);
    expect((await stage.request("GET", "/api/models")).status).to.equal(200);
  });

  it("X13 an endless loop that ignores SIGTERM; then the host is killed", async () => {
    await ends("loop", {}, /did not stop in time|time/);
    const work = stage.call("escape_artist.attempt", { name: "loop" }).catch(() => undefined);
    const pids = descendants(host());
    expect(pids).to.have.length.at.least(3);
    await busy(pids.at(-1)!);
    stage.program.child.kill("SIGKILL");
    await work;
    expect(await leftOf(pids, 1000)).to.deep.equal([]);
  });
});
