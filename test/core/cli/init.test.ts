import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { commonSettings } from "../../../core/settings/settings-template.ts";
import { openProject, type Project } from "../../support/pergola.ts";

interface Listed {
  readonly preferences: readonly { readonly key: string; readonly value: unknown; readonly source: string }[];
}

describe("pergola init", function () {
  this.timeout(120_000);
  let project: Project;
  let file: string;
  beforeEach(async () => {
    project = await openProject();
    file = path.join(project.environment["XDG_CONFIG_HOME"] ?? "", "pergola/pergola.config.yaml");
  });
  afterEach(() => project.close());

  const pergola = (...words: readonly string[]) => project.run(words, { bare: true });
  async function listed(): Promise<Listed["preferences"]> {
    const { stdout, stderr, code } = await pergola("settings", "list", "--json", "--data", project.data);
    expect(code, stderr).to.equal(0);
    return (JSON.parse(stdout) as Listed).preferences;
  }
  /** What each key is set to. */
  const values = (preferences: Listed["preferences"]) =>
    Object.fromEntries(preferences.map(({ key, value }) => [key, value]));

  it("writes a file that is found and sets nothing; each line of it can be taken as it is", async () => {
    const before = await listed();
    const { stdout, stderr, code } = await pergola("init", "--json");
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ file, replaced: false });
    expect(await listed()).to.deep.equal(before);
    expect((await pergola("doctor", "--data", project.data)).stdout).to.include(`Settings: ${file}`);

    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^#(?=[a-z])/gm, ""));
    const after = await listed();
    const set = after.filter(({ source }) => source === "file").map(({ key }) => key);
    expect(set.toSorted()).to.deep.equal(Object.values(commonSettings).flat().toSorted());
    expect(values(after)).to.deep.equal(values(before));
  });

  it("overwrites only with --force", async () => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "user.name: Ada\n");
    const refused = await pergola("init");
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include(file).and.include("--force");
    expect(readFileSync(file, "utf8")).to.equal("user.name: Ada\n");
    expect((await pergola("init", "--force")).code).to.equal(0);
    expect(readFileSync(file, "utf8")).to.match(/^#user\.name: ""$/m);
  });

  it("writes none that another file would hide, or that cannot hold comments", async () => {
    const other = path.join(path.dirname(file), "pergola.config.json");
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(other, "{}");
    for (const words of [["init"], ["init", "--force"]]) {
      const { code, stderr } = await pergola(...words);
      expect(code).to.equal(2);
      expect(stderr).to.include(other);
    }
    expect(existsSync(file)).to.equal(false);
    expect((await pergola("init", "--settings", "mine.json")).code).to.equal(2);
    expect((await pergola("init", "--settings", "mine.yaml")).code).to.equal(0);
    expect(existsSync(path.join(project.folder, "mine.yaml"))).to.equal(true);
    const doctor = ["doctor", "--settings", "mine.yaml", "--data", project.data];
    expect((await pergola(...doctor)).stdout).to.include(path.join(project.folder, "mine.yaml"));
  });
});
