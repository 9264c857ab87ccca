import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { PluginError, type Json } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { readManifest } from "../../../core/plugins/manifest.ts";
import { writePlugin, type PluginSource } from "../../support/plugins/write-plugin.ts";

const faultOf = (folder: string): string => {
  try {
    readManifest(folder);
    return "";
  } catch (error) {
    return PluginError.is(error) && error.step === "manifest"
      ? error.message
      : `not a PluginError: ${String(error)}`;
  }
};

describe("a manifest", () => {
  const write = (manifest: Record<string, Json>, more: Partial<PluginSource> = {}): string =>
    writePlugin(temporaryFolder(), { id: "tool-x", manifest, ...more });

  it("gets what it leaves out, and name and version of the package", () => {
    const folder = write({});
    expect(readManifest(folder)).to.deep.equal({
      id: "tool-x",
      kind: "tool",
      sdk: "^1",
      provides: {},
      permissions: {},
      settings: {},
      after: [],
      includes: [],
      enabledByDefault: true,
      package: "tool-x",
      version: "1.2.3",
      description: "",
      entry: path.join(folder, "index.js"),
    });
  });

  it("may stand in package.json", () => {
    const folder = temporaryFolder();
    writeFileSync(
      path.join(folder, "package.json"),
      JSON.stringify({ name: "tool-y", pergola: { id: "tool-y", kind: "tool", sdk: "*" } }),
    );
    expect(readManifest(folder).id).to.equal("tool-y");
  });

  it("is checked before any code runs", () => {
    const folder = write(
      { kind: "tol" },
      {
        code: `import { writeFileSync } from "node:fs"; writeFileSync(new URL("./ran", import.meta.url), "");`,
      },
    );
    expect(faultOf(folder)).to.include("kind must be one of");
    expect(existsSync(path.join(folder, "ran"))).to.equal(false);
  });

  it("lists all its faults at once", () => {
    const message = faultOf(
      write({ kind: "tol", sdk: "", permissions: { files: "all", netwrok: [] }, afer: [] }),
    );
    for (const part of [
      "kind must be",
      "sdk must",
      "permissions.files must be one of",
      'permissions.netwrok is not known (did you mean "network"?)',
      'afer is not known (did you mean "after"?)',
    ]) {
      expect(message).to.include(part);
    }
  });

  const bad: readonly (readonly [what: string, manifest: Record<string, Json>, said: string])[] = [
    ["another id than the package's", { id: "tool-z" }, 'id must be "tool-x", as the package is called'],
    ["a generation of the SDK that is not there", { sdk: "^2" }, "it is made for SDK ^2, and this host has"],
    ["an SDK range that cannot be read", { sdk: "newest" }, "it is made for SDK newest"],
    [
      "a hook that does not exist",
      { provides: { hooks: ["shapeChats"] } },
      'there is no hook "shapeChats". Did you mean "shapeChat"?',
    ],
    ["a hook of every object", { provides: { hooks: ["toString"] } }, 'there is no hook "toString"'],
    ["a route without a method", { provides: { endpoints: ["/api/x"] } }, "provides.endpoints[0] must match"],
    ["tools as a list", { provides: { tools: ["x"] } }, "provides.tools must be an object"],
    [
      "a setting without default",
      { settings: { "tools.x.depth": { description: "x" } } },
      "settings.tools.x.depth needs a description and a default",
    ],
    [
      "a setting without description",
      { settings: { "tools.x.depth": { default: 1 } } },
      "settings.tools.x.depth needs a description and a default",
    ],
    ["a setting that is no schema", { settings: { "tools.x.depth": 3 } }, "must be an object"],
    [
      "a permission for somebody else's secret",
      { permissions: { secrets: ["auth.token"] } },
      "permissions.secrets names auth.token, which is none of its own settings",
    ],
    ["an inclusion in something that is no bundle", { includes: ["y"] }, "only a bundle includes others"],
    ["an id with a path in it", { id: "../x" }, "id must match"],
  ];
  for (const [what, manifest, said] of bad) {
    it(`B16: refuses ${what}`, () => {
      expect(faultOf(write(manifest))).to.include(said);
    });
  }

  const setting = (more: Record<string, Json>, secrets: readonly string[] = []): Record<string, Json> => ({
    settings: { "tools.x.key": { type: "string", description: "x", default: "", ...more } },
    permissions: { secrets },
  });
  const misstated: readonly (readonly [what: string, manifest: Record<string, Json>, said: string])[] = [
    [
      "a word in a setting that nobody reads",
      setting({ secret: true }),
      'settings.tools.x.key: nobody reads "secret". Did you mean "x-secret"?',
    ],
    ["a misspelt word", setting({ minimun: 3 }), 'nobody reads "minimun". Did you mean "minimum"?'],
    [
      "one deep inside",
      setting({ type: "object", properties: { password: { type: "string", "x-secrets": true } } }),
      'settings.tools.x.key.password: nobody reads "x-secrets". Did you mean "x-secret"?',
    ],
    ["a mark that is neither yes nor no", setting({ "x-secret": "yes" }), '"x-secret" must be true or false'],
    ["a type that does not exist", setting({ type: "int" }), 'there is no type "int". Did you mean'],
    [
      "permission for a secret of its own that is none",
      setting({}, ["tools.x.key"]),
      'permissions.secrets names tools.x.key, which is not secret: give the setting "x-secret": true',
    ],
  ];
  for (const [what, manifest, said] of misstated)
    it(`A1: refuses ${what}`, () => {
      expect(faultOf(write(manifest))).to.include(said);
    });

  it("A1: takes a secret, whole or inside a record", () => {
    expect(faultOf(write(setting({ "x-secret": true }, ["tools.x.key"])))).to.equal("");
    const properties = { password: { type: "string", "x-secret": true } };
    const inside = setting({ type: "object", default: {}, properties }, ["tools.x.key"]);
    expect(faultOf(write(inside))).to.equal("");
  });

  for (const key of ["__proto__", "constructor"]) {
    it(`B12: refuses the key ${key} anywhere`, () => {
      const folder = write({});
      writeFileSync(
        path.join(folder, "plugin.json"),
        `{ "id": "tool-x", "kind": "tool", "sdk": "^1", "provides": { "tools": { "${key}": ["x"] } } }`,
      );
      expect(faultOf(folder)).to.include(`the key "${key}" is not allowed`);
    });
  }

  for (const [what, text] of Object.entries({
    "no JSON": "{",
    "a list": "[]",
    "a text": '"x"',
    "300 KB": `{ "id": "${"x".repeat(300_000)}" }`,
    nothing: "",
  })) {
    it(`B16: refuses ${what}`, () => {
      const folder = write({});
      writeFileSync(path.join(folder, "plugin.json"), text);
      expect(faultOf(folder)).to.match(/^tool-x, manifest: ./);
    });
  }

  it("B16: refuses a folder without package.json or without a manifest", () => {
    const folder = temporaryFolder();
    expect(faultOf(folder)).to.include("package.json");
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "tool-x" }));
    expect(faultOf(folder)).to.include("there is neither a plugin.json nor a field pergola in package.json");
    writeFileSync(path.join(folder, "package.json"), "{}");
    expect(faultOf(folder)).to.include(`${path.basename(folder)}, manifest: `);
  });

  it("refuses an entry outside its folder", () => {
    expect(faultOf(write({}, { package: { main: "../evil.js" } }))).to.include(
      "its entry lies outside its folder",
    );
  });

  it("takes the entry that the package exports for this process", () => {
    const exports = {
      ".": { source: "./source.ts", default: "./dist/index.js" },
      "./plugin.json": "./plugin.json",
    };
    const folder = write({}, { package: { exports } });
    const developing = process.execArgv.some((option) => option.includes("source"));
    expect(readManifest(folder, true).entry).to.equal(
      path.join(folder, developing ? "source.ts" : "dist/index.js"),
    );
    expect(readManifest(folder).entry, "of another author").to.equal(path.join(folder, "dist/index.js"));
    expect(
      readManifest(write({}, { package: { exports: { import: "./a.js", require: "./b.cjs" } } })).entry,
    ).to.match(/a\.js$/);
  });

  it("is good in every plugin of this repository", () => {
    const root = path.resolve(import.meta.dirname, "../../../plugins");
    const present = readdirSync(root).filter((name) => existsSync(path.join(root, name, "plugin.json")));
    expect(present.map((name) => faultOf(path.join(root, name))).filter(Boolean)).to.deep.equal([]);
    expect(present.length).to.be.above(0);
  });

  it("leaves nothing behind in a folder that is not there", () => {
    const folder = path.join(temporaryFolder(), "gone");
    expect(faultOf(folder)).to.include("gone, manifest");
    mkdirSync(folder);
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
