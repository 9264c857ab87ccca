import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { chatsInBrowser, log, openCard, sendText, shown, writes } from "../support/chat-page.ts";
import { turns, type SceneOptions } from "../support/page-scene.ts";

describe("the page for everybody (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  for (const [name, options] of Object.entries<SceneOptions>({
    light: {},
    dark: { dark: true },
    narrow: { width: 360, height: 720, touch: true },
    "zoomed to 200 %": { width: 640, height: 400 },
    "forced colours": { forcedColors: true },
  }))
    it(`is open to everybody (WCAG 2.2 A and AA), and as wide as its window: ${name}`, async () => {
      const text =
        "# A\n\n- one\n- [x] two\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\nEnd";
      const script = turns({ text }, writes(path.join(temporaryFolder(), "out.txt")), { text: "Done." });
      const { page } = await openChat(script, options);
      const found: string[] = [];
      const look = async (where: string): Promise<void> => {
        const faults = await accessibilityFaults(page);
        found.push(...faults.map((fault) => `${where}: ${fault}`));
        if (await isTooWide(page)) found.push(`${where}: too wide`);
      };
      await look("new");
      await sendText(page, "Show");
      await log(page).locator(".hljs-keyword").waitFor();
      const task = log(page).locator(".task");
      expect(await task.getByRole("checkbox", { name: "Done", checked: true }).count()).to.equal(1);
      expect(await task.textContent()).to.equal("two");
      await look("answer");
      await sendText(page, "Copy");
      const card = await openCard(page);
      await look("approval");
      await card.getByRole("combobox", { name: "How long this is allowed" }).selectOption({ index: 1 });
      await card.getByRole("button", { name: "Write 1 file" }).click();
      await log(page).getByText("Done.").waitFor();
      await page.goto("/#/settings/permissions");
      await page.getByRole("button", { name: /^Revoke/ }).waitFor();
      await look("permissions");
      await page.goto("/#/models");
      await shown(page).getByText("Use a key").click();
      await page.getByRole("button", { name: "Connect" }).waitFor();
      await look("a key");
      await page.goto("/#/search/Show");
      await page.locator("mark").first().waitFor();
      await look("search");
      for (const view of ["Waiting", "Runs", "Memory", "Models", "Plugins", "Settings", "Check"]) {
        await page.goto(`/#/${view.toLowerCase()}`);
        await page.getByRole("heading", { name: view, level: 1 }).waitFor();
        await page.locator(".blocks").waitFor({ state: "detached", timeout: 20_000 });
        await look(view);
      }
      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox", { name: "Go to" }).waitFor();
      await look("palette");
      expect(found).to.deep.equal([]);
    });

  it("lies, on a narrow screen, in one column with the list as a drawer", async () => {
    const { page } = await openChat(turns({ text: "Hello." }), { width: 360, height: 640, touch: true });
    await sendText(page, "Hi");
    await log(page).getByText("Hello.").waitFor();
    const list = page.getByRole("navigation", { name: "Conversations" });
    expect(await list.isVisible()).to.equal(false);
    await page.getByRole("button", { name: "Conversations" }).tap();
    await list.getByRole("link", { name: "Runs" }).tap();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    expect(await list.isVisible()).to.equal(false);
  });
});
