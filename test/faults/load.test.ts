import { mkdtempSync, rmSync } from "node:fs";
import { request as send, Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { chat, getJson, many, now, serviceDoor } from "../bench/client.ts";
import { cores, residentOf, startProgram, type Program } from "../bench/processes.ts";
import { startService } from "../bench/setting.ts";
import { root } from "../architecture/tree.ts";
import { addFigure, sizeFor } from "../support/figures.ts";

const streams = sizeFor("STREAMS", 100);
/** Once more with so many; 0 leaves it out. */
const moreStreams = sizeFor("MORE_STREAMS", 0);
const burst = sizeFor("BURST", 300);
/** Connections that carry the burst: fewer than the service lets in. */
const width = Math.min(burst, 1000);
/** Chunks of a stream, and milliseconds between two of them. */
const [chunks, pause] = [50, 200];

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

describe("much at once", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-load-"));
  const agent = new Agent({ keepAlive: true, maxSockets: 4000 });
  let mock: Program;
  let service: Program;

  before(async () => {
    mock = await startProgram([path.join(root, "test/bench/ref/mock.mjs")], cores.rest);
    service = await startService(path.join(folder, "data"), mock.port, { on: cores.all });
  });
  after(async () => {
    agent.destroy();
    await Promise.all([service, mock].map((program) => program.end()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Follows a stream whose chunks hold the time at which they were sent; gives the delay of each in ms. */
  function follow(port: number, route: string, model: string): Promise<readonly number[]> {
    const body = { model, messages: [{ role: "user", content: "Count." }], stream: true };
    return new Promise((resolve, reject) => {
      const delays: number[] = [];
      let [text, last, whole] = ["", "", false];
      const headers = { "content-type": "application/json" };
      const sent = send(
        { port, host: "127.0.0.1", path: route, method: "POST", agent, headers },
        (answer) => {
          answer.setEncoding("utf8").on("data", (piece: string) => {
            const at = now();
            const lines = (text + piece).split("\n");
            text = lines.pop() ?? "";
            last = lines.at(-2) ?? last;
            for (const line of lines) {
              // Chunks that come faster than they can be sent are joined; each still holds its time.
              const [, content = ""] = /"content":"([@\d. ]+)"/.exec(line) ?? [];
              for (const time of content.match(/\d+\.\d+/g) ?? []) delays.push(at - Number(time));
              whole ||= line === "data: [DONE]";
            }
          });
          answer.on("end", () =>
            whole && delays.length === chunks
              ? resolve(delays)
              : reject(new Error(`${delays.length} chunks: ${last}`)),
          );
        },
      );
      sent.on("error", reject).end(JSON.stringify(body));
    });
  }

  async function delaysOf(count: number, port: number, route: string, model: string) {
    const all = Array.from({ length: count }, () => follow(port, route, model));
    const settled = await Promise.allSettled(all);
    const failed = settled.filter(({ status }) => status === "rejected");
    const delays = settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    if (failed.length > 0) console.log(failed[0]);
    return { failed: failed.length, delays };
  }

  /** The figures end with `among`. */
  async function streamAll(count: number, among: string): Promise<void> {
    const direct = await delaysOf(count, mock.port, "/v1/chat/completions", `s-${chunks}-${pause}`);
    const ours = await delaysOf(count, service.port, "/api/chat/completions", `mock/s-${chunks}-${pause}`);
    const [base, through] = [direct, ours].map(({ delays }) => percentile(delays, 0.99));
    addFigure(`streams${among}`, count);
    addFigure(`streams failed${among}`, ours.failed);
    addFigure(`ms added to a chunk, p99${among}`, Math.max(0, (through ?? 0) - (base ?? 0)));
    addFigure(`megabytes under streams${among}`, residentOf(service.process.pid ?? 0));
    expect(ours.failed).to.equal(0);
    expect(ours.delays.length).to.equal(count * chunks);
  }

  it(`${streams} streams: all whole, each chunk soon, little memory (F19)`, () => streamAll(streams, ""));

  if (moreStreams > 0)
    it(`${moreStreams} streams: all whole, each chunk soon (F19)`, () => streamAll(moreStreams, ", many"));

  it(`${burst} chats at once, ${width} connections: all stored, none failed (F19)`, async () => {
    const before = (await getJson<{ count: number }>(service.port, "/v1/conversations?limit=1")).count;
    const [begun, errors] = [now(), [] as string[]];
    await many(burst, width, () =>
      chat(serviceDoor(service.port), { model: "echo" }).catch((error: unknown) =>
        errors.push(String(error)),
      ),
    );
    const seconds = (now() - begun) / 1000;
    const { count } = await getJson<{ count: number }>(service.port, "/v1/conversations?limit=1");
    addFigure("chats", burst);
    addFigure("chats failed or not stored", Math.max(errors.length, burst - (count - before)));
    addFigure("seconds for all chats", seconds);
    addFigure("megabytes under chats", residentOf(service.process.pid ?? 0));
    expect(errors.slice(0, 3)).to.deep.equal([]);
    expect(count - before).to.equal(burst);
  });
});
