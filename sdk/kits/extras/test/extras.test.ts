import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { extrasOf } from "../extras-of.ts";
import { missingExtra, requireExtra } from "../require-extra.ts";

/** Puts a package where it is found from a folder. */
function put(folder: string, name: string, manifest: object = {}): string {
  const place = path.join(folder, "node_modules", name);
  mkdirSync(path.join(place, "dist"), { recursive: true });
  writeFileSync(path.join(place, "package.json"), JSON.stringify({ name, ...manifest }));
  return place;
}

describe("extras", () => {
  /** An installed package with an extra of two packages, below a folder where others are put. */
  const install = () => {
    const folder = temporaryFolder();
    const place = put(folder, "@pergola/tool-sail", {
      dependencies: { left: "1.0.0" },
      peerDependencies: { mast: "2.0.0", "@boats/sheet": "3.0.0" },
      pergolaExtras: {
        sails: { purpose: "Sailing", megabytes: 12, packages: ["mast", "@boats/sheet"], scripts: ["mast"] },
      },
    });
    return { folder, place, url: pathToFileURL(path.join(place, "dist", "index.js")).href };
  };

  it("are named with the versions that the package was made for", () => {
    expect(extrasOf(install().place)).to.deep.equal([
      {
        name: "sails",
        purpose: "Sailing",
        megabytes: 12,
        packages: ["mast@2.0.0", "@boats/sheet@3.0.0"],
        scripts: ["mast"],
        isInstalled: false,
      },
    ]);
  });

  it("are missing until all their packages are found, above the package too; it is looked each time", () => {
    const { folder, place, url } = install();
    put(folder, "mast");
    expect(missingExtra("sails", url)).to.equal(
      'Sailing needs the extra "sails", which is not installed. ' +
        "`pergola extras add sails` fetches it (about 12 MB).",
    );
    put(place, "@boats/sheet");
    expect(missingExtra("sails", url)).to.equal(undefined);
  });

  it("that are missing fail a tool with the command that fetches them", () => {
    const { url } = install();
    const error = expect(() => requireExtra("sails", url)).to.throw(/`pergola extras add sails`/);
    error.and.satisfy((thrown: unknown) => ToolError.is(thrown) && thrown.code === "unavailable");
  });

  it("whose version nobody has chosen are a mistake of the package", () => {
    const place = put(temporaryFolder(), "@pergola/tool-row", {
      pergolaExtras: { oars: { purpose: "Rowing", megabytes: 1, packages: ["oar"] } },
    });
    expect(() => extrasOf(place)).to.throw(/gives oar no version/);
  });

  it("that no package.json names are a mistake of the code", () => {
    const { url } = install();
    expect(() => requireExtra("oars", url)).to.throw(/names no extra "oars"/);
  });
});
