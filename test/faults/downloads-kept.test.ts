import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { faultyDownloads, hashOf, model, name, place, size, wanted } from "../support/faulty-downloads.ts";
import { bytesOf, type SourceModel } from "../support/model-source.ts";

describe("F15: what downloads keep and share", function () {
  this.timeout(20_000);
  const downloads = faultyDownloads();
  const { isRight, open, rangesAsked, run } = downloads;

  it("makes one download of the same target asked for twice at once, and knows it when it is installed", async () => {
    downloads.source.pace = 4_000_000;
    await open();
    const signal = AbortSignal.timeout(5000);
    const both = await Promise.all([
      downloads.scene.downloads.start(wanted, signal),
      downloads.scene.downloads.start({ repoId: "owner/model" }, signal),
    ]);
    expect(both.map(({ existing }) => existing)).to.deep.equal([false, true]);
    const { downloadId } = await downloads.scene.until(both[0].status.downloadId);
    expect(both[1].status.downloadId).to.equal(downloadId);
    const later = await downloads.scene.downloads.start(wanted, signal);
    expect([later.existing, later.status.downloadId, downloads.source.asksFor(name).length]).to.deep.equal([
      true,
      downloadId,
      1,
    ]);
  });

  it("begins anew when what was installed is gone, and takes what was put there by hand", async () => {
    await open();
    const { downloadId } = await run();
    writeFileSync(path.join(downloads.scene.folder, place), "something else");
    const second = await run();
    expect([
      second.status,
      second.downloadId === downloadId,
      (await downloads.scene.downloads.list()).length,
    ]).to.deep.equal(["completed", false, 1]);
    await isRight();
    const other = { folder: path.join(temporaryFolder(), "m") };
    mkdirSync(path.join(other.folder, "owner/model"), { recursive: true });
    writeFileSync(path.join(other.folder, place), Buffer.concat([...bytesOf(model)]));
    await open(other);
    const before = downloads.source.asksFor(name).length;
    expect([(await run()).status, downloads.source.asksFor(name).length]).to.deep.equal([
      "completed",
      before,
    ]);
  });

  it("has no more at work than may be; the others wait, and can be cancelled", async () => {
    const names = ["a", "b", "c"].map((letter) => `${letter}-Q8_0.gguf`);
    for (const one of names) downloads.source.put(one, { size: 200_000 });
    // So slow that the first is at work until the pace is changed, however busy the machine is.
    downloads.source.pace = 30_000;
    await open({ settings: { "downloads.max_parallel": 1 } });
    const [a, b, c] = await Promise.all(
      names.map((filename) => downloads.scene.start({ repoId: "owner/model", filename })),
    );
    await downloads.scene.until(a!.downloadId, ({ bytesDownloaded }) => bytesDownloaded > 0);
    expect((await downloads.scene.downloads.get(b!.downloadId)).status).to.equal("starting");
    expect((await downloads.scene.downloads.cancel(c!.downloadId, { keepPartial: false })).status).to.equal(
      "cancelled",
    );
    downloads.source.pace = 0;
    expect((await downloads.scene.until(b!.downloadId)).status).to.equal("completed");
    expect([downloads.source.mostSending, downloads.source.asksFor(names[2]!).length]).to.deep.equal([1, 0]);
  });

  it("R07: a cancel frees the disk, the folders too; with keepPartial a resume goes on", async () => {
    await open();
    for (const keepPartial of [true, false]) {
      downloads.source.pace = 500_000;
      const { downloadId } = await downloads.scene.start(wanted);
      await downloads.scene.until(
        downloadId,
        ({ status, bytesDownloaded }) =>
          status === "downloading" && bytesDownloaded > (keepPartial ? 200_000 : 500_000),
      );
      const cancelled = await downloads.scene.downloads.cancel(downloadId, { keepPartial });
      expect(cancelled).to.deep.include({ status: "cancelled", downloadSpeed: 0, eta: null });
      expect([downloads.scene.files().length, cancelled.bytesDownloaded > 0]).to.deep.equal(
        keepPartial ? [1, true] : [0, false],
      );
      if (!keepPartial) expect(existsSync(path.join(downloads.scene.folder, "owner"))).to.equal(false);
    }
    downloads.source.pace = 0;
    const { downloadId } = (await downloads.scene.downloads.list())[0]!;
    expect(rangesAsked()[1]).to.match(/^bytes=[1-9]/);
    await downloads.scene.downloads.resume(downloadId);
    expect((await downloads.scene.until(downloadId)).status).to.equal("completed");
  });

  it("a cancel after a cancel that kept the bytes removes them", async () => {
    downloads.source.pace = 500_000;
    await open();
    const { downloadId } = await downloads.scene.start(wanted);
    await downloads.scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 100_000);
    await downloads.scene.downloads.cancel(downloadId, { keepPartial: true });
    await downloads.scene.downloads.cancel(downloadId, { keepPartial: false });
    expect(downloads.scene.files()).to.deep.equal([]);
  });

  it("R07: what a failed or a cancelled one has kept is removed when that is wished, and a resume begins from zero", async () => {
    await open({ timings: { tries: 1 } });
    downloads.source.trouble(name, { cutAt: 300_000 });
    const failed = await run();
    expect([failed.status, downloads.scene.files().length]).to.deep.equal(["failed", 1]);
    const discarded = await downloads.scene.downloads.discard(failed.downloadId);
    expect(discarded).to.deep.include({ status: "failed", bytesDownloaded: 0 });
    expect([downloads.scene.files(), existsSync(path.join(downloads.scene.folder, "owner"))]).to.deep.equal([
      [],
      false,
    ]);
    await downloads.scene.downloads.resume(failed.downloadId);
    expect((await downloads.scene.until(failed.downloadId)).status).to.equal("completed");
    expect(rangesAsked()[1]).to.equal(undefined);
    const refused: unknown = await downloads.scene.downloads
      .discard(failed.downloadId)
      .catch((error: unknown) => error);
    expect(refused).to.have.property("code", "not_resumable");
    await isRight();
  });

  it("R07: a start removes old unfinished files of downloads that nobody knows, and nothing else", async () => {
    downloads.source.pace = 500_000;
    await open();
    const { downloadId } = await downloads.scene.start(wanted);
    await downloads.scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 100_000);
    await downloads.scene.downloads.stop();
    const { folder, storage } = downloads.scene;
    const [known = ""] = downloads.scene.files();
    const place = (file: string): string => path.join(folder, "owner/model", file);
    const weeks = new Date(Date.now() - 8 * 86_400_000);
    for (const file of ["lost.gguf.0badcafe.part", "own.part", "own.gguf", "young.gguf.0badcafe.part"])
      writeFileSync(place(file), "x");
    for (const file of [
      place("lost.gguf.0badcafe.part"),
      place("own.part"),
      place("own.gguf"),
      path.join(folder, known),
    ])
      utimesSync(file, weeks, weeks);
    await open({ folder, storage });
    const expected = [
      known,
      ...["own.part", "own.gguf", "young.gguf.0badcafe.part"].map((file) => `owner/model/${file}`),
    ];
    expect(downloads.scene.files()).to.have.members(expected);
    downloads.source.pace = 0;
    await downloads.scene.downloads.resume(downloadId);
    expect((await downloads.scene.until(downloadId)).status).to.equal("completed");
  });

  it("R07: a restart makes of what was at work a failed download that goes on", async () => {
    downloads.source.pace = 1_000_000;
    await open();
    const { downloadId } = await downloads.scene.start(wanted);
    await downloads.scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 300_000);
    await downloads.scene.downloads.stop();
    const { folder, storage } = downloads.scene;
    await open({ folder, storage });
    const found = await downloads.scene.downloads.get(downloadId);
    expect(found).to.deep.include({ status: "failed", error: "interrupted", totalBytes: size });
    expect(found.bytesDownloaded).to.be.above(300_000);
    downloads.source.pace = 0;
    await downloads.scene.downloads.resume(downloadId);
    expect((await downloads.scene.until(downloadId)).status).to.equal("completed");
    expect(rangesAsked()[1]).to.equal(`bytes=${found.bytesDownloaded}-`);
    await isRight();
  });

  it("R08: nobody sees a model of which parts are missing", async () => {
    const parts = [1, 2, 3].map((part) => `big-Q4_K_M-0000${part}-of-00003.gguf`);
    for (const [seed, part] of parts.entries()) downloads.source.put(part, { size: 100_000, seed });
    await open({ timings: { tries: 1 } });
    downloads.source.trouble(parts[2]!, { cutAt: 50_000 });
    const failed = await run({ repoId: "owner/model" });
    expect(failed.files.map(({ status }) => status)).to.deep.equal(["completed", "completed", "failed"]);
    expect(downloads.scene.files().every((file) => file.endsWith(".part"))).to.equal(true);
    await downloads.scene.downloads.resume(failed.downloadId);
    const done = await downloads.scene.until(failed.downloadId);
    expect([done.modelId, downloads.scene.files()]).to.deep.equal([
      "llama/owner/model/big-Q4_K_M",
      parts.map((part) => `owner/model/${part}`),
    ]);
    expect(downloads.source.asksFor(parts[0]!)).to.have.length(1);
  });

  it("writes through no link that leads out of its folder", async () => {
    await open();
    const elsewhere = temporaryFolder();
    mkdirSync(downloads.scene.folder, { recursive: true });
    symlinkSync(elsewhere, path.join(downloads.scene.folder, "owner"));
    const failed = await run();
    expect([failed.status, failed.error]).to.deep.equal([
      "failed",
      "A link leads out of the folder of models; nothing is written there.",
    ]);
    symlinkSync(
      path.join(elsewhere, "victim"),
      path.join(elsewhere, "model", `${name}.${failed.downloadId.slice(0, 8)}.part`),
    );
    expect(existsSync(path.join(elsewhere, "victim"))).to.equal(false);
  });

  it("believes no catalogue that names files outside, digests that are none, or nothing at all", async () => {
    await open();
    const repository = (siblings: unknown) => ({
      status: 200,
      body: JSON.stringify({ sha: "main", siblings }),
    });
    const told = (rfilename: string, sha256 = "0".repeat(64)) =>
      repository([{ rfilename, size: 1, lfs: { sha256, size: 1 } }]);
    const answers = [
      told("../../x-Q4_K_M.gguf"),
      told("/etc/x.gguf"),
      told("a\u0000.gguf"),
      told(name, "../../x"),
      told(name, "0".repeat(63)),
      repository("none"),
      { status: 200, body: "<html>" },
      { status: 500, body: "" },
    ];
    for (const answer of answers) {
      downloads.source.catalogue = () => answer;
      const error = await downloads.scene.start({ repoId: "owner/model" }).catch((cause: unknown) => cause);
      expect(error, answer.body).to.have.property("code", "provider_error");
    }
    expect(await downloads.scene.downloads.list()).to.deep.equal([]);
  });

  it("brings 1 GiB through three cuts, with the right hash, and in little memory", async function () {
    this.timeout(180_000);
    const sha256 = "a71283a1fb95d9418953d3865f8f4ddb3b0cf2b102e59134a48e5aad5abd6aad";
    const large: SourceModel = { size: 1_073_741_824, seed: 9, told: { sha256 } };
    downloads.source.put(name, large);
    await open();
    downloads.source.trouble(name, { cutAt: 100_000_000 }, { cutAt: 500_000_001 }, { cutAt: 1_073_741_823 });
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 50);
    const done = await run();
    clearInterval(watch);
    expect([done.status, done.error]).to.deep.equal(["completed", null]);
    expect(downloads.source.asksFor(name)).to.have.length(4);
    expect(await hashOf(path.join(downloads.scene.folder, place))).to.equal(sha256);
    expect(most).to.be.below(200_000_000);
  });
});
