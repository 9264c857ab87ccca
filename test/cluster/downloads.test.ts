import { existsSync } from "node:fs";
import { expect } from "chai";
import type { Storage } from "@pergola/sdk";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { postgres } from "../../plugins/storage-postgres/index.ts";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openDownloads, type DownloadScene } from "../support/download-scene.ts";
import { eventually } from "../support/lab-stage.ts";
import { ModelSource } from "../support/model-source.ts";

const { log } = toolContext();
const name = "tiny-Q4_K_M.gguf";
const wanted = { repoId: "owner/model", filename: name };

describe("downloads of several hosts", function () {
  this.timeout(60_000);
  const storages: Storage[] = [];
  let settings: object;
  let source: ModelSource;
  let one: DownloadScene;
  let two: DownloadScene;

  before(needsPostgres);
  beforeEach(async () => {
    settings = (await sharedServer()).settings({ host_timeout_seconds: 3 });
    source = await ModelSource.open({ [name]: { size: 400_000 } });
    one = await open("one");
    source.pace = 100_000;
  });
  afterEach(async () => {
    await Promise.all([one, two].map(({ downloads }) => downloads.stop()));
    await Promise.all(storages.splice(0).map(async (storage) => storage.close()));
    await source.close();
  });

  async function open(hostLabel: string): Promise<DownloadScene> {
    const storage = await postgres.open(
      { ...settings },
      { dataDirectory: temporaryFolder(), log, hostLabel },
    );
    storages.push(storage);
    return openDownloads({ url: source.url, storage });
  }

  const flowing = async (): Promise<string> => {
    const { downloadId } = await one.start(wanted);
    await one.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 0);
    return downloadId;
  };

  it("are seen at each, and how far they are; a start of one leaves another's alone", async () => {
    const id = await flowing();
    two = await open("two");
    expect((await two.downloads.list()).map(({ downloadId }) => downloadId)).to.deep.equal([id]);
    const seen: number[] = [];
    for await (const { bytesDownloaded } of two.downloads.watch(id, AbortSignal.timeout(30_000)))
      seen.push(bytesDownloaded);
    expect(new Set(seen).size).to.be.above(2);
    expect(seen.toSorted((a, b) => a - b)).to.deep.equal(seen);
    const [here, there] = await Promise.all([one.downloads.get(id), two.downloads.get(id)]);
    expect([here.status, there.status, there.bytesDownloaded]).to.deep.equal([
      "completed",
      "completed",
      400_000,
    ]);
    expect(existsSync(two.folder)).to.equal(false);
  });

  it("are changed where their files are", async () => {
    const id = await flowing();
    two = await open("two");
    const refused = await two.downloads.cancel(id, { keepPartial: false }).catch((error: unknown) => error);
    expect(refused).to.deep.include({ code: "wrong_host", details: { host: "one" } });
    expect((await one.downloads.cancel(id, { keepPartial: true })).status).to.equal("cancelled");
    await eventually(async () => (await two.downloads.get(id)).status === "cancelled");
    const resumed = await two.downloads.resume(id).catch((error: unknown) => error);
    expect(resumed).to.deep.include({ code: "wrong_host" });
    await one.downloads.resume(id);
    expect((await one.until(id)).status).to.equal("completed");
  });

  it("are worked on by one of two that see the same disk, and by the other when it is gone", async () => {
    const id = await flowing();
    two = await open("one");
    expect((await two.downloads.get(id)).status).to.equal("downloading");
    const refused = await two.downloads.resume(id).catch((error: unknown) => error);
    expect(refused).to.have.property("code", "wrong_host");
    await one.downloads.stop();
    await eventually(async () => (await two.downloads.get(id)).error === "interrupted");
    await two.downloads.resume(id);
    expect((await two.until(id)).status).to.equal("completed");
    await eventually(async () => (await one.downloads.get(id)).status === "completed");
  });

  it("of a host that has gone under another name are interrupted, not at work for ever", async () => {
    const id = await flowing();
    const record = (await storages[0]!
      .collection<{ readonly id: string }>("service-downloads/downloads", {
        indexes: ["startedAt"],
      })
      .get(id))!;
    await one.downloads.cancel(id, { keepPartial: true });
    // As a host leaves it that is killed.
    await storages[0]!.commit([{ collection: "service-downloads/downloads", put: { ...record } }]);
    two = await open("two");
    expect(await two.downloads.get(id)).to.include({ status: "failed", error: "interrupted" });
  });
});
