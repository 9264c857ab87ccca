import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { install } from "../../../plugins/provider-local-llama/test/tiny-model.ts";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { toolPlugin, writePlugin } from "../../support/plugins/write-plugin.ts";

interface Finding {
  readonly level: string;
  readonly what: string;
  readonly detail: string;
}

describe("the commands that look", function () {
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
  const findings = async (): Promise<readonly Finding[]> => {
    const { stdout } = await project.run(["doctor", "--json"]);
    return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
  };

  describe("pergola doctor", () => {
    it("tells what is found and from where, and ends with 0", async () => {
      const { code, stdout } = await project.run(["doctor"]);
      expect(code).to.equal(0);
      expect(stdout).to.include(`✓ Settings: ${project.settings()}`).and.include(`✓ Data: ${project.data}`);
      expect(stdout)
        .to.match(/✓ Plugins: \d+ running/)
        .and.include("✓ Provider custom: 1 model");
    });

    it("sees the models that are installed", async () => {
      install(path.join(project.data, "models"));
      project.settings({ default_model: "llama/tests/tiny/tiny-F32" });
      const what = (await findings()).map(({ level, what: name, detail }) => `${level} ${name}: ${detail}`);
      expect(what)
        .to.include("ok Provider llama: 1 model")
        .and.include("ok Default model: llama/tests/tiny/tiny-F32");
    });

    it("works beside a service, and names it", async () => {
      const port = await freePort();
      await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
      const { code, stdout } = await project.run(["doctor"]);
      expect([code, stdout.includes(`in use by the service at http://127.0.0.1:${port}`)]).to.deep.equal([
        0,
        true,
      ]);
    });

    it("names a broken plugin with step and remedy, and ends with 1", async function () {
      needsSandbox.call(this);
      const folder = await brokenPlugin();
      const { code, stdout } = await project.run(["doctor"]);
      expect(code).to.equal(1);
      expect(stdout).to.include("✗ tool-broken: tool-broken, import: no luck. ");
      expect(existsSync(folder)).to.equal(true);
    });

    it("names a provider that does not answer, and a default model that nobody lists", async () => {
      project.settings({
        default_model: "custom/other",
        "providers.list": [{ type: "custom", base_url: `http://127.0.0.1:${await freePort()}` }],
      });
      const faults = (await findings()).filter(({ level }) => level === "fault");
      expect(faults.map(({ what }) => what)).to.deep.equal(["Provider custom", "Default model"]);
    });

    it("S5, O3: tells who can use the service, and whether other devices can", async () => {
      project.settings({ "auth.loopback": "none" });
      const open = await findings();
      const detailOf = (what: string): string => open.find((one) => one.what === what)?.detail ?? "";
      expect(detailOf("Access")).to.include("every account of this computer can use the service");
      expect(detailOf("Remote access")).to.match(/^off; docs\/remote-access\.md/);
      project.settings({ "auth.loopback": "token", "server.trusted_proxies": ["127.0.0.1", "10.1.0.0/16"] });
      const closed = await findings();
      const access = closed.find(({ what }) => what === "Access");
      expect(access)
        .to.deep.include({ level: "ok" })
        .and.property("detail")
        .include("nobody without a token");
      const remote = closed.find(({ what }) => what === "Remote access");
      expect(remote?.detail).to.match(/^through the proxies 127\.0\.0\.1, 10\.1\.0\.0\/16, with a token/);
    });

    it("S5: tells that only the person's account gets in, where the system can tell", async function () {
      if (process.platform !== "linux") this.skip();
      const access = (await findings()).find(({ what }) => what === "Access");
      expect(access).to.deep.include({ level: "ok" }).and.property("detail").include("only your account");
    });

    it("S5: tells what is in force in a service that runs, stored there alone", async () => {
      await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
      const set = await project.run(["settings", "set", "auth.loopback", "token"]);
      expect(set.code, set.stderr).to.equal(0);
      const access = (await findings()).find(({ what }) => what === "Access");
      expect(access?.detail).to.include("auth.loopback is token");
    });

    it("O3: tells whether the walls of programs and plugins work here, or why not", async function () {
      needsSandbox.call(this);
      const walls = async () => (await findings()).filter(({ what }) => what.startsWith("Sandbox of"));
      expect((await walls()).map(({ level, what }) => `${level} ${what}`)).to.deep.equal([
        "ok Sandbox of programs",
        "ok Sandbox of plugins",
      ]);
      project.settings({ "sandbox.programs": "none" });
      const [programs] = await walls();
      expect(programs)
        .to.deep.include({ level: "note" })
        .and.property("detail")
        .match(/^off: /);
    });

    it("O3: tells what walls isolated plugins in", async function () {
      needsSandbox.call(this);
      const use = toolPlugin(project.folder, "tool-apart", "return { data: 1 };");
      await approvePlugins(project.data, use);
      project.settings({ plugins: ["@pergola/bundle-standard", use] });
      const walls = (await findings()).find(({ what }) => what === "Isolated plugins");
      expect(walls?.detail).to.match(/^sandboxed \(bubblewrap/);
      const { stdout } = await project.run(["plugins", "list"]);
      expect(stdout).to.match(/^✓ tool-apart .* isolated sandboxed \(bubblewrap/m);
    });

    it("takes settings that cannot be used for a finding", async () => {
      writeFileSync(project.settings(), "{oops");
      const [first] = await findings();
      expect(first).to.include({ level: "fault", what: "Settings" });
    });
  });

  describe("pergola trust", () => {
    const settled = (): Promise<string> =>
      project.run(["plugins", "list"], { bare: true }).then(({ stdout }) => stdout);

    it("lets the settings of a folder do everything, until they change", async () => {
      const file = path.join(project.folder, "pergola.config.json");
      const write = (disabled: readonly string[]): void => writeFileSync(file, JSON.stringify({ disabled }));
      write(["tool-think"]);
      expect(await settled()).to.include("✓ tool-think");
      expect(await project.run(["trust", "."], { bare: true })).to.include({
        code: 0,
        stdout: `Trusted ${file}. A change of the file asks again.\n`,
      });
      expect(await settled()).to.include("· tool-think");
      write(["tool-think", "tool-read-tool-result"]);
      expect(await settled()).to.include("✓ tool-think");
    });

    it("TF12 names the tools of a folder, each with its bytes; a person's own need no trust", async () => {
      const [folder, own] = [
        path.join(project.folder, ".pergola", "tools"),
        path.join(project.environment["XDG_CONFIG_HOME"]!, "pergola", "tools"),
      ];
      const code = 'export default { description: "x", effect: "none", run: async () => ({ data: 1 }) };';
      for (const place of [folder, own]) mkdirSync(place, { recursive: true });
      writeFileSync(path.join(folder, "theirs.js"), code);
      writeFileSync(path.join(own, "mine.ts"), code);
      const before = await settled();
      expect(before).to.match(/file-mine 0\.0\.0\+[0-9a-f]{8} isolated, own, not pinned/);
      expect(before).not.to.include("file-theirs");
      const warned = await project.run(["doctor"], { bare: true });
      expect(warned.stdout + warned.stderr).to.include("nobody trusts this folder: .pergola/tools/theirs.js");
      const unasked = await project.run(["trust", "."], { bare: true });
      expect([unasked.code, unasked.stdout]).to.deep.equal([2, ""]);
      expect(unasked.stderr).to.include("add --yes").and.include("export default");
      expect(await project.run(["trust", ".", "--yes"], { bare: true })).to.include({
        code: 0,
        stdout: `Trusted ${path.join(folder, "theirs.js")}. A change of the file asks again.\n`,
      });
      expect(await settled()).to.match(/file-theirs 0\.0\.0\+[0-9a-f]{8} isolated(?!,)/);
      for (const place of [folder, own]) rmSync(place, { recursive: true });
    });

    it("P12: says in a sentence that there is no such folder", async () => {
      const { code, stderr } = await project.run(["trust", "/nowhere"], { bare: true });
      expect([code, stderr]).to.deep.equal([
        2,
        "There is no folder /nowhere. Name one with a settings file, instructions, skills or tools in it.\n",
      ]);
    });

    it("ends with 2 for a folder without settings", async () => {
      expect(await project.run(["trust", "."], { bare: true })).to.include({ code: 2 });
    });
  });

  describe("pergola --help", () => {
    it("teaches: examples, commands and exit codes", async () => {
      const { code, stdout } = await project.run(["--help"], { bare: true });
      expect(code).to.equal(0);
      expect(stdout)
        .to.include("$ pergola start")
        .and.match(/Exit codes:\n {2}0 +all went well/)
        .and.match(/^ {2}130 /m);
    });

    for (const command of [
      ["start"],
      ["chat"],
      ["run"],
      ["tools", "call"],
      ["plugins", "check"],
      ["plugins", "dev"],
      ["logs"],
    ])
      it(`shows how to use ${command.join(" ")}`, async () => {
        const { code, stdout } = await project.run([...command, "--help"], { bare: true });
        expect([code, stdout.includes(`$ pergola ${command.join(" ")}`)]).to.deep.equal([0, true]);
      });

    it("is pointed to after a mistake, which ends with 2", async () => {
      const { code, stderr } = await project.run(["strat"], { bare: true });
      expect(code).to.equal(2);
      expect(stderr).to.include("Did you mean start?").and.include("pergola --help");
    });
  });
});
