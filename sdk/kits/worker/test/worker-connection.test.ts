import { expect } from "chai";
import { WorkerConnection, type ConnectionOptions, type WorkerFailure } from "../index.ts";
import type { SampleTasks } from "./sample-tasks.ts";
import { closingThread, rejection, sampleProcess, sampleThread, toError } from "./support.ts";

const kinds = { thread: sampleThread, process: sampleProcess } as const;

for (const kind of ["thread", "process"] as const)
  describe(`WorkerConnection to a ${kind}`, function () {
    this.timeout(30_000);
    let connection: WorkerConnection<SampleTasks>;
    let ends: readonly (readonly [failure: WorkerFailure, unanswered: number])[] = [];
    const open = (options: Partial<ConnectionOptions> = {}): void => {
      ends = [];
      connection = new WorkerConnection<SampleTasks>(kinds[kind](), {
        toError,
        onEnd: (...end) => (ends = [...ends, end]),
        ...options,
      });
    };
    afterEach(() => connection.kill());

    it("answers requests, any number at once", async () => {
      open();
      const answers = [1, 2, 3].map((value) => connection.ask("double", value));
      expect(await Promise.all(answers)).to.deep.equal([2, 4, 6]);
    });

    it("hands on events in their order, before the answer", async () => {
      open();
      const events: number[] = [];
      const answer = await connection.ask("count", 3, { onEvent: (value) => events.push(value) });
      expect([...events, answer]).to.deep.equal([1, 2, 3, "counted"]);
    });

    it("says of the SDK's errors all they hold, of others the message, and goes on", async () => {
      open();
      const faultOf = (ask: SampleTasks["fail"]["ask"]): Promise<unknown> =>
        connection.ask("fail", ask).catch((error: unknown) => (error as { readonly fault: unknown }).fault);
      expect(await faultOf("error")).to.deep.equal({ message: "plain" });
      expect(await faultOf("text")).to.deep.equal({ message: "only text" });
      expect(await faultOf("tool-error")).to.deep.equal({
        message: "for a tool",
        code: "invalid_value",
        hint: "do it so",
      });
      expect(await faultOf("app-error")).to.deep.equal({
        message: "for an app",
        code: "conflict",
        details: { version: 2 },
      });
      expect(await connection.ask("double", 4)).to.equal(8);
    });

    it("rejects at once with the signal's reason, and leaves the worker to the others", async () => {
      open();
      await connection.ask("double", 1);
      const controller = new AbortController();
      const { signal } = controller;
      const [left, other] = [connection.ask("hang", null, { signal }), connection.ask("double", 5)];
      controller.abort(new Error("enough"));
      expect(await rejection(left)).to.equal("enough");
      expect(await other).to.equal(10);
      expect(await rejection(connection.ask("double", 1, { signal }))).to.equal("enough");
    });

    it("rejects what passes its deadline", async () => {
      open();
      const late = connection.ask("hang", null, { deadline: 50 });
      expect(await rejection(late)).to.equal("deadline: it takes too long");
      expect(await connection.ask("double", 6, { deadline: 10_000 })).to.equal(12);
    });

    it("ends the worker of an aborted request where that is wanted", async () => {
      open({ onAbort: "end" });
      const controller = new AbortController();
      const { signal } = controller;
      const spinning = connection.ask("spin", null, { signal });
      const behind = connection.ask("double", 1);
      setTimeout(() => controller.abort(new Error("enough")), 100);
      expect(await rejection(spinning)).to.equal("enough");
      expect(await rejection(behind)).to.equal("closed: it was closed");
      await connection.ended;
      expect(connection.isOpen).to.equal(false);
    });

    it("cancels a task, and ends the worker that does not obey", async () => {
      open({ onAbort: { cancelWithin: 500 } });
      await connection.ask("double", 1);
      const cancel = async (task: "wait" | "hang"): Promise<string> => {
        const controller = new AbortController();
        const asked = connection.ask(task, null, { signal: controller.signal });
        controller.abort(new Error("enough"));
        return rejection(asked);
      };
      expect(await cancel("wait")).to.equal("enough");
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(connection.isOpen).to.equal(true);
      expect(await cancel("hang")).to.equal("enough");
      await connection.ended;
      expect(connection.isOpen).to.equal(false);
    });

    it("rejects everything when the worker exits, with its exit code, and tells once", async () => {
      open();
      const lost = [connection.ask("hang", null), connection.ask("exit", 7)].map(rejection);
      expect(await Promise.all(lost)).to.deep.equal(["exited: exit code 7", "exited: exit code 7"]);
      await connection.ended;
      expect(ends).to.deep.equal([[{ reason: "exited", message: "exit code 7" }, 2]]);
      expect(await rejection(connection.ask("double", 1))).to.equal("exited: exit code 7");
    });

    it("ends at once when it is killed", async () => {
      open();
      const lost = rejection(connection.ask("spin", null));
      await connection.kill();
      expect(await lost).to.equal("closed: it was closed");
      expect(ends).to.have.length(1);
    });
  });

describe("WorkerConnection", function () {
  this.timeout(30_000);

  it("asks in one message what is asked in one turn of the event loop", async () => {
    const thread = sampleThread();
    const posted: unknown[] = [];
    const post = thread.postMessage.bind(thread);
    thread.postMessage = (message: unknown, transfer = []) => {
      posted.push(message);
      post(message, transfer as []);
    };
    const connection = new WorkerConnection<SampleTasks>(thread, { toError });
    const asked = [connection.ask("double", 1), Promise.resolve().then(() => connection.ask("double", 2))];
    expect(await Promise.all(asked)).to.deep.equal([2, 4]);
    expect(posted).to.have.length(1);
    await connection.kill();
  });

  it("rejects what cannot be sent, and sends what was asked with it", async () => {
    const connection = new WorkerConnection<SampleTasks>(sampleThread(), { toError });
    const wrong = connection.ask("double", (() => undefined) as never);
    const right = connection.ask("double", 3);
    expect(await rejection(wrong)).to.include("could not be cloned");
    expect(await right).to.equal(6);
    await connection.kill();
  });

  it("says with which error a thread crashed", async () => {
    const connection = new WorkerConnection<SampleTasks>(sampleThread(), { toError });
    expect(await rejection(connection.ask("crash", null))).to.equal("crashed: thrown outside a task");
  });

  it("says which signal ended a process", async () => {
    const child = sampleProcess();
    const connection = new WorkerConnection<SampleTasks>(child, { toError });
    await connection.ask("double", 1);
    const lost = rejection(connection.ask("hang", null));
    child.kill("SIGKILL");
    expect(await lost).to.equal("exited: SIGKILL");
  });

  it("ends a thread that takes more memory than its limit, and says so", async () => {
    const connection = new WorkerConnection<SampleTasks>(sampleThread({ memoryLimit: 16 }), { toError });
    expect(await rejection(connection.ask("fill", null))).to.equal("memory: it needs too much memory");
  });

  it("moves what is to be transferred, there and back", async () => {
    const connection = new WorkerConnection<SampleTasks>(sampleThread(), { toError });
    const bytes = new Uint8Array([1, 2, 3]);
    const answer = await connection.ask("bytes", bytes, { transfer: [bytes.buffer] });
    expect([...answer]).to.deep.equal([1, 2, 3]);
    expect(bytes.byteLength).to.equal(0);
    await connection.kill();
  });

  it("lets a worker that is closed do its last things", async () => {
    const { thread, wasAsked } = closingThread(false);
    const connection = new WorkerConnection<Pick<SampleTasks, "double">>(thread, { toError });
    const last = connection.ask("double", 2);
    const closed = connection.close();
    expect(await rejection(connection.ask("double", 3))).to.equal("closed: it was closed");
    await closed;
    expect(wasAsked()).to.equal(true);
    expect(await last).to.equal(4);
  });

  it("ends a worker that does not close in time", async () => {
    const { thread, wasAsked } = closingThread(true);
    const connection = new WorkerConnection<Pick<SampleTasks, "double">>(thread, { toError });
    await connection.ask("double", 2);
    await connection.close(200);
    expect(wasAsked()).to.equal(true);
    expect(connection.isOpen).to.equal(false);
  });

  it("gives a process nothing of the environment but what it needs", async () => {
    process.env["PERGOLA_TEST_SECRET"] = "secret";
    const connection = new WorkerConnection<SampleTasks>(sampleProcess(), { toError });
    const names = await connection.ask("environment", null);
    delete process.env["PERGOLA_TEST_SECRET"];
    await connection.kill();
    expect(names).to.include("PATH");
    expect(names).to.not.include("PERGOLA_TEST_SECRET");
  });
});
