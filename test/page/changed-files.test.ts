import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { chatsInBrowser, log, sendText, stopButton } from "../support/chat-page.ts";
import { diffLines, press, turns, ways } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const changes = (operation: string, more: object): ScriptTurn => ({
  toolCalls: [{ name: "file_operations", arguments: { operation, ...more } }],
});

describe("what a call has changed, on its card (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  for (const way of ways)
    it(`is told while its run goes on, and leads to these files in the panel, ${way}`, async () => {
      const folder = temporaryFolder("pergola-changed-");
      const [notes, todo] = [path.join(folder, "notes.md"), path.join(folder, "todo.md")];
      writeFileSync(notes, "# Trip\n3 May\nGraz\n");
      const rest = promised();
      const script = turns(
        changes("replace_string", { filePath: notes, oldString: "3 May\n", newString: "4 May\nby train\n" }),
        changes("create_file", { filePath: todo, content: "milk\nbread\n" }),
        [{ text: "And" }, { until: rest.promise }, { text: " done." }],
      );
      const settings = { "authorization.auto_approve": ["write"] };
      const { page } = await openChat(script, { settings, way });
      const diffs: string[] = [];
      page.on("request", (request) => request.url().endsWith("/diff") && diffs.push(request.url()));
      await sendText(page, "Put it in order");
      await log(page).getByText("And", { exact: true }).waitFor();
      const card = (name: string) => log(page).locator("details.tool").filter({ hasText: name });
      const line = card("notes.md").locator(".run-line");
      await press(page, card("notes.md").locator("summary"), way);
      await line.getByText("Changed 1 file").waitFor();
      await line.getByText("+2 −1").waitFor();
      expect(diffs).to.deep.equal([]);
      await press(page, line.getByRole("button", { name: "View" }), way);
      const panel = page.getByRole("dialog", { name: "Changes" });
      const entry = (name: string) => panel.locator("details").filter({ hasText: name }).first();
      await entry(notes).locator("summary:focus").waitFor();
      expect(await diffLines(entry(notes))).to.deep.equal([
        " # Trip",
        "-3 May",
        "+4 May",
        "+by train",
        " Graz",
      ]);
      expect(await entry(todo).getAttribute("open")).to.equal(null);
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
      expect(await line.getByRole("button", { name: "View" }).and(page.locator(":focus")).count()).to.equal(
        1,
      );

      rest.keep();
      await stopButton(page).waitFor({ state: "detached" });
      const foot = log(page).locator("article > .run-line").filter({ hasText: "2 files changed" });
      await foot.getByText("+4 −1").waitFor();
      await page.reload();
      await foot.getByText("+4 −1").waitFor();
      expect(await card("todo.md").locator(".run-line").count()).to.equal(0);
      await press(page, card("todo.md").locator("summary"), way);
      await card("todo.md").locator(".run-line").getByText("+2 −0").waitFor();
    });
});
