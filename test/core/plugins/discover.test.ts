import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { discoverPlugins } from "../../../core/plugins/discover.ts";
import { readSettings } from "../../../core/settings/read-settings.ts";
import { pluginScene, type PluginScene } from "../../support/plugins/plugin-scene.ts";
import { toolPlugin, writePlugin } from "../../support/plugins/write-plugin.ts";

describe("finding plugins", () => {
  let scene: PluginScene;
  const idsOf = async (plugins: Json, more: Record<string, Json> = {}): Promise<readonly string[]> =>
    (await scene.discover(plugins, more)).plugins.map(({ id }) => id);
  const faultsOf = async (plugins: Json, more: Record<string, Json> = {}): Promise<string> =>
    (await scene.discover(plugins, more)).faults
      .map(({ message, remedy }) => `${message} ${remedy}`)
      .join("\n");
  beforeEach(() => {
    scene = pluginScene();
  });

  it("takes paths from the settings file's folder, and absolute ones", async () => {
    writePlugin(scene.folder, { id: "tool-a" });
    const other = writePlugin(temporaryFolder(), { id: "tool-b" });
    expect(await idsOf(["./tool-a", other])).to.deep.equal(["tool-a", "tool-b"]);
  });

  it("looks for packages in each node_modules from the settings file upward", async () => {
    writePlugin(path.join(scene.folder, "node_modules"), { id: "pergola-weather" });
    writePlugin(path.join(scene.folder, "node_modules", "@acme"), {
      id: "tool-news",
      manifest: { id: "@acme/tool-news" },
      package: { name: "@acme/tool-news" },
    });
    expect(await idsOf(["pergola-weather", "@acme/tool-news"])).to.deep.equal([
      "pergola-weather",
      "@acme/tool-news",
    ]);
  });

  it("brings what a bundle includes, from the bundle's own folder", async () => {
    const bundle = writePlugin(scene.folder, {
      id: "my-bundle",
      kind: "bundle",
      manifest: { includes: ["tool-inner", "./tool-path"] },
    });
    writePlugin(path.join(bundle, "node_modules"), { id: "tool-inner" });
    writePlugin(bundle, { id: "tool-path" });
    expect(await idsOf(["./my-bundle"])).to.deep.equal(["my-bundle", "tool-inner", "tool-path"]);
  });

  it("takes a plugin once, however often it is named, and two bundles that include each other", async () => {
    writePlugin(scene.folder, {
      id: "bundle-a",
      kind: "bundle",
      manifest: { includes: ["../bundle-b", "../tool-a"] },
    });
    writePlugin(scene.folder, { id: "bundle-b", kind: "bundle", manifest: { includes: ["../bundle-a"] } });
    writePlugin(scene.folder, { id: "tool-a" });
    expect(await idsOf(["./tool-a", "./bundle-a", "./tool-a"])).to.have.members([
      "tool-a",
      "bundle-a",
      "bundle-b",
    ]);
  });

  it("finds what a bundle includes and what a plugin comes after by their old ids", async () => {
    writePlugin(path.join(scene.folder, "node_modules", "@pergola"), {
      id: "feature-topics",
      package: { name: "@pergola/feature-topics" },
    });
    writePlugin(scene.folder, {
      id: "my-bundle",
      kind: "bundle",
      manifest: { includes: ["@pergola/service-topics"] },
    });
    writePlugin(scene.folder, { id: "tool-later", manifest: { after: ["service-topics"] } });
    const source = await scene.source({ plugins: ["./tool-later", "./my-bundle"] });
    const ids = discoverPlugins(source).plugins.map(({ id }) => id);
    const named = ["feature-topics", "tool-later", "my-bundle"];
    expect(ids.filter((id) => named.includes(id))).to.deep.equal(named);
  });

  it("names what it cannot find, and how to get it", async () => {
    expect(await faultsOf(["pergola-wether"]))
      .to.include("pergola-wether, discover: there is no such plugin")
      .and.include("npm install pergola-wether");
  });

  it("two folders with the same id are a fault of the later", async () => {
    const [one, other] = [
      writePlugin(scene.folder, { id: "tool-a" }),
      writePlugin(temporaryFolder(), { id: "tool-a" }),
    ];
    expect(await idsOf([one, other])).to.deep.equal(["tool-a"]);
    expect(await faultsOf([one, other])).to.include(`${one} and ${other} have the same id`);
  });

  it("no plugin declares a preference of the host or of another plugin, to weaken it", async () => {
    const declare = (id: string, key: string) =>
      writePlugin(scene.folder, { id, manifest: { settings: { [key]: { default: [], description: "x" } } } });
    const plugins = [
      declare("tool-a", "tools.a.roots"),
      declare("tool-b", "tools.a.roots"),
      declare("tool-c", "tools.disabled"),
    ];
    expect(await idsOf(plugins)).to.deep.equal(["tool-a"]);
    expect(await faultsOf(plugins))
      .to.include("the preference tools.a.roots belongs to tool-a")
      .and.include("the preference tools.disabled belongs to the host");
  });

  it("a faulty manifest costs that plugin alone", async () => {
    writePlugin(scene.folder, { id: "tool-a" });
    writePlugin(scene.folder, { id: "tool-b", manifest: { kind: "tol" } });
    expect(await idsOf(["./tool-b", "./tool-a"])).to.deep.equal(["tool-a"]);
    expect(await faultsOf(["./tool-b", "./tool-a"])).to.include("tool-b, manifest: kind must be one of");
  });

  it("keeps a disabled plugin's manifest, and does not run it", async () => {
    writePlugin(scene.folder, {
      id: "tool-a",
      manifest: { settings: { "tools.a.x": { default: 1, description: "x" } } },
    });
    const { plugins, all } = await scene.discover(["./tool-a"], { disabled: ["tool-a"] });
    expect(plugins).to.deep.equal([]);
    expect(all.map(({ id, disabled }) => ({ id, disabled }))).to.deep.equal([
      { id: "tool-a", disabled: true },
    ]);
  });

  describe("chooses the tier", () => {
    it("a process of its own for what comes from outside, unless the operator trusts it", async () => {
      writePlugin(scene.folder, { id: "tool-a" });
      writePlugin(scene.folder, { id: "tool-b" });
      const { plugins } = await scene.discover(["./tool-a", { use: "./tool-b", isolation: "trusted" }]);
      expect(plugins.map(({ tier }) => tier)).to.deep.equal(["isolated", "trusted"]);
    });

    it("what must run in the host's process is left out until it is trusted", async () => {
      for (const kind of ["provider", "storage", "endpoint", "policy", "bridge"]) {
        writePlugin(scene.folder, { id: `a-${kind}`, kind });
        expect(await faultsOf([`./a-${kind}`])).to.include(
          `list it as { "use": "./a-${kind}", "isolation": "trusted" }`,
        );
        expect(await idsOf([{ use: `./a-${kind}`, isolation: "trusted" }])).to.deep.equal([`a-${kind}`]);
      }
    });

    it("a bundle's tier is that of what it includes", async () => {
      const bundle = writePlugin(scene.folder, {
        id: "my-bundle",
        kind: "bundle",
        manifest: { includes: ["./policy-x"] },
      });
      writePlugin(bundle, { id: "policy-x", kind: "policy" });
      expect(await faultsOf(["./my-bundle"])).to.include("policy-x, validate");
      expect(await idsOf([{ use: "./my-bundle", isolation: "trusted" }])).to.deep.equal([
        "my-bundle",
        "policy-x",
      ]);
    });

    it("a package that only calls itself @pergola/… is not ours", async () => {
      const id = "storage-memory";
      writePlugin(path.join(scene.folder, "node_modules", "@pergola"), {
        id,
        kind: "storage",
        package: { name: `@pergola/${id}` },
      });
      expect(await faultsOf([`@pergola/${id}`])).to.include("storage-memory, validate");
    });

    it("our own packages beside the host run in its process", async () => {
      const { plugins, faults } = await scene.discover(["@pergola/storage-memory"]);
      expect(faults).to.deep.equal([]);
      expect(plugins.map(({ id, tier }) => `${id} ${tier}`)).to.deep.equal(["storage-memory trusted"]);
    });
  });

  it("CVE-2025-61260: takes the standard bundle from beside the host, never from a project that is not trusted", async () => {
    const home = temporaryFolder();
    const project = path.join(home, "project");
    const evil = writePlugin(path.join(project, "node_modules", "@pergola"), {
      id: "bundle-standard",
      kind: "bundle",
      package: { name: "@pergola/bundle-standard" },
      manifest: { includes: ["./evil"] },
    });
    writePlugin(evil, { id: "evil" });
    const host = temporaryFolder();
    writePlugin(path.join(host, "node_modules", "@pergola"), {
      id: "bundle-standard",
      kind: "bundle",
      package: { name: "@pergola/bundle-standard" },
      manifest: { includes: ["./good"] },
    });
    writePlugin(path.join(host, "node_modules", "@pergola", "bundle-standard"), { id: "good" });
    const source = await readSettings({ cwd: project, home, environment: {} });
    expect(discoverPlugins(source, { host }).plugins.map(({ id }) => id)).to.deep.equal([
      "bundle-standard",
      "good",
    ]);
  });

  it("follows links to the real folder", async () => {
    const real = writePlugin(temporaryFolder(), { id: "tool-a" });
    mkdirSync(path.join(scene.folder, "node_modules"));
    symlinkSync(real, path.join(scene.folder, "node_modules", "tool-a"));
    const { plugins } = await scene.discover(["tool-a", real]);
    expect(plugins.map(({ folder }) => folder)).to.deep.equal([real]);
  });

  it("runs no code", async () => {
    const folder = toolPlugin(scene.folder, "tool-a", "", {
      fields: "}; (await import('node:fs')).writeFileSync(new URL('./ran', import.meta.url), ''); ({",
    });
    await scene.discover([folder]);
    expect(existsSync(path.join(folder, "ran"))).to.equal(false);
  });
});
