import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import { coreProject, install } from "../support/alone/project.ts";

const [, block = ""] =
  /## Install only some plugins[^]*?```sh\n([^]*?)```/.exec(read("docs/plugins.md")) ?? [];
const [installs = "", ...lines] = block.trim().split("\n");

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

  it("installs the core and the plugins that it names, and nothing else of ours", async () => {
    expect(names).to.include("pergola").and.have.length.above(2);
    await install(project, names);
    const there = execFileSync("npm", ["ls", "--depth=0", "--parseable"], { cwd: project, encoding: "utf8" });
    const ours = there.split("\n").filter((line) => line.includes("/@pergola/tool-"));
    expect(ours.map((line) => path.basename(line))).to.deep.equal(
      names.map((name) => path.basename(name)).filter((id) => id.startsWith("tool-")),
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

  it("has a core that says what to install when there is neither a bundle nor a choice", async () => {
    const core = await coreProject();
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(core, "node_modules", ".bin", "pergola"), "start", "--data", home],
      {
        cwd: home,
        env,
        encoding: "utf8",
      },
    );
    expect(status).to.equal(3);
    expect(stderr).to.include("npm install @pergola/bundle-standard");
  });
});
