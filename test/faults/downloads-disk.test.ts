import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openDownloads, type DownloadScene } from "../support/download-scene.ts";
import { ModelSource } from "../support/model-source.ts";

const name = "tiny-Q4_K_M.gguf";
const wanted = { repoId: "owner/model", filename: name };
const [disk, size] = [8_000_000, 4_000_000];

describe("F5: a full disk while a model comes", function () {
  this.timeout(20_000);
  let source: ModelSource;
  let scene: DownloadScene;
  let folder = "";

  before(function () {
    folder = temporaryFolder("pergola-disk-");
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${disk}`, "tmpfs", folder], { stdio: "ignore" });
    } catch {
      folder = "";
      process.stderr.write(
        "    the tests with a small disk are left out: they need root, and mount of the package util-linux\n",
      );
      this.skip();
    }
  });
  after(() => {
    if (folder !== "") execFileSync("umount", ["-l", folder]);
  });
  beforeEach(async () => {
    for (const entry of ["models", "filler"])
      rmSync(path.join(folder, entry), { recursive: true, force: true });
    mkdirSync(path.join(folder, "models"));
    source = await ModelSource.open({ [name]: { size } });
    scene = await openDownloads({ url: source.url, folder: path.join(folder, "models") });
  });
  afterEach(async () => {
    await scene.downloads.stop();
    await source.close();
    expect(scene.bugs).to.deep.equal([]);
  });

  const free = (): number => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  const leave = (bytes: number): void =>
    writeFileSync(path.join(folder, "filler"), Buffer.alloc(free() - bytes));
  /** Others fill the disk while it is at work. */
  const fillUp = async (keepPartial: boolean) => {
    source.pace = 4_000_000;
    const { downloadId } = await scene.start({ ...wanted, keepPartial });
    await scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 500_000);
    leave(200_000);
    source.pace = 0;
    return scene.until(downloadId);
  };

  it("is seen before a byte comes", async () => {
    leave(size - 100_000);
    const failed = await scene.until((await scene.start(wanted)).downloadId);
    expect([failed.status, source.asksFor(name).length]).to.deep.equal(["failed", 0]);
    expect(failed.error).to.match(
      /^There is not enough room on the disk: [\d.]+ GB are needed, [\d.]+ GB are free\.$/,
    );
  });

  it("counts what other downloads will still take", async () => {
    source.put("other-Q8_0.gguf", { size });
    leave(size + 1_000_000);
    source.pace = 2_000_000;
    const first = await scene.start(wanted);
    await scene.until(first.downloadId, ({ status }) => status === "downloading");
    const second = await scene.until(
      (await scene.start({ ...wanted, filename: "other-Q8_0.gguf" })).downloadId,
    );
    expect(second.error).to.match(/^There is not enough room/);
    expect((await scene.until(first.downloadId)).status).to.equal("completed");
  });

  it("ends the download with a clear word, and what had come is removed", async () => {
    const failed = await fillUp(false);
    expect(failed).to.deep.include({ status: "failed", bytesDownloaded: 0 });
    expect(failed.error).to.equal("The disk is full. What had come was removed. Make room, then resume.");
    expect([scene.files(), free() > 500_000]).to.deep.equal([[], true]);
  });

  it("keeps what had come when that is wished, and goes on once there is room", async () => {
    const failed = await fillUp(true);
    expect(failed.error).to.include("What has come is kept.");
    expect([failed.bytesDownloaded > 500_000, scene.files().length]).to.deep.equal([true, 1]);
    rmSync(path.join(folder, "filler"));
    await scene.downloads.resume(failed.downloadId);
    expect((await scene.until(failed.downloadId)).status).to.equal("completed");
    expect(source.asksFor(name)[1]?.headers.range).to.match(/^bytes=[1-9]/);
  });
});
