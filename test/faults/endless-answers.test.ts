import { expect } from "chai";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { freePort, openProject, type Program, type Project } from "../support/pergola.ts";
import { verifies } from "../support/verifies.ts";
import { endlessModel, type EndlessModel, type EndlessPlan } from "./support/endless-model.ts";
import { watchProcess } from "./support/watch-process.ts";

/** MB of resident memory that the host may have at most, whatever models send. */
const memoryBound = 400;
/** Milliseconds for requests of others: 200 on a machine of its own, more on one that is shared. */
const latencyBound = { p95: 1000, slowest: 5000 };
const mebibyte = 1024 * 1024;

const bodyOf = (plan: EndlessPlan, more: object = {}): string =>
  JSON.stringify({
    model: "default",
    messages: [{ role: "user", content: JSON.stringify({ plan: 1, ...plan }) }],
    ...more,
  });

interface WireRun {
  readonly id: string;
  readonly status: string;
}

interface WireRuns {
  readonly runs: readonly WireRun[];
  readonly count: number;
}

describe("answers without end (R1, R4)", function () {
  this.timeout(120_000);
  let project: Project;
  let model: EndlessModel;
  let host: Program;
  let url: string;
  const sockets: Socket[] = [];

  before(async () => {
    project = await openProject();
    model = await endlessModel();
    project.settings({
      "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
      "log.level": "error",
    });
  });

  beforeEach(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    host = project.begin(["start", "--port", String(port)]);
    await host.wrote("stop with Ctrl-C");
    // What is loaded with the first turn is no part of what is measured.
    await (
      await post(JSON.stringify({ model: "embedded", messages: [{ role: "user", content: "Hello" }] }))
    ).text();
    // Listed once by the model itself, which is busy later.
    await (await fetch(`${url}/v1/models`)).text();
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await host.end("SIGKILL");
  });

  after(async () => {
    await project?.close();
    await model?.close();
  });

  const post = (body: string) =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });

  /** Sends a chat request and reads nothing of its answer. */
  function askWithoutReading(body: string): void {
    const { port, host: name } = new URL(url);
    const head = ["POST /v1/chat/completions HTTP/1.1", `Host: ${name}`, "Content-Type: application/json"];
    const socket = connect(Number(port), "127.0.0.1");
    sockets.push(socket.pause());
    socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n"));
    socket.on("error", () => undefined);
  }

  const newestRuns = async (limit: number): Promise<WireRuns> => {
    const answer = await fetch(`${url}/api/runs?limit=${limit}`);
    return (await answer.json()) as WireRuns;
  };

  /** Asks in this way so often, without reading, and waits until all of these runs have ended. */
  async function outlive(count: number, body: (number: number) => string): Promise<readonly WireRun[]> {
    const { count: before } = await newestRuns(1);
    for (let number = 0; number < count; number++) askWithoutReading(body(number));
    for (;;) {
      const { runs, count: all } = await newestRuns(count);
      if (all === before + count && runs.every(({ status }) => status === "ended")) return runs;
      await setTimeout(100);
    }
  }

  /** The figures are in the title of the test. */
  async function measure(test: Mocha.Runnable | undefined, work: () => Promise<void>): Promise<void> {
    const watched = { pid: host.child.pid!, url, routes: ["/health", "/v1/models"] };
    const { before, most, median, p95, slowest, requests } = await watchProcess(watched, work);
    const times = `${requests} requests of others in ${median} ms (95 %: ${p95}, slowest ${slowest})`;
    test!.title += `: ${before} MB before, ${most} at most; ${times}`;
    expect(host.child.exitCode).to.equal(null);
    expect(most, "MB").to.be.below(memoryBound);
    expect(p95, "ms of 95 %").to.be.below(latencyBound.p95);
    expect(slowest, "ms of the slowest").to.be.below(latencyBound.slowest);
  }

  verifies(
    "stream:answer-limit",
    "R1: cuts a stream of 300 MB off at the limit, with the reason, and stores what came",
    async function (this: Mocha.Context) {
      let text = "";
      await measure(this.test, async () => {
        const answer = await post(bodyOf({ bytes: 300e6, pause: 1 }, { stream: true }));
        text = await answer.text();
      });
      expect(text).to.include('"code":"provider_error"');
      expect(text).to.include("providers.max_answer_bytes");
      expect(text.length).to.be.within(16 * mebibyte, 17 * mebibyte);
      const [run] = (await newestRuns(1)).runs;
      const events = await (await fetch(`${url}/api/runs/${run!.id}/events`)).text();
      expect(events.length).to.be.within(16 * mebibyte, 17 * mebibyte);
    },
  );

  it("R1: answers 502 where the whole answer was asked for", async function () {
    await measure(this.test, async () => {
      const answer = await post(bodyOf({ bytes: 300e6 }));
      expect(answer.status).to.equal(502);
      expect(await answer.text()).to.include('"code":"provider_error"');
    });
  });

  it("R1: bounds reasoning and arguments of calls too", async function () {
    await measure(this.test, async () => {
      for (const field of ["reasoning_content", "arguments"] as const) {
        const answer = await post(bodyOf({ field }, { stream: true }));
        expect(await answer.text(), field).to.include('"code":"provider_error"');
      }
    });
  });

  it("R1: bounds a line that never ends", async function () {
    await measure(this.test, async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(bodyOf({ line: true }))));
      for (const answer of answers) expect(await answer.text()).to.include('"code":"provider_error"');
    });
  });

  verifies(
    "stream:unread",
    "R4: closes the connection of a client that reads nothing, which ends its run",
    async function (this: Mocha.Context) {
      const sent = await model.sent();
      await measure(this.test, async () => {
        const body = bodyOf({ bytes: 15 * mebibyte, pause: 5 }, { stream: true });
        const [run] = await outlive(1, () => body);
        expect(run).to.include({ completion_reason: "cancelled" });
      });
      expect((await model.sent()) - sent).to.be.below(14 * mebibyte);
    },
  );

  it("R1, R4: outlives twenty at once whose clients never read", async function () {
    await measure(this.test, async () => {
      const fields = ["content", "reasoning_content"] as const;
      await outlive(20, (number) => bodyOf({ field: fields[number % 2]! }, { stream: true }));
    });
  });

  it("R1: outlives twenty whole answers that nobody reads", async function () {
    await measure(this.test, async () => {
      await outlive(20, () => bodyOf({ bytes: 15 * mebibyte }));
    });
  });
});
