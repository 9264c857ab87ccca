import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect } from "chai";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "./tree.ts";

const { forbidden, options } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  readonly forbidden: IForbiddenRuleType[];
  readonly options: object;
};

/** The rules that are broken below a folder, with the files that break them. */
async function brokenIn(baseDir: string): Promise<readonly string[]> {
  const { output } = await cruise(["core", "sdk", "plugins", "examples"], {
    ...options,
    baseDir,
    ruleSet: { forbidden },
    validate: true,
  });
  return (output as ICruiseResult).summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} → ${to}`,
  );
}

/** A tree in which each rule is broken once. */
const wrong: Readonly<Record<string, string>> = {
  "core/a.ts": 'import "../plugins/tool-a/index.ts";',
  "core/b.ts": "",
  "sdk/index.ts": 'import "../core/b.ts"; import "./not-there.ts";',
  "sdk/testing/kit.ts": 'import "../../core/b.ts";',
  "plugins/tool-a/index.ts": 'import "../tool-b/index.ts"; import "./one.ts";',
  "plugins/tool-a/one.ts": 'import "./two.ts";',
  "plugins/tool-a/two.ts": 'import "./one.ts";',
  "plugins/tool-b/index.ts": "",
  "examples/tool-c/index.ts": 'import "../../core/b.ts";',
};

describe("imports", function () {
  this.timeout(60_000);

  it("follow the rules of the architecture", async () => {
    expect(await brokenIn(root)).to.deep.equal([]);
  });

  it("that break a rule are found, each", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "tsconfig.json"), "{}");
    for (const [file, text] of Object.entries(wrong)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    const found = new Set((await brokenIn(folder)).map((line) => line.split(":")[0]));
    expect(forbidden.map(({ name = "" }) => name).filter((name) => !found.has(name))).to.deep.equal([]);
  });
});
