import path from "node:path";
import { expect } from "chai";
import { startTestHost } from "@pergola/sdk/testing";
import { pageReader } from "../support/page-reader.ts";

const check = "npx pergola plugins check . --trusted";

/** What docs/add-a-policy.md tells its reader to write, written into an empty folder. */
describe("the page on policies", function () {
  this.timeout(120_000);
  const reader = pageReader("docs/add-a-policy.md");

  it("names each file, and the commands for them", () => {
    expect(reader.files).to.deep.equal([
      "package.json",
      "plugin.json",
      "authorize.ts",
      "index.ts",
      "pergola.config.json",
      "test/policy.test.ts",
    ]);
    expect(reader.commands).to.include.members(["npm run build", check, "npm test"]);
  });

  it("shows code whose types are right, and mistakes in it are found", async () => {
    const mistakes = [
      ["authorize.ts", 'decision: "deny"', 'decision: "refuse"'],
      ["index.ts", '"shapeModelCall"', '"shapeModelCalls"'],
    ] as const;
    for (const [file, right, mistake] of mistakes) {
      expect(reader.read(file)).to.contain(right);
      reader.write(`wrong-${file}`, reader.read(file).replace(right, mistake));
    }
    const wrong = mistakes.map(([file]) => `wrong-${file}`);
    const faults = await reader.typeFaults("index.ts", "test/policy.test.ts", ...wrong);
    expect([...new Set(faults)].toSorted()).to.deep.equal(wrong);
  });

  it("shows tests that pass", async () => {
    const output = await reader.run("npm test");
    expect(output).to.match(/3 passing/);
    expect(output).not.to.contain("failing");
  });

  it("shows settings with which the host asks the policy", async () => {
    await reader.run("npm run build");
    expect(await reader.run(`${check} --no-types`)).to.contain("no fault");
    const { plugins, ...settings } = JSON.parse(reader.read("pergola.config.json")) as {
      readonly plugins: readonly [string, { readonly use: string; readonly isolation: string }];
      readonly "night.from": number;
    };
    const [bundle, own] = plugins;
    const use = path.resolve(reader.folder, own.use);
    const host = await startTestHost({ plugins: [bundle, { ...own, use }], settings });
    const found = host.services.system.plugins().find(({ id }) => id === "pergola-policy-night");
    expect(found).to.include({ state: "running", fault: null });
    expect(host.services.preferences.get("night.from")).to.equal(0);
    await host.stop();
  });
});
