import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect } from "chai";
import type { PluginStatus } from "@pergola/sdk";
import { escapeStage, type EscapeStage } from "./support/escape-stage.ts";
import { needsPrograms } from "./support/needs-programs.ts";
import { auditIn } from "./support/read-audit.ts";

/** Where the system forbids namespaces there is no wall, and the product says so. */
describe("an isolated plugin where namespaces are forbidden", function () {
  this.timeout(60_000);
  let stage: EscapeStage | undefined;
  before(function () {
    needsPrograms.call(this, ["bwrap", "unshare"]);
    const forbid = "echo 0 > /proc/sys/user/max_user_namespaces && ! unshare --user true 2>/dev/null";
    if (spawnSync("unshare", ["--user", "--map-root-user", "sh", "-c", forbid]).status === 0) return;
    process.stdout.write("skipped: this system does not let namespaces be forbidden\n");
    this.skip();
  });
  afterEach(async () => {
    await stage?.stop();
    stage = undefined;
  });
  const statusOf = async ({ request }: EscapeStage): Promise<PluginStatus> => {
    const { plugins } = (await (await request("GET", "/debug/tools/available")).json()) as {
      readonly plugins: readonly PluginStatus[];
    };
    return plugins.find(({ id }) => id === "tool-escape-artist")!;
  };

  it("X27 is left out, and says why and what helps", async () => {
    stage = await escapeStage({ namespaces: false });
    const status = await statusOf(stage);
    expect(status.state).to.match(/left.out/);
    expect(status.fault).to.include("there is no sandbox to run it in").and.include("namespace");
    const { success } = await stage.call("escape_artist.attempt", { name: "alive" });
    expect(success).to.equal(false);
    expect(stage.program.stderr).to.include("Left out: tool-escape-artist");
  });

  it("X27 runs without walls where the settings allow it, and that is said each time", async () => {
    stage = await escapeStage({ namespaces: false, settings: { "plugins.require_sandbox": false } });
    expect(await stage.attempt("alive")).to.equal("alive");
    expect(stage.program.stderr).to.include("tool-escape-artist runs WITHOUT A SANDBOX");
    expect((await statusOf(stage)).state).to.equal("running");
    const bare = auditIn(stage.data).filter(({ action }) => action === "plugin.unsandboxed");
    expect(bare.map(({ target, outcome }) => [target, outcome])).to.deep.equal([
      ["tool-escape-artist 0.1.0", "plugins.require_sandbox is false"],
    ]);
    // Node's permissions are left: they guard against mistakes.
    const mark = path.join(stage.home, "mark");
    const outcomes = await stage.attempt<readonly string[]>("start", { mark });
    expect(outcomes.filter((outcome) => outcome.startsWith("DONE"))).to.deep.equal([]);
  });
});
