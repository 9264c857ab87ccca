import { expect } from "chai";
import { pageReader } from "../support/page-reader.ts";

const pages = [
  ["docs/add-a-provider.md", "examples/provider-parley"],
  ["docs/add-a-storage.md", "examples/storage-journal"],
] as const;

/** A page that walks through an example tells its reader to copy it. */
for (const [page, example] of pages)
  describe(`the example of ${page}`, function () {
    this.timeout(120_000);
    const reader = pageReader(page, example);

    it("is what the plugin check accepts, once it is copied and built", async () => {
      await reader.run("npm run build");
      expect(await reader.run("npx pergola plugins check . --trusted --no-types")).to.contain("no fault");
    });

    it("passes its tests, the contract suite among them", async () => {
      const output = await reader.run("npm test -- --timeout=20000");
      expect(Number(/(\d+) passing/.exec(output)?.[1])).to.be.greaterThan(10);
      expect(output).not.to.contain("failing");
    });
  });
