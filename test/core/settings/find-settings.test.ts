import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { failureOf, settingsScene, type SettingsScene } from "../../support/settings-scene.ts";

describe("finding the settings", () => {
  let scene: SettingsScene;
  beforeEach(() => {
    scene = settingsScene();
  });

  for (const place of ["pergola.config.json", "pergola.config.yaml", "pergola.config.yml", ".pergolarc"]) {
    it(`finds ${place} in the working directory`, async () => {
      const file = scene.write(place, { user: { name: "Ada" } });
      expect((await scene.read()).file?.path).to.equal(file);
    });
  }

  it("finds the field pergola of package.json", async () => {
    scene.write("package.json", { name: "x", pergola: { user: { name: "Ada" } } });
    expect((await scene.read()).file?.content).to.deep.equal({ user: { name: "Ada" } });
  });

  it("passes over a package.json that only mentions pergola, or holds a plugin's manifest", async () => {
    scene.write("package.json", { name: "pergola" });
    scene.write("../package.json", { pergola: { id: "x", kind: "tool", sdk: "^1" } });
    expect((await scene.read()).file).to.equal(undefined);
  });

  it("looks upward, the nearest folder first, and always into the user's configuration folder", async () => {
    const paths = async () => (await scene.read()).layers.map((layer) => layer.path);
    const own = scene.write(path.join(scene.configuration, "pergola.config.yaml"), "user: { name: own }");
    expect(await paths()).to.deep.equal([own]);
    const above = scene.write("../pergola.config.json", {});
    expect(await paths()).to.deep.equal([own, above]);
    const here = scene.write(".pergolarc", "{}");
    expect(await paths()).to.deep.equal([own, here]);
    expect((await scene.read({ cwd: scene.configuration })).layers).to.have.length(1);
  });

  it("says of a second file with settings in the same folder that it is not read", async () => {
    const warnings = async () => (await scene.read()).warnings;
    const json = scene.write(path.join(scene.configuration, "pergola.config.json"), {});
    const yaml = scene.write(path.join(scene.configuration, "pergola.config.yaml"), "# user.name: Ada\n");
    scene.write("pergola.config.json", {});
    scene.write("package.json", { name: "pergola", version: "1.0.0" });
    expect(await warnings()).to.deep.equal([]);
    scene.write(path.join(scene.configuration, "pergola.config.yaml"), "user.name: Ada\n");
    expect(await warnings()).to.deep.equal([
      `${yaml} is not read, since there is ${json}. Keep all settings in one.`,
    ]);
    expect((await scene.read({ file: json })).warnings).to.deep.equal([]);
  });

  it("takes the file that is named, and says so when it is missing", async () => {
    scene.write("pergola.config.json", {});
    const named = scene.write("other.yaml", "{}");
    expect((await scene.read({ file: "other.yaml" })).file?.path).to.equal(named);
    expect(await failureOf(scene.read({ file: "missing.json" }))).to.include(
      "missing.json: there is no such file",
    );
  });

  it("CVE-2025-59536: runs no code of the working directory, neither ours nor what a search library would look for", async () => {
    const mark = path.join(scene.home, "ran");
    const code = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""); module.exports = {};`;
    for (const place of [
      "pergola.config.js",
      "pergola.config.cjs",
      ".pergolarc.js",
      ".config/config.js",
      ".config/pergolarc.js",
    ])
      scene.write(place, code);
    const before = process.cwd();
    process.chdir(scene.project);
    try {
      scene.write("pergola.config.yaml", "user: { name: Ada }");
      await scene.read();
      expect(await failureOf(scene.read({ file: "pergola.config.js" }))).to.not.equal("");
    } finally {
      process.chdir(before);
    }
    expect(existsSync(mark)).to.equal(false);
  });

  const bad: Readonly<Record<string, string>> = {
    "a syntax fault in JSON": '{ "user": ',
    "a list instead of an object": "[]",
    "a text instead of an object": '"x"',
  };
  for (const [what, text] of Object.entries(bad)) {
    it(`B17: names the file at ${what}`, async () => {
      const file = scene.write("pergola.config.json", text);
      const message = await failureOf(scene.preferences());
      expect(message).to.include(file);
      expect(message.split("\n")).to.have.length(2);
    });
  }

  const hostile: Readonly<Record<string, string>> = {
    "a cycle": "user: &a { name: *a }",
    "aliases that grow": [
      "a: &a [1,1,1,1,1,1,1,1,1,1]",
      ..."bcdefg"
        .split("")
        .map((name, i) => `${name}: &${name} [${Array(10).fill(`*${"abcdef"[i]}`).join(",")}]`),
    ].join("\n"),
    "a tag for code": "user: { name: !!js/function 'function () {}' }",
    "a date": "user: { name: 2020-01-01 }",
    bytes: "user: { name: !!binary aGVsbG8= }",
    "a document of 5 MB": `user: { name: "${"x".repeat(5_000_000)}" }`,
    "deep nesting": `user: ${"[".repeat(200)}${"]".repeat(200)}`,
    "two documents": "user: {}\n---\nuser: {}",
  };
  for (const [what, text] of Object.entries(hostile)) {
    it(`B17: refuses YAML with ${what}, quickly`, async () => {
      const file = scene.write("pergola.config.yaml", text);
      const begun = performance.now();
      expect(await failureOf(scene.preferences())).to.include(file);
      expect(performance.now() - begun).to.be.below(1000);
    });
  }

  for (const key of ["__proto__", "constructor", "prototype", "\\u005f\\u005fproto__"]) {
    it(`B12: refuses the key ${key}`, async () => {
      scene.write("pergola.config.json", `{ "models": { "overrides": { "${key}": { "isAdmin": true } } } }`);
      expect(await failureOf(scene.preferences())).to.match(
        /the key "(__proto__|constructor|prototype)" is not allowed/,
      );
      expect(({} as Record<string, unknown>)["isAdmin"]).to.equal(undefined);
    });
  }

  it("leaves a folder or a pipe of that name alone", async () => {
    mkdirSync(path.join(scene.project, "pergola.config.json"));
    expect((await scene.read()).file).to.equal(undefined);
    writeFileSync(path.join(scene.project, "pergola.config.yml"), "user: { name: Ada }");
    expect((await scene.read()).file?.content).to.deep.equal({ user: { name: "Ada" } });
  });
});
