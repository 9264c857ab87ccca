import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { auditCheck, readAuditHead } from "@pergola/sdk/host";
import { officialPlugins, openStage } from "../support/host.ts";
import { openSupplyScene, type DiceService, type SupplyScene } from "../support/supply-scene.ts";
import { needsSandbox, openPrograms } from "./support/program-stage.ts";
import { auditIn } from "./support/read-audit.ts";

describe("the audit of plugins", function () {
  this.timeout(240_000);
  let scene: SupplyScene;
  let service: DiceService | undefined;
  before(needsSandbox);
  beforeEach(async () => {
    scene = await openSupplyScene();
  });
  afterEach(async () => {
    await service?.end();
    service = undefined;
    await scene.close();
  });

  const serve = async (): Promise<DiceService> => (service = await scene.serve());
  const done = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await scene.run(...words);
    expect(code, `${words.join(" ")}: ${stderr}`).to.equal(0);
  };
  const facts = (): readonly string[] =>
    auditIn(scene.project.data)
      .filter(({ action }) => action.startsWith("plugin."))
      .map(({ action, target, outcome, caller }) =>
        [action, target?.replace(/sha256:[0-9a-f]{64}/, "sha256"), outcome, caller?.id ?? "-"].join(" | "),
      );
  const by = "done | command line";
  const whole = (): void => {
    const check = auditCheck(readAuditHead(path.join(scene.project.data, "audit")));
    const text = readFileSync(path.join(scene.project.data, "audit", "audit.jsonl"), "utf8");
    const faults = text
      .trimEnd()
      .split("\n")
      .map((line) => check.line(line));
    expect([...faults, check.end()].filter((fault) => fault !== undefined)).to.deep.equal([]);
  };

  it("X25 has what a person does with a plugin, with and without a service", async () => {
    scene.publish();
    await scene.add("tool-dice");
    await serve();
    scene.publish({ version: "1.1.0" });
    await done("plugins", "update", "--yes");
    await done("plugins", "rollback", "tool-dice", "--yes");
    await done("plugins", "disable", "tool-dice");
    await service!.end();
    service = undefined;
    await done("plugins", "enable", "tool-dice");
    const permissions = await scene.digest("plugins", "approve", "tool-dice");
    await done("plugins", "approve", "tool-dice", "--yes", "--permissions", permissions);
    await done("plugins", "remove", "tool-dice");
    expect((await scene.run("plugins", "remove", "tool-dice")).code).to.not.equal(0);
    expect((await scene.add(scene.dice(), "--link")).code).to.equal(0);
    const first = "tool-dice 1.0.0 sha256 {}";
    expect(facts()).to.deep.equal([
      `plugin.add | ${first} | ${by}`,
      `plugin.update | tool-dice 1.1.0 sha256 {} | ${by}`,
      `plugin.rollback | ${first} | ${by}`,
      `plugin.disable | tool-dice | ${by}`,
      `plugin.enable | tool-dice | ${by}`,
      `plugin.approve | ${first} | ${by}`,
      `plugin.remove | ${first} | ${by}`,
      `plugin.link | tool-dice 1.0.0 not pinned {} | ${by}`,
    ]);
    whole();
  });

  it("X25 has each strike, the breaker and the way back", async () => {
    scene.project.settings({ "tools.timeout_seconds": 1 });
    scene.publish();
    await scene.add("tool-dice");
    scene.publish({ version: "1.1.0", body: "process.exit(3);" });
    await done("plugins", "update", "--yes");
    const running = await serve();
    for (let time = 1; time <= 5; time++) await running.roll();
    await running.wrote("runs in its place");
    const strikes = Array.from({ length: 5 }, () => "plugin.strike | tool-dice 1.1.0 dice.roll | crash | -");
    expect(facts().slice(2)).to.deep.equal([
      ...strikes,
      "plugin.breaker | tool-dice 1.1.0 | open | -",
      "plugin.rollback | tool-dice 1.1.0 1.0.0 | done | -",
    ]);
    whole();
  });

  it("X51 changes nothing about a plugin that cannot be written down", async () => {
    await scene.add(scene.dice());
    const lock = path.join(scene.project.data, "plugins", "lock.json");
    const before = readFileSync(lock, "utf8");
    const folder = path.join(scene.project.data, "audit");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    for (const words of [["disable"], ["remove"]]) {
      const { code, stderr } = await scene.run("plugins", ...words, "tool-dice");
      expect([code === 0, stderr.includes("The audit cannot be written")]).to.deep.equal([false, true]);
    }
    expect(readFileSync(lock, "utf8")).to.equal(before);
    rmSync(folder);
    mkdirSync(folder);
    await done("plugins", "disable", "tool-dice");
  });

  it("is one chain while commands and a service write at the same time", async () => {
    scene.publish();
    await scene.add("tool-dice");
    await serve();
    const turn = async (word: string): Promise<void> => {
      for (let time = 1; time <= 3; time++) await done("plugins", word, "tool-dice");
    };
    const tokens = async (): Promise<void> => {
      for (let time = 1; time <= 6; time++) await done("tokens", "add", `t${time}`);
    };
    await Promise.all([turn("enable"), turn("disable"), tokens()]);
    expect(facts().filter((fact) => /^plugin\.(en|dis)able/.test(fact))).to.have.lengthOf(6);
    expect(auditIn(scene.project.data).filter(({ action }) => action === "token.add")).to.have.lengthOf(6);
    whole();
  });
});

describe("the audit of programs", function () {
  this.timeout(60_000);

  it("X27 has those that ran without a sandbox, why, and for whom", async () => {
    const at = await openPrograms({ settings: { "sandbox.programs": "none" } });
    try {
      await at.shell("true");
      await at.shell("true", { unsandboxed: true });
      const found = auditIn(at.host.dataDirectory).filter(({ action }) => action === "program.unsandboxed");
      const reasons = found.map(({ outcome }) => outcome);
      expect(reasons).to.deep.equal([
        "sandbox.programs is none",
        "sandbox.programs is none",
        "its call asks for none",
      ]);
      for (const { target, caller } of found) {
        expect(target).to.match(/^terminal_operations \S*sh call_/);
        expect(caller?.kind).to.equal("owner");
      }
    } finally {
      await at.end();
    }
  });

  it("X71 has the MCP servers that run without a sandbox", async () => {
    const script = path.join(import.meta.dirname, "support/nosy-server.mjs");
    const nosy = { command: process.execPath, args: [script], effects: { look: "read" } };
    const at = await openStage(undefined, {
      plugins: officialPlugins(),
      settings: { mcp: { servers: { nosy } } },
    });
    try {
      const found = auditIn(at.host.dataDirectory).filter(({ action }) => action === "program.unsandboxed");
      expect(found.map(({ target, outcome }) => [target, outcome])).to.deep.equal([
        [`mcp.servers.nosy ${process.execPath}`, "its entry asks for none"],
      ]);
    } finally {
      await at.end();
    }
  });
});
