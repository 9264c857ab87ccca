import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { isTest, linesOf, pluginFolders, read, root, sources } from "./tree.ts";

interface Manifest {
  readonly id: string;
  readonly kind: string;
  readonly provides?: { readonly tools?: Readonly<Record<string, readonly string[]>> };
  readonly includes?: readonly string[];
}

const manifestOf = (id: string): Manifest => JSON.parse(read(`plugins/${id}/plugin.json`)) as Manifest;

/** What comes with the core, and so is not installed by itself. */
const comesWithCore = (id: string): boolean =>
  id === "bundle-host" || (manifestOf("bundle-host").includes ?? []).includes(`@pergola/${id}`);
const dashed = (name: string): string => name.replaceAll("_", "-");

for (const id of pluginFolders()) {
  describe(`the plugin ${id}`, () => {
    it("is named after its folder, in its manifest and its package", () => {
      const { name } = JSON.parse(read(`plugins/${id}/package.json`)) as { readonly name: string };
      expect([manifestOf(id).id, name]).to.deep.equal([id, `@pergola/${id}`]);
    });

    it("has the kind that its name begins with", () => {
      expect(id.startsWith(`${manifestOf(id).kind}-`)).to.equal(true);
    });

    it("has a README of ten to sixty lines", () => {
      expect(linesOf(`plugins/${id}/README.md`)).to.be.within(8, 60);
    });

    it("says in its README how it is installed by itself, unless it comes with the core", () => {
      const told = new RegExp(`npm install (\\S+ )*@pergola/${id}`).test(read(`plugins/${id}/README.md`));
      expect(told).to.equal(!comesWithCore(id));
    });

    it("has tests of its own, unless it is only a list", () => {
      if (manifestOf(id).kind === "bundle") return;
      expect(existsSync(path.join(root, "plugins", id, "test"))).to.equal(true);
    });

    it("keeps each operation in a file of its own name", () => {
      for (const [tool, operations] of Object.entries(manifestOf(id).provides?.tools ?? {})) {
        expect(id).to.equal(`tool-${dashed(tool)}`);
        const missing = operations.filter(
          (name) => !existsSync(path.join(root, "plugins", id, "operations", `${dashed(name)}.ts`)),
        );
        expect(missing).to.deep.equal([]);
      }
    });
  });
}

describe("the bundles", () => {
  /** For tests, or for those who have a database server. */
  const chosenByHand = ["storage-memory", "storage-postgres", "provider-scripted"];

  it("list every official plugin but those that somebody has to choose", () => {
    const others = pluginFolders().filter(
      (id) => !["bundle-standard", "bundle-host", ...chosenByHand].includes(id),
    );
    const listed = ["bundle-standard", "bundle-host"].flatMap((id) => manifestOf(id).includes ?? []);
    expect(listed.toSorted()).to.deep.equal(others.map((id) => `@pergola/${id}`).toSorted());
  });
});

describe("the groups of routes", () => {
  it("have a setting each that switches them", () => {
    const files = pluginFolders().flatMap((id) => sources(`plugins/${id}`));
    const served = files
      .filter((file) => !isTest(file))
      .flatMap((file) => [...read(file).matchAll(/defineEndpoints\(\{[^}]*?\bgroup: "(\w+)"/g)])
      .map(([, group = ""]) => group);
    const { properties } = JSON.parse(read("core/settings/settings.schema.json")) as {
      readonly properties: Readonly<Record<string, { readonly "x-names"?: object }>>;
    };
    const names = properties["endpoints.<group>.enabled"]?.["x-names"] as { readonly "<group>": string[] };
    // What speaks MCP has this setting among its own; the routes of who may come in stay.
    expect([...new Set(served)].filter((group) => !names["<group>"].includes(group))).to.have.members([
      "mcp",
      "audit",
      "session",
      "tokens",
    ]);
  });
});
