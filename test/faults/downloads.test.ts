import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openDownloads, type DownloadScene, type SceneOptions } from "../support/download-scene.ts";
import { bytesOf, ModelSource, sha256Of, type SourceModel, type Trouble } from "../support/model-source.ts";

const size = 1_000_000;
const model: SourceModel = { size };
const name = "tiny-Q4_K_M.gguf";
const place = `owner/model/${name}`;
const wanted = { repoId: "owner/model", filename: name };

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex");
}

describe("F15: downloads", function () {
  this.timeout(20_000);
  let source: ModelSource;
  let scene: DownloadScene;

  beforeEach(async () => {
    source = await ModelSource.open({ [name]: model });
  });
  afterEach(async () => {
    await scene.downloads.stop();
    await source.close();
    expect(scene.bugs).to.deep.equal([]);
  });

  const open = async (options: Partial<SceneOptions> = {}): Promise<DownloadScene> =>
    (scene = await openDownloads({ url: source.url, ...options }));
  const run = async (request: object = wanted) => scene.until((await scene.start(request)).downloadId);
  const rangesAsked = () => source.asksFor(name).map(({ headers }) => headers.range);
  const isRight = async (as: SourceModel = model) =>
    expect(await hashOf(path.join(scene.folder, place))).to.equal(sha256Of(as));

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
    expect([scene.files(), scene.refreshed()]).to.deep.equal([[place], 1]);
    await isRight();
  });

  for (const cutAt of [0, 1, 65_536, size / 2, size - 1])
    it(`goes on by itself after a cut at byte ${cutAt}`, async () => {
      await open();
      source.trouble(name, { cutAt });
      expect((await run()).status).to.equal("completed");
      await isRight();
      expect(rangesAsked()).to.have.length(2);
      expect(rangesAsked()[1] ?? "bytes=0-").to.match(/^bytes=\d+-$/);
    });

  it("asks for the rest only, and only of the same version", async () => {
    await open();
    source.trouble(name, { cutAt: size / 2 });
    await run();
    const { headers } = source.asksFor(name)[1]!;
    const from = Number(/\d+/.exec(String(headers.range))?.[0]);
    expect(from).to.be.within(1, size / 2);
    expect(headers["if-range"]).to.equal(`"${source.sha256(name)}"`);
    expect(headers["accept-encoding"]).to.equal("identity");
  });

  it("gives up after cuts without progress, stays resumable, and goes on from there", async () => {
    await open({ timings: { tries: 3 } });
    source.trouble(name, { cutAt: 300_000 }, { cutAt: 300_000 }, { cutAt: 300_000 });
    const failed = await run();
    expect([failed.status, failed.modelId, scene.files().length]).to.deep.equal(["failed", null, 1]);
    expect(failed.error).to.match(/^The source (could not be reached|broke off)/);
    expect(existsSync(path.join(scene.folder, place))).to.equal(false);
    const again = await scene.downloads.resume(failed.downloadId);
    expect(again.status).to.equal("starting");
    expect((await scene.until(failed.downloadId)).status).to.equal("completed");
    expect(rangesAsked().at(-1)).to.equal(`bytes=${failed.bytesDownloaded}-`);
    expect(failed.bytesDownloaded).to.be.above(0);
    await isRight();
  });

  it("begins from zero when the file has changed before a resume", async () => {
    await open({ timings: { tries: 1 } });
    source.trouble(name, { cutAt: size / 2 });
    const { downloadId } = await run();
    source.put(name, { size: size + 10, seed: 2 });
    await scene.downloads.resume(downloadId);
    expect(await scene.until(downloadId)).to.deep.include({ status: "completed", totalBytes: size + 10 });
    await isRight({ size: size + 10, seed: 2 });
  });

  for (const [how, trouble] of [
    ["says so", {}],
    ["ignores If-Range", { ignoreIfRange: true }],
  ] as const)
    it(`never glues two versions together, without a hash either, when the source ${how}`, async () => {
      await open();
      source.put(name, { size, told: { sha256: null } });
      const then = (): void =>
        source.put(name, { size, seed: 3, told: { sha256: null } }, { silently: true });
      source.trouble(name, { cutAt: size / 2, then }, trouble);
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
      source.put(name, { size, told: { sha256: null } });
      await open();
      source.trouble(name, { cutAt: size / 2 }, trouble);
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
      source.trouble(name, trouble);
      const failed = await run();
      expect([failed.status, source.asksFor(name).length]).to.deep.equal(["failed", 1]);
      expect(failed.error).to.include(said);
      expect(existsSync(path.join(scene.folder, place))).to.equal(false);
    });

  it("shows nothing of a file with a wrong hash, and keeps nothing of it", async () => {
    source.put(name, { size, told: { sha256: "0".repeat(64) } });
    await open();
    const failed = await run();
    expect([failed.status, failed.bytesDownloaded, source.asksFor(name).length]).to.deep.equal([
      "failed",
      0,
      1,
    ]);
    expect(failed.error).to.include("another SHA-256");
    expect(existsSync(path.join(scene.folder, place))).to.equal(false);
  });

  it("tries once more from zero when what was put together from two answers has a wrong hash", async () => {
    await open({ timings: { tries: 1 } });
    source.trouble(name, { cutAt: size / 2 });
    const failed = await run();
    const part = scene.files()[0] ?? "";
    writeFileSync(path.join(scene.folder, part), Buffer.alloc(failed.bytesDownloaded));
    await scene.downloads.stop();
    const { folder, storage } = scene;
    await open({ folder, storage });
    await scene.downloads.resume(failed.downloadId);
    expect((await scene.until(failed.downloadId)).status).to.equal("completed");
    await isRight();
  });

  it("brings not a byte when the hash that was asked for is not the source's", async () => {
    await open();
    const failed = await run({ ...wanted, sha256: "0".repeat(64) });
    expect([failed.status, source.asksFor(name).length]).to.deep.equal(["failed", 0]);
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
      source.trouble(name, { redirect: target });
      const failed = await run();
      expect(failed.error, target).to.include("leads where it may not");
    }
    canary.close();
    expect([connections, source.asksFor(name).length]).to.deep.equal([0, 3]);
  });

  it("takes a source that falls silent for one that broke off", async () => {
    await open({ timings: { patience: 0.3 } });
    source.trouble(name, { hangAt: 200_000 });
    expect((await run()).status).to.equal("completed");
    expect(rangesAsked()[1]).to.match(/^bytes=[1-9]/);
    await isRight();
  });

  it("waits as long as the source asks", async () => {
    await open();
    source.trouble(name, { status: 429, headers: { "retry-after": "1" } }, { status: 503 });
    const begun = Date.now();
    expect((await run()).status).to.equal("completed");
    expect(Date.now() - begun).to.be.within(990, 5000);
  });

  it("sends its token to the source, and keeps it out of what it says", async () => {
    source.token = "hf_0123456789abcdef";
    await open({ settings: { "downloads.token": "hf_0123456789abcdef" } });
    const done = await run();
    expect(done.status).to.equal("completed");
    expect(JSON.stringify(done)).to.not.include("hf_");
  });

  it("makes one download of the same target asked for twice at once, and knows it when it is installed", async () => {
    source.pace = 4_000_000;
    await open();
    const signal = AbortSignal.timeout(5000);
    const both = await Promise.all([
      scene.downloads.start(wanted, signal),
      scene.downloads.start({ repoId: "owner/model" }, signal),
    ]);
    expect(both.map(({ existing }) => existing)).to.deep.equal([false, true]);
    const { downloadId } = await scene.until(both[0].status.downloadId);
    expect(both[1].status.downloadId).to.equal(downloadId);
    const later = await scene.downloads.start(wanted, signal);
    expect([later.existing, later.status.downloadId, source.asksFor(name).length]).to.deep.equal([
      true,
      downloadId,
      1,
    ]);
  });

  it("begins anew when what was installed is gone, and takes what was put there by hand", async () => {
    await open();
    const { downloadId } = await run();
    writeFileSync(path.join(scene.folder, place), "something else");
    const second = await run();
    expect([
      second.status,
      second.downloadId === downloadId,
      (await scene.downloads.list()).length,
    ]).to.deep.equal(["completed", false, 1]);
    await isRight();
    const other = { folder: path.join(temporaryFolder(), "m") };
    mkdirSync(path.join(other.folder, "owner/model"), { recursive: true });
    writeFileSync(path.join(other.folder, place), Buffer.concat([...bytesOf(model)]));
    await open(other);
    const before = source.asksFor(name).length;
    expect([(await run()).status, source.asksFor(name).length]).to.deep.equal(["completed", before]);
  });

  it("has no more at work than may be; the others wait, and can be cancelled", async () => {
    const names = ["a", "b", "c"].map((letter) => `${letter}-Q8_0.gguf`);
    for (const one of names) source.put(one, { size: 200_000 });
    // So slow that the first is at work until the pace is changed, however busy the machine is.
    source.pace = 30_000;
    await open({ settings: { "downloads.max_parallel": 1 } });
    const [a, b, c] = await Promise.all(
      names.map((filename) => scene.start({ repoId: "owner/model", filename })),
    );
    await scene.until(a!.downloadId, ({ bytesDownloaded }) => bytesDownloaded > 0);
    expect((await scene.downloads.get(b!.downloadId)).status).to.equal("starting");
    expect((await scene.downloads.cancel(c!.downloadId, { keepPartial: false })).status).to.equal(
      "cancelled",
    );
    source.pace = 0;
    expect((await scene.until(b!.downloadId)).status).to.equal("completed");
    expect([source.mostSending, source.asksFor(names[2]!).length]).to.deep.equal([1, 0]);
  });

  it("R07: a cancel frees the disk, the folders too; with keepPartial a resume goes on", async () => {
    await open();
    for (const keepPartial of [true, false]) {
      source.pace = 500_000;
      const { downloadId } = await scene.start(wanted);
      await scene.until(
        downloadId,
        ({ status, bytesDownloaded }) =>
          status === "downloading" && bytesDownloaded > (keepPartial ? 200_000 : 500_000),
      );
      const cancelled = await scene.downloads.cancel(downloadId, { keepPartial });
      expect(cancelled).to.deep.include({ status: "cancelled", downloadSpeed: 0, eta: null });
      expect([scene.files().length, cancelled.bytesDownloaded > 0]).to.deep.equal(
        keepPartial ? [1, true] : [0, false],
      );
      if (!keepPartial) expect(existsSync(path.join(scene.folder, "owner"))).to.equal(false);
    }
    source.pace = 0;
    const { downloadId } = (await scene.downloads.list())[0]!;
    expect(rangesAsked()[1]).to.match(/^bytes=[1-9]/);
    await scene.downloads.resume(downloadId);
    expect((await scene.until(downloadId)).status).to.equal("completed");
  });

  it("a cancel after a cancel that kept the bytes removes them", async () => {
    source.pace = 500_000;
    await open();
    const { downloadId } = await scene.start(wanted);
    await scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 100_000);
    await scene.downloads.cancel(downloadId, { keepPartial: true });
    await scene.downloads.cancel(downloadId, { keepPartial: false });
    expect(scene.files()).to.deep.equal([]);
  });

  it("R07: what a failed or a cancelled one has kept is removed when that is wished, and a resume begins from zero", async () => {
    await open({ timings: { tries: 1 } });
    source.trouble(name, { cutAt: 300_000 });
    const failed = await run();
    expect([failed.status, scene.files().length]).to.deep.equal(["failed", 1]);
    const discarded = await scene.downloads.discard(failed.downloadId);
    expect(discarded).to.deep.include({ status: "failed", bytesDownloaded: 0 });
    expect([scene.files(), existsSync(path.join(scene.folder, "owner"))]).to.deep.equal([[], false]);
    await scene.downloads.resume(failed.downloadId);
    expect((await scene.until(failed.downloadId)).status).to.equal("completed");
    expect(rangesAsked()[1]).to.equal(undefined);
    const refused: unknown = await scene.downloads
      .discard(failed.downloadId)
      .catch((error: unknown) => error);
    expect(refused).to.have.property("code", "not_resumable");
    await isRight();
  });

  it("R07: a start removes old unfinished files of downloads that nobody knows, and nothing else", async () => {
    source.pace = 500_000;
    await open();
    const { downloadId } = await scene.start(wanted);
    await scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 100_000);
    await scene.downloads.stop();
    const { folder, storage } = scene;
    const [known = ""] = scene.files();
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
    expect(scene.files()).to.have.members(expected);
    source.pace = 0;
    await scene.downloads.resume(downloadId);
    expect((await scene.until(downloadId)).status).to.equal("completed");
  });

  it("R07: a restart makes of what was at work a failed download that goes on", async () => {
    source.pace = 1_000_000;
    await open();
    const { downloadId } = await scene.start(wanted);
    await scene.until(downloadId, ({ bytesDownloaded }) => bytesDownloaded > 300_000);
    await scene.downloads.stop();
    const { folder, storage } = scene;
    await open({ folder, storage });
    const found = await scene.downloads.get(downloadId);
    expect(found).to.deep.include({ status: "failed", error: "interrupted", totalBytes: size });
    expect(found.bytesDownloaded).to.be.above(300_000);
    source.pace = 0;
    await scene.downloads.resume(downloadId);
    expect((await scene.until(downloadId)).status).to.equal("completed");
    expect(rangesAsked()[1]).to.equal(`bytes=${found.bytesDownloaded}-`);
    await isRight();
  });

  it("R08: nobody sees a model of which parts are missing", async () => {
    const parts = [1, 2, 3].map((part) => `big-Q4_K_M-0000${part}-of-00003.gguf`);
    for (const [seed, part] of parts.entries()) source.put(part, { size: 100_000, seed });
    await open({ timings: { tries: 1 } });
    source.trouble(parts[2]!, { cutAt: 50_000 });
    const failed = await run({ repoId: "owner/model" });
    expect(failed.files.map(({ status }) => status)).to.deep.equal(["completed", "completed", "failed"]);
    expect(scene.files().every((file) => file.endsWith(".part"))).to.equal(true);
    await scene.downloads.resume(failed.downloadId);
    const done = await scene.until(failed.downloadId);
    expect([done.modelId, scene.files()]).to.deep.equal([
      "llama/owner/model/big-Q4_K_M",
      parts.map((part) => `owner/model/${part}`),
    ]);
    expect(source.asksFor(parts[0]!)).to.have.length(1);
  });

  it("writes through no link that leads out of its folder", async () => {
    await open();
    const elsewhere = temporaryFolder();
    mkdirSync(scene.folder, { recursive: true });
    symlinkSync(elsewhere, path.join(scene.folder, "owner"));
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
      source.catalogue = () => answer;
      const error = await scene.start({ repoId: "owner/model" }).catch((cause: unknown) => cause);
      expect(error, answer.body).to.have.property("code", "provider_error");
    }
    expect(await scene.downloads.list()).to.deep.equal([]);
  });

  it("brings 1 GiB through three cuts, with the right hash, and in little memory", async function () {
    this.timeout(180_000);
    const sha256 = "a71283a1fb95d9418953d3865f8f4ddb3b0cf2b102e59134a48e5aad5abd6aad";
    const large: SourceModel = { size: 1_073_741_824, seed: 9, told: { sha256 } };
    source.put(name, large);
    await open();
    source.trouble(name, { cutAt: 100_000_000 }, { cutAt: 500_000_001 }, { cutAt: 1_073_741_823 });
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 50);
    const done = await run();
    clearInterval(watch);
    expect([done.status, done.error]).to.deep.equal(["completed", null]);
    expect(source.asksFor(name)).to.have.length(4);
    expect(await hashOf(path.join(scene.folder, place))).to.equal(sha256);
    expect(most).to.be.below(200_000_000);
  });
});

it("F15: the fixture's bytes are the same wherever they begin", () => {
  const all = Buffer.concat([...bytesOf(model)]);
  expect(Buffer.concat([...bytesOf(model, 70_001, 140_003)]).equals(all.subarray(70_001, 140_003))).to.equal(
    true,
  );
});
