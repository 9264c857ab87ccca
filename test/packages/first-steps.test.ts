import { execFileSync } from "node:child_process";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { read, root } from "../architecture/tree.ts";
import { built } from "../support/pergola.ts";

/** What a newcomer is told to type first at the terminal; the command then works elsewhere. */
describe("the first steps at a terminal (P8)", function () {
  this.timeout(120_000);
  const install = "npm install --global ./core";

  it("P8: begin with an installation that needs no registry", async () => {
    for (const page of ["docs/getting-started.md", "docs/plugins.md"])
      expect(read(page), page).to.include(install);
    await built();
    const [prefix, folder, home] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const environment = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, NO_COLOR: "1" };
    const env = { ...environment, PATH: `${prefix}/bin:${process.env["PATH"] ?? ""}` };
    const npm = { ...env, npm_config_prefix: prefix, npm_config_offline: "true", npm_config_audit: "false" };
    execFileSync("sh", ["-c", install], { cwd: root, env: npm, stdio: "pipe" });
    const listed = execFileSync("sh", ["-c", "pergola tools list"], { cwd: folder, env, encoding: "utf8" });
    expect(listed).to.include("file_operations");
  });
});
