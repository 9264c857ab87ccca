import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";
import { needsPrograms } from "../boundary/support/needs-programs.ts";
import { fences, type Fence } from "./fences.ts";
import { openStage, type Stage } from "./stage.ts";
import { isTutorial, wayOf } from "./ways.ts";

/** What the commands of a page print, in their order, among other things. */
const prints: Readonly<Record<string, readonly string[]>> = {
  "docs/add-a-tool.md": ["no fault", "rolls", "1 passing"],
  "docs/add-a-route.md": ["no fault", "pergola-endpoint-words running", "4 passing"],
  "docs/add-a-bridge.md": ["no fault", "pergola-bridge-doorbell running", "9 passing"],
  "docs/add-a-policy.md": ["no fault", "pergola-policy-night running", "3 passing"],
};

/** Pages that walk through a package, and the commands that bring it. */
const walks = [
  [
    "docs/add-a-provider.md",
    `cp -r ${path.join(root, "examples/provider-parley")}/. .\nrm -rf dist node_modules\n`,
  ],
  ["docs/add-a-storage.md", "npx pergola plugins new storage journal\ncd pergola-storage-journal\n"],
] as const;

/** The text of a block whose last command serves until it is stopped, without that command. */
const beforeStart = ({ text }: Fence): string | undefined => /^([^]*\n)npx pergola start\n$/.exec(text)?.[1];

/** What the pages that make a package tell their reader, who starts in an empty folder with an empty home. */
describe("the pages that make a package from an empty folder", function () {
  this.timeout(240_000);
  const pages = [...new Set(fences.map(({ page }) => page))].filter(isTutorial);

  before(function () {
    needsPrograms.call(this, ["bwrap"]);
  });

  it("are those whose commands are known", () => {
    expect(pages).to.have.members(Object.keys(prints));
  });

  /** Starts the service in a page's folder; resolves with the list of its plugins. */
  async function served(stage: Stage, page: string): Promise<string> {
    await stage.serve(stage.folderOf(page));
    const { plugins } = (await (await fetch(`${stage.url}/api/plugins`)).json()) as {
      readonly plugins: readonly { readonly id: string; readonly state: string }[];
    };
    return plugins.map(({ id, state }) => `${id} ${state}\n`).join("");
  }

  /** Types the blocks of a page; resolves with what they print. */
  async function follow(stage: Stage, page: string): Promise<string> {
    const blocks = fences.filter((fence) => fence.page === page);
    for (const { file, text } of blocks.filter((fence) => fence.file !== undefined)) {
      const full = path.join(stage.folderOf(page), file!);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, text);
    }
    let output = "";
    for (const block of blocks.filter((fence) => wayOf(fence) === "run")) {
      const text = beforeStart(block);
      output += await stage.run({ ...block, text: text ?? block.text }, "y\n");
      if (text !== undefined) output += await served(stage, page);
    }
    return output;
  }

  for (const page of pages)
    it(`${page}: the files and commands lead to a plugin that runs and passes its tests`, async () => {
      const stage = await openStage();
      const output = await follow(stage, page).finally(() => stage.close());
      for (const text of prints[page]!) expect(output).to.include(text);
      expect(output).not.to.contain("failing");
    });

  for (const [page, begin] of walks)
    it(`${page}: its package builds, has no fault, and passes its tests`, async () => {
      const stage = await openStage();
      const text = `${begin}npm run build\nnpx pergola plugins check . --trusted\nnpm test -- --timeout=20000\n`;
      const block = { ...fences.find((fence) => fence.page === page)!, language: "sh", text };
      const output = await stage.run(block).finally(() => stage.close());
      expect(output).to.contain("no fault");
      expect(Number(/(\d+) passing/.exec(output)?.[1])).to.be.greaterThan(10);
      expect(output).not.to.contain("failing");
    });
});
