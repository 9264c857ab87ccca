import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openRegistry } from "../../support/npm-registry.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

describe("the names that a person gives to a command", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());

  for (const [words, line] of [
    ["tokens revoke nosuch", /^There is no token "nosuch"\./],
    ["plugins remove tool-nosuch", /^"tool-nosuch" was neither added nor approved\./],
    ["plugins inspect tool-nosuch", /^There is no plugin "tool-nosuch"\./],
    ["plugins enable tool-nosuch", /^There is no plugin "tool-nosuch"\./],
    ["plugins update tool-nosuch", /^"tool-nosuch" was not added/],
    ["plugins add ./nowhere", /^There is no .*nowhere\./],
    ["secrets remove nosuch", /^There is no secret nosuch\./],
    ["plugins remove tool-think", /^tool-think comes with Pergola\..*pergola plugins disable tool-think\.$/],
    ["tokens add x --scope rad", /^--scope must be one of read, chat/],
    ["tokens add x --expires soon", /^--expires is a number with s, m, h or d/],
    ["tokens add x --root nowhere", /^--root: there is no folder .*nowhere\.$/],
  ] as const)
    it(`${words}: one line, and 2`, async () => {
      const { code, stdout, stderr } = await project.run(words.split(" "));
      expect([code, stdout, stderr.trimEnd().split("\n").length], stderr).to.deep.equal([2, "", 1]);
      expect(stderr.trimEnd()).to.match(line);
    });

  it("plugins add of a package, or of one that it needs, that npm does not find: one line, and 2", async () => {
    const registry = await openRegistry();
    try {
      const environment = { npm_config_registry: registry.url };
      const { code, stderr } = await project.run(["plugins", "add", "tool-nosuch"], { environment });
      expect([code, stderr]).to.deep.equal([2, "npm's registry does not have tool-nosuch.\n"]);
      const needs = { dependencies: { "lib-nosuch": "^1.0.0" } };
      const folder = writePlugin(project.folder, { id: "tool-needy", package: needs });
      const added = await project.run(["plugins", "add", folder, "--dry-run"], { environment });
      expect([added.code, added.stderr]).to.deep.equal([
        2,
        "npm's registry does not have lib-nosuch@^1.0.0, which the plugin needs.\n",
      ]);
    } finally {
      await registry.close();
    }
  });

  it("tells the folder of a new token", async () => {
    const { code, stderr } = await project.run(["tokens", "add", "x", "--root", project.folder]);
    expect([code, stderr.includes(`; below ${project.folder};`)], stderr).to.deep.equal([0, true]);
  });

  it("are in the audit: the id and the name of a token that was made, replaced and revoked", async () => {
    await project.run(["tokens", "add", "phone"]);
    await project.run(["tokens", "rotate", "phone"]);
    await project.run(["tokens", "revoke", "phone"]);
    const { stdout } = await project.run(["audit", "--json"]);
    const { entries } = JSON.parse(stdout) as {
      readonly entries: readonly { readonly action: string; readonly target: string | null }[];
    };
    const facts = entries
      .filter(({ action, target }) => action.startsWith("token.") && target?.includes("phone"))
      .map(({ action, target }) => `${action} ${target?.replaceAll(/tok_\w+/g, "id")}`);
    expect(facts).to.deep.equal([
      "token.add id phone read,chat",
      "token.rotate id id phone",
      "token.revoke id phone",
    ]);
  });

  it("warns of a token file that others can read", async () => {
    const file = path.join(project.folder, "token");
    writeFileSync(file, "x", { mode: 0o600 });
    const url = `http://127.0.0.1:${await freePort()}`;
    const said = async (): Promise<string> => {
      const words = ["models", "list", "--url", url, "--token-file", file];
      return (await project.run(words, { bare: true })).stderr;
    };
    const warning = `Other accounts can read the token file ${file}. Run: chmod 600 ${file}`;
    expect(await said()).to.not.include(warning);
    chmodSync(file, 0o644);
    expect((await said()).split(warning)).to.have.length(2);
  });
});
