import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { shown } from "../support/chat-page.ts";
import { gone, within } from "../support/journey-steps.ts";
import {
  diffLines,
  press,
  reach,
  scenesInBrowser,
  turns,
  ways,
  type PageScene,
  type Way,
} from "../support/page-scene.ts";

const calls = (operation: string, more: object): ScriptTurn => [
  { toolCalls: [{ name: "file_operations", arguments: { operation, ...more } }] },
];

const changesIn = (page: Page): Locator => page.getByRole("dialog", { name: "Changes" });

describe("journey D: taking back what a run has changed (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;
  let folder: string;
  const at = (name: string): string => path.join(folder, name);

  beforeEach(() => {
    folder = temporaryFolder("pergola-docs-");
    writeFileSync(at("notes.md"), "# Trip\n3 May\nGraz\n");
    writeFileSync(at("old.txt"), "old\n");
    writeFileSync(at("todo.md"), "milk\n");
  });

  /** A run that makes, changes and deletes a file; one that it changed is edited by hand afterwards. */
  const begin = async (way: Way): Promise<Page> => {
    const script = turns(
      calls("create_file", { filePath: at("fresh.md"), content: "fresh\n" }),
      calls("replace_string", { filePath: at("notes.md"), oldString: "3 May", newString: "4 May" }),
      calls("replace_string", { filePath: at("todo.md"), oldString: "milk", newString: "bread" }),
      calls("delete_file", { filePath: at("old.txt") }),
      [{ text: "All done." }],
    );
    const settings = { "authorization.auto_approve": ["write", "destructive"] };
    scene = await openScene(script, { settings, way });
    const { page } = scene;
    await page.goto("/");
    await page.getByRole("textbox", { name: "Message" }).fill("Put it in order");
    await page.keyboard.press("Enter");
    await shown(page).getByText("4 files changed").waitFor();
    writeFileSync(at("todo.md"), "bread, by hand\n");
    return page;
  };

  for (const way of ways)
    it(`D1–D4: shows each file, leaves out what is refused, and takes the taking back back, ${way}`, async () => {
      const page = await begin(way);
      const dialog = changesIn(page);
      const fileOf = (name: string): Locator => dialog.locator("details").filter({ hasText: at(name) });
      const said = async (name: string): Promise<string> =>
        ((await fileOf(name).locator("summary").textContent()) ?? "").replace(at(name), "").trim();
      const views = await reach(page, page.getByRole("button", { name: "View" }), way);
      const files = ["fresh.md", "notes.md", "old.txt", "todo.md"].map(fileOf);
      await within(
        "D2: “View” → what would become of each file",
        500,
        () => within("D1: “View” → the files that were changed", 300, views, ...files),
        fileOf("todo.md").getByText("refused"),
      );
      expect(await said("fresh.md")).to.equal("created · would be removed");
      expect(await said("notes.md")).to.equal("modified · would be put back");
      expect(await said("old.txt")).to.equal("deleted · would be put back");
      expect(await said("todo.md")).to.match(/^modified · refused: .*changed/i);
      await press(page, fileOf("notes.md").locator("summary"), way);
      expect(await diffLines(fileOf("notes.md"))).to.deep.equal([" # Trip", "-3 May", "+4 May", " Graz"]);
      await press(page, fileOf("todo.md").locator("summary"), way);
      expect(await diffLines(fileOf("todo.md"))).to.deep.equal(["-bread, by hand", "+milk"]);
      const take = dialog.getByRole("button", { name: "Take back 3 of 4 files" });
      expect(await take.isDisabled()).to.equal(true);
      await press(page, dialog.getByRole("checkbox", { name: "Leave out what is refused" }), way);
      await within(
        "D3: “Take back 3 of 4 files” → they are as before",
        1000,
        await reach(page, take, way),
        dialog.getByText("3 files taken back", { exact: true }),
      );
      expect([existsSync(at("fresh.md")), existsSync(at("old.txt"))]).to.deep.equal([false, true]);
      expect(readFileSync(at("notes.md"), "utf8")).to.equal("# Trip\n3 May\nGraz\n");
      expect(readFileSync(at("todo.md"), "utf8")).to.equal("bread, by hand\n");
      expect(await shown(page).getByText("All done.").count()).to.equal(1);
      const undo = dialog.getByRole("button", { name: "Undo this" });
      await within(
        "D4: “Undo this” → they are as the run left them",
        1000,
        await reach(page, undo, way),
        ...[gone(undo), fileOf("fresh.md").getByText("would be removed")],
      );
      expect([existsSync(at("fresh.md")), existsSync(at("old.txt"))]).to.deep.equal([true, false]);
      expect(readFileSync(at("notes.md"), "utf8")).to.equal("# Trip\n4 May\nGraz\n");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "View" }).and(page.locator(":focus")).waitFor();
      await page.reload();
      await shown(page).getByText("4 files changed").waitFor();
    });

  it("D5: says of a command in a folder too large to be compared that the list may not be whole", async () => {
    const command = {
      operation: "run_command",
      command: "echo more >> old.txt",
      explanation: "It is needed.",
    };
    const script = turns(
      calls("create_file", { filePath: "fresh.md", content: "fresh\n" }),
      [{ toolCalls: [{ name: "terminal_operations", arguments: command }] }],
      [{ text: "All done." }],
    );
    const settings = {
      "tools.disabled": [],
      "authorization.auto_approve": ["write", "execute"],
      "changes.max_files": 0,
    };
    scene = await openScene(script, { settings });
    const { page } = scene;
    await page.goto("/");
    await page.getByRole("textbox", { name: "Message" }).fill("Put it in order");
    await page.keyboard.press("Enter");
    await shown(page).getByText("1 file changed").waitFor();
    await page.getByRole("button", { name: "View" }).click();
    await changesIn(page)
      .getByText(/^This list may not be whole: \S/)
      .waitFor();
  });
});
