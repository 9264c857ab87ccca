import { expect } from "chai";
import { openSupplyScene, type DiceService, type SupplyScene } from "../support/supply-scene.ts";
import { needsSandbox } from "./support/program-stage.ts";

describe("a plugin that the running service has not taken on", function () {
  this.timeout(120_000);
  let scene: SupplyScene;
  let service: DiceService;
  before(needsSandbox);
  before(async () => {
    scene = await openSupplyScene();
    service = await scene.serve();
  });
  after(() => (scene as SupplyScene | undefined)?.close());
  const lineOfDice = async (): Promise<string | undefined> =>
    (await scene.run("plugins", "list")).stdout.split("\n").find((line) => line.includes("tool-dice"));

  it("is listed as coming with the next start, or as going with it, and a call says so", async () => {
    expect((await scene.add(scene.dice())).code).to.equal(0);
    expect(await lineOfDice()).to.match(/^○ tool-dice 1\.0\.0 .*, from the next start of the service$/);
    const { stdout } = await scene.run("plugins", "inspect", "tool-dice");
    expect(JSON.parse(stdout)).to.have.property("pending", "from the next start of the service");
    expect(await scene.roll()).to.include("tool-dice has it, from the next start of the service");
    await service.end();
    expect(await lineOfDice(), "without a service").to.match(/^✓ tool-dice 1\.0\.0 [^○]*$/);
    service = await scene.serve();
    expect(await lineOfDice(), "loaded").to.match(/^✓ tool-dice/);
    expect(await scene.roll()).to.equal("rolled\n");
    await scene.run("plugins", "remove", "tool-dice");
    expect(await lineOfDice()).to.match(
      /^○ tool-dice removed; 1\.0\.0 runs until the next start of the service$/,
    );
  });

  it("can be checked in its folder", async () => {
    const folder = scene.dice();
    expect((await scene.add(folder)).code).to.equal(0);
    const environment = { PERGOLA_DATA: scene.project.data };
    const { code, stdout } = await scene.project.run(["plugins", "check", folder], {
      bare: true,
      environment,
    });
    expect(stdout).to.match(/^\d+ plugins, no fault\.\n$/);
    expect(code).to.equal(0);
  });
});
