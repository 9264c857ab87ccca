import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect } from "chai";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import ts from "typescript";
import { importCircles } from "../../scripts/shape/import-circles.ts";
import { productSources, type Source } from "../../scripts/shape/product.ts";
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
  "sdk/package.json": '{"name":"@pergola/sdk","exports":{".":"./index.ts","./host":"./host/index.ts"}}',
  "sdk/index.ts": 'import "../core/b.ts"; import "./not-there.ts"; import "./kits/a/index.ts";',
  "sdk/util/a.ts": 'import type { A } from "../contract/a.ts";',
  "sdk/contract/a.ts": 'export type { B } from "../host/index.ts";',
  "sdk/storage/a.ts": 'import type { A } from "../wire/a.ts";',
  "sdk/wire/a.ts": "export type A = string;",
  "sdk/host/index.ts": 'import "../testing/kit.ts"; export type B = string;',
  "sdk/testing/kit.ts": 'import "../../core/b.ts";',
  "sdk/kits/a/index.ts": 'import "@pergola/sdk/host"; import "../b/inner.ts";',
  "sdk/kits/a/one.ts": "",
  "sdk/kits/b/index.ts": 'import "../a/one.ts";',
  "sdk/kits/b/inner.ts": "",
  "plugins/tool-a/index.ts": 'import "../tool-b/index.ts"; import "./one.ts";',
  "plugins/tool-a/one.ts": 'import "./two.ts";',
  "plugins/tool-a/two.ts": 'import "./one.ts";',
  "plugins/tool-b/index.ts": 'import "@pergola/sdk/host"; import "../../sdk/wire/a.ts";',
  "plugins/service-c/index.ts": 'import "@pergola/sdk/host"; import "../../sdk/testing/kit.ts";',
  "examples/tool-c/index.ts": 'import "../../core/b.ts";',
};

/** What is found in it. */
const broken: readonly string[] = [
  "core-imports-no-plugin: core/a.ts → plugins/tool-a/index.ts",
  "everything-resolves: sdk/index.ts → ./not-there.ts",
  "kits-enter-each-other-by-the-entry: sdk/kits/a/index.ts → sdk/kits/b/inner.ts",
  "kits-enter-each-other-by-the-entry: sdk/kits/b/index.ts → sdk/kits/a/one.ts",
  "kits-import-the-public-sdk-only: sdk/kits/a/index.ts → sdk/host/index.ts",
  "no-cycles-between-kits: sdk/kits/a → sdk/kits/b",
  "no-cycles-between-kits: sdk/kits/b → sdk/kits/a",
  "no-cycles: plugins/tool-a/one.ts → plugins/tool-a/two.ts",
  "only-tests-import-the-test-kit: plugins/service-c/index.ts → sdk/testing/kit.ts",
  "only-tests-import-the-test-kit: sdk/host/index.ts → sdk/testing/kit.ts",
  "only-the-host-imports-the-host-entry: plugins/tool-b/index.ts → sdk/host/index.ts",
  "plugins-import-no-core: examples/tool-c/index.ts → core/b.ts",
  "plugins-import-no-other-plugin: plugins/tool-a/index.ts → plugins/tool-b/index.ts",
  "sdk-contract-imports-util-only: sdk/contract/a.ts → sdk/host/index.ts",
  "sdk-host-imports-rooms-only: sdk/host/index.ts → sdk/testing/kit.ts",
  "sdk-imports-no-kit: sdk/index.ts → sdk/kits/a/index.ts",
  "sdk-imports-node-only: sdk/index.ts → ./not-there.ts",
  "sdk-imports-node-only: sdk/index.ts → core/b.ts",
  "sdk-is-imported-by-its-entries: plugins/service-c/index.ts → sdk/testing/kit.ts",
  "sdk-is-imported-by-its-entries: plugins/tool-b/index.ts → sdk/wire/a.ts",
  "sdk-provider-storage-and-wire-import-contract-and-util-only: sdk/storage/a.ts → sdk/wire/a.ts",
  "sdk-test-kit-imports-no-host: sdk/testing/kit.ts → core/b.ts",
  "sdk-util-imports-no-other-room: sdk/util/a.ts → sdk/contract/a.ts",
];

/** `count` files of which each imports the next, for its types only, and the last one the first. */
const circleOf = (count: number): readonly Source[] =>
  Array.from({ length: count }, (_, index) => {
    const text = `import type { A } from "./${(index + 1) % count}.ts";`;
    const file = `sdk/util/${index}.ts`;
    return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest) };
  });

describe("imports", function () {
  this.timeout(60_000);

  it("follow the rules of the architecture", async () => {
    expect(await brokenIn(root)).to.deep.equal([]);
  });

  it("make no circle of more than seven files, types included", () => {
    const largest = importCircles(productSources()).filter((circle) => circle.length > 7);
    expect(largest).to.deep.equal([]);
    expect(importCircles(circleOf(8)).map((circle) => circle.length)).to.deep.equal([8]);
  });

  it("that break a rule are found, each", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "tsconfig.json"), "{}");
    for (const [file, text] of Object.entries(wrong)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    }
    mkdirSync(path.join(folder, "node_modules/@pergola"), { recursive: true });
    symlinkSync(path.join(folder, "sdk"), path.join(folder, "node_modules/@pergola/sdk"));
    const found = await brokenIn(folder);
    expect(found.toSorted()).to.deep.equal(broken);
    const rules = new Set(broken.map((line) => line.split(":")[0]));
    expect(forbidden.map(({ name = "" }) => name).filter((name) => !rules.has(name))).to.deep.equal([]);
  });
});
