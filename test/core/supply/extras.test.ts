import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { planInstallation } from "../../../core/supply/fetch-extra.ts";
import { findExtras } from "../../../core/supply/find-extras.ts";
import { kitFolders, pluginFolders, root } from "../../architecture/tree.ts";

const pluginPaths = pluginFolders().map((id) => path.join(root, "plugins", id));

interface Manifest {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly pergolaExtras?: Readonly<Record<string, { readonly packages: readonly string[] }>>;
}

describe("the extras of Pergola's own packages", () => {
  it("are found through the plugins and the kits that they bring, and a clone has them all", () => {
    const found = findExtras(pluginPaths);
    expect(found.map(({ name }) => name)).to.deep.equal([
      "browser",
      "code",
      "documents",
      "embeddings",
      "model-files",
      "ssh",
      "terminals",
    ]);
    // The one that is compiled may not be there.
    const missing = found.filter(({ name, isInstalled }) => !isInstalled && name !== "terminals");
    expect(missing).to.deep.equal([]);
    for (const { packages } of found) expect(packages.join(" ")).to.not.include("latest");
  });

  it("are dependencies of the package that names them, each name in one package only", () => {
    const folders = [...pluginPaths, ...kitFolders().map((folder) => path.join(root, folder))];
    const named = folders.flatMap((folder) => {
      const text = readFileSync(path.join(folder, "package.json"), "utf8");
      const { pergolaExtras = {}, ...manifest } = JSON.parse(text) as Manifest;
      const brought = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
      const packages = Object.values(pergolaExtras).flatMap((extra) => extra.packages);
      expect(brought, folder).to.include.members([...packages]);
      return Object.keys(pergolaExtras);
    });
    expect(named.toSorted()).to.deep.equal([...new Set(named)].toSorted());
  });
});

describe("an extra", () => {
  const packages = ["ssh2@1.17.0"];
  const inside = path.join("node_modules", "pergola", "node_modules", "@pergola", "tool-remote-execution");

  it("is put beside a Pergola that is there for all folders", () => {
    const prefix = temporaryFolder();
    const plan = { words: ["install", "--global", ...packages], folder: prefix, isGlobal: true };
    expect(planInstallation({ folder: path.join(prefix, "lib", inside), packages })).to.deep.equal(plan);
    expect(planInstallation({ folder: path.join(prefix, inside), packages })).to.deep.equal(plan);
  });

  it("is put into the project that has Pergola, which notes it", () => {
    const project = path.join(temporaryFolder(), "my project");
    mkdirSync(project);
    writeFileSync(path.join(project, "package.json"), "{}");
    const plan = { words: ["install", "--save-exact", ...packages], folder: project, isGlobal: false };
    expect(planInstallation({ folder: path.join(project, inside), packages })).to.deep.equal(plan);
  });

  it("is not fetched into a clone, which has it", () => {
    const folder = path.join(root, "plugins", "x");
    expect(() => planInstallation({ folder, packages })).to.throw(/npm install/);
  });
});
