import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { exampleTexts } from "./example-texts.ts";
import { fences, placeOf, type Fence } from "./fences.ts";
import { singleFiles, wayOf } from "./ways.ts";

/** Mistakes in the files of the pages; each has to be found. */
const mistakes: readonly (readonly [page: string, file: string, right: string, wrong: string])[] = [
  ["docs/add-a-bridge.md", "bot.ts", "scopes: [", 'scopes: ["all", '],
  ["docs/add-a-policy.md", "authorize.ts", 'decision: "deny"', 'decision: "refuse"'],
  ["docs/add-a-policy.md", "index.ts", '"shapeModelCall"', '"shapeModelCalls"'],
  ["docs/add-a-route.md", "routes.ts", "body.minimumLength", "body.minimumlength"],
  ["docs/add-a-route.md", "routes.ts", "params.conversationId", "params.id"],
  ["docs/add-a-route.md", "routes.ts", "=== role)", '=== role && role === "system")'],
  ["docs/add-a-route.md", "routes.ts", 'needs: "topics", ', ""],
  ["docs/add-a-tool.md", "index.ts", "description:", "descripton:"],
  [singleFiles, "roll_dice.ts", "effect:", "efect:"],
];

const typed = fences.filter((fence) => wayOf(fence) === "types");

/** Whether a block is a part of a file of an example, which is checked with it. */
const isExcerpt = ({ text }: Fence): boolean => exampleTexts(".ts").some((whole) => whole.includes(text));

/** The options that the page on tools tells its reader to use, and where this tree has its sources. */
function compilerOptions(): object {
  const { text } = fences.find(({ file }) => file === "tsconfig.json")!;
  const { compilerOptions: options } = JSON.parse(text) as { readonly compilerOptions: object };
  return { ...options, customConditions: ["source"] };
}

/** The folder of a page's files. */
const folderOf = (page: string): string => path.basename(page, ".md");

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe("the TypeScript of the documentation", function () {
  this.timeout(120_000);
  const excerpts = typed.filter(isExcerpt);
  const whole = typed.filter((fence) => !excerpts.includes(fence));
  let faults: readonly string[];

  before(async () => {
    const folder = temporaryFolder("pergola-types-");
    for (const fence of whole) {
      const file = fence.file ?? `block-${fence.line}.ts`;
      write(path.join(folder, folderOf(fence.page), file), fence.text);
    }
    for (const [at, [page, file, right, wrong]] of mistakes.entries()) {
      const { text } = whole.find((fence) => fence.page === page && fence.file === file)!;
      expect(text).to.include(right);
      write(path.join(folder, folderOf(page), `wrong-${at}.ts`), text.replace(right, wrong));
    }
    write(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: compilerOptions() }));
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    const tsc = path.join(root, "node_modules", ".bin", "tsc");
    const output = await promisify(execFile)(tsc, ["-p", "."], { cwd: folder }).then(
      () => "",
      (error: unknown) => (error as { readonly stdout: string }).stdout,
    );
    faults = output.split("\n").filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
  });

  it("has the right types", () => {
    expect(faults.filter((line) => !/^[\w-]+\/wrong-/.test(line))).to.deep.equal([]);
    expect(whole.length).to.be.above(8);
  });

  it("shows each mistake in it", () => {
    const found = faults.map((line) => Number(/^[\w-]+\/wrong-(\d+)/.exec(line)?.[1]));
    expect([...new Set(found)].toSorted()).to.deep.equal([...mistakes.keys()]);
  });

  it("is, where a page walks through an example, code of that example", () => {
    const walks = typed.filter(({ page }) => /add-a-(provider|storage)\.md$/.test(page));
    expect(walks.filter((fence) => !excerpts.includes(fence)).map(placeOf)).to.deep.equal([]);
    expect(walks.length).to.be.above(10);
  });
});
