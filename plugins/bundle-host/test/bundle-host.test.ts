import { expect } from "chai";
import manifest from "../plugin.json" with { type: "json" };
import packageJson from "../package.json" with { type: "json" };

describe("bundle-host", () => {
  it("installs exactly what it includes", () => {
    const { dependencies = {} } = packageJson as { readonly dependencies?: Readonly<Record<string, string>> };
    expect(Object.keys(dependencies).toSorted()).to.deep.equal(manifest.includes.toSorted());
  });
});
