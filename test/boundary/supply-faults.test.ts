import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openSupplyScene, type SupplyScene } from "../support/supply-scene.ts";
import { needsSandbox } from "./support/program-stage.ts";

const forbidden = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

/** Whether this system lets a program's namespaces be forbidden. */
const canForbid = (): boolean =>
  spawnSync(forbidden[0]!, [...forbidden.slice(1), "sh", "-c", "! unshare --user true 2>/dev/null"])
    .status === 0;

describe("a plugin that cannot be taken on", function () {
  this.timeout(120_000);
  let scene: SupplyScene;
  beforeEach(async () => {
    scene = await openSupplyScene();
  });
  afterEach(() => scene.close());

  async function isRefused(folder: string, reason: string): Promise<void> {
    for (const more of [["--dry-run"], ["--dry-run", "--json"], ["--yes"], ["--link", "--dry-run"]]) {
      const { code, stdout, stderr } = await scene.run("plugins", "add", folder, ...more);
      expect([code === 0, stdout], more.join(" ") + stderr).to.deep.equal([false, ""]);
      expect(stderr)
        .to.include("tool-dice 1.0.0 cannot be added.")
        .and.include(reason)
        .and.not.match(/plugins inspect|consent/);
    }
    expect(scene.kept()).to.deep.equal([]);
  }

  it("is refused where its code cannot be loaded", async function () {
    needsSandbox.call(this);
    const folder = scene.dice();
    writeFileSync(path.join(folder, "index.js"), "throw new Error('no luck');");
    await isRefused(folder, "no luck");
  });

  it("is refused where its manifest and its code disagree", async function () {
    needsSandbox.call(this);
    const folder = scene.dice();
    const file = path.join(folder, "plugin.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, provides: { tools: { dice: ["roll", "throw"] } } }));
    await isRefused(folder, "Manifest and code must say the same");
  });

  it("is not loaded before anybody agrees where no sandbox works, whatever the settings say", async function () {
    if (!canForbid()) this.skip();
    for (const required of [true, false]) {
      scene.project.settings({ "plugins.require_sandbox": required });
      const { code, stdout, stderr } = await scene.project.run(
        ["plugins", "add", scene.dice(), "--dry-run"],
        { through: forbidden },
      );
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/tools +not known: it was not loaded/);
      expect(stdout.includes("left out"), stdout).to.equal(required);
    }
  });
});
