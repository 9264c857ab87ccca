import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { sqlite } from "../index.ts";
import { silentLog } from "./support/silent-log.ts";

describe("the thread that is prepared", function () {
  this.timeout(20_000);
  let threads: Worker[];
  const note = (thread: Worker): void => void threads.push(thread);
  const worksIn = async (dataDirectory: string): Promise<void> => {
    const storage = await sqlite.open({}, { dataDirectory, log: silentLog });
    await storage.collection("notes", { indexes: [] }).put({ id: "a" });
    await storage.close();
  };

  beforeEach(() => {
    threads = [];
    process.on("worker", note);
  });
  afterEach(() => void process.off("worker", note));

  it("is started once, and opens the next database; the one after that has its own", async () => {
    sqlite.prepare?.();
    sqlite.prepare?.();
    await worksIn(temporaryFolder());
    expect(threads).to.have.lengthOf(1);
    await worksIn(temporaryFolder());
    expect(threads).to.have.lengthOf(2);
  });

  it("is replaced where it died before", async () => {
    const started = once(process, "worker");
    sqlite.prepare?.();
    await started;
    const [thread] = threads;
    await thread!.terminate();
    await worksIn(temporaryFolder());
    expect(threads).to.have.lengthOf(2);
  });
});
