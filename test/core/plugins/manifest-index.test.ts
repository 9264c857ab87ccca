import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { PluginError } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { ManifestIndex } from "../../../core/plugins/manifest-index.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

describe("the index of manifests", () => {
  const writer = "Pergola 1";
  /** All files of a test were changed long ago. */
  const tomorrow = { now: () => Date.now() + 86_400_000 };
  let file: string;
  let plugin: string;
  const open = (by = writer, clock = tomorrow): ManifestIndex => new ManifestIndex(file, by, clock);
  const versionIn = (index: ManifestIndex): string => index.manifestIn(plugin, false).version;
  const keep = (index = open()): void => {
    versionIn(index);
    index.keep();
  };
  /** Puts a version into the index that the plugin never had: it tells where a manifest comes from. */
  const markIndex = (): void => {
    const body = readFileSync(file, "utf8").split("\n")[1]!.replaceAll("1.2.3", "9.9.9");
    const digest = createHash("sha256").update(`${writer}\n${body}`).digest("hex");
    writeFileSync(file, `${digest}\n${body}`);
  };

  beforeEach(() => {
    file = path.join(temporaryFolder(), "manifests.json");
    plugin = writePlugin(temporaryFolder(), { id: "tool-a" });
    keep();
    markIndex();
  });

  it("gives what was checked before while the files are the same", () => {
    expect(versionIn(open())).to.equal("9.9.9");
  });

  it("belongs to the account alone", () => {
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it("reads a manifest anew that was changed, and writes that down", () => {
    writePlugin(path.dirname(plugin), { id: "tool-a", package: { version: "2.0.0" } });
    keep();
    expect(versionIn(open())).to.equal("2.0.0");
    markIndex();
    writeFileSync(path.join(plugin, "plugin.json"), `{ "id": "tool-a" }`);
    expect(() => versionIn(open())).to.throw(PluginError, "sdk");
  });

  it("tells plugins of ours from others in the same folder", () => {
    expect(open().manifestIn(plugin, true).version).to.equal("1.2.3");
  });

  it("forgets a plugin that is not asked for any more", () => {
    const other = writePlugin(temporaryFolder(), { id: "tool-b" });
    const index = open();
    index.manifestIn(other, false);
    index.keep();
    const text = readFileSync(file, "utf8");
    expect(text).to.include(other);
    expect(text).to.not.include(plugin);
    rmSync(plugin, { recursive: true });
    expect(() => versionIn(open())).to.throw(PluginError);
  });

  it("is passed over where it is damaged, or another Pergola has written it", () => {
    expect(versionIn(open("Pergola 2"))).to.equal("1.2.3");
    const text = readFileSync(file, "utf8");
    for (const damaged of ["", "x", text.slice(0, -9), text.replace("9.9.9", "8.8.8")]) {
      writeFileSync(file, damaged);
      expect(versionIn(open()), damaged.slice(0, 80)).to.equal("1.2.3");
    }
    keep();
    markIndex();
    expect(versionIn(open())).to.equal("9.9.9");
  });

  it("does not trust the time of a file that was changed just now", () => {
    rmSync(file);
    keep(open(writer, { now: () => statSync(plugin).ctimeMs }));
    expect(existsSync(file) && readFileSync(file, "utf8").includes(plugin)).to.equal(false);
  });

  it("lets a start go on where it cannot be written", () => {
    rmSync(path.dirname(file), { recursive: true });
    expect(() => keep()).to.not.throw();
  });
});
