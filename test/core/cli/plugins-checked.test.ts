import path from "node:path";
import { expect } from "chai";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { toolPlugin, writePlugin } from "../../support/plugins/write-plugin.ts";

describe("the commands that look at plugins", function () {
  this.timeout(30_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());
  const brokenPlugin = async (): Promise<string> => {
    const broken = writePlugin(project.folder, { id: "tool-broken", code: `throw new Error("no luck");` });
    project.settings({ plugins: ["@pergola/bundle-standard", broken] });
    await approvePlugins(project.data, broken);
    return broken;
  };

  describe("pergola plugins", () => {
    before(function () {
      needsSandbox.call(this);
    });

    it("lists all with their tier, and what is wrong with one", async () => {
      await brokenPlugin();
      const { code, stdout } = await project.run(["plugins", "list"]);
      expect(code).to.equal(0);
      expect(stdout)
        .to.match(/^✓ tool-think 0\.1\.0 trusted$/m)
        .and.match(/^✗ tool-broken 1\.2\.3 isolated\n {4}tool-broken, import: no luck\./m);
    });

    it("shows everything known of one; a name that nobody has ends with 2", async () => {
      const { stdout } = await project.run(["plugins", "inspect", "@pergola/tool-think"]);
      expect(JSON.parse(stdout)).to.include({
        id: "tool-think",
        kind: "tool",
        tier: "trusted",
        state: "running",
      });
      expect((await project.run(["plugins", "inspect", "tool-thin"])).code).to.equal(2);
    });

    it("A5: shows one that was left out, by the name in the advice, its folder or its last step", async () => {
      const folder = writePlugin(project.folder, { id: "tool-odd", manifest: { kind: "tol" } });
      const gone = path.join(project.folder, "tool-gone");
      project.settings({ plugins: ["@pergola/bundle-standard", await brokenPlugin(), folder, gone] });
      const inspect = async (id: string): Promise<object> =>
        JSON.parse((await project.run(["plugins", "inspect", id])).stdout) as object;
      const { stdout } = await project.run(["plugins", "check"]);
      const [, advised = ""] = /Run `pergola plugins inspect ([^`]+)`/.exec(stdout) ?? [];
      expect(await inspect(advised)).to.include({ id: "tool-broken", state: "left out" });
      expect(await inspect(path.join(project.folder, "tool-broken"))).to.include({ id: "tool-broken" });
      expect(await inspect("tool-odd")).to.include({ id: "tool-odd", state: "left out" });
      for (const name of ["tool-gone", gone])
        expect(await inspect(name)).to.include({ id: gone, state: "left out" });
    });

    it("checks those of the settings: 0 without a fault, 1 with one", async () => {
      expect(await project.run(["plugins", "check"])).to.include({ code: 0 });
      await brokenPlugin();
      const { code, stdout } = await project.run(["plugins", "check"]);
      expect([code, stdout.includes("no luck")]).to.deep.equal([1, true]);
    });

    it("checks a folder for its author, without settings", async () => {
      const [good, bad] = [
        toolPlugin(project.folder, "tool-good", "return { data: 1 };"),
        toolPlugin(project.folder, "tool-bad", "", { provides: {} }),
      ];
      expect(await project.run(["plugins", "check", good])).to.include({ code: 0 });
      const { code, stdout } = await project.run(["plugins", "check", bad]);
      expect([code, stdout.includes("the code provides tool_bad")]).to.deep.equal([1, true]);
    });
  });

  describe("a storage that lacks something (A2)", () => {
    const storage = (): string =>
      writePlugin(project.folder, {
        id: "storage-thin",
        kind: "storage",
        provides: { storages: ["thin"] },
        code: `export default { storages: [{ type: "thin", open: () => ({ collection: () => ({}), blobs: {}, close() {} }) }] };`,
      });
    const lack = 'the storage "thin" has no commit, search, watch';

    it("A2: `plugins check` says what", async () => {
      const { code, stdout } = await project.run(["plugins", "check", storage(), "--trusted"]);
      expect([code, stdout.includes(lack)], stdout).to.deep.equal([1, true]);
    });

    it("A2: a host does not start with it", async () => {
      const thin = storage();
      const plugins = ["@pergola/bundle-standard", { use: thin, isolation: "trusted" }];
      project.settings({ plugins, storage: { type: "thin" } });
      await approvePlugins(project.data, thin);
      const { code, stderr } = await project.run(["start", "--port", String(await freePort())]);
      expect([code === 0, stderr.includes(`storage-thin, validate: ${lack}`)], stderr).to.deep.equal([
        false,
        true,
      ]);
    });
  });
});
