import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { faultyDownloads, model, name, place, size, wanted } from "../support/faulty-downloads.ts";
import { bytesOf, type Trouble } from "../support/model-source.ts";

describe("F15: downloads", function () {
  this.timeout(20_000);
  const downloads = faultyDownloads();
  const { isRight, open, rangesAsked, run } = downloads;

  it("brings a file whole, under its name, and says what it is", async () => {
    await open();
    const done = await run();
    expect(done).to.deep.include({
      status: "completed",
      progress: 1,
      bytesDownloaded: size,
      totalBytes: size,
      error: null,
      eta: null,
    });
    expect(done).to.deep.include({
      filename: name,
      repoId: "owner/model",
      modelId: "llama/owner/model/tiny-Q4_K_M",
    });
    expect(done.files).to.deep.equal([
      { name, bytesDownloaded: size, totalBytes: size, status: "completed" },
    ]);
    expect([downloads.scene.files(), downloads.scene.refreshed()]).to.deep.equal([[place], 1]);
    await isRight();
  });

  for (const cutAt of [0, 1, 65_536, size / 2, size - 1])
    it(`goes on by itself after a cut at byte ${cutAt}`, async () => {
      await open();
      downloads.source.trouble(name, { cutAt });
      expect((await run()).status).to.equal("completed");
      await isRight();
      expect(rangesAsked()).to.have.length(2);
      expect(rangesAsked()[1] ?? "bytes=0-").to.match(/^bytes=\d+-$/);
    });

  it("asks for the rest only, and only of the same version", async () => {
    await open();
    downloads.source.trouble(name, { cutAt: size / 2 });
    await run();
    const { headers } = downloads.source.asksFor(name)[1]!;
    const from = Number(/\d+/.exec(String(headers.range))?.[0]);
    expect(from).to.be.within(1, size / 2);
    expect(headers["if-range"]).to.equal(`"${downloads.source.sha256(name)}"`);
    expect(headers["accept-encoding"]).to.equal("identity");
  });

  it("gives up after cuts without progress, stays resumable, and goes on from there", async () => {
    await open({ timings: { tries: 3 } });
    downloads.source.trouble(name, { cutAt: 300_000 }, { cutAt: 300_000 }, { cutAt: 300_000 });
    const failed = await run();
    expect([failed.status, failed.modelId, downloads.scene.files().length]).to.deep.equal([
      "failed",
      null,
      1,
    ]);
    expect(failed.error).to.match(/^The source (could not be reached|broke off)/);
    expect(existsSync(path.join(downloads.scene.folder, place))).to.equal(false);
    const again = await downloads.scene.downloads.resume(failed.downloadId);
    expect(again.status).to.equal("starting");
    expect((await downloads.scene.until(failed.downloadId)).status).to.equal("completed");
    expect(rangesAsked().at(-1)).to.equal(`bytes=${failed.bytesDownloaded}-`);
    expect(failed.bytesDownloaded).to.be.above(0);
    await isRight();
  });

  it("begins from zero when the file has changed before a resume", async () => {
    await open({ timings: { tries: 1 } });
    downloads.source.trouble(name, { cutAt: size / 2 });
    const { downloadId } = await run();
    downloads.source.put(name, { size: size + 10, seed: 2 });
    await downloads.scene.downloads.resume(downloadId);
    expect(await downloads.scene.until(downloadId)).to.deep.include({
      status: "completed",
      totalBytes: size + 10,
    });
    await isRight({ size: size + 10, seed: 2 });
  });

  for (const [how, trouble] of [
    ["says so", {}],
    ["ignores If-Range", { ignoreIfRange: true }],
  ] as const)
    it(`never glues two versions together, without a hash either, when the source ${how}`, async () => {
      await open();
      downloads.source.put(name, { size, told: { sha256: null } });
      const then = (): void =>
        downloads.source.put(name, { size, seed: 3, told: { sha256: null } }, { silently: true });
      downloads.source.trouble(name, { cutAt: size / 2, then }, trouble);
      expect((await run()).status).to.equal("completed");
      expect(rangesAsked()[1]).to.match(/^bytes=[1-9]/);
      await isRight({ size, seed: 3 });
    });

  for (const [what, trouble] of [
    ["ignores ranges", { ignoreRange: true }],
    ["sends another range than was asked for", { wrongRange: true }],
    ["cannot serve the range", { status: 416 }],
  ] as const)
    it(`begins from zero when the source ${what}`, async () => {
      downloads.source.put(name, { size, told: { sha256: null } });
      await open();
      downloads.source.trouble(name, { cutAt: size / 2 }, trouble);
      expect((await run()).status).to.equal("completed");
      expect(rangesAsked()[1]).to.match(/^bytes=[1-9]/);
      await isRight();
    });

  const lies: readonly (readonly [string, Trouble, string])[] = [
    ["says a larger size", { length: size + 1 }, "its catalogue says"],
    ["says a smaller size", { length: size - 1 }, "its catalogue says"],
    ["sends more than there is", { more: 10 }, "more than it said"],
    ["packs the file", { encoding: "gzip" }, "packs the file"],
    ["does not have the file any more", { status: 404 }, "not at the source"],
    ["wants a token", { status: 403 }, "downloads.token"],
  ];
  for (const [what, trouble, said] of lies)
    it(`fails at once, and shows nothing, when the source ${what}`, async () => {
      await open();
      downloads.source.trouble(name, trouble);
      const failed = await run();
      expect([failed.status, downloads.source.asksFor(name).length]).to.deep.equal(["failed", 1]);
      expect(failed.error).to.include(said);
      expect(existsSync(path.join(downloads.scene.folder, place))).to.equal(false);
    });

  it("shows nothing of a file with a wrong hash, and keeps nothing of it", async () => {
    downloads.source.put(name, { size, told: { sha256: "0".repeat(64) } });
    await open();
    const failed = await run();
    expect([failed.status, failed.bytesDownloaded, downloads.source.asksFor(name).length]).to.deep.equal([
      "failed",
      0,
      1,
    ]);
    expect(failed.error).to.include("another SHA-256");
    expect(existsSync(path.join(downloads.scene.folder, place))).to.equal(false);
  });

  it("tries once more from zero when what was put together from two answers has a wrong hash", async () => {
    await open({ timings: { tries: 1 } });
    downloads.source.trouble(name, { cutAt: size / 2 });
    const failed = await run();
    const part = downloads.scene.files()[0] ?? "";
    writeFileSync(path.join(downloads.scene.folder, part), Buffer.alloc(failed.bytesDownloaded));
    await downloads.scene.downloads.stop();
    const { folder, storage } = downloads.scene;
    await open({ folder, storage });
    await downloads.scene.downloads.resume(failed.downloadId);
    expect((await downloads.scene.until(failed.downloadId)).status).to.equal("completed");
    await isRight();
  });

  it("brings not a byte when the hash that was asked for is not the source's", async () => {
    await open();
    const failed = await run({ ...wanted, sha256: "0".repeat(64) });
    expect([failed.status, downloads.source.asksFor(name).length]).to.deep.equal(["failed", 0]);
  });

  it("follows no redirect inward, whatever the catalogue's host is, and does not try it again", async () => {
    const canary = createServer((_, response) => void response.end("secret"));
    let connections = 0;
    canary.on("connection", () => (connections += 1));
    await once(canary.listen(0, "127.0.0.1"), "listening");
    await open();
    for (const target of [
      `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x`,
      "http://169.254.169.254/latest",
      "file:///etc/passwd",
    ]) {
      downloads.source.trouble(name, { redirect: target });
      const failed = await run();
      expect(failed.error, target).to.include("leads where it may not");
    }
    canary.close();
    expect([connections, downloads.source.asksFor(name).length]).to.deep.equal([0, 3]);
  });

  it("takes a source that falls silent for one that broke off", async () => {
    await open({ timings: { patience: 0.3 } });
    downloads.source.trouble(name, { hangAt: 200_000 });
    expect((await run()).status).to.equal("completed");
    expect(rangesAsked()[1]).to.match(/^bytes=[1-9]/);
    await isRight();
  });

  it("waits as long as the source asks", async () => {
    await open();
    downloads.source.trouble(name, { status: 429, headers: { "retry-after": "1" } }, { status: 503 });
    const begun = Date.now();
    expect((await run()).status).to.equal("completed");
    expect(Date.now() - begun).to.be.within(990, 5000);
  });

  it("sends its token to the source, and keeps it out of what it says", async () => {
    downloads.source.token = "hf_0123456789abcdef";
    await open({ settings: { "downloads.token": "hf_0123456789abcdef" } });
    const done = await run();
    expect(done.status).to.equal("completed");
    expect(JSON.stringify(done)).to.not.include("hf_");
  });
});

it("F15: the fixture's bytes are the same wherever they begin", () => {
  const all = Buffer.concat([...bytesOf(model)]);
  expect(Buffer.concat([...bytesOf(model, 70_001, 140_003)]).equals(all.subarray(70_001, 140_003))).to.equal(
    true,
  );
});
