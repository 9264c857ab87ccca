import { createHash } from "node:crypto";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { pluginDigest } from "../../../core/plugins/plugin-digest.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("the digest of a plugin's files", () => {
  it("takes in names, contents and which files are programs, of small and of large files", async () => {
    const folder = temporaryFolder();
    const texts = { "a.js": "small", "b.bin": "large ".repeat(20_000), "c.sh": "exit" };
    for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
    for (const [name, mode] of [
      ["a.js", 0o644],
      ["b.bin", 0o644],
      ["c.sh", 0o755],
    ] as const)
      chmodSync(path.join(folder, name), mode);
    symlinkSync("c.sh", path.join(folder, "d.sh"));
    const lines = [
      ["a.js", 0, sha256(texts["a.js"])],
      ["b.bin", 0, sha256(texts["b.bin"])],
      ["c.sh", 0o111, sha256(texts["c.sh"])],
      ["d.sh", 0o111, sha256(texts["c.sh"])],
    ];
    expect(await pluginDigest(folder)).to.equal(sha256(lines.map((line) => JSON.stringify(line)).join("\n")));
  });

  it("is refused to a link that leaves the folder", async () => {
    const folder = temporaryFolder();
    symlinkSync("/etc/hostname", path.join(folder, "out"));
    const refused = await pluginDigest(folder).catch((error: Error) => error.message);
    expect(refused).to.equal("its file out is a link to somewhere else");
  });
});
