import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import { withoutBundle } from "../support/alone/lock.ts";
import { install, installedIn } from "../support/alone/project.ts";
import { pluginManifest } from "../support/alone/use.ts";

const [, block = ""] =
  /## Install only some plugins[^]*?```sh\n([^]*?)```/.exec(read("docs/plugins.md")) ?? [];
const [overrides = "", installs = "", ...lines] = block.trim().split("\n");

/**
 * What docs/plugins.md tells its reader to type, typed in an empty folder; the packages come from tarballs,
 * as no registry has this version.
 */
describe("the page on plugins", function () {
  this.timeout(180_000);
  const home = temporaryFolder("pergola-home-");
  const project = temporaryFolder("pergola-reader-");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: home,
    NO_COLOR: "1",
    npm_config_update_notifier: "false",
  };
  const names = installs.replace("npm install ", "").split(" ");

  it("installs the core and the plugins that it names, and no other of those that can be left out", async () => {
    expect(names).to.include("pergola").and.have.length.above(2);
    execFileSync("sh", ["-c", overrides], { cwd: project });
    const written = JSON.parse(readFileSync(path.join(project, "package.json"), "utf8")) as object;
    expect(written).to.deep.equal({ overrides: withoutBundle });
    await install(project, names);
    const { includes = [] } = pluginManifest("bundle-standard");
    expect(installedIn(project).filter((name) => includes.includes(name))).to.have.members(
      names.filter((name) => name !== "pergola"),
    );
  });

  it("runs them with the lines that follow", () => {
    const said = lines.map((line) =>
      execFileSync("sh", ["-c", line], { cwd: project, env, encoding: "utf8" }),
    );
    const plugins = names
      .filter((name) => name.startsWith("@pergola/"))
      .map((name) => `✓ ${path.basename(name)} `);
    for (const plugin of plugins) expect(said.join("")).to.include(plugin);
    expect(said.join("")).to.not.include("✗");
    expect(said.at(-1)).to.include("= 0.5");
  });

  /** What a host says that finds neither a choice of plugins nor the bundle. */
  const refusal = (folder: string): string => {
    const program = path.join(folder, "node_modules", ".bin", "pergola");
    const words = [program, "start", "--data", home];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: home, env, encoding: "utf8" });
    expect(status).to.equal(3);
    return stderr;
  };

  it("has a core that says what to do when there is neither a bundle nor a choice", () => {
    expect(refusal(project)).to.include("overrides in package.json").and.include("under plugins");
    rmSync(path.join(project, "node_modules", "@pergola", "bundle-standard"), { recursive: true });
    expect(refusal(project)).to.include("npm install @pergola/bundle-standard");
  });
});
