import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { Header } from "tar";
import { pluginDigest } from "../../core/plugins/plugin-digest.ts";
import { openSupplyScene, type SupplyScene } from "../support/supply-scene.ts";

const block = 512;

interface Entry {
  readonly path: string;
  readonly type?: "File" | "SymbolicLink" | "Link" | "CharacterDevice";
  readonly linkpath?: string;
  readonly body?: string;
  /** What the header says, when it is not the length of the body. */
  readonly size?: number;
}

/** The header of an entry, and its body filled up to whole blocks. */
function entryBytes({
  path: name,
  type = "File",
  linkpath = "",
  body = "",
  size = body.length,
}: Entry): Buffer {
  const header = Buffer.alloc(block);
  const facts = { path: name, type, linkpath, size, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 };
  new Header(facts).encode(header);
  const text = Buffer.from(body);
  return Buffer.concat([header, text, Buffer.alloc((block - (text.length % block)) % block)]);
}

describe("a plugin's tarball that leads astray", function () {
  this.timeout(240_000);
  let scene: SupplyScene;
  let good: Buffer;
  before(async () => {
    scene = await openSupplyScene();
    good = gunzipSync(readFileSync(scene.pack(scene.dice())));
  });
  after(() => scene.close());

  /** The good package, with more behind it. */
  function tarball(name: string, more: Buffer, end = Buffer.alloc(2 * block)): string {
    const file = path.join(scene.folder, `${name}.tgz`);
    const whole = good.subarray(0, good.length - (good.length % block));
    let last = whole.length;
    while (last > 0 && whole.subarray(last - block, last).every((byte) => byte === 0)) last -= block;
    writeFileSync(file, Buffer.concat([gzipSync(whole.subarray(0, last)), more, gzipSync(end)]));
    return file;
  }

  async function isRefused(file: string, reason: string): Promise<void> {
    const before = readdirSync(scene.folder);
    const { code, stderr, stdout } = await scene.run("plugins", "add", file, "--dry-run");
    expect(stderr + stdout)
      .to.include("This package is refused")
      .and.include(reason);
    expect(code).to.not.equal(0);
    expect(scene.kept()).to.deep.equal([]);
    expect(
      readdirSync(scene.folder).filter((name) => !before.includes(name) && !name.startsWith("cache-")),
    ).to.deep.equal([]);
  }

  it("X24 refuses a path that leads out, an absolute one, links of both kinds, and a device", async () => {
    expect((await scene.run("plugins", "add", tarball("good", Buffer.alloc(0)), "--dry-run")).code).to.equal(
      0,
    );
    const outside = path.join(scene.folder, "outside.txt");
    const entries: readonly (readonly [string, Entry, string])[] = [
      ["up", { path: "package/../../../../outside.txt", body: "evil" }, "leads out of it"],
      ["absolute", { path: outside, body: "evil" }, "is no path below it"],
      ["link", { path: "package/data", type: "SymbolicLink", linkpath: "/etc/passwd" }, "is a link"],
      ["hard", { path: "package/data", type: "Link", linkpath: "/etc/passwd" }, "is a link"],
      ["device", { path: "package/null", type: "CharacterDevice" }, "is no ordinary file"],
    ];
    for (const [name, entry, reason] of entries)
      await isRefused(tarball(name, gzipSync(entryBytes(entry))), reason);
    expect(() => statSync(outside)).to.throw();
  });

  it("X24 refuses ten gigabytes and a million files before they are unpacked", async () => {
    const big = entryBytes({ path: "package/big.bin", size: 10 * 2 ** 30 });
    await isRefused(tarball("big", gzipSync(big)), "larger than");
    const thousand = gzipSync(
      Buffer.concat(Array.from({ length: 1000 }, () => entryBytes({ path: "package/a.txt" }))),
    );
    const million = tarball("many", Buffer.concat(Array.from({ length: 1000 }, () => thousand)));
    await isRefused(million, "larger than");
  });

  it("X24 pins no folder with a link that leads out of it, or to a file of another place", async () => {
    const folder = path.join(scene.folder, "with-links");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "index.js"), "");
    expect(await pluginDigest(folder)).to.match(/^[0-9a-f]{64}$/);
    symlinkSync("/etc", path.join(folder, "etc"));
    const failed = await pluginDigest(folder).catch((error: unknown) => (error as Error).message);
    expect(failed).to.include("is a link to somewhere else");
    const hard = path.join(scene.folder, "with-hard-link");
    mkdirSync(hard);
    writeFileSync(path.join(scene.folder, "elsewhere.js"), "1");
    linkSync(path.join(scene.folder, "elsewhere.js"), path.join(hard, "index.js"));
    const before = await pluginDigest(hard);
    writeFileSync(path.join(scene.folder, "elsewhere.js"), "2");
    expect(await pluginDigest(hard)).to.not.equal(before);
  });
});
