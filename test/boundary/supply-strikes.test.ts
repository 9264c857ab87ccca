import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { openSupplyScene, type DiceService, type SupplyScene } from "../support/supply-scene.ts";

/** What a version does wrong, and what that counts as. */
const wrongs = {
  crash: `process.stderr.write("evil \\u001b[2J\\u202e words " + ["canary", "kept", "secret"].join("-")); await new Promise((resolve) => setTimeout(resolve, 50)); process.exit(3);`,
  deadline: "for (;;);",
  frame: `(await import("node:fs")).writeSync(3, Buffer.alloc(8)); return new Promise(() => {});`,
} as const;

const refused = "failed 5 times within ten minutes, the last time by a crash; its calls are refused";

describe("a plugin that fails again and again", function () {
  this.timeout(300_000);
  let scene: SupplyScene;
  let service: DiceService;
  beforeEach(async () => {
    scene = await openSupplyScene();
    const file = path.join(scene.folder, "key");
    writeFileSync(file, "canary-kept-secret", { mode: 0o600 });
    scene.project.settings({ "tools.timeout_seconds": 1, "downloads.token": { file } });
  });
  afterEach(() => scene.close());

  /** The version before, and one that does wrong. */
  const addBoth = async (body: string, before: Parameters<SupplyScene["publish"]>[0] = {}): Promise<void> => {
    scene.publish(before);
    await scene.add("tool-dice");
    scene.publish({ version: "1.1.0", ...before, body });
    expect((await scene.run("plugins", "update", "--yes")).code).to.equal(0);
    service = await scene.serve();
  };

  for (const [kind, body] of Object.entries(wrongs))
    it(`X25 comes back in its last good version after five of kind ${kind}, with the evidence`, async () => {
      await addBoth(body);
      for (let time = 1; time <= 5; time++) expect(await service.roll(), `${time}`).to.not.include("rolled");
      await service.wrote("runs in its place");
      while (!(await service.roll()).includes("rolled")) await setTimeout(50);
      expect(await scene.roll()).to.equal("rolled\n");
      const { stdout } = await scene.run("plugins", "inspect", "tool-dice");
      const { version, state, strikes, rolledBack } = JSON.parse(stdout) as {
        readonly version: string;
        readonly state: string;
        readonly strikes: readonly {
          readonly kind: string;
          readonly call: string;
          readonly stderr: string;
          readonly version: string;
        }[];
        readonly rolledBack: { readonly from: string; readonly to: string };
      };
      expect({ version, state }).to.deep.equal({ version: "1.0.0", state: "running" });
      expect(rolledBack).to.include({ from: "1.1.0", to: "1.0.0" });
      expect(strikes.map((strike) => [strike.kind, strike.call, strike.version])).to.deep.equal(
        Array.from({ length: 5 }, () => [kind, "dice.roll", "1.1.0"]),
      );
      if (kind === "crash") expect(strikes[0]!.stderr).to.equal("evil ␛[2J\\u{202e} words [redacted]");
      // What the next start says does not depend on the kind.
      if (kind !== "crash") return;
      await service.end();
      service = await scene.serve();
      const said = "1.1.0 failed too often; 1.0.0 runs in its place";
      expect(service.stdout + service.stderr, "the banner").to.include(`tool-dice: ${said}`);
      expect((await scene.run("doctor")).stdout).to.include(`tool-dice: ${said}`);
      expect(await scene.roll(), "after another start").to.include("rolled");
    });

  it("X25 refuses the calls of one that has no version to go back to, until it is tried again", async () => {
    scene.publish({ body: wrongs.crash });
    await scene.add("tool-dice");
    service = await scene.serve();
    for (let time = 1; time <= 5; time++) expect(await service.roll()).to.include("ended while it worked");
    expect(await scene.roll()).to.include(refused);
    const status = await scene.status();
    expect(status?.state).to.equal("left out");
    expect(status?.fault).to.include("pergola plugins enable tool-dice");
    expect((await scene.run("doctor")).stdout).to.include(refused);
    expect((await scene.run("plugins", "enable", "tool-dice")).code).to.equal(0);
    expect(await service.roll(), "tried once more").to.include("ended while it worked");
    expect(await service.roll()).to.include(refused);
    await service.end();
    service = await scene.serve();
    expect(service.stdout + service.stderr, "the banner").to.match(/left out\s+tool-dice: .*failed 5 times/);
    expect((await scene.run("doctor")).stdout).to.include(refused);
  });

  it("X25 tries one again at once when it is switched on over HTTP, and tells how that went", async () => {
    scene.publish({ body: wrongs.crash });
    await scene.add("tool-dice");
    service = await scene.serve();
    for (let time = 1; time <= 5; time++) await service.roll();
    interface Plugin {
      readonly state: string;
      readonly canRetry: boolean;
    }
    const ask = async <T>(method: string, body?: object): Promise<T> => {
      const headers = { "content-type": "application/json" };
      const address = `${service.url}/api/plugins/tool-dice`;
      return (await fetch(address, { method, headers, body: JSON.stringify(body) ?? null })).json() as T;
    };
    while (!(await ask<Plugin>("GET")).canRetry) await setTimeout(50);
    interface Switched {
      readonly plugin: Plugin;
      readonly restartRequired: boolean;
    }
    const { plugin, restartRequired } = await ask<Switched>("PATCH", { enabled: true });
    expect([plugin.state, plugin.canRetry, restartRequired]).to.deep.equal(["running", false, false]);
    expect(await service.roll(), "it falls again").to.include("ended while it worked");
    expect(await service.roll()).to.include(refused);
  });

  it("X25 does not go back to a version that asked for more", async () => {
    scene.publish({ permissions: { files: "any" } });
    await scene.add("tool-dice");
    scene.publish({ version: "1.1.0", body: wrongs.crash });
    expect((await scene.run("plugins", "update", "--yes")).code).to.equal(0);
    service = await scene.serve();
    for (let time = 1; time <= 5; time++) await service.roll();
    expect(await scene.roll()).to.include(refused);
    expect((await scene.status())?.version).to.equal("1.1.0");
  });
});
