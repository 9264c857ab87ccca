import { expect } from "chai";
import { satisfies } from "semver";
import { read } from "../architecture/tree.ts";
import { addFigure } from "../support/figures.ts";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages } = JSON.parse(read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const { allowScripts } = JSON.parse(read("package.json")) as {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
/** Packages from elsewhere: neither workspaces nor links to them. */
const foreign = Object.entries(packages).filter(
  ([place, { link }]) => place.includes("node_modules/") && link !== true,
);
/** Native code comes for one platform only. */
const fits = (wanted: readonly string[] | undefined, here: string): boolean =>
  wanted === undefined ||
  wanted.includes(here) ||
  wanted.every((name) => name.startsWith("!") && name !== `!${here}`);
const isInstalled = ({ dev, os, cpu }: Locked): boolean =>
  dev !== true && fits(os, process.platform) && fits(cpu, process.arch);
const nameOf = (place: string): string => place.split("node_modules/").at(-1) ?? "";

describe("packages", () => {
  it("are few at run time, on a platform", () => {
    const count = foreign.filter(([, locked]) => isInstalled(locked)).length;
    addFigure("packages at run time", count);
    expect(count).to.be.at.least(1);
  });

  it("have their content pinned", () => {
    const loose = foreign.filter(([, { integrity }]) => integrity === undefined).map(([place]) => place);
    addFigure("packages without integrity", loose.length);
    expect(loose).to.deep.equal([]);
  });

  it("CVE-2026-0621, CVE-2026-25536, CVE-2025-66414: speak MCP by a release that has what was mended", () => {
    const mended = { sdk: ">=1.26.0", server: ">=2.4.0", client: ">=2.4.0" };
    for (const [name, range] of Object.entries(mended)) {
      const released = foreign.filter(([place]) => nameOf(place) === `@modelcontextprotocol/${name}`);
      expect(released.length, name).to.be.at.least(1);
      for (const [place, { version = "" }] of released)
        expect(satisfies(version, range), `${place} ${version}`).to.equal(true);
    }
  });

  it("run scripts when they are installed only where the list says so, which names each that has one", () => {
    const withScripts = foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const unknown = withScripts
      .map(([place]) => nameOf(place))
      .filter((name) => allowScripts[name] === undefined);
    addFigure("packages with install scripts beyond the list", unknown.length);
    expect(unknown).to.deep.equal([]);
  });
});
