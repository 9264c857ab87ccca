import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

interface Listed {
  readonly preferences: readonly { readonly key: string; readonly value: unknown; readonly source: string }[];
}

describe("pergola settings", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());
  const settings = (...words: readonly string[]) => project.run(["settings", ...words]);

  /** The same whether a service runs, or the command has the data to itself. */
  const commands = (): void => {
    it("sets, shows and takes back a value, and says where it comes from", async () => {
      expect((await settings("set", "user.name", "Ada")).stdout).to.equal("user.name = Ada  (stored)\n");
      expect((await settings("get", "user.name")).stdout).to.equal("Ada\n");
      expect((await settings("list", "user.")).stdout).to.equal(
        "user.language = \nuser.location = \nuser.name = Ada  (stored)\nuser.time_zone = system\n",
      );
      const { preferences } = JSON.parse((await settings("list", "user.n", "--json")).stdout) as Listed;
      expect(preferences).to.have.length(1).and.to.have.nested.property("[0].source", "stored");
      expect((await settings("unset", "user.name")).stdout).to.equal("user.name = \n");
    });
  };

  describe("without a service", () => {
    commands();

    it("P11: are changed without the keys of providers, which only a start needs", async () => {
      project.settings({
        "providers.list": [{ type: "openai", api_key: { env: "A_KEY" } }],
        "auth.token": { env: "A_TOKEN" },
      });
      expect(await settings("set", "user.name", "Ada")).to.include({ code: 0 });
      expect(await settings("unset", "user.name")).to.include({ code: 0 });
      const started = await project.run(["start", "--port", String(await freePort())]);
      expect([started.code, started.stderr.includes("the variable A_KEY is not set")]).to.deep.equal([
        2,
        true,
      ]);
      project.settings();
    });
  });

  describe("at the next start", () => {
    it("are in force where they count: the port, and what is logged", async () => {
      const port = await freePort();
      await settings("set", "server.port", String(port));
      const loud = project.begin(["start"]);
      await loud.wrote(`Pergola serves on http://127.0.0.1:${port}`);
      await settings("set", "log.level", "error");
      await loud.end();
      const quiet = project.begin(["start"]);
      await quiet.wrote("stop with Ctrl-C");
      expect([loud.stderr.includes('"serving"'), quiet.stderr.includes('"serving"')]).to.deep.equal([
        true,
        false,
      ]);
      await quiet.end();
      await settings("unset", "log.level");
    });
  });

  describe("with a service", () => {
    before(async () => {
      await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
    });
    commands();

    it("P11: are changed from a shell that lacks the keys of the service", async () => {
      project.settings({ "providers.list": [{ type: "openai", api_key: { env: "A_KEY" } }] });
      expect(await settings("set", "user.name", "Ada")).to.include({ code: 0 });
      expect(await settings("unset", "user.name")).to.include({ code: 0 });
      project.settings();
    });

    it("reads numbers, switches, lists and records from text", async () => {
      for (const [key, text, shown] of [
        ["tools.timeout_seconds", "60", "60"],
        ["workflow.dynamicIterations", "false", "false"],
        ["tools.disabled", "think,lab", '["think","lab"]'],
        ["models.prices", '{"a/b":{"prompt":1,"completion":2}}', '{"a/b":{"prompt":1,"completion":2}}'],
        ["user.name", "123", "123"],
      ] as const) {
        expect((await settings("set", key, text)).code, key).to.equal(0);
        expect((await settings("get", key)).stdout).to.equal(`${shown}\n`);
      }
    });

    it("keeps secrets to itself", async () => {
      const { stdout } = await project.run(["settings", "set", "downloads.token", "-"], {
        input: "canary-token\n",
      });
      expect(stdout).to.equal("downloads.token = (a secret, set)  (stored)\n");
      const said = (await Promise.all([settings("get", "downloads.token"), settings("list", "--json")])).map(
        ({ stdout }) => stdout,
      );
      expect(said.join("")).to.not.include("canary");
    });

    it("says what waits for a restart", async () => {
      const { code, stderr } = await settings("set", "mcp.connect_seconds", "3");
      expect([code, stderr]).to.deep.equal([
        0,
        "mcp.connect_seconds is in force once the service has been started again.\n",
      ]);
    });

    for (const [words, said, ends] of [
      [["set", "user.nme", "Ada"], 'There is no preference "user.nme". Did you mean "user.name"?', 2],
      [["get", "nothing"], 'There is no preference "nothing"', 2],
      [["set", "log.level", "loud"], "log.level must be one of error, warn, info, debug", 2],
      [["set", "workflow.max_iterations", "5000"], "workflow.max_iterations must be at most 1000", 2],
      [["set", "default_model", "a/b"], "default_model is fixed by the settings file", 2],
      [["set", "user.name"], "missing required argument 'value'", 2],
    ] as const)
      it(`ends with ${ends} for: ${words.join(" ")}`, async () => {
        const { code, stderr } = await settings(...words);
        expect(stderr).to.include(said);
        expect(code).to.equal(ends);
      });
  });
});
